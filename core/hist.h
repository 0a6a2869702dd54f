/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A log-linear histogram of durations in nanoseconds: eight buckets to each
 * power of two, so that a bucket is at most 12.5 % wide. Values from 2^27 ns
 * (134 ms) on share the last bucket; max_ns is exact all the same.
 *
 * One writer at a time. A reader on another CPU may see a sample in a bucket
 * before it is in sum_ns; it never sees one that is not there.
 */
#ifndef PACE_HIST_H
#define PACE_HIST_H

#include "types.h"

#define PACE_HIST_SUB_BITS	3
#define PACE_HIST_SUB		(1U << PACE_HIST_SUB_BITS)
#define PACE_HIST_TOP_BIT	26
#define PACE_HIST_BUCKETS	((PACE_HIST_TOP_BIT - 1) * PACE_HIST_SUB)

struct pace_hist {
	u64 sum_ns;
	u64 max_ns;
	u64 bucket[PACE_HIST_BUCKETS];
};

#ifdef __bpf__
/* clang 14 has no clz for BPF, and a search by halves takes fifty instructions. */
static const u8 pace_top_bit_of[256] = {
	[2 ... 3] = 1, [4 ... 7] = 2, [8 ... 15] = 3, [16 ... 31] = 4,
	[32 ... 63] = 5, [64 ... 127] = 6, [128 ... 255] = 7,
};

/* The mask tells the verifier what the compiler knows without it. */
static inline u32 pace_top_bit_of_byte(u32 value)
{
	u64 byte = value;

	asm volatile("" : "+r"(byte));
	return pace_top_bit_of[byte & 0xff];
}
#endif

/* The highest bit that is set; VALUE is not 0. */
static inline u32 pace_top_bit(u32 value)
{
#ifdef __bpf__
	if (value >> 16)
		return value >> 24 ? 24 + pace_top_bit_of_byte(value >> 24) :
				     16 + pace_top_bit_of_byte(value >> 16);
	return value >> 8 ? 8 + pace_top_bit_of_byte(value >> 8) : pace_top_bit_of_byte(value);
#else
	return 31 - (u32)__builtin_clz(value);
#endif
}

static inline u32 pace_hist_index(u64 ns)
{
	u32 value = (u32)ns, top;

	if (ns < PACE_HIST_SUB)
		return value;
	if (ns >> (PACE_HIST_TOP_BIT + 1))
		return PACE_HIST_BUCKETS - 1;
	top = pace_top_bit(value);
	return ((top - PACE_HIST_SUB_BITS + 1) << PACE_HIST_SUB_BITS) +
	       ((value >> (top - PACE_HIST_SUB_BITS)) & (PACE_HIST_SUB - 1));
}

static inline void pace_hist_record(struct pace_hist *h, u64 ns)
{
	h->bucket[pace_hist_index(ns)]++;
	h->sum_ns += ns;
	if (ns > h->max_ns)
		h->max_ns = ns;
}

/* The smallest and the largest value of a bucket. */
u64 pace_hist_low_ns(u32 index);
u64 pace_hist_high_ns(u32 index);

u64 pace_hist_count(const struct pace_hist *h);
void pace_hist_add(struct pace_hist *to, const struct pace_hist *from);

/*
 * The value that at least per_mille of 1000 samples do not exceed: the upper
 * end of its bucket, but never more than the maximum. 0 without samples.
 */
u64 pace_hist_percentile_ns(const struct pace_hist *h, u32 per_mille);

#endif /* PACE_HIST_H */
