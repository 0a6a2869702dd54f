// SPDX-License-Identifier: GPL-2.0-only
/* The life of an attached line; callers hold irqp_mutex. */
#include <linux/delay.h>
#include <linux/hashtable.h>
#include <linux/kthread.h>
#include <linux/slab.h>

#include "irqpace.h"

static DEFINE_HASHTABLE(by_desc, 10);
LIST_HEAD(irqp_lines);

/* In an RCU read section (interrupts off is one), or under irqp_mutex. */
struct irqp_line *irqp_line_find(struct irq_desc *desc)
{
	struct irqp_line *line;

	hash_for_each_possible_rcu_notrace(by_desc, line, hash, (unsigned long)desc)
		if (line->desc == desc)
			return line;
	return NULL;
}

/*
 * The descriptor with a reference on its kobject, whose release frees it; or
 * NULL. Nobody else's lock is needed: a descriptor that is being freed has
 * dropped its own reference, or will find ours.
 */
struct irq_desc *irqp_desc_pin(unsigned int irq)
{
	struct irq_desc *desc = NULL;
	struct irq_data *d;

	rcu_read_lock();
	d = irq_get_irq_data(irq);
	if (d)
		desc = irq_data_to_desc(d);
	if (desc && !kobject_get_unless_zero(&desc->kobj))
		desc = NULL;
	rcu_read_unlock();
	return desc;
}

/* The next descriptor from *irq to last, pinned, with its number in *irq; or NULL. */
struct irq_desc *irqp_desc_next(unsigned int *irq, unsigned int last)
{
	unsigned int nr = irq_get_nr_irqs();
	struct irq_desc *desc;

	for (; *irq <= last && *irq < nr; ++*irq) {
		desc = irqp_desc_pin(*irq);
		if (desc)
			return desc;
	}
	return NULL;
}

void irqp_desc_unpin(struct irq_desc *desc)
{
	kobject_put(&desc->kobj);
}

/* Pinned, but no longer the descriptor of its number. */
bool irqp_desc_is_gone(struct irqp_line *line)
{
	struct irq_data *d;
	bool gone;

	rcu_read_lock();
	d = irq_get_irq_data(line->irq);
	gone = !d || irq_data_to_desc(d) != line->desc;
	rcu_read_unlock();
	return gone;
}

static bool needs_thread(const struct irqp_settings *set)
{
	return set->pace.policy == PACE_THREADED || set->pace.policy == PACE_HYBRID;
}

/* Under desc->lock, the line ACTIVE or not yet hooked. */
static void apply(struct irqp_line *line, const struct irqp_settings *set)
{
	line->set = *set;
	pace_init(&line->pace, &set->pace);
	line->masking = irqp_masking_of(line->desc, line->level, set->flushed);
	WRITE_ONCE(line->watches, pace_watches_runs(&line->pace));
	irqp_refresh(line);
}

/* Returns with desc->lock held, interrupts and bottom halves off, the line ACTIVE. */
static void settle_lock(struct irqp_line *line)
{
	struct irq_desc *desc = line->desc;

	for (;;) {
		local_bh_disable();
		raw_spin_lock_irq(&desc->lock);
		line->forbid = true;
		if (irqp_finish(line))
			return;
		raw_spin_unlock_irq(&desc->lock);
		local_bh_enable();
		usleep_range(20, 100);
	}
}

static void settle_unlock(struct irqp_line *line)
{
	struct irq_desc *desc = line->desc;

	raw_spin_unlock_irq(&desc->lock);
	irqp_wake_waiters(desc);
	local_bh_enable();
}

static void free_line(struct irqp_line *line)
{
	irqp_stats_free(line);
	irqp_desc_unpin(line->desc);
	kfree_rcu(line, rcu);
}

static int may_hook(struct irq_desc *desc, const struct irqp_settings *set,
		    struct netlink_ext_ack *extack)
{
	const char *why;

	raw_spin_lock_irq(&desc->lock);
	why = irqp_why_not(desc, desc->handle_irq, set);
	raw_spin_unlock_irq(&desc->lock);
	if (!why)
		return 0;
	irqp_refuse_line(extack, desc, why);
	return -EOPNOTSUPP;
}

static int hook(struct irqp_line *line, const struct irqp_settings *set,
		struct netlink_ext_ack *extack)
{
	struct irq_desc *desc = line->desc;
	const char *why;

