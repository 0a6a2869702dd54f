// SPDX-License-Identifier: GPL-2.0-only
#include "hist.h"

u64 pace_hist_low_ns(u32 index)
{
	u32 octave = index >> PACE_HIST_SUB_BITS;

	if (!octave)
		return index;
	return (u64)(PACE_HIST_SUB + (index & (PACE_HIST_SUB - 1))) << (octave - 1);
}

u64 pace_hist_high_ns(u32 index)
{
	return pace_hist_low_ns(index + 1) - 1;
}

u64 pace_hist_count(const struct pace_hist *h)
{
	u64 n = 0;
	u32 i;

	for (i = 0; i < PACE_HIST_BUCKETS; i++)
		n += h->bucket[i];
	return n;
}

void pace_hist_add(struct pace_hist *to, const struct pace_hist *from)
{
	u32 i;

	for (i = 0; i < PACE_HIST_BUCKETS; i++)
		to->bucket[i] += from->bucket[i];
	to->sum_ns += from->sum_ns;
	if (from->max_ns > to->max_ns)
		to->max_ns = from->max_ns;
}

u64 pace_hist_percentile_ns(const struct pace_hist *h, u32 per_mille)
{
	u64 want = pace_hist_count(h) * per_mille;
	u64 seen = 0;
	u32 i;

	if (!want)
		return 0;
	for (i = 0; i < PACE_HIST_BUCKETS - 1; i++) {
		seen += h->bucket[i];
		if (seen * 1000 >= want)
			break;
	}
	if (i == PACE_HIST_BUCKETS - 1 || pace_hist_high_ns(i) > h->max_ns)
		return h->max_ns;
	return pace_hist_high_ns(i);
}
