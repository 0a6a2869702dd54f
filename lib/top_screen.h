/* SPDX-License-Identifier: GPL-2.0-only */
/* The live view on a terminal, by ncurses; where its figures come from is not its business. */
#ifndef IRQPACE_TOP_SCREEN_H
#define IRQPACE_TOP_SCREEN_H

#include "top.h"

struct top_source {
	void *data;
	/* The figures since the last reading; they live until the next one. Freed by the caller. */
	int (*read)(void *data, struct top_model *model, struct errmsg *err);
	/* What to tell goes into UI->message; -1 with a sentence where it is refused. */
	int (*set)(void *data, struct top_ui *ui, struct errmsg *err);
};

/*
 * Runs until the user or a signal ends it, or COUNT (0: no end) readings were
 * shown. The terminal is then as it was before, whatever the reason. -1 with a
 * sentence where it cannot be used, or a reading failed.
 */
int top_screen(const struct top_source *source, enum top_sort sort, uint64_t interval_ns,
	       uint64_t count, struct errmsg *err);

#endif
