// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "irqstat_view.h"
#include "xalloc.h"

static int by_symbol(const void *va, const void *vb)
{
	const struct ksym *a = va, *b = vb;

	return (a->address > b->address) - (a->address < b->address);
}

/* Among the first N, which are sorted. */
static const struct ksym *find_name(const struct handler_names *names, size_t n, uint64_t address)
{
	struct ksym key = { .address = address };

	return n ? bsearch(&key, names->sym, n, sizeof(key), by_symbol) : NULL;
}

/* One pass over the symbols for all handlers that are new; mostly there are none. */
static void learn_names(struct handler_names *names, const struct irqstat_sample *sample,
			const char *sysroot)
{
	size_t before = names->n;
	struct errmsg err;

	for (size_t i = 0; i < sample->n; i++) {
		uint64_t address = sample->entry[i].key.handler;
		bool known = address <= IRQSTAT_ROUND_THREAD || find_name(names, before, address);

		for (size_t s = before; s < names->n && !known; s++)
			known = names->sym[s].address == address;
		if (known)
			continue;
		names->sym = xrealloc(names->sym, names->n + 1, sizeof(*names->sym));
		names->sym[names->n++] = (struct ksym){ .address = address };
	}
	if (names->n == before)
		return;
	/* Without symbols the rows show addresses. */
	(void)ksyms_name(sysroot, names->sym + before, names->n - before, &err);
	qsort(names->sym, names->n, sizeof(*names->sym), by_symbol);
}

void handler_names_free(struct handler_names *names)
{
	ksyms_free(names->sym, names->n);
	free(names->sym);
	memset(names, 0, sizeof(*names));
}

static void name_row(struct stat_row *row, const struct handler_names *names)
{
	const struct ksym *sym;

	if (row->handler == IRQSTAT_ROUND_TIMER) {
		row->handler_name = "timer round";
	} else if (row->handler == IRQSTAT_ROUND_THREAD) {
		row->handler_name = "thread round";
	} else {
		sym = find_name(names, names->n, row->handler);
		if (!sym || !sym->name || sym->offset)
			return;
		row->handler_name = sym->name;
		row->handler_module = sym->module;
	}
}

static bool same_row(const struct stat_row *row, const struct irqstat_entry *entry, bool per_cpu)
{
	return row->irq == entry->key.irq && row->handler == entry->key.handler &&
	       (!per_cpu || row->cpu == (long)entry->key.cpu);
}

static void add_entry(struct stat_row *row, const struct irqstat_entry *entry)
{
	pace_hist_add(&row->run, &entry->run);
	row->none_runs += entry->none_runs;
	row->none_ns += entry->none_ns;
	row->runs += pace_hist_count(&entry->run) + entry->none_runs;
	if (entry->stay_max_ns > row->residency_max_ns)
		row->residency_max_ns = entry->stay_max_ns;
}

/* Entries are sorted, so those of a row stand together. */
static void make_rows(struct stat_view *view, const struct irqstat_sample *sample,
		      const struct lines *lines, bool per_cpu)
{
	for (size_t i = 0; i < sample->n; i++) {
		const struct irqstat_entry *entry = &sample->entry[i];
		struct stat_row *row;

		if (!view->n || !same_row(&view->row[view->n - 1], entry, per_cpu)) {
			row = &view->row[view->n++];
			row->irq = entry->key.irq;
			row->cpu = per_cpu ? (long)entry->key.cpu : -1;
			row->handler = entry->key.handler;
			row->line = lines_find(lines, entry->key.irq);
		}
		add_entry(&view->row[view->n - 1], entry);
	}
}

static bool drives(const struct stat_row *row, const char *device)
{
	for (size_t i = 0; row->line && i < row->line->n_devices; i++)
		if (row->line->devices[i].name && !strcmp(row->line->devices[i].name, device))
			return true;
	return false;
}

/* Each of the device's runs told of its part; which queue a request had is not known. */
static void share_out(struct stat_view *view, const struct diskstat *disk, const char *sysroot)
{
	char *device = device_resolve(sysroot, disk->name);
	uint64_t runs = 0;

	for (size_t i = 0; device && i < view->n; i++)
		if (drives(&view->row[i], device))
			runs += view->row[i].runs;
	for (size_t i = 0; runs && i < view->n; i++)
		if (drives(&view->row[i], device))
			view->row[i].completions += (double)disk->completions *
				(double)view->row[i].runs / (double)runs;
	free(device);
}

static bool is_selected(const struct selection *selected, uint32_t irq)
{
	if (!selected)
		return true;
	for (size_t i = 0; i < selected->n; i++)
		if (selected->line[i]->irq == irq)
			return true;
	return false;
}

static void drop_others(struct stat_view *view, const struct selection *selected)
{
	size_t kept = 0;

	for (size_t i = 0; i < view->n; i++)
		if (is_selected(selected, view->row[i].irq))
			view->row[kept++] = view->row[i];
	view->n = kept;
}

static int by_time(const void *va, const void *vb)
{
	const struct stat_row *a = va, *b = vb;
	uint64_t a_ns = stat_row_ns(a), b_ns = stat_row_ns(b);

	if (a_ns != b_ns)
		return a_ns < b_ns ? 1 : -1;
	if (a->irq != b->irq)
		return a->irq < b->irq ? -1 : 1;
	return (a->cpu > b->cpu) - (a->cpu < b->cpu);
}

void stat_view_make(struct stat_view *view, const struct irqstat_sample *sample,
		    const struct lines *lines, const struct selection *selected,
		    struct handler_names *names, const char *sysroot, bool per_cpu)
{
	memset(view, 0, sizeof(*view));
	view->row = xcalloc(sample->n + 1, sizeof(*view->row));
	view->interval_ns = sample->time_ns;
	view->cpu = sample->cpu;
	view->n_cpus = sample->n_cpus;
	view->no_room = irqstat_no_room(sample);
	view->unpaired = irqstat_unpaired(sample);
	learn_names(names, sample, sysroot);
	make_rows(view, sample, lines, per_cpu);
	for (size_t i = 0; i < view->n; i++)
		name_row(&view->row[i], names);
	for (size_t i = 0; i < sample->disks.n; i++)
		if (sample->disks.disk[i].completions)
			share_out(view, &sample->disks.disk[i], sysroot);
	/* Not before: a disk is shared out among all lines of its device. */
	drop_others(view, selected);
	qsort(view->row, view->n, sizeof(*view->row), by_time);
}

void stat_view_free(struct stat_view *view)
{
	free(view->row);
	memset(view, 0, sizeof(*view));
}

uint64_t stat_row_ns(const struct stat_row *row)
{
	return row->run.sum_ns + row->none_ns;
}

bool stat_row_hard(const struct stat_row *row)
{
	return row->handler != IRQSTAT_ROUND_THREAD;
}

double stat_percent(uint64_t ns, uint64_t interval_ns)
{
	return interval_ns ? 100.0 * (double)ns / (double)interval_ns : 0;
}

double stat_per_second(double count, uint64_t interval_ns)
{
	return interval_ns ? count * 1e9 / (double)interval_ns : 0;
}
