// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "top.h"
#include "xalloc.h"

static const char *const sort_names[] = {
	[TOP_SHARE] = "share", [TOP_RATE] = "rate", [TOP_RESIDENCY] = "residency", [TOP_IRQ] = "irq",
};

const char *top_sort_name(enum top_sort sort)
{
	return sort_names[sort];
}

enum top_sort top_sort_of(const char *name)
{
	enum top_sort sort = 0;

	while (sort < __TOP_SORT_MAX && strcmp(sort_names[sort], name))
		sort++;
	return sort;
}

static int compare_irqs(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int by_irq(const void *a, const void *b)
{
	return compare_irqs(((const struct top_line *)a)->irq, ((const struct top_line *)b)->irq);
}

/* Most first; what is alike stays in one order, so that idle lines do not dance. */
static int by_share(const void *va, const void *vb)
{
	const struct top_line *a = va, *b = vb;

	return a->ns != b->ns ? (a->ns < b->ns ? 1 : -1) : compare_irqs(a->irq, b->irq);
}

static int by_rate(const void *va, const void *vb)
{
	const struct top_line *a = va, *b = vb;

	if (a->rate > b->rate || a->rate < b->rate)
		return a->rate < b->rate ? 1 : -1;
	return compare_irqs(a->irq, b->irq);
}

static int by_residency(const void *va, const void *vb)
{
	const struct top_line *a = va, *b = vb;

	if (a->residency_max_ns != b->residency_max_ns)
		return a->residency_max_ns < b->residency_max_ns ? 1 : -1;
	return compare_irqs(a->irq, b->irq);
}

void top_model_sort(struct top_model *model, enum top_sort sort)
{
	static int (*const orders[])(const void *a, const void *b) = {
		[TOP_SHARE] = by_share, [TOP_RATE] = by_rate, [TOP_RESIDENCY] = by_residency,
		[TOP_IRQ] = by_irq,
	};

	if (model->n)
		qsort(model->line, model->n, sizeof(*model->line), orders[sort]);
}

static struct top_line *find(const struct top_model *model, size_t n, uint32_t irq)
{
	struct top_line key = { .irq = irq };

	return n ? bsearch(&key, model->line, n, sizeof(key), by_irq) : NULL;
}

static struct top_line *add_line(struct top_model *model, uint32_t irq, const struct line *line)
{
	struct top_line *to = &model->line[model->n++];

	memset(to, 0, sizeof(*to));
	to->irq = irq;
	to->line = line;
	return to;
}

/* Lines that nobody handles have nothing to show. */
static void add_lines(struct top_model *model, const struct lines *lines)
{
	for (size_t i = 0; i < lines->n; i++)
		if (lines->line[i].n_actions)
			add_line(model, lines->line[i].irq, &lines->line[i]);
}

/* A row of the view whose line LINES did not know; handlers of one come apart. */
static struct top_line *line_of(struct top_model *model, size_t known, const struct stat_row *row)
{
	struct top_line *line = find(model, known, row->irq);

	for (size_t i = known; i < model->n && !line; i++)
		if (model->line[i].irq == row->irq)
			line = &model->line[i];
	return line ? line : add_line(model, row->irq, row->line);
}

static bool is_round(const struct stat_row *row)
{
	return row->handler <= IRQSTAT_ROUND_THREAD;
}

static void add_row(struct top_line *line, const struct stat_row *row, uint64_t interval_ns)
{
	double rate = interval_ns ? (double)row->runs * 1e9 / (double)interval_ns : 0;
	uint64_t ns = stat_row_ns(row);

	line->ns += ns;
	line->runs += row->runs;
	if (row->residency_max_ns > line->residency_max_ns)
		line->residency_max_ns = row->residency_max_ns;
	if (is_round(row))
		return;
	/* Each interrupt of a shared line runs every handler once. */
	if (rate > line->rate)
		line->rate = rate;
	if (!line->n_handlers++ || ns > line->handler_ns) {
		line->handler = row->handler_name;
		line->handler_ns = ns;
	}
}

static void add_module(struct top_model *model, const struct modstat *module)
{
	model->module_loaded = true;
	for (size_t i = 0; i < model->n; i++) {
		struct top_line *line = &model->line[i];

		line->module = modstat_find(module, line->irq);
		/* Parked ones run no handler. */
		if (line->module && model->interval_ns)
			line->rate = (double)line->module->counter[IRQPACE_CNT_ARRIVALS] * 1e9 /
				     (double)model->interval_ns;
	}
}

static int by_id(const void *va, const void *vb)
{
	const struct top_cpu *a = va, *b = vb;

	return (a->id > b->id) - (a->id < b->id);
}

static void add_cpus(struct top_model *model, const struct stat_view *view,
		     const struct lines *lines)
{
	model->cpu = xcalloc(lines->n_cpus + 1, sizeof(*model->cpu));
	for (size_t i = 0; i < lines->n_cpus; i++) {
		struct top_cpu *cpu = &model->cpu[model->n_cpus++];

		cpu->id = lines->cpus[i];
		if (cpu->id >= view->n_cpus)
			continue;
		cpu->hard = stat_percent(view->cpu[cpu->id].irq_ns, view->interval_ns);
		cpu->soft = stat_percent(view->cpu[cpu->id].softirq_ns, view->interval_ns);
	}
	if (model->n_cpus)
		qsort(model->cpu, model->n_cpus, sizeof(*model->cpu), by_id);
}

void top_model_make(struct top_model *model, const struct stat_view *view,
		    const struct lines *lines, const struct modstat *module)
{
	size_t known;

	memset(model, 0, sizeof(*model));
	model->line = xcalloc(lines->n + view->n + 1, sizeof(*model->line));
	model->interval_ns = view->interval_ns;
	model->lost = view->no_room + view->unpaired;
	add_lines(model, lines);
	known = model->n;
	for (size_t i = 0; i < view->n; i++)
		add_row(line_of(model, known, &view->row[i]), &view->row[i], view->interval_ns);
	if (module)
		add_module(model, module);
	add_cpus(model, view, lines);
}

void top_model_free(struct top_model *model)
{
	free(model->line);
	free(model->cpu);
	memset(model, 0, sizeof(*model));
}
