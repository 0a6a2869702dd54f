// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bpf_program.h"

#define BTF "/sys/kernel/btf/vmlinux"

/* The last warning; of the verifier's log, which is many lines, what it stopped at. */
static char said[256];

static char *last_line_before(char *text, const char *mark)
{
	char *end = strstr(text, mark), *line;

	if (!end)
		return NULL;
	while (end > text && end[-1] == '\n')
		end--;
	*end = '\0';
	line = strrchr(text, '\n');
	return line ? line + 1 : text;
}

static int keep(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	char *text, *line;

	if (level != LIBBPF_WARN || vasprintf(&text, fmt, ap) < 0)
		return 0;
	line = last_line_before(text, "\nprocessed ");
	if (line)
		snprintf(said, sizeof(said), "the verifier says: %s", line);
	else if (strncmp(said, "the verifier", 12))
		snprintf(said, sizeof(said), "%.*s", (int)strcspn(text, "\n"), text);
	free(text);
	return 0;
}

static int old_enough(struct errmsg *err)
{
	struct utsname uts;
	int major, minor;

	if (uname(&uts) || sscanf(uts.release, "%d.%d", &major, &minor) != 2)
		return err_fail(err, "cannot tell which kernel this is");
	if (major < 5 || (major == 5 && minor < 15))
		return err_fail(err, "this kernel is %s, and measuring needs 5.15 or later",
				uts.release);
	return 0;
}

/* A map is the smallest thing that the kernel lets only the permitted make. */
static int may_load(struct errmsg *err)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts);
	int fd = bpf_map_create(BPF_MAP_TYPE_HASH, "irqpace_probe", 4, 4, 1, &opts);

	if (fd >= 0) {
		close(fd);
		return 0;
	}
	if (errno == EPERM)
		return err_sys(err, EPERM,
			       "measuring needs root, or CAP_BPF and CAP_PERFMON");
	return err_sys(err, errno, "this kernel has no BPF: %s", strerror(errno));
}

int bpf_ready(struct errmsg *err)
{
	libbpf_set_print(keep);
	if (old_enough(err))
		return -1;
	if (access(BTF, R_OK))
		return err_fail(err, "this kernel has no BTF (" BTF "), which measuring needs: it was built without CONFIG_DEBUG_INFO_BTF");
	return may_load(err);
}

int bpf_refused(struct errmsg *err, int error, const char *what)
{
	if (error < 0)
		error = -error;
	if (error == EPERM || error == EACCES)
		return err_sys(err, error, "the kernel does not permit %s: it needs root, and a kernel that is not locked down%s%s",
			       what, *said ? "; " : "", said);
	return err_sys(err, error, "the kernel refuses %s: %s%s%s", what,
		       strerror(error), *said ? "; " : "", said);
}
