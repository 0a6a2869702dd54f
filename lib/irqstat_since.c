// SPDX-License-Identifier: GPL-2.0-only
/* Arithmetic on samples, apart from the kernel, so that tests can make them up. */
#include <string.h>

#include "irqstat.h"

int irqstat_compare(const struct irqstat_key *a, const struct irqstat_key *b)
{
	if (a->irq != b->irq)
		return a->irq < b->irq ? -1 : 1;
	if (a->handler != b->handler)
		return a->handler < b->handler ? -1 : 1;
	return (a->cpu > b->cpu) - (a->cpu < b->cpu);
}

static void subtract(struct irqstat_entry *now, const struct irqstat_entry *before)
{
	for (size_t i = 0; i < PACE_HIST_BUCKETS; i++)
		now->run.bucket[i] -= before->run.bucket[i];
	now->run.sum_ns -= before->run.sum_ns;
	now->none_runs -= before->none_runs;
	now->none_ns -= before->none_ns;
	now->completions -= before->completions;
}

static void since_entries(struct irqstat_sample *now, const struct irqstat_sample *before)
{
	size_t kept = 0, b = 0;

	for (size_t i = 0; i < now->n; i++) {
		struct irqstat_entry *entry = &now->entry[i];

		while (b < before->n && irqstat_compare(&before->entry[b].key, &entry->key) < 0)
			b++;
		if (b < before->n && !irqstat_compare(&before->entry[b].key, &entry->key))
			subtract(entry, &before->entry[b]);
		if (!pace_hist_count(&entry->run) && !entry->none_runs)
			continue;
		if (kept != i)
			now->entry[kept] = *entry;
		kept++;
	}
	now->n = kept;
}

static void since_cpus(struct irqstat_sample *now, const struct irqstat_sample *before)
{
	for (size_t i = 0; i < now->n_cpus && i < before->n_cpus; i++) {
		struct irqstat_cpu *cpu = &now->cpu[i];
		const struct irqstat_cpu *old = &before->cpu[i];

		cpu->irq_ns -= old->irq_ns;
		cpu->irq_runs -= old->irq_runs;
		cpu->softirq_ns -= old->softirq_ns;
		cpu->softirq_runs -= old->softirq_runs;
		cpu->no_room -= old->no_room;
		cpu->unpaired -= old->unpaired;
	}
}

static void since_disks(struct irqstat_sample *now, const struct irqstat_sample *before)
{
	for (size_t i = 0; i < now->n_disks; i++)
		for (size_t b = 0; b < before->n_disks; b++)
			if (now->disk[i].major == before->disk[b].major &&
			    now->disk[i].minor == before->disk[b].minor)
				now->disk[i].completions -= before->disk[b].completions;
}

void irqstat_since(struct irqstat_sample *now, const struct irqstat_sample *before)
{
	now->time_ns -= before->time_ns;
	since_entries(now, before);
	since_cpus(now, before);
	since_disks(now, before);
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
