// SPDX-License-Identifier: GPL-2.0-only
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "top_internal.h"
#include "xalloc.h"

#define BAR_CELL	26	/* " 17[###==       ]  34.5%  " */
#define BAR_FRAME	14	/* what of it is not the bar */

static int busiest_first(const void *va, const void *vb)
{
	const struct top_cpu *a = va, *b = vb;
	double sum_a = a->hard + a->soft, sum_b = b->hard + b->soft;

	if (sum_a > sum_b || sum_a < sum_b)
		return sum_a < sum_b ? 1 : -1;
	return (a->id > b->id) - (a->id < b->id);
}

/* '#' for each part of the bar in handlers, '=' in softirqs, whole parts only. */
static void add_bar(const struct top_page *page, char *row, size_t at, size_t cell,
		    const struct top_cpu *cpu)
{
	size_t n = cell - BAR_FRAME;
	double hard = cpu->hard > 100 ? 100 : cpu->hard;
	double both = cpu->hard + cpu->soft > 100 ? 100 : cpu->hard + cpu->soft;
	size_t n_hard = (size_t)(hard * (double)n / 100 + 0.5);
	size_t n_both = (size_t)(both * (double)n / 100 + 0.5);
	char text[BAR_FRAME + 8];

	snprintf(text, sizeof(text), "%4u[", cpu->id);
	top_put(page, row, at, text);
	at += strlen(text);
	memset(row + at, '#', n_hard);
	memset(row + at + n_hard, '=', n_both - n_hard);
	snprintf(text, sizeof(text), "]%6.1f%%", cpu->hard + cpu->soft);
	top_put(page, row, at + n, text);
}

void top_bars(struct top_page *page, const struct top_model *model, size_t rows)
{
	size_t columns = page->width / BAR_CELL, n = model->n_cpus, cell;
	struct top_cpu *cpu;
	char *row = NULL;

	if (!n)
		return;
	columns = columns > n ? n : columns;
	cell = page->width / columns;
	cpu = xcalloc(n, sizeof(*cpu));
	memcpy(cpu, model->cpu, n * sizeof(*cpu));
	if (n > rows * columns) {
		qsort(cpu, n, sizeof(*cpu), busiest_first);
		n = rows * columns;
	}
	for (size_t i = 0; i < n; i++) {
		if (i % columns == 0)
			row = top_row(page, TOP_PLAIN);
		add_bar(page, row, i % columns * cell, cell, &cpu[i]);
	}
	free(cpu);
}

enum column { IRQ, SHARE, RATE, MEAN, STAY, NAME, HANDLER, STATE, POLICY, N_COLUMNS };

/* Those without a width share what is left, by their weights. */
static const struct {
	const char *title;
	size_t width;
	size_t weight;
	size_t from;	/* shown from this width of the page on */
} columns[N_COLUMNS] = {
	[IRQ] = { "IRQ", 6, 0, 0 },
	[SHARE] = { "SHARE%", 6, 0, 0 },
	[RATE] = { "RATE/s", 8, 0, 0 },
	[MEAN] = { "MEAN", 6, 0, 72 },
	[STAY] = { "STAY", 6, 0, 64 },
	[NAME] = { "NAME", 0, 3, 0 },
	[HANDLER] = { "HANDLER", 0, 3, 100 },
	[STATE] = { "STATE", 7, 0, 78 },
	[POLICY] = { "POLICY", 0, 4, 56 },
};

struct layout {
	size_t at[N_COLUMNS];
	size_t width[N_COLUMNS];	/* 0: not shown */
};

/* The first column of a row marks the chosen line, for terminals that cannot reverse. */
static void lay_out(struct layout *layout, size_t width)
{
	size_t left = width - 1, weight = 0, at = 1;

	memset(layout, 0, sizeof(*layout));
	for (size_t c = 0; c < N_COLUMNS; c++) {
		if (width < columns[c].from)
			continue;
		left -= columns[c].width + 1;
		weight += columns[c].weight;
	}
	/* After the last there is no blank. */
	left++;
	for (size_t c = 0; c < N_COLUMNS; c++) {
		if (width < columns[c].from)
			continue;
		layout->at[c] = at;
		layout->width[c] = columns[c].width;
		if (columns[c].weight) {
			layout->width[c] = left * columns[c].weight / weight;
			left -= layout->width[c];
			weight -= columns[c].weight;
		}
		at += layout->width[c] + 1;
	}
}

/* Words at the left, numbers at the right; '+' at the end of what is cut. */
static void put_cell(const struct top_page *page, char *row, const struct layout *layout,
		     enum column column, const char *text)
{
	size_t width = layout->width[column], n = strlen(text), at = layout->at[column];
	char cut[TOP_WIDTH_MAX + 1];

