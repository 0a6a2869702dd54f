/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the BPF programs of bpf/irqstat.bpf.c have seen: for each handler on
 * each line and CPU its runs and their durations, and for each CPU its time in
 * handlers and softirqs. Works without the module, as root, on kernels from
 * 5.15 on that have BTF.
 *
 * A sample holds sums since irqstat_open(), and the longest run and stay since
 * the reading before; irqstat_difference() makes of two readings the figures of an
 * interval. A run that ends while a sample is read is in it as far as it got;
 * nothing is in it that was not there.
 */
#ifndef IRQPACE_IRQSTAT_H
#define IRQPACE_IRQSTAT_H

#include <stddef.h>
#include <stdint.h>

#include "../bpf/irqstat.h"
#include "diskstats.h"
#include "errmsg.h"

struct irqstat;

struct irqstat_entry {
	struct irqstat_key key;
	struct pace_hist run;		/* runs that handled something; max_ns as run_max_ns */
	uint64_t none_runs;		/* runs that returned IRQ_NONE ... */
	uint64_t none_ns;		/* ... and their time */
	uint64_t run_max_ns;		/* handled or not */
	uint64_t stay_max_ns;		/* longest residency: all sharers of one interrupt */
};

struct irqstat_sample {
	uint64_t time_ns;		/* CLOCK_MONOTONIC; of an interval its length */
	struct irqstat_entry *entry;	/* sorted by irq, handler, cpu */
	size_t n;
	struct irqstat_cpu *cpu;	/* by CPU id; zeros where there is none */
	size_t n_cpus;
	struct diskstats disks;
};

/*
 * Loads and attaches the programs. LINES: how many lines the machine has; there
 * is room for four handlers or CPUs on each. Fails with a sentence where the
 * kernel has no BTF, does not let us, or is too old.
 */
int irqstat_open(struct irqstat **stat, size_t lines, struct errmsg *err);
void irqstat_close(struct irqstat *stat);
int irqstat_read(struct irqstat *stat, struct irqstat_sample *sample, struct errmsg *err);
void irqstat_free(struct irqstat_sample *sample);

/*
 * Turns BEFORE into what NOW has more than it, the figures of the interval
 * between the two: in place, because there may be thousands of entries.
 */
void irqstat_difference(const struct irqstat_sample *now, struct irqstat_sample *before);

/* By irq, then handler, then CPU; the entries of every sample stand like that. */
int irqstat_compare(const struct irqstat_key *a, const struct irqstat_key *b);
void irqstat_sort(struct irqstat_sample *sample);

/* Runs that are in no entry, because there was no room, or no beginning seen. */
uint64_t irqstat_no_room(const struct irqstat_sample *sample);
uint64_t irqstat_unpaired(const struct irqstat_sample *sample);

#endif
