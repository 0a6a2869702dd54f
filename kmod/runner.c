// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who makes the rounds: the line's timer in hard interrupt context, its thread,
 * or a worker for what does not fit into one stay of a CPU's timers.
 */
#include <linux/kthread.h>
#include <linux/sched.h>
#include <uapi/linux/sched/types.h>

#include "irqpace.h"

/* Arrivals that come during the rounds of one expiry: then a worker. */
#define TURNS_MAX 4

/* In hard interrupt context, under desc->lock. */
static void round_in_timer(struct irqp_line *line)
{
	struct irqp_cpu *cpu = this_cpu_ptr(&irqp_cpu);
	u64 start_ns = irqp_now_ns(), end_ns;
	int turns = 0;

	while (irqp_round(line, PACE_TIMER)) {
		/* Hybrid's limit may be used up by now. */
		if (++turns < TURNS_MAX && !pace_may_defer(&line->pace))
			continue;
		line->n.overflows++;
		irqp_ask(line, true);
		break;
	}
	end_ns = irqp_now_ns();
	pace_cpu_charge(&cpu->pace, start_ns, end_ns);
	irqp_sample(line, IRQPACE_HIST_RESIDENCY, end_ns - start_ns);
}

static enum hrtimer_restart pause_over(struct hrtimer *timer)
{
	struct irqp_line *line = container_of(timer, struct irqp_line, timer);
	struct irq_desc *desc = line->desc;
	struct pace_expiry expiry = {
		.now_ns = irqp_now_ns(),
		.budget_ns = irqp_tunables.budget_ns,
		.idle = is_idle_task(current),
	};
	struct pace_verdict v;

	raw_spin_lock(&desc->lock);
	/* Asked: a thread or worker has it, or the pause ended early. */
	if (line->state == IRQP_PAUSED && !line->asked) {
		expiry.parked = line->parked;
		v = pace_on_expiry(&line->pace, &this_cpu_ptr(&irqp_cpu)->pace, &expiry);
		switch (v.action) {
		case PACE_ROUND:
			round_in_timer(line);
			break;
		case PACE_WORKER:
			line->n.overflows++;
			irqp_ask(line, true);
			break;
		case PACE_THREAD:
			irqp_ask(line, false);
			break;
		default:
			irqp_unmask(line);
			irqp_resume(line);
		}
	}
	raw_spin_unlock(&desc->lock);
	irqp_wake_waiters(desc);
	return HRTIMER_NORESTART;
}

/* The thread was told and has not run since: the line must not wait for it. */
static enum hrtimer_restart starved(struct hrtimer *timer)
{
	struct irqp_line *line = container_of(timer, struct irqp_line, watch);
	struct irq_desc *desc = line->desc;
	u64 limit_ns = irqp_tunables.starve_ns;
	s64 left_ns;

	raw_spin_lock(&desc->lock);
	if (line->state == IRQP_PAUSED && line->asked) {
		left_ns = (s64)(line->asked_ns + limit_ns - irqp_now_ns());
		if (left_ns > 0) {
			hrtimer_start(&line->watch, ns_to_ktime(left_ns), HRTIMER_MODE_REL_HARD);
		} else {
			line->asked = false;
			line->n.starved++;
			irqp_event_later(line, IRQPACE_EVENT_STARVED);
			round_in_timer(line);
		}
	}
	raw_spin_unlock(&desc->lock);
	irqp_wake_waiters(desc);
	return HRTIMER_NORESTART;
}

/* A thread's or worker's round, if it is still wanted. */
static void round_asked_for(struct irqp_line *line)
{
	struct irq_desc *desc = line->desc;
	bool worker = current != READ_ONCE(line->thread);

	/*
	 * Bottom halves off: what the handlers raise runs in local_bh_enable()
	 * below, in this thread, and not in ksoftirqd.
	 */
	local_bh_disable();
	raw_spin_lock_irq(&desc->lock);
	if (line->state == IRQP_PAUSED && line->asked) {
		line->asked = false;
		if (!worker)
			irqp_sample(line, IRQPACE_HIST_WAKE, irqp_now_ns() - line->asked_ns);
		if (irqp_round(line, PACE_KTHREAD))
			irqp_ask(line, worker);
	}
	raw_spin_unlock_irq(&desc->lock);
	irqp_wake_waiters(desc);
	local_bh_enable();
}

static void work_fn(struct work_struct *work)
{
	round_asked_for(container_of(work, struct irqp_line, work));
}

/* As irq threads do: where the line's interrupts are delivered. */
static void follow_affinity(struct irqp_line *line)
{
	struct irq_desc *desc = line->desc;
	cpumask_var_t mask;

	WRITE_ONCE(line->move, false);
	if (!alloc_cpumask_var(&mask, GFP_KERNEL))
		return;
	raw_spin_lock_irq(&desc->lock);
	cpumask_copy(mask, irqp_cpus_of(&desc->irq_data));
	raw_spin_unlock_irq(&desc->lock);
	if (cpumask_intersects(mask, cpu_online_mask))
		set_cpus_allowed_ptr(current, mask);
	free_cpumask_var(mask);
}

static int thread_fn(void *arg)
{
	struct irqp_line *line = arg;

	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (kthread_should_stop())
			break;
		if (!READ_ONCE(line->asked)) {
			schedule();
			continue;
		}
		__set_current_state(TASK_RUNNING);
		if (READ_ONCE(line->move))
			follow_affinity(line);
		round_asked_for(line);
		cond_resched();
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

/* A running, idle thread at the priority of the kernel's own irq threads. */
struct task_struct *irqp_thread_create(struct irqp_line *line)
{
	struct task_struct *thread = kthread_create(thread_fn, line, "irqpace/%u", line->irq);

	if (IS_ERR(thread))
		return thread;
	sched_set_fifo(thread);
	line->move = true;
	wake_up_process(thread);
	return thread;
}

void irqp_runners_init(struct irqp_line *line)
{
	hrtimer_setup(&line->timer, pause_over, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_setup(&line->watch, starved, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	INIT_WORK(&line->work, work_fn);
}

/* After the line was detached and a grace period has passed. */
void irqp_runners_stop(struct irqp_line *line)
{
	hrtimer_cancel(&line->timer);
	hrtimer_cancel(&line->watch);
	cancel_work_sync(&line->work);
	if (line->thread)
		kthread_stop(line->thread);
}
