/* SPDX-License-Identifier: GPL-2.0-only */
/* What is known of the machine's interrupts, as metrics. */
#ifndef IRQPACE_EXPORT_H
#define IRQPACE_EXPORT_H

#include "diskstats.h"
#include "irqstat_view.h"
#include "lines.h"
#include "metrics.h"
#include "modstat.h"

struct export {
	const struct lines *lines;
	bool per_cpu;			/* of the counts; the view has its own */
	struct stat_view *view;		/* of the sums since irqstat_open(); NULL: counts alone */
	const struct diskstats *disks;	/* NULL with VIEW */
	uint64_t start_ns;		/* when it began, CLOCK_REALTIME */
	const struct modstat *module;	/* as read; NULL: not loaded */
};

/*
 * Puts the rows of the view into another order, and adds up those that have the
 * same labels. -1 where it could not be written.
 */
int export_write(FILE *out, enum metrics_format format, struct export *export);

#endif
