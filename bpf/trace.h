/* SPDX-License-Identifier: GPL-2.0-only */
/* What trace.bpf.c hands to lib/trace.c. */
#ifndef IRQPACE_BPF_TRACE_H
#define IRQPACE_BPF_TRACE_H

#include "../core/hist.h"

/*
 * A value lies in the cell (shift << bits) + (value >> shift), where shift is
 * what leaves bits + 1 digits of it: 2^bits cells to each power of two, and one
 * for each value below 2^(bits + 1). Values of 2^(TRACE_TOP_BIT + 1) ns (1.2
 * hours) and more share the last cell.
 *
 * The program knows TRACE_BITS alone, which saves it instructions: cells of
 * fewer bits are made of several of these.
 */
#define TRACE_TOP_BIT		41
#define TRACE_BITS		6
#define TRACE_CELLS(bits)	((u32)(TRACE_TOP_BIT - (bits) + 2) << (bits))

#define TRACE_PLACES_BITS	13
#define TRACE_PLACES		(1 << TRACE_PLACES_BITS)	/* for calls under way */
#define TRACE_WAYS		8	/* places in which a call may be */

/* 0 where the value has no more than BITS + 1 digits anyway. */
static inline u32 trace_shift(u64 ns, u32 bits)
{
	u32 high = ns >> 32;

	if (!(ns >> bits))
		return 0;
	return (high ? 32 + pace_top_bit(high) : pace_top_bit((u32)ns)) - bits;
}

struct trace_cell {
	u64 count;
	u64 sum_ns;
};

struct trace_hist {
	u64 shift;		/* of the last value: mostly the next one's as well */
	u64 max_ns;
	struct trace_cell cell[TRACE_CELLS(TRACE_BITS)];
};

/*
 * One for each CPU. What begins and what ends is counted by a program each, and
 * the kernel lets neither interrupt itself on a CPU: plain additions lose nothing.
 */
struct trace_cpu {
	u64 begun;		/* calls that began here and found a place */
	u64 ended;		/* of these, calls that ended here ... */
	u64 ended_elsewhere;	/* ... and on other CPUs, or unseen (atomic) */
	u64 elsewhere_ns;	/* when the last of the latter ended */
	u64 returned_ns;	/* when the last call of any CPU returned here */
	u64 no_place;		/* calls that found no place: not in the distributions */
	u64 no_return;		/* calls whose place a later one took: they ended unseen */
	u64 unpaired;		/* returns of calls whose beginning was not seen */
	struct trace_hist duration;
	struct trace_hist gap;
	u64 pad[4];		/* to whole cache lines */
};

/* A call under way. */
struct trace_call {
	u64 frame;		/* what it is known by; 0: the place is free */
	u64 start_ns;
	u64 returned_ns;	/* of the CPU at the start, 0 where a call was under way there */
	u64 cpu;		/* where it began */
};

enum trace_phase {
	TRACE_STARTING,		/* returns of earlier calls do not count */
	TRACE_ON,
	TRACE_STOPPING,		/* nor do those of later ones */
};

#endif
