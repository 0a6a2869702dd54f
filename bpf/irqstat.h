/* SPDX-License-Identifier: GPL-2.0-only */
/* What irqstat.bpf.c hands to lib/irqstat.c. */
#ifndef IRQPACE_BPF_IRQSTAT_H
#define IRQPACE_BPF_IRQSTAT_H

#include "../core/hist.h"

/*
 * All handlers of a paused line, called by the module: from its timer, in hard
 * interrupt context, or from the line's thread. No function has such an address.
 */
#define IRQSTAT_ROUND_TIMER	1
#define IRQSTAT_ROUND_THREAD	2

/*
 * One cell for each handler on each line and CPU. Handlers run with interrupts
 * off, so a cell has one writer at a time and no sample is lost between CPUs.
 */
struct irqstat_key {
	u64 handler;		/* address of the function, or IRQSTAT_ROUND_* */
	u32 irq;
	u32 cpu;
};

struct irqstat_peak {
	u64 epoch;		/* what follows is of this one */
	u64 run_ns;		/* the longest run, handled or not */
	u64 stay_ns;		/* from the first sharer's entry to this one's exit */
};

struct irqstat_cell {
	struct pace_hist run;	/* runs that handled something */
	u64 none_runs;		/* runs that returned IRQ_NONE ... */
	u64 none_ns;		/* ... and their time */
	/*
	 * Of the current and the last epoch (by its lowest bit): a reader begins
	 * an epoch and then reads the peaks of the one before, which change no more.
	 */
	struct irqstat_peak peak[2];
};

/* Which cell a key has; a lookup in a hash costs more than all the rest of a run. */
#define IRQSTAT_RECENT	8
struct irqstat_recent {
	u64 handler;		/* 0: none */
	u32 irq;
	u32 cell;
};

/* One for each CPU; what runs there now and what was seen there. */
struct irqstat_cpu {
	u64 irq_ns;		/* in handlers and the module's timer rounds */
	u64 irq_runs;		/* counted by lib/irqstat.c, from the cells */
	u64 softirq_ns;		/* without the handlers that interrupted it */
	u64 softirq_runs;
	u64 no_room;		/* runs that found no cell */
	u64 unpaired;		/* ends whose beginning was not seen */

	u64 action;		/* the irqaction that runs, 0: none */
	u64 next;		/* the sharer that comes next in the same interrupt */
	u64 start_ns;
	u64 stay_start_ns;	/* when the first of several sharers began */
	u64 soft_start_ns;
	u64 soft_irq_ns;	/* irq_ns when the softirq began */
	u64 soft_vec;		/* vector + 1 that runs, 0: none */
	struct irqstat_recent recent[IRQSTAT_RECENT];	/* by the irq's lowest bits */
};

#endif
