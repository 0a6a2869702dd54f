// SPDX-License-Identifier: GPL-2.0-only
/* Arithmetic on samples, apart from the kernel, so that tests can make them up. */
#include <stdbool.h>
#include <stdlib.h>

#include "irqstat.h"
#include "xalloc.h"

int irqstat_compare(const struct irqstat_key *a, const struct irqstat_key *b)
{
	if (a->irq != b->irq)
		return a->irq < b->irq ? -1 : 1;
	if (a->handler != b->handler)
		return a->handler < b->handler ? -1 : 1;
	return (a->cpu > b->cpu) - (a->cpu < b->cpu);
}

static int by_key(const void *a, const void *b)
{
	return irqstat_compare(&((const struct irqstat_entry *)a)->key,
			       &((const struct irqstat_entry *)b)->key);
}

void irqstat_sort(struct irqstat_sample *sample)
{
	if (sample->n)
		qsort(sample->entry, sample->n, sizeof(*sample->entry), by_key);
}

/* ENTRY becomes what NOW has more. */
static void subtract(const struct irqstat_entry *now, struct irqstat_entry *entry)
{
	for (size_t i = 0; i < PACE_HIST_BUCKETS; i++)
		entry->run.bucket[i] = now->run.bucket[i] - entry->run.bucket[i];
	entry->run.sum_ns = now->run.sum_ns - entry->run.sum_ns;
	entry->run.max_ns = now->run.max_ns;
	entry->none_runs = now->none_runs - entry->none_runs;
	entry->none_ns = now->none_ns - entry->none_ns;
	entry->run_max_ns = now->run_max_ns;
	entry->stay_max_ns = now->stay_max_ns;
}

static bool had_runs(const struct irqstat_entry *entry)
{
	return entry->none_runs || pace_hist_count(&entry->run);
}

/* What BEFORE lacks is put at its end; sorted again, all is in its place. */
static void subtract_entries(const struct irqstat_sample *now, struct irqstat_sample *before)
{
	size_t old = before->n, b = 0, kept = 0;

	before->entry = xrealloc(before->entry, now->n + 1, sizeof(*before->entry));
	for (size_t i = 0; i < now->n; i++) {
		if (b < old && !irqstat_compare(&before->entry[b].key, &now->entry[i].key))
			subtract(&now->entry[i], &before->entry[b++]);
		else
			before->entry[before->n++] = now->entry[i];
	}
	for (size_t i = 0; i < before->n; i++)
		if (had_runs(&before->entry[i]))
			before->entry[kept++] = before->entry[i];
	before->n = kept;
	irqstat_sort(before);
}

static void subtract_cpus(const struct irqstat_sample *now, struct irqstat_sample *before)
{
	for (size_t i = 0; i < now->n_cpus && i < before->n_cpus; i++) {
		const struct irqstat_cpu *cpu = &now->cpu[i];
		struct irqstat_cpu *old = &before->cpu[i];

		old->irq_ns = cpu->irq_ns - old->irq_ns;
		old->irq_runs = cpu->irq_runs - old->irq_runs;
		old->softirq_ns = cpu->softirq_ns - old->softirq_ns;
		old->softirq_runs = cpu->softirq_runs - old->softirq_runs;
		old->no_room = cpu->no_room - old->no_room;
		old->unpaired = cpu->unpaired - old->unpaired;
	}
}

void irqstat_difference(const struct irqstat_sample *now, struct irqstat_sample *before)
{
	before->time_ns = now->time_ns - before->time_ns;
	subtract_entries(now, before);
	subtract_cpus(now, before);
	diskstats_difference(&now->disks, &before->disks);
}

uint64_t irqstat_no_room(const struct irqstat_sample *sample)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < sample->n_cpus; i++)
		sum += sample->cpu[i].no_room;
	return sum;
}

uint64_t irqstat_unpaired(const struct irqstat_sample *sample)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < sample->n_cpus; i++)
		sum += sample->cpu[i].unpaired;
	return sum;
}
