/* SPDX-License-Identifier: GPL-2.0-only */
/* Human tables, by libsmartcols. */
#ifndef IRQPACE_TABLE_H
#define IRQPACE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct table;

struct table_column {
	const char *title;
	bool right;	/* numbers stand at the right */
	bool trunc;	/* may be cut where the terminal is too narrow */
};

struct table *table_new(const struct table_column *columns, size_t n);
/* One row: as many cells as there are columns; NULL prints "-". Copied. */
void table_row(struct table *table, const char *const *cells);
/* Prints to stdout; -1 where it could not be written. */
int table_print(struct table *table);
void table_free(struct table *table);

#endif
