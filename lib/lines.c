// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lines_internal.h"
#include "pci.h"
#include "proc_interrupts.h"
#include "rootfs.h"
#include "xalloc.h"

void line_replace(char **old, char *value)
{
	if (!value)
		return;
	free(*old);
	*old = value;
}

static int by_irq(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	return x->irq < y->irq ? -1 : x->irq > y->irq;
}

struct line *lines_find(const struct lines *lines, unsigned int irq)
{
	struct line key = { .irq = irq };

	if (!lines->n)
		return NULL;
	return bsearch(&key, lines->line, lines->n, sizeof(key), by_irq);
}

void line_free_actions(struct line *line)
{
	for (size_t i = 0; i < line->n_actions; i++)
		free(line->actions[i]);
	free(line->actions);
	line->actions = NULL;
	line->n_actions = 0;
	free(line->name);
	line->name = NULL;
}

void line_free_devices(struct line *line)
{
	for (size_t i = 0; i < line->n_devices; i++) {
		free(line->devices[i].name);
		free(line->devices[i].driver);
	}
	free(line->devices);
	line->devices = NULL;
	line->n_devices = 0;
}

static void line_clear(struct line *line)
{
	line_free_actions(line);
	line_free_devices(line);
	free(line->chip);
	free(line->flow);
	free(line->type);
	free(line->affinity);
	free(line->effective_affinity);
	free(line->thread);
	free(line->counts);
	free(line->reason);
}

void lines_free(struct lines *lines)
{
	for (size_t i = 0; i < lines->n; i++)
		line_clear(&lines->line[i]);
	free(lines->line);
	free(lines->cpus);
	if (lines->merged)
		nl_lines_free(lines->merged);
	free(lines->merged);
	memset(lines, 0, sizeof(*lines));
}

static void drop_duplicates(struct lines *lines)
{
	size_t kept = 0;

	if (lines->n)
		qsort(lines->line, lines->n, sizeof(*lines->line), by_irq);
	for (size_t i = 0; i < lines->n; i++) {
		if (kept && lines->line[kept - 1].irq == lines->line[i].irq)
			line_clear(&lines->line[i]);
		else
			lines->line[kept++] = lines->line[i];
	}
	lines->n = kept;
}

/* The names in sysfs are joined by a bare comma. */
static bool same_actions(const struct line *line, const char *joined)
{
	for (size_t i = 0; i < line->n_actions; i++) {
		size_t n = strlen(line->actions[i]);

		if (strncmp(joined, line->actions[i], n))
			return false;
		joined += n;
		if (i + 1 < line->n_actions && *joined++ != ',')
			return false;
	}
	return !*joined;
}

static void set_actions(struct line *line, char *joined)
{
	char *rest = joined, *one;

	/* Where both agree, the text's ", " splits better than a bare comma. */
	if (same_actions(line, joined))
		return;
	line_free_actions(line);
	while ((one = strsep(&rest, ","))) {
		char *name = line->name;

		line->actions = xrealloc(line->actions, line->n_actions + 1,
					 sizeof(*line->actions));
		line->actions[line->n_actions++] = xstrdup(one);
		line->name = xasprintf("%s%s%s", name ? name : "",
				       name ? ", " : "", one);
		free(name);
	}
}

static void read_sysfs(const char *root, struct line *line)
{
	char *text;

	if (!root_exists(root, "/sys/kernel/irq/%u", line->irq))
		return;
	text = root_read(root, "/sys/kernel/irq/%u/actions", line->irq);
	if (text)
		set_actions(line, text);
	free(text);
	line_replace(&line->chip, root_read(root, "/sys/kernel/irq/%u/chip_name",
				       line->irq));
	line_replace(&line->flow, root_read(root, "/sys/kernel/irq/%u/name",
				       line->irq));
	text = root_read(root, "/sys/kernel/irq/%u/type", line->irq);
	if (text && (!strcmp(text, "edge") || !strcmp(text, "level")))
		line_replace(&line->type, text);
	else
		free(text);
	line->hwirq = root_read_number(root, line->hwirq,
				       "/sys/kernel/irq/%u/hwirq", line->irq);
}

static void read_affinity(const char *root, struct line *line)
{
	line->affinity = root_read(root, "/proc/irq/%u/smp_affinity_list",
				   line->irq);
	line->effective_affinity =
		root_read(root, "/proc/irq/%u/effective_affinity_list",
			  line->irq);
}

/* Lines with an action that came up after /proc/interrupts was read. */
static void add_sysfs_only(const char *root, struct lines *lines)
{
	size_t known = lines->n;
	struct names irqs;

	root_list(root, &irqs, "/sys/kernel/irq");
	for (size_t i = 0; i < irqs.n; i++) {
		struct lines old = { .line = lines->line, .n = known };
		struct line line = { .hwirq = -1, .attachable = LINE_UNKNOWN };
		char *actions;

		if (!parse_uint(irqs.name[i], &line.irq) ||
		    lines_find(&old, line.irq))
			continue;
		actions = root_read(root, "/sys/kernel/irq/%u/actions", line.irq);
		if (!actions)
			continue;
		free(actions);
		line.counts = xcalloc(lines->n_cpus, sizeof(*line.counts));
		for (size_t c = 0; c < lines->n_cpus; c++)
			line.counts[c] = LINE_NO_COUNT;
		lines->line = xrealloc(lines->line, lines->n + 1,
				       sizeof(*lines->line));
		lines->line[lines->n++] = line;
	}
	names_free(&irqs);
	if (lines->n)
		qsort(lines->line, lines->n, sizeof(*lines->line), by_irq);
}