	if (!width)
		return;
	if (!columns[column].weight && column != STATE && n < width)
		at += width - n;
	if (n > width) {
		snprintf(cut, sizeof(cut), "%.*s+", (int)width - 1, text);
		text = cut;
	}
	top_put(page, row, at, text);
}

/* Three digits and a unit: "812ns", "55.1us", "1.23ms". */
static void print_ns(char *text, size_t size, double ns)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	size_t unit = 0;

	while (ns >= 999.5 && unit < 3) {
		ns /= 1000;
		unit++;
	}
	snprintf(text, size, "%.*f%s", !unit || ns >= 99.95 ? 0 : ns >= 9.995 ? 1 : 2, ns, units[unit]);
}

static void put_ns(const struct top_page *page, char *row, const struct layout *layout,
		   enum column column, double ns)
{
	char text[32];

	print_ns(text, sizeof(text), ns);
	put_cell(page, row, layout, column, ns > 0 ? text : "-");
}

static void put_module(const struct top_page *page, char *row, const struct layout *layout,
		       const struct modstat_line *module)
{
	char text[POLICY_BUF];
	struct policy brief;
	const char *state;

	if (!module) {
		put_cell(page, row, layout, STATE, "-");
		put_cell(page, row, layout, POLICY, "native");
		return;
	}
	state = nl_state_name(module->state);
	brief = policy_brief(&module->policy);
	put_cell(page, row, layout, STATE, state ? state : "?");
	put_cell(page, row, layout, POLICY, policy_print_spec(&brief, text, sizeof(text)));
}

static void add_line(struct top_page *page, const struct top_model *model,
		     const struct layout *layout, const struct top_line *line, bool chosen)
{
	char *row = top_row(page, chosen ? TOP_CHOSEN : TOP_PLAIN);
	char text[200];

	if (chosen)
		row[0] = '>';
	snprintf(text, sizeof(text), "%u", line->irq);
	put_cell(page, row, layout, IRQ, text);
	snprintf(text, sizeof(text), "%.2f", stat_percent(line->ns, model->interval_ns));
	put_cell(page, row, layout, SHARE, text);
	snprintf(text, sizeof(text), "%.*f", line->rate < 99999.95, line->rate);
	put_cell(page, row, layout, RATE, text);
	put_ns(page, row, layout, MEAN, line->runs ? (double)line->ns / (double)line->runs : 0);
	put_ns(page, row, layout, STAY, (double)line->residency_max_ns);
	put_cell(page, row, layout, NAME, line->line && line->line->name ? line->line->name : "?");
	snprintf(text, sizeof(text), line->n_handlers > 1 ? "%s, %zu more" : "%s",
		 line->handler ? line->handler : "-", line->n_handlers - 1);
	put_cell(page, row, layout, HANDLER, text);
	put_module(page, row, layout, line->module);
}

bool top_shown(const struct top_ui *ui, const struct top_line *line)
{
	return !ui->no_idle || line->rate > 0 || line->runs ||
	       (ui->selected && line->irq == ui->selected_irq);
}

/* The smallest move that brings the chosen line into sight. */
static void scroll(const struct top_model *model, struct top_ui *ui, size_t rows)
{
	size_t n = 0, chosen = 0;

	for (size_t i = 0; i < model->n; i++) {
		if (!top_shown(ui, &model->line[i]))
			continue;
		if (ui->selected && model->line[i].irq == ui->selected_irq)
			chosen = n;
		n++;
	}
	if (!ui->selected)
		chosen = ui->first < n ? ui->first : n;
	if (chosen < ui->first)
		ui->first = chosen;
	if (rows && chosen >= rows && ui->first < chosen - rows + 1)
		ui->first = chosen - rows + 1;
	if (n <= rows)
		ui->first = 0;
	else if (ui->first > n - rows)
		ui->first = n - rows;
}

void top_table(struct top_page *page, const struct top_model *model, struct top_ui *ui,
	       size_t rows)
{
	struct layout layout;
	size_t n = 0;
	char *head = top_row(page, TOP_HEAD);

	lay_out(&layout, page->width);
	for (size_t c = 0; c < N_COLUMNS; c++)
		put_cell(page, head, &layout, (enum column)c, columns[c].title);
	ui->table_rows = rows;
	scroll(model, ui, rows);
	for (size_t i = 0; i < model->n && rows; i++) {
		const struct top_line *line = &model->line[i];

		if (!top_shown(ui, line) || n++ < ui->first)
			continue;
		add_line(page, model, &layout, line, ui->selected && line->irq == ui->selected_irq);
		rows--;
	}
}
