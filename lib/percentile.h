/* SPDX-License-Identifier: GPL-2.0-only */
/* Which sample a percentile is, the same for every histogram that we print. */
#ifndef IRQPACE_PERCENTILE_H
#define IRQPACE_PERCENTILE_H

#include <math.h>
#include <stdint.h>

/*
 * From 1, of TOTAL samples in ascending order. The small term keeps 99.9 % of
 * 1000 at 999, whatever the product's last bit is. A double does not tell totals
 * above 2^53 apart, and may be above all of them.
 */
static inline uint64_t percentile_rank(uint64_t total, double percent)
{
	double rank = ceil((double)total * percent / 100.0 - 1e-6);

	if (percent >= 100 || rank >= (double)total)
		return total ? total : 1;
	return rank < 1 ? 1 : (uint64_t)rank;
}

#endif
