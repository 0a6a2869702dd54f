/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the module counts on its attached lines, for an interval: one reading
 * less the one before.
 */
#ifndef IRQPACE_MODSTAT_H
#define IRQPACE_MODSTAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../core/hist.h"
#include "errmsg.h"
#include "nl.h"

struct modstat_line {
	uint32_t irq;
	uint32_t state;				/* enum irqpace_state */
	struct policy policy;
	uint64_t counter[IRQPACE_CNT_MAX + 1];	/* by enum irqpace_counter_attr */
	struct pace_hist *hist;			/* by enum irqpace_hist; NULL: not asked for */
};

struct modstat {
	struct modstat_line *line;		/* sorted by irq */
	size_t n;
};

/* HISTS costs five messages for each attached line. */
int modstat_read(struct nl *nl, bool hists, struct modstat *stat, struct errmsg *err);
void modstat_free(struct modstat *stat);
/*
 * Turns BEFORE into what NOW has more than it. A line attached anew meanwhile,
 * whose counts have fallen, has NOW's. Maxima stay those since the line was
 * attached.
 */
void modstat_difference(const struct modstat *now, struct modstat *before);
const struct modstat_line *modstat_find(const struct modstat *stat, uint32_t irq);

#endif
