// SPDX-License-Identifier: GPL-2.0-only
/*
 * The driver's side: handlers that know what they should have seen.
 *
 * An event is lost when no run starts after it was raised. A run therefore
 * reads the newest number first thing, and at its end moves the mark on only
 * from where it found it: a mark that moved meanwhile means that another run
 * consumed the same events.
 */
#include <linux/percpu.h>

#include "compat/compat.h"
#include "synth.h"

u64 synth_raised(struct synth_line *line)
{
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < line->ndevs; i++)
		sum += atomic64_read(&line->devs[i].raised);
	return sum;
}

u64 synth_consumed(struct synth_line *line)
{
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < line->ndevs; i++)
		sum += atomic64_read(&line->devs[i].consumed);
	return sum;
}

/* With line->lock held: a stay in hard context ends where the next one starts too late. */
static void synth_residency_enter(struct synth_line *line, u64 now)
{
	struct synth_cpu_line *cl = this_cpu_ptr(line->cpus);

	if (!cl->res_end_ns || now - cl->res_end_ns > line->gap_ns) {
		if (cl->res_end_ns)
			synth_hist_add(line, cl->res_end_ns - cl->res_start_ns);
		cl->res_start_ns = now;
	}
	/* Zero while a handler runs: this stay is not to be counted yet. */
	cl->res_end_ns = 0;
}

static void synth_residency_leave(struct synth_line *line, u64 now)
{
	this_cpu_ptr(line->cpus)->res_end_ns = now;
}

/* Counts the stays that are over; for a reader, who has no event to do it. */
void synth_residency_close(struct synth_line *line)
{
	unsigned long flags;
	int cpu;

	raw_spin_lock_irqsave(&line->lock, flags);
	for_each_possible_cpu(cpu) {
		struct synth_cpu_line *cl = per_cpu_ptr(line->cpus, cpu);

		if (!cl->res_end_ns || synth_now_ns() - cl->res_end_ns <= line->gap_ns)
			continue;
		synth_hist_add(line, cl->res_end_ns - cl->res_start_ns);
		cl->res_end_ns = 0;
	}
	raw_spin_unlock_irqrestore(&line->lock, flags);
}

/* Counts of the past; what is raised or left to do stays. */
void synth_counts_reset(struct synth_line *line)
{
	unsigned long flags;
	int cpu;

	raw_spin_lock_irqsave(&line->lock, flags);
	memset(&line->n, 0, sizeof(line->n));
	memset(line->ops, 0, sizeof(line->ops));
	memset(line->hist, 0, sizeof(line->hist));
	line->log_head = 0;
	for_each_possible_cpu(cpu)
		per_cpu_ptr(line->cpus, cpu)->res_end_ns = 0;
	raw_spin_unlock_irqrestore(&line->lock, flags);
}

/* With line->lock held. */
static void synth_handler_check(struct synth_line *line, bool alone)
{
	if (!alone)
		line->n.concurrent++;
	if (line->disabled)
		line->n.while_disabled++;
	if (line->freed)
		line->n.after_free++;
	if (line->quiesced)
		line->n.after_sync++;
	if (line->armed)
		line->n.while_armed++;
}

/*
 * Where one call does not do all that it saw, an edge device speaks up again.
 * Never for what came since: that had a message of its own, and a second one
 * would hide the loss of the first.
 */
static void synth_handler_rest(struct synth_line *line, bool rest)
{
	if (rest && !synth_is_level(line))
		synth_message(line, false);
}

/* For those who measure locks: known holds, and lines that wait for each other. */
static DEFINE_RAW_SPINLOCK(synth_shared_lock);

static void synth_handler_locked(struct synth_line *line)
{
	raw_spin_lock(&synth_shared_lock);
	synth_spin_ns(line->locked_ns);
	line->n.locked++;
	raw_spin_unlock(&synth_shared_lock);
}

