/* SPDX-License-Identifier: GPL-2.0-only */
/* core/hist.h for programs. */
#ifndef IRQPACE_BPF_HIST_H
#define IRQPACE_BPF_HIST_H

#include "kernel.h"

#include "../core/hist.h"

/*
 * As pace_hist_record(), with a bound that 6.1's verifier can follow, and without
 * the maximum, which not all of them keep there.
 */
static __always_inline void hist_record(struct pace_hist *hist, u64 ns)
{
	u64 index = pace_hist_index(ns);

	barrier_var(index);
	if (index >= PACE_HIST_BUCKETS)
		return;
	hist->bucket[index]++;
	hist->sum_ns += ns;
}

#endif