	raw_spin_lock_irq(&desc->lock);
	why = irqp_why_not(desc, desc->handle_irq, set);
	if (!why) {
		line->native = desc->handle_irq;
		line->level = line->native != handle_edge_irq;
		line->tot_count = desc->tot_count;
		apply(line, set);
		line->hooked = true;
		/* irqp_flow() must find the line as it is here. */
		smp_wmb();
		WRITE_ONCE(desc->handle_irq, irqp_flow);
	}
	raw_spin_unlock_irq(&desc->lock);
	if (!why)
		return 0;
	irqp_refuse(extack, "irq %u %s", line->irq, why);
	return -EOPNOTSUPP;
}

/* Takes over the caller's reference on desc, also where it fails. */
int irqp_attach(struct irq_desc *desc, const struct irqp_settings *set,
		struct netlink_ext_ack *extack)
{
	struct task_struct *thread = NULL;
	struct irqp_line *line = NULL;
	int err;

	lockdep_assert_held(&irqp_mutex);
	/* The scan tries refused lines each second: no thread for nothing. */
	err = may_hook(desc, set, extack);
	if (!err) {
		line = kzalloc(sizeof(*line), GFP_KERNEL);
		err = -ENOMEM;
	}
	if (!line) {
		irqp_desc_unpin(desc);
		return err;
	}
	line->desc = desc;
	line->irq = irq_desc_get_irq(desc);
	irqp_runners_init(line);
	irqp_stats_prepare(line);
	if (needs_thread(set)) {
		thread = irqp_thread_create(line);
		if (IS_ERR(thread)) {
			err = PTR_ERR(thread);
			goto fail;
		}
		line->thread = thread;
	}
	hash_add_rcu(by_desc, &line->hash, (unsigned long)desc);
	err = hook(line, set, extack);
	if (err)
		goto unhash;
	list_add_tail(&line->node, &irqp_lines);
	return 0;

unhash:
	/* Nobody entered irqp_flow() for this line; other lines' readers may pass it. */
	hash_del_rcu(&line->hash);
	if (thread)
		kthread_stop(thread);
fail:
	free_line(line);
	return err;
}

int irqp_change(struct irqp_line *line, const struct irqp_settings *set,
		struct netlink_ext_ack *extack)
{
	struct task_struct *unused = NULL, *thread = NULL;
	const char *why;

	lockdep_assert_held(&irqp_mutex);
	if (needs_thread(set) && !line->thread) {
		thread = irqp_thread_create(line);
		if (IS_ERR(thread))
			return PTR_ERR(thread);
	}

	settle_lock(line);
	why = irqp_why_not(line->desc, line->native, set);
	if (!why) {
		apply(line, set);
		if (thread) {
			line->thread = thread;
			thread = NULL;
		} else if (!needs_thread(set)) {
			unused = line->thread;
			line->thread = NULL;
		}
		line->told = 0;
	}
	line->forbid = false;
	settle_unlock(line);

	if (thread)
		kthread_stop(thread);
	if (unused)
		kthread_stop(unused);
	if (!why)
		return 0;
	irqp_refuse(extack, "irq %u %s", line->irq, why);
	return -EOPNOTSUPP;
}

/*
 * Detaches all lines on the list and frees them. The flow handler goes back in
 * the critical section that finds no pause and no round; the grace period waits
 * for CPUs that entered irqp_flow() before, whose prologue and epilogue nothing
 * else covers.
 */
void irqp_detach(struct list_head *lines)
{
	struct irqp_line *line, *next;

	lockdep_assert_held(&irqp_mutex);
	if (list_empty(lines))
		return;
	list_for_each_entry(line, lines, node) {
		settle_lock(line);
		if (line->desc->handle_irq == irqp_flow)
			WRITE_ONCE(line->desc->handle_irq, line->native);
		line->hooked = false;
		settle_unlock(line);
	}
	synchronize_rcu();
	list_for_each_entry_safe(line, next, lines, node) {
		irqp_runners_stop(line);
		irqp_events_send(line);
		hash_del_rcu(&line->hash);
		list_del(&line->node);
		free_line(line);
	}
}

/* The CPU goes offline: its pauses end here, before its lines move. */
void irqp_settle_cpu(int cpu)
{
	struct irqp_line *line;

	mutex_lock(&irqp_mutex);
	list_for_each_entry(line, &irqp_lines, node) {
		if (READ_ONCE(line->paused_cpu) != cpu)
			continue;
		settle_lock(line);
		line->forbid = false;
		settle_unlock(line);
	}
	mutex_unlock(&irqp_mutex);
}
