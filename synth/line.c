// SPDX-License-Identifier: GPL-2.0-only
/* Lines come and go; under synth_mutex. */
#include <linux/cpumask.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "compat/compat.h"
#include "synth.h"

LIST_HEAD(synth_lines);
atomic_t synth_stray_ops = ATOMIC_INIT(0);

struct synth_line *synth_line_find(const char *name)
{
	struct synth_line *line;

	list_for_each_entry(line, &synth_lines, node)
		if (!strcmp(line->name, name))
			return line;
	return NULL;
}

static void synth_line_defaults(struct synth_line *line)
{
	line->ndevs = 1;
	line->items_min = 1;
	line->items_max = 1;
	line->gap_ns = 1000;
	line->late_ns = 50 * NSEC_PER_MSEC;
	line->seed = line->irq * 2654435761ULL + 1;
}

int synth_line_set_affinity(struct synth_line *line, int cpu)
{
	return irq_set_affinity(line->irq, cpumask_of(cpu));
}

struct synth_line *synth_line_create(const char *name, enum synth_kind kind, int cpu)
{
	struct synth_line *line;
	int irq, err;

	line = vzalloc(sizeof(*line));
	if (!line)
		return ERR_PTR(-ENOMEM);
	strscpy(line->name, name, sizeof(line->name));
	line->kind = kind;
	raw_spin_lock_init(&line->lock);
	err = synth_raise_init(line);
	if (err)
		goto free_line;
	/*
	 * Without an owner: a module that owns a descriptor is pinned by its
	 * own requests and could not be unloaded with lines in use.
	 */
	irq = __irq_alloc_descs(-1, 1, 1, NUMA_NO_NODE, NULL, NULL);
	if (irq < 0) {
		err = irq;
		goto free_cpus;
	}
	line->irq = irq;
	line->desc = irq_data_to_desc(irq_get_irq_data(irq));
	synth_line_defaults(line);
	err = synth_chip_attach(line);
	if (!err)
		err = synth_line_set_affinity(line, cpu);
	if (err)
		goto free_irq;
	line->cpu = cpu;
	list_add_tail(&line->node, &synth_lines);
	synth_state_add(line);
	return line;

free_irq:
	irq_set_chip_data(irq, NULL);
	irq_free_desc(irq);
free_cpus:
	synth_raise_exit(line);
free_line:
	vfree(line);
	return ERR_PTR(err);
}

void synth_line_destroy(struct synth_line *line)
{
	unsigned int i;

	debugfs_remove_recursive(line->dir);
	synth_storm_stop(line);
	for (i = 0; i < SYNTH_POINTS; i++)
		synth_hold_release(line, i);
	synth_line_disarm(line);
	synth_free(line);
	/* A descriptor that somebody keeps must not lead to freed memory. */
	irq_set_chip_data(line->irq, NULL);
	synth_raise_exit(line);
	irq_free_desc(line->irq);
	list_del(&line->node);
	vfree(line);
}

void synth_lines_destroy(void)
{
	struct synth_line *line, *next;

	list_for_each_entry_safe(line, next, &synth_lines, node)
		if (!synth_disk_uses(line))
			synth_line_destroy(line);
}

/*
 * What suspend does to a line that may wake the system, as far as a module
 * can: the armed mark, then a wait for what still runs.
 */
void synth_line_arm(struct synth_line *line)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&line->desc->lock, flags);
	synth_irqd_set(line->desc, IRQD_WAKEUP_ARMED);
	raw_spin_unlock_irqrestore(&line->desc->lock, flags);
	synchronize_irq(line->irq);
	WRITE_ONCE(line->armed, true);
}

/* And what resume does: a line that has fired was disabled by the core. */
void synth_line_disarm(struct synth_line *line)
{
	unsigned long flags;
	bool fired;

	WRITE_ONCE(line->armed, false);
	raw_spin_lock_irqsave(&line->desc->lock, flags);
	synth_irqd_clear(line->desc, IRQD_WAKEUP_ARMED);
	fired = *synth_istate(line->desc) & SYNTH_IRQS_SUSPENDED;
	*synth_istate(line->desc) &= ~SYNTH_IRQS_SUSPENDED;
	raw_spin_unlock_irqrestore(&line->desc->lock, flags);
	if (fired)
		enable_irq(line->irq);
}
