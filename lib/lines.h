/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machine's interrupt lines as /proc and /sys tell them, and, where the
 * module is loaded, as it tells them (lines_merge()).
 *
 * Sources, best first: /sys/kernel/irq/N/ (names and chips stay whole there),
 * /proc/irq/N/ (affinity), PCI sysfs (device, driver, vector), and the text of
 * /proc/interrupts (counts by CPU name; the rest as a fallback). Every path is
 * below a root prefix, so that recorded machines can be read.
 */
#ifndef IRQPACE_LINES_H
#define IRQPACE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "errmsg.h"
#include "nl.h"

#define LINE_NO_COUNT	UINT64_MAX	/* this CPU has no count in the row */

enum line_known { LINE_UNKNOWN = -1, LINE_NO = 0, LINE_YES = 1 };

/* A device that may raise the line; several where INTx is shared. */
struct line_device {
	char *name;		/* dev_name(), e.g. 0000:00:03.0; NULL where only the driver is known */
	char *driver;		/* NULL: none bound or not known */
	long vector;		/* the device's own index, -1: none (INTx) or not known */
};

struct line {
	unsigned int irq;
	char *name;		/* as the kernel prints it: sharers joined by ", "; NULL: no action */
	char **actions;		/* each sharer's name */
	size_t n_actions;
	struct line_device *devices;	/* the first one is "the" device */
	size_t n_devices;
	char *chip;		/* NULL where not known, as all strings here */
	char *flow;		/* "edge", "fasteoi", "percpu": the descriptor's name */
	char *type;		/* "edge" or "level" */
	long long hwirq;	/* -1: not known */
	char *affinity;		/* CPU list, "0-1" */
	char *effective_affinity;
	char *thread;		/* comm of the driver's own irq thread, NULL: none seen */
	uint64_t *counts;	/* by column: lines.cpus[i]; LINE_NO_COUNT where absent */
	enum line_known attachable;
	char *reason;		/* why not, said of the line ("is a timer; ..."); NULL unless attachable is LINE_NO */
	const struct nl_line *module;	/* what the module says; NULL: not asked or unknown to it */
};

struct lines {
	struct line *line;	/* sorted by irq */
	size_t n;
	unsigned int *cpus;	/* CPU id of each column, in the header's order */
	size_t n_cpus;
	bool module_loaded;	/* ROOT/sys/module/irqpace is there */
	struct nl_lines *merged;/* owned; see lines_merge() */
};

/* SYSROOT is NULL or "" for this machine. Frees nothing on failure but its own. */
int lines_read(const char *sysroot, struct lines *lines, struct errmsg *err);
/* Takes NL_LINES over (freed with LINES) and lets them override what was read. */
void lines_merge(struct lines *lines, struct nl_lines *nl_lines);
/*
 * lines_read() of this machine, merged with the module's answer where it is
 * loaded. With SYSROOT only the files are read.
 */
int lines_load(const char *sysroot, struct lines *lines, struct errmsg *err);
/*
 * lines_load() of this machine without the counts, which on a large one are most
 * of it, for those who do not show them.
 */
int lines_load_names(struct lines *lines, struct errmsg *err);
void lines_free(struct lines *lines);

struct line *lines_find(const struct lines *lines, unsigned int irq);
/* Whether a count is known of any CPU. */
bool line_has_count(const struct lines *lines, const struct line *line);
/* Sum over all CPUs. */
uint64_t line_total(const struct lines *lines, const struct line *line);

/*
 * What one CPU's count of a line grew by. The kernel's counts have 32 bits and
 * wrap; they also fall, because a line that is requested anew counts from 0. Too
 * small at times, never too large: 0 where a side has no count (the CPU was
 * offline) and where it fell further than a wrap explains.
 */
uint64_t line_count_delta(uint64_t before, uint64_t after);

/* Two readings of one machine, with the column in BEFORE of each CPU of AFTER. */
struct lines_pair {
	const struct lines *before;
	const struct lines *after;
	long *column;		/* -1: that CPU was not online before */
};

void lines_pair_init(struct lines_pair *pair, const struct lines *before,
		     const struct lines *after);
void lines_pair_free(struct lines_pair *pair);
/*
 * What each CPU (AFTER's columns) took of LINE, which is one of AFTER's. False,
 * and all zeros, where it cannot be told: there was no line of this number and
 * name before, or it is not the same any more, because one of its counts fell.
 */
bool lines_pair_delta(const struct lines_pair *pair, const struct line *line,
		      uint64_t *delta);
/* The first device's name or driver, NULL where not known; vector -1. */
const char *line_device(const struct line *line);
const char *line_driver(const struct line *line);
long line_vector(const struct line *line);

/*
 * The PCI address ("0000:00:03.0") behind a name: an address in long or short
 * form, a block device (sda, nvme0n1), an nvme controller (nvme0), a network
 * or SCSI host or other class device. Malloced, NULL where there is none.
 */
char *device_resolve(const char *sysroot, const char *name);

#endif