static irqreturn_t synth_handler(int irq, void *arg)
{
	struct synth_dev *dev = arg;
	struct synth_line *line = dev->line;
	bool hard = in_hardirq(), rest;
	irqreturn_t ret = IRQ_HANDLED;
	unsigned long flags;
	u64 start, seen, done, take;

	raw_spin_lock_irqsave(&line->lock, flags);
	start = synth_now_ns();
	synth_handler_check(line, atomic_inc_return(&line->in_handler) == 1);
	line->n.runs++;
	if (hard)
		synth_residency_enter(line, start);
	else
		line->n.runs_task++;
	seen = atomic64_read(&dev->raised);
	done = atomic64_read(&dev->consumed);
	take = dev->items;
	if (line->per_call)
		take = min_t(u64, take, line->per_call);
	rest = take < dev->items;
	if (dev->first_ns) {
		u64 wait = start - dev->first_ns;

		line->n.max_wait_ns = max(line->n.max_wait_ns, wait);
		if (wait > line->late_ns)
			line->n.late++;
		dev->first_ns = 0;
	}
	synth_log(line, SYNTH_HANDLER, seen);
	raw_spin_unlock_irqrestore(&line->lock, flags);

	if (READ_ONCE(line->disable_self)) {
		WRITE_ONCE(line->disable_self, false);
		disable_irq_nosync(irq);
		WRITE_ONCE(line->disabled, true);
	}
	if (take || seen != done)
		synth_spin_ns(line->cost_ns + take * line->item_ns);
	if (hard && line->locked_ns)
		synth_handler_locked(line);
	if (dev->complete)
		dev->complete(dev->arg);
	synth_hold_here(line, SYNTH_HANDLER);

	raw_spin_lock_irqsave(&line->lock, flags);
	if (atomic64_cmpxchg(&dev->consumed, done, seen) != done)
		line->n.doubled++;
	take = min(take, dev->items);
	dev->items -= take;
	line->items -= take;
	line->asserted = synth_is_level(line) && line->items;
	line->n.items += take;
	if (!take && seen == done) {
		line->n.empty++;
		ret = IRQ_NONE;
	} else if (line->none_percent && synth_random(&line->seed) % 100 < line->none_percent) {
		ret = IRQ_NONE;
	} else if (line->own_thread) {
		ret = IRQ_WAKE_THREAD;
	}
	if (ret == IRQ_NONE)
		line->n.none++;
	done = synth_now_ns();
	line->n.run_max_ns = max(line->n.run_max_ns, done - start);
	if (hard)
		synth_residency_leave(line, done);
	synth_log(line, SYNTH_DONE, ret);
	atomic_dec(&line->in_handler);
	raw_spin_unlock_irqrestore(&line->lock, flags);

	synth_handler_rest(line, rest);
	return ret;
}

static irqreturn_t synth_thread_fn(int irq, void *arg)
{
	struct synth_dev *dev = arg;
	unsigned long flags;

	raw_spin_lock_irqsave(&dev->line->lock, flags);
	dev->line->n.thread_runs++;
	raw_spin_unlock_irqrestore(&dev->line->lock, flags);
	return IRQ_HANDLED;
}

int synth_request(struct synth_line *line)
{
	unsigned int i;
	int err;

	WRITE_ONCE(line->freed, false);
	WRITE_ONCE(line->disabled, false);
	for (i = 0; i < line->ndevs; i++) {
		struct synth_dev *dev = &line->devs[i];

		if (dev->requested)
			continue;
		dev->line = line;
		dev->index = i;
		if (i)
			snprintf(dev->name, sizeof(dev->name), "%s.%u", line->name, i);
		else
			strscpy(dev->name, line->name, sizeof(dev->name));
		err = request_threaded_irq(line->irq, synth_handler,
					   line->own_thread ? synth_thread_fn : NULL,
					   line->request_flags, dev->name, dev);
		if (err) {
			synth_free(line);
			return err;
		}
		dev->requested = true;
	}
	return 0;
}

void synth_free(struct synth_line *line)
{
	unsigned int i;

	for (i = 0; i < line->ndevs; i++) {
		struct synth_dev *dev = &line->devs[i];

		if (!dev->requested)
			continue;
		free_irq(line->irq, dev);
		dev->requested = false;
	}
	WRITE_ONCE(line->freed, true);
}
