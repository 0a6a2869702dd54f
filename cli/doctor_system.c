// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../lib/nl.h"
#include "../lib/rootfs.h"
#include "../lib/xalloc.h"
#include "cli.h"
#include "doctor.h"

#define OLDEST_MAJOR 6
#define OLDEST_MINOR 1

/* "6.12.117+deb13-amd64"; NULL where a recorded machine does not tell. */
static char *kernel_release(const char *root)
{
	char *text = root_read(root, "/proc/sys/kernel/osrelease");
	struct utsname uts;
	char word[128];

	if (text)
		return text;
	text = root_read(root, "/proc/version");
	if (text && sscanf(text, "Linux version %127s", word) == 1) {
		free(text);
		return xstrdup(word);
	}
	free(text);
	if (!root && !uname(&uts))
		return xstrdup(uts.release);
	return NULL;
}

static bool has_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = text; p && (p = strstr(p, word)); p += n)
		if ((p == text || p[-1] == ' ') &&
		    (!p[n] || p[n] == ' ' || p[n] == '=' || p[n] == '\n'))
			return true;
	return false;
}

static void check_kernel(const char *root, const char *release,
			 struct report *r)
{
	unsigned int major, minor;

	if (!release || sscanf(release, "%u.%u", &major, &minor) != 2)
		report_add(r, "kernel", VERDICT_UNKNOWN, NULL,
			   "the kernel's release is not known");
	else if (major < OLDEST_MAJOR ||
		 (major == OLDEST_MAJOR && minor < OLDEST_MINOR))
		report_add(r, "kernel", VERDICT_FAIL,
			   "use a kernel of 6.1 or later", "%s is too old",
			   release);
	else
		report_add(r, "kernel", VERDICT_OK, NULL, "%s", release);
	if (root_exists(root, "/proc/modules"))
		return;
	if (root)
		report_add(r, "modules", VERDICT_UNKNOWN, NULL,
			   "whether modules can be loaded is not known");
	else
		report_add(r, "modules", VERDICT_FAIL,
			   "use a kernel with CONFIG_MODULES; list, doctor and recorded machines work without",
			   "this kernel cannot load modules");
}

static void check_flavour(const char *root, struct report *r)
{
	char *version = root_read(root, "/proc/version");
	char *uts = root_read(root, "/proc/sys/kernel/version");
	char *cmdline = root_read(root, "/proc/cmdline");
	bool rt = root_read_number(root, 0, "/sys/kernel/realtime") == 1 ||
		  has_word(version, "PREEMPT_RT") || has_word(uts, "PREEMPT_RT");

	if (rt)
		report_add(r, "preemption", VERDICT_WARN,
			   "boot a kernel without PREEMPT_RT to use the other policies",
			   "PREEMPT_RT: every handler has its own thread, only hard can be set");
	else if (version || uts)
		report_add(r, "preemption", VERDICT_OK, NULL, "not PREEMPT_RT");
	else
		report_add(r, "preemption", VERDICT_UNKNOWN, NULL,
			   "whether this is PREEMPT_RT is not known");
	if (!cmdline)
		report_add(r, "threadirqs", VERDICT_UNKNOWN, NULL,
			   "the kernel's command line is not known");
	else if (has_word(cmdline, "threadirqs"))
		report_add(r, "threadirqs", VERDICT_WARN,
			   "boot without threadirqs to use the other policies",
			   "the kernel was started with threadirqs: handlers have their own threads, only hard can be set");
	else
		report_add(r, "threadirqs", VERDICT_OK, NULL,
			   "the kernel was started without threadirqs");
	free(cmdline);
	free(uts);
	free(version);
}

/* Whether modprobe would find it. */
static bool is_installed(const char *root, const char *release)
{
	char *dep = release ? root_read(root, "/lib/modules/%s/modules.dep",
					release) : NULL;
	bool found = dep && strstr(dep, "/irqpace.ko");

	free(dep);
	return found;
}

static void check_module(const char *root, const char *release,
			 struct report *r)
{
	struct nl_status status;
	char *version;
	struct errmsg err;
	struct nl *nl;

	if (!root_exists(root, "/sys/module/irqpace")) {
		if (is_installed(root, release))
			report_add(r, "module", VERDICT_WARN, "modprobe irqpace",
				   "irqpace is installed for this kernel and not loaded");
		else
			report_add(r, "module", VERDICT_WARN,
				   "make install builds it by DKMS",
				   "irqpace is not installed for this kernel");
		return;
	}
	version = root_read(root, "/sys/module/irqpace/version");
	if (root) {
		report_add(r, "module", VERDICT_OK, NULL, "irqpace %s is loaded",
			   version ? version : "(unknown version)");
	} else if (nl_open(&nl, &err)) {
		report_add(r, "module", VERDICT_FAIL,
			   "run irqpace in the initial network namespace",
			   "irqpace is loaded, yet cannot be asked: %s", err.text);
	} else {
		if (nl_status(nl, &status, &err))
			report_add(r, "module", VERDICT_FAIL, NULL,
				   "irqpace is loaded, yet does not answer: %s",
				   err.text);
		else
			report_add(r, "module",
				   strcmp(status.version, IRQPACE_VERSION) ?
				   VERDICT_WARN : VERDICT_OK,
				   strcmp(status.version, IRQPACE_VERSION) ?
				   "install the command and the module from the same version" : NULL,
				   "irqpace %s is loaded: %u rules, %u lines attached, statistics %s",
				   status.version, status.rules, status.lines,
				   status.stats ? "on" : "off");
		nl_close(nl);
	}
	free(version);
}

