// SPDX-License-Identifier: GPL-2.0-only
/*
 * Histograms, one set for each CPU on which a line ran while statistics were
 * on. Memory is taken in process context; a sample that comes earlier is
 * counted as unrecorded and asks for it.
 */
#include <linux/slab.h>

#include "irqpace.h"

DEFINE_STATIC_KEY_FALSE(irqp_stats_key);
static DEFINE_MUTEX(switch_mutex);

static_assert(sizeof(struct irqp_hists) <= 8192);

/* Interrupts off; this CPU is the only writer of its set. */
void irqp_stats_record(struct irqp_line *line, enum irqpace_hist kind, u64 ns)
{
	struct irqp_hists **hists, *mine = NULL;

	/* Both pair with the release of zeroed memory. */
	hists = smp_load_acquire(&line->hists);
	if (hists)
		mine = smp_load_acquire(&hists[smp_processor_id()]); /* likewise */
	if (likely(mine)) {
		pace_hist_record(&mine->of[kind], ns);
		return;
	}
	WRITE_ONCE(line->n.unrecorded, line->n.unrecorded + 1);
	if (cmpxchg(&line->wants_hists, 0, smp_processor_id() + 1) == 0)
		irqp_scan_soon();
}

static void prepare_cpu(struct irqp_line *line, int cpu)
{
	struct irqp_hists *fresh;

	if (line->hists[cpu])
		return;
	fresh = kzalloc_node(sizeof(*fresh), GFP_KERNEL, cpu_to_node(cpu));
	if (!fresh)
		return;
	/* Zeroed before an interrupt can see it. */
	smp_store_release(&line->hists[cpu], fresh);
}

/* Takes what the line lacks, if statistics are on; under irqp_mutex or before attach. */
void irqp_stats_prepare(struct irqp_line *line)
{
	struct irqp_hists **hists;
	int cpu;

	if (!static_key_enabled(&irqp_stats_key))
		return;
	if (!line->hists) {
		hists = kcalloc(nr_cpu_ids, sizeof(*hists), GFP_KERNEL);
		if (!hists)
			return;
		/* As above. */
		smp_store_release(&line->hists, hists);
	}
	/* Where it is delivered now; other CPUs ask when they run it. */
	for_each_online_cpu(cpu)
		if (cpumask_test_cpu(cpu, irqp_cpus_of(&line->desc->irq_data)))
			prepare_cpu(line, cpu);
	cpu = READ_ONCE(line->wants_hists);
	if (cpu) {
		prepare_cpu(line, cpu - 1);
		WRITE_ONCE(line->wants_hists, 0);
	}
}

/* When no CPU can record any more. */
void irqp_stats_free(struct irqp_line *line)
{
	int cpu;

	if (!line->hists)
		return;
	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		kfree(line->hists[cpu]);
	kfree(line->hists);
}

/* A CPU may be writing: each bucket is read once, none is invented. */
void irqp_stats_sum(struct irqp_line *line, enum irqpace_hist kind, struct pace_hist *sum)
{
	int cpu;

	memset(sum, 0, sizeof(*sum));
	if (!line->hists)
		return;
	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		if (line->hists[cpu])
			pace_hist_add(sum, &line->hists[cpu]->of[kind]);
}

size_t irqp_stats_memory(struct irqp_line *line)
{
	size_t size = sizeof(*line);
	int cpu;

	if (!line->hists)
		return size;
	size += nr_cpu_ids * sizeof(*line->hists);
	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		if (line->hists[cpu])
			size += sizeof(**line->hists);
	return size;
}

/*
 * Not under irqp_mutex while the key flips: that takes cpus_read_lock(). A line
 * attached in between gets its memory when it first records.
 */
void irqp_stats_switch(bool on)
{
	struct irqp_line *line;

	mutex_lock(&switch_mutex);
	if (on)
		static_branch_enable(&irqp_stats_key);
	else
		static_branch_disable(&irqp_stats_key);
	mutex_unlock(&switch_mutex);

	if (on) {
		mutex_lock(&irqp_mutex);
		list_for_each_entry(line, &irqp_lines, node)
			irqp_stats_prepare(line);
		mutex_unlock(&irqp_mutex);
	}
}

/* The kernel counts in 32 bits and wraps; often enough, this does not. */
void irqp_fold_arrivals(struct irqp_line *line)
{
	u32 now = line->desc->tot_count;

	lockdep_assert_held(&line->desc->lock);
	line->n.arrivals += (u32)(now - line->tot_count);
	line->tot_count = now;
}
