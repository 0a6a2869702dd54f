/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The calls of one kernel function: their durations and the gaps between them,
 * by the BPF programs of bpf/trace.bpf.c. They are attached by fentry and fexit
 * where the kernel knows the function's type, otherwise by a kprobe and a
 * kretprobe.
 *
 * A gap is from a return to the next beginning on the same CPU, while no call
 * that began there is under way.
 */
#ifndef IRQPACE_TRACE_H
#define IRQPACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../bpf/trace.h"
#include "dist.h"
#include "errmsg.h"

struct trace;

/* What tracing does to a call, measured on a function that does nothing. */
struct trace_overhead {
	bool known;
	double duration_ns;	/* that the empty function is seen to take */
	double call_ns;		/* that each call costs its caller */
};

struct trace_result {
	const char *method;	/* "fentry" or "kprobe" */
	uint64_t time_ns;	/* for which it was attached */
	size_t n_cpus;
	struct trace_cpu *cpu;	/* by CPU id */
	struct trace_overhead overhead;

	/* Begun are durations, no_return and running; no_place are none of these. */
	uint64_t begun;
	uint64_t no_return;	/* a later call has the same frame, so it is over */
	uint64_t running;	/* at the end, or its return was missed */
	uint64_t no_place;	/* more calls under way than there is room for */
	uint64_t unpaired;	/* returns without a beginning: it was before ours, or missed */

	/* What the kernel says of calls that it did not let our programs see. */
	bool missed_known;
	uint64_t missed_begin;
	uint64_t missed_end;
};

enum trace_of { TRACE_DURATION, TRACE_GAP };

/*
 * Measures what tracing costs, then attaches to FUNCTION. Fails with a sentence and the nearest names where there is
 * no such function, or none that can be traced. The programs go with the
 * process, however it ends.
 */
int trace_open(struct trace **trace, const char *function, struct errmsg *err);
/* Detaches, and only then reads: what began is in the result exactly once. */
int trace_stop(struct trace *trace, struct trace_result *result, struct errmsg *err);
void trace_close(struct trace *trace);
void trace_result_free(struct trace_result *result);

/* The smallest value of a cell, and the cell of a value. */
uint64_t trace_cell_low_ns(unsigned int bits, uint32_t cell);
uint32_t trace_cell_of(unsigned int bits, uint64_t ns);
/* Of N CPUs, with 2^BITS slots to each power of two; averages and sums are true. */
void trace_dist(struct dist *dist, const struct trace_cpu *cpu, size_t n, enum trace_of of,
		unsigned int bits, const char *name);

#endif