/*
 * A driver's own thread is called "irq/N-NAME", a secondary one "irq/N-s-NAME".
 * Any process can call itself that, but only a kernel thread has no command line.
 */
static void read_threads(const char *root, struct lines *lines)
{
	struct names pids;
	unsigned int pid;

	root_list(root, &pids, "/proc");
	for (size_t i = 0; i < pids.n; i++) {
		struct line *line = NULL;
		unsigned int irq;
		char *comm, *cmdline, *dash;

		if (!parse_uint(pids.name[i], &pid))
			continue;
		comm = root_read(root, "/proc/%u/comm", pid);
		if (!comm || strncmp(comm, "irq/", 4) ||
		    !(dash = strchr(comm, '-'))) {
			free(comm);
			continue;
		}
		*dash = '\0';
		if (parse_uint(comm + 4, &irq))
			line = lines_find(lines, irq);
		*dash = '-';
		cmdline = root_read(root, "/proc/%u/cmdline", pid);
		if (line && !line->thread && !cmdline) {
			line->thread = comm;
			comm = NULL;
		}
		free(cmdline);
		free(comm);
	}
	names_free(&pids);
}

/* Where PCI sysfs is silent the chip tells: "PCI-MSIX-0000:00:03.0". */
static void read_chip(const char *root, struct line *line)
{
	const char *address;

	if (line->n_devices || !line->chip ||
	    !(address = strstr(line->chip, "PCI-MSI")))
		return;
	address += strcspn(address + strlen("PCI-"), "-") + strlen("PCI-");
	if (*address++ != '-' ||
	    pci_address_length(address) != strlen(address))
		return;
	line->devices = xcalloc(1, sizeof(*line->devices));
	line->n_devices = 1;
	line->devices[0] = (struct line_device){
		.name = xstrdup(address),
		.driver = pci_driver(root, address),
		.vector = pci_vector(address, line->chip, line->hwirq),
	};
}

/* Devices of other buses whose driver named the line after them. */
static void read_platform(const char *root, struct line *line)
{
	for (size_t i = 0; i < line->n_actions && !line->n_devices; i++) {
		const char *name = line->actions[i];

		if (!*name || *name == '.' || strchr(name, '/') ||
		    !root_exists(root, "/sys/bus/platform/devices/%s", name))
			continue;
		line->devices = xcalloc(1, sizeof(*line->devices));
		line->n_devices = 1;
		line->devices[0] = (struct line_device){
			.name = xstrdup(name),
			.driver = root_link_name(root,
				"/sys/bus/platform/devices/%s/driver", name),
			.vector = -1,
		};
	}
}

static bool is_timer(const char *action)
{
	return !strcmp(action, "timer") || !strcmp(action, "arch_timer") ||
	       (!strncmp(action, "hpet", 4) && action[4] >= '0' &&
		action[4] <= '9' && !action[5]);
}

static void refuse(struct line *line, char *reason)
{
	free(line->reason);
	line->reason = reason;
	line->attachable = LINE_NO;
}

/* Only what the files can prove: a "yes" is the module's to say. */
static void judge(struct line *line)
{
	if (!line->n_actions) {
		refuse(line, xstrdup("has no handler; load its driver first"));
		return;
	}
	if (line->flow && (strstr(line->flow, "percpu") ||
			   strstr(line->flow, "per_cpu"))) {
		refuse(line, xstrdup("is a per-CPU interrupt; choose a line of a device"));
		return;
	}
	if (line->flow && strstr(line->flow, "nmi")) {
		refuse(line, xstrdup("is a non-maskable interrupt; leave it native"));
		return;
	}
	for (size_t i = 0; i < line->n_actions; i++) {
		if (is_timer(line->actions[i])) {
			refuse(line, xstrdup("is a timer; leave it native"));
			return;
		}
	}
	if (line->thread)
		refuse(line, xasprintf("has a thread of its own (%s); only hard can be set",
				       line->thread));
}

int lines_read(const char *sysroot, struct lines *lines, struct errmsg *err)
{
	char *path = root_path(sysroot, "/proc/interrupts");
	FILE *in = fopen(path, "re");
	int rc;

	memset(lines, 0, sizeof(*lines));
	if (!in) {
		rc = err_sys(err, errno, "cannot read %s: %s", path,
			     strerror(errno));
		free(path);
		return rc;
	}
	rc = proc_interrupts_read(in, path, lines, err);
	fclose(in);
	free(path);
	if (rc) {
		lines_free(lines);
		return rc;
	}
	drop_duplicates(lines);
	add_sysfs_only(sysroot, lines);
	lines_fill_counts(sysroot, lines);
	for (size_t i = 0; i < lines->n; i++) {
		read_sysfs(sysroot, &lines->line[i]);
		read_affinity(sysroot, &lines->line[i]);
	}
	pci_read(sysroot, lines);
	for (size_t i = 0; i < lines->n; i++) {
		read_chip(sysroot, &lines->line[i]);
		read_platform(sysroot, &lines->line[i]);
	}
	read_threads(sysroot, lines);
	for (size_t i = 0; i < lines->n; i++)
		judge(&lines->line[i]);
	lines->module_loaded = root_exists(sysroot, "/sys/module/irqpace");
	return 0;
}

const char *line_device(const struct line *line)
{
	return line->n_devices ? line->devices[0].name : NULL;
}

const char *line_driver(const struct line *line)
{
	return line->n_devices ? line->devices[0].driver : NULL;
}

long line_vector(const struct line *line)
{
	return line->n_devices ? line->devices[0].vector : -1;
}
