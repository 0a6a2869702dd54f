/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What `stat`, `top` and `export` show of an interval: rows that a person can
 * read, out of a sample (irqstat.h), the machine's lines and the kernel's symbols.
 */
#ifndef IRQPACE_IRQSTAT_VIEW_H
#define IRQPACE_IRQSTAT_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "irqstat.h"
#include "ksyms.h"
#include "lines.h"
#include "selector.h"

/* Names of handlers, kept between intervals; zeroed to begin with. */
struct handler_names {
	struct ksym *sym;		/* sorted by address */
	size_t n;
};

/* One handler of one line, on one CPU or on all. */
struct stat_row {
	uint32_t irq;
	long cpu;			/* -1: all CPUs */
	uint64_t handler;		/* address, or IRQSTAT_ROUND_* */
	const char *handler_name;	/* "nvme_irq"; "timer round", "thread round"; NULL: not known */
	const char *handler_module;	/* NULL: built in, or not known */
	const struct line *line;	/* NULL: requested after LINES were read */
	struct pace_hist run;		/* that handled something; max_ns is also of the others */
	uint64_t runs;			/* all */
	uint64_t none_runs;		/* IRQ_NONE */
	uint64_t none_ns;
	uint64_t residency_max_ns;	/* the longest stay that this handler ended */
	/* Block requests of the line's device that completed: what falls to these runs. */
	double completions;
};

struct stat_view {
	struct stat_row *row;		/* most time first */
	size_t n;
	uint64_t interval_ns;
	const struct irqstat_cpu *cpu;	/* of SAMPLE, by CPU id */
	size_t n_cpus;
	uint64_t no_room;		/* runs in no row */
	uint64_t unpaired;
};

/*
 * SAMPLE is an interval's and has to live as long as the view, like LINES and
 * NAMES. SELECTED (of LINES, by irq; NULL: all) says which lines are shown.
 * SYSROOT is where disks and symbols are looked up, NULL: this machine.
 */
void stat_view_make(struct stat_view *view, const struct irqstat_sample *sample,
		    const struct lines *lines, const struct selection *selected,
		    struct handler_names *names, const char *sysroot, bool per_cpu);
void stat_view_free(struct stat_view *view);
void handler_names_free(struct handler_names *names);

/* Time in the handler, IRQ_NONE included; of thread rounds it is no hard interrupt. */
uint64_t stat_row_ns(const struct stat_row *row);
/* Whether the row's time was spent in hard interrupt context. */
bool stat_row_hard(const struct stat_row *row);
/* Parts of INTERVAL_NS in percent; of one CPU. */
double stat_percent(uint64_t ns, uint64_t interval_ns);
double stat_per_second(double count, uint64_t interval_ns);

#endif
