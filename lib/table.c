// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <libsmartcols/libsmartcols.h>

#include "table.h"
#include "xalloc.h"

struct table {
	struct libscols_table *scols;
	size_t n_columns;
};

static void must(int rc)
{
	if (rc)
		xalloc_die();
}

struct table *table_new(const struct table_column *columns, size_t n)
{
	struct table *table = xcalloc(1, sizeof(*table));

	scols_init_debug(0);
	table->scols = scols_new_table();
	if (!table->scols)
		xalloc_die();
	table->n_columns = n;
	for (size_t i = 0; i < n; i++) {
		int flags = 0;

		if (columns[i].right)
			flags |= SCOLS_FL_RIGHT;
		if (columns[i].trunc)
			flags |= SCOLS_FL_TRUNC;
		if (!scols_table_new_column(table->scols, columns[i].title, 0,
					    flags))
			xalloc_die();
	}
	return table;
}

void table_row(struct table *table, const char *const *cells)
{
	struct libscols_line *line = scols_table_new_line(table->scols, NULL);

	if (!line)
		xalloc_die();
	for (size_t i = 0; i < table->n_columns; i++)
		must(scols_line_set_data(line, i, cells[i] ? cells[i] : "-"));
}

int table_print(struct table *table)
{
	if (scols_print_table(table->scols))
		return -1;
	return fflush(stdout) || ferror(stdout) ? -1 : 0;
}

void table_free(struct table *table)
{
	if (!table)
		return;
	scols_unref_table(table->scols);
	free(table);
}
