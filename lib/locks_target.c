// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ksyms.h"
#include "locks.h"
#include "rootfs.h"
#include "selector.h"
#include "xalloc.h"

static void only(struct locks_targets *targets, uint64_t address, char *name)
{
	targets->target = xcalloc(1, sizeof(*targets->target));
	targets->target[0] = (struct locks_target){ .address = address, .name = name };
	targets->n = 1;
	targets->left_out = 0;
}

/* A spin lock is a 32-bit word; the kernel's addresses have the highest bit set. */
static int check(uint64_t address, const char *text, struct errmsg *err)
{
	if (address % 4)
		return err_usage(err, "%s is no address of a spin lock: those are multiples of 4",
				 text);
	if (!(address >> 63))
		return err_usage(err, "%s is no address of the kernel's: those begin with ffff",
				 text);
	return 0;
}

int locks_by_address(const char *text, struct locks_targets *targets, struct errmsg *err)
{
	const char *digits = strncmp(text, "0x", 2) ? text : text + 2;
	uint64_t address;
	char *end;

	errno = 0;
	address = strtoull(digits, &end, 16);
	if (errno || !isxdigit((unsigned char)*digits) || *end)
		return err_usage(err, "--lock needs a hexadecimal address, for example 0xffff888100a1c040, not %s",
				 text);
	if (check(address, text, err))
		return -1;
	only(targets, address, NULL);
	return 0;
}

/* The symbol of data that is spelled most alike; what else would hold a lock? */
static void nearest_symbol(const char *sysroot, const char *name, char *best, size_t size)
{
	char *path = root_path(sysroot, "/proc/kallsyms"), *line = NULL;
	FILE *file = fopen(path, "re");
	unsigned int least = (unsigned int)strlen(name) / 2 + 1;
	size_t room = 0;

	*best = '\0';
	while (file && getline(&line, &room, file) > 0) {
		char type, symbol[512];
		unsigned int distance;

		if (sscanf(line, "%*x %c %511s", &type, symbol) != 2 || !strchr("bBdDrR", type))
			continue;
		distance = edit_distance(name, symbol);
		if (distance >= least)
			continue;
		least = distance;
		snprintf(best, size, "; the nearest is %s", symbol);
	}
	free(line);
	if (file)
		fclose(file);
	free(path);
}

int locks_by_symbol(const char *sysroot, const char *text, struct locks_targets *targets,
		    struct errmsg *err)
{
	char *name = xstrdup(text), *plus = strchr(name, '+'), *end = "";
	uint64_t address = 0, offset = 0;
	char near[600];
	int n, rc = -1;

	errno = 0;
	if (plus) {
		*plus = '\0';
		offset = isdigit((unsigned char)plus[1]) ? strtoull(plus + 1, &end, 0) : 0;
	}
	if (!*name || errno || *end || (plus && !isdigit((unsigned char)plus[1]))) {
		err_usage(err, "--symbol needs SYMBOL or SYMBOL+OFFSET, for example rtc_lock or init_task+0x8c0, not %s",
			  text);
		goto out;
	}
	n = ksyms_find(sysroot, name, &address, err);
	if (n < 0)
		goto out;
	if (!n) {
		nearest_symbol(sysroot, name, near, sizeof(near));
		err_fail(err, "the kernel has no symbol %s%s", name, near);
	} else if (n > 1) {
		err_fail(err, "%d symbols are called %s: name the one by --lock and its address in /proc/kallsyms",
			 n, name);
	} else if (!check(address + offset, text, err)) {
		only(targets, address + offset, xstrdup(text));
		rc = 0;
	}
out:
	free(name);
	return rc;
}