static void check_signature(const char *root, struct report *r)
{
	char *enforce = root_read(root, "/sys/module/module/parameters/sig_enforce");
	char *lockdown = root_read(root, "/sys/kernel/security/lockdown");
	static const char sign[] =
		"sign the module with a key that the kernel trusts (DKMS and mokutil do)";

	if (enforce && *enforce == 'Y')
		report_add(r, "signature", VERDICT_WARN, sign,
			   "the kernel loads signed modules only");
	else if (enforce)
		report_add(r, "signature", VERDICT_OK, NULL,
			   "the kernel loads unsigned modules");
	else
		report_add(r, "signature", VERDICT_UNKNOWN, NULL,
			   "whether modules must be signed is not known");
	if (lockdown && !strstr(lockdown, "[none]"))
		report_add(r, "lockdown", VERDICT_WARN, sign,
			   "the kernel is locked down: %s", lockdown);
	else if (lockdown)
		report_add(r, "lockdown", VERDICT_OK, NULL,
			   "the kernel is not locked down");
	else
		report_add(r, "lockdown", VERDICT_UNKNOWN, NULL,
			   "/sys/kernel/security/lockdown cannot be read: no lockdown support, or securityfs is not mounted");
	free(lockdown);
	free(enforce);
}

static void check_btf(const char *root, struct report *r)
{
	if (root_exists(root, "/sys/kernel/btf/vmlinux"))
		report_add(r, "btf", VERDICT_OK, NULL,
			   "the kernel describes its types (BTF)");
	else
		report_add(r, "btf", VERDICT_WARN,
			   "irqpace works without; BPF tools that watch it do not",
			   "the kernel has no BTF");
}

/* The first process of that name, 0 for none. */
static unsigned int find_process(const char *root, const char *name)
{
	unsigned int found = 0, pid;
	struct names pids;

	root_list(root, &pids, "/proc");
	for (size_t i = 0; i < pids.n && !found; i++) {
		char *comm;

		if (!parse_uint(pids.name[i], &pid))
			continue;
		comm = root_read(root, "/proc/%u/comm", pid);
		if (comm && !strcmp(comm, name))
			found = pid;
		free(comm);
	}
	names_free(&pids);
	return found;
}

static void check_irqbalance(const char *root, struct report *r)
{
	unsigned int pid = find_process(root, "irqbalance");

	if (pid)
		report_add(r, "irqbalance", VERDICT_WARN,
			   "stop it while you measure: systemctl stop irqbalance",
			   "irqbalance runs (process %u) and moves lines between CPUs; policies follow, figures change",
			   pid);
	else
		report_add(r, "irqbalance", VERDICT_OK, NULL,
			   "irqbalance does not run");
}

static bool has_program(const char *root, const char *name)
{
	return root_exists(root, "/usr/sbin/%s", name) ||
	       root_exists(root, "/usr/bin/%s", name) ||
	       root_exists(root, "/sbin/%s", name);
}

static void check_build(const char *root, const char *release,
			struct report *r)
{
	if (has_program(root, "dkms"))
		report_add(r, "dkms", VERDICT_OK, NULL, "dkms is installed");
	else
		report_add(r, "dkms", VERDICT_WARN, "apt install dkms",
			   "dkms is not installed: the module will not follow kernel updates");
	if (!release)
		report_add(r, "headers", VERDICT_UNKNOWN, NULL,
			   "the kernel's release is not known");
	else if (root_exists(root, "/lib/modules/%s/build/Makefile", release))
		report_add(r, "headers", VERDICT_OK, NULL,
			   "the headers of %s are there", release);
	else
		report_add(r, "headers", VERDICT_WARN,
			   "apt install linux-headers-$(uname -r)",
			   "the headers of %s are missing: the module cannot be built",
			   release);
}

void doctor_system(const char *sysroot, struct report *report)
{
	const char *root = sysroot && *sysroot ? sysroot : NULL;
	char *release = kernel_release(root);

	check_kernel(root, release, report);
	check_flavour(root, report);
	check_module(root, release, report);
	check_signature(root, report);
	check_btf(root, report);
	check_irqbalance(root, report);
	check_build(root, release, report);
	if (!root && geteuid())
		report_add(report, "rights", VERDICT_WARN,
			   "use sudo for set, reset and bench",
			   "you are not root: list, show and doctor work, changes do not");
	free(release);
}
