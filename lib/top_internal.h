/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the page share. */
#ifndef IRQPACE_TOP_INTERNAL_H
#define IRQPACE_TOP_INTERNAL_H

#include "top.h"

/* A new row of blanks; it lives until the next one. */
char *top_row(struct top_page *page, enum top_look look);
/* TEXT at AT in a row of the page, cut at its end; unprintable bytes become '?'. */
void top_put(const struct top_page *page, char *row, size_t at, const char *text);
void top_add(struct top_page *page, enum top_look look, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Bars of the CPUs, the busiest ones where not all fit into ROWS. */
void top_bars(struct top_page *page, const struct top_model *model, size_t rows);
/* The table's head, and ROWS rows of lines (SIZE_MAX: all); keeps the chosen one in sight. */
void top_table(struct top_page *page, const struct top_model *model, struct top_ui *ui,
	       size_t rows);

/* Whether the list shows the line. */
bool top_shown(const struct top_ui *ui, const struct top_line *line);

#endif
