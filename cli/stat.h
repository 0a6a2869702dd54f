/* SPDX-License-Identifier: GPL-2.0-only */
/* How `irqpace stat` prints an interval. */
#ifndef IRQPACE_STAT_H
#define IRQPACE_STAT_H

#include "../lib/irqstat_view.h"
#include "../lib/modstat.h"

struct stat_report {
	struct stat_view view;
	const struct modstat *module;	/* of the same interval; NULL: not loaded */
	const struct selection *selected;	/* NULL: all lines */
	bool per_cpu;
};

/* -1 where it could not be written. */
int stat_print_table(const struct stat_report *report);
int stat_print_json(const struct stat_report *report);

bool stat_is_selected(const struct stat_report *report, uint32_t irq);

#endif
