// SPDX-License-Identifier: GPL-2.0-only
/* What can be read: one "key value" a row, so that a shell can take it apart. */
#include <linux/kernel_stat.h>

#include "compat/compat.h"
#include "synth.h"

static void synth_show_genirq(struct seq_file *m, struct synth_line *line)
{
	struct irq_desc *desc = line->desc;
	struct irq_data *d = &desc->irq_data;
	unsigned long flags, count = 0;
	int cpu;

	raw_spin_lock_irqsave(&desc->lock, flags);
	seq_printf(m, "flow %ps\n", desc->handle_irq);
	seq_printf(m, "flow_native %d\n", desc->handle_irq == line->flow);
	seq_printf(m, "action %d\n", !!desc->action);
	seq_printf(m, "depth %u\n", desc->depth);
	seq_printf(m, "irqd_disabled %d\n", irqd_irq_disabled(d));
	seq_printf(m, "irqd_masked %d\n", irqd_irq_masked(d));
	seq_printf(m, "irqd_inprogress %d\n", irqd_irq_inprogress(d));
	seq_printf(m, "irqd_wakeup_armed %d\n", irqd_is_wakeup_armed(d));
	seq_printf(m, "istate 0x%x\n", *synth_istate(desc));
	seq_printf(m, "threads_active %d\n", atomic_read(&desc->threads_active));
	seq_printf(m, "irqs_unhandled %u\n", desc->irqs_unhandled);
	raw_spin_unlock_irqrestore(&desc->lock, flags);
	for_each_possible_cpu(cpu)
		count += synth_irq_count(desc, cpu);
	seq_printf(m, "kstat %lu\n", count);
	seq_printf(m, "tot_count %lu\n", (unsigned long)desc->tot_count);
}

static void synth_show_counts(struct seq_file *m, struct synth_line *line)
{
	const struct synth_counts *n = &line->n;
	static const struct {
		const char *name;
		size_t offset;
	} rows[] = {
#define SYNTH_ROW(field) { #field, offsetof(struct synth_counts, field) }
		SYNTH_ROW(runs), SYNTH_ROW(runs_task), SYNTH_ROW(empty), SYNTH_ROW(none),
		SYNTH_ROW(thread_runs), SYNTH_ROW(items), SYNTH_ROW(locked), SYNTH_ROW(entered),
		SYNTH_ROW(left),
		SYNTH_ROW(latched), SYNTH_ROW(forgotten), SYNTH_ROW(max_wait_ns), SYNTH_ROW(late),
		SYNTH_ROW(run_max_ns), SYNTH_ROW(residencies), SYNTH_ROW(res_max_ns),
		SYNTH_ROW(res_over), SYNTH_ROW(doubled), SYNTH_ROW(concurrent),
		SYNTH_ROW(while_disabled), SYNTH_ROW(after_free), SYNTH_ROW(after_sync),
		SYNTH_ROW(while_armed), SYNTH_ROW(hold_timeouts), SYNTH_ROW(unmask_when_down),
#undef SYNTH_ROW
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		seq_printf(m, "%s %llu\n", rows[i].name, *(const u64 *)((const char *)n + rows[i].offset));
}

static int synth_state_show(struct seq_file *m, void *unused)
{
	struct synth_line *line = m->private;
	u64 raised, consumed;
	unsigned int i;

	synth_residency_close(line);
	/* Consumed first: what is raised in between must not look consumed too often. */
	consumed = synth_consumed(line);
	raised = synth_raised(line);
	seq_printf(m, "name %s\nirq %u\ntype %s\ncpu %d\n", line->name, line->irq,
		   synth_kind_names[line->kind], line->cpu);
	seq_printf(m, "raised %llu\nconsumed %llu\nlost %llu\n", raised, consumed, raised - consumed);
	seq_printf(m, "items_left %llu\n", line->items);
	seq_printf(m, "storming %d\n", synth_storming(line));
	seq_printf(m, "masked %d\nlatch %d\nasserted %d\nin_service %d\ndown %d\n", line->masked,
		   line->latched, line->asserted, line->in_service, line->down);
	synth_show_counts(m, line);
	seq_printf(m, "res_p50_ns %llu\nres_p99_ns %llu\n", synth_hist_percentile(line, 500),
		   synth_hist_percentile(line, 990));
	for (i = 0; i < SYNTH_POINTS; i++)
		if (i != SYNTH_HANDLER)
			seq_printf(m, "op_%s %llu\n", synth_point_names[i], line->ops[i]);
	for (i = 0; i < SYNTH_POINTS; i++)
		if (READ_ONCE(line->hold[i].inside))
			seq_printf(m, "held %s\n", synth_point_names[i]);
	synth_show_genirq(m, line);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(synth_state);

/* Oldest first: time, CPU, hard or task context, mask after it, what, and its number. */
static int synth_log_show(struct seq_file *m, void *unused)
{
	struct synth_line *line = m->private;
	u64 i = line->log_head > SYNTH_LOG_SIZE ? line->log_head - SYNTH_LOG_SIZE : 0;

	for (; i < line->log_head; i++) {
		const struct synth_log_entry *e = &line->log[i & (SYNTH_LOG_SIZE - 1)];

		seq_printf(m, "%llu cpu%u %s %s %s %llu\n", e->now_ns, e->cpu,
			   e->flags & 2 ? "hard" : "task", e->flags & 1 ? "masked" : "open",
			   synth_point_names[e->what], e->value);
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(synth_log);

void synth_state_add(struct synth_line *line)
{
	line->dir = debugfs_create_dir(line->name, synth_lines_dir);
	debugfs_create_file("state", 0444, line->dir, line, &synth_state_fops);
	debugfs_create_file("log", 0444, line->dir, line, &synth_log_fops);
}

static int synth_status_show(struct seq_file *m, void *unused)
{
	struct synth_line *line;

	mutex_lock(&synth_mutex);
	seq_printf(m, "loops_per_1024_ns %llu\n", synth_loops_per_1024_ns);
	seq_printf(m, "stray_ops %d\n", atomic_read(&synth_stray_ops));
	list_for_each_entry(line, &synth_lines, node)
		seq_printf(m, "line %s irq %u type %s raised %llu consumed %llu\n", line->name,
			   line->irq, synth_kind_names[line->kind], synth_raised(line),
			   synth_consumed(line));
	synth_disks_show(m);
	mutex_unlock(&synth_mutex);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(synth_status);

void synth_state_add_root(void)
{
	debugfs_create_file("status", 0444, synth_root, NULL, &synth_status_fops);
}
