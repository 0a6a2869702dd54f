// SPDX-License-Identifier: GPL-2.0-only
/*
 * The line's own state: ACTIVE, PAUSED, RUNNING. Everything here is called
 * under desc->lock with interrupts off, except irqp_wake_waiters().
 */
#include "irqpace.h"
#include "trace.h"

static u64 stamp_ns(void)
{
	return irqp_stats_on() ? irqp_now_ns() : 0;
}

/*
 * A pause is shown to synchronize_irq() and free_irq() the way a threaded
 * handler is: they sleep until threads_active is zero again.
 */
static void enter(struct irqp_line *line)
{
	struct irq_desc *desc = line->desc;

	line->state = IRQP_PAUSED;
	line->parked = 0;
	line->owner = desc->action;
	line->n.pauses++;
	atomic_inc(&desc->threads_active);
	trace_irqpace_state(line->irq, IRQP_ACTIVE, IRQP_PAUSED);
}

/* Enters the pause or goes on with it, for pause_ns from now on this CPU. */
void irqp_pause(struct irqp_line *line, u32 pause_ns)
{
	lockdep_assert_held(&line->desc->lock);
	if (line->state == IRQP_ACTIVE)
		enter(line);
	line->paused_cpu = smp_processor_id();
	line->paused_ns = stamp_ns();
	hrtimer_start(&line->timer, ns_to_ktime(pause_ns), HRTIMER_MODE_REL_PINNED_HARD);
}

void irqp_pause_for_thread(struct irqp_line *line)
{
	lockdep_assert_held(&line->desc->lock);
	enter(line);
	line->paused_cpu = smp_processor_id();
	line->paused_ns = stamp_ns();
	irqp_ask(line, false);
}

/*
 * Has the next round made by the line's thread, or by a worker. The watch is
 * started when it is not running already, so that a busy line pays for it once
 * in a starvation limit and not with each wake.
 */
void irqp_ask(struct irqp_line *line, bool worker)
{
	lockdep_assert_held(&line->desc->lock);
	line->asked = true;
	line->asked_ns = irqp_now_ns();
	if (worker || !line->thread) {
		queue_work_on(smp_processor_id(), irqp_wq, &line->work);
	} else {
		if (!cpumask_equal(line->thread->cpus_ptr, irqp_cpus_of(&line->desc->irq_data)))
			line->move = true;
		wake_up_process(line->thread);
	}
	if (!hrtimer_is_queued(&line->watch))
		hrtimer_start(&line->watch, ns_to_ktime(irqp_tunables.starve_ns),
			      HRTIMER_MODE_REL_HARD);
}

/* What the flow handler reads without the lock, after the core was asked. */
void irqp_refresh(struct irqp_line *line)
{
	bool defers = pace_may_defer(&line->pace);

	if (line->defers != defers)
		WRITE_ONCE(line->defers, defers);
}

/*
 * Back to ACTIVE. The caller has settled the mask and drops the lock, then
 * calls irqp_wake_waiters(). A timer that is still queued finds nothing to do.
 */
void irqp_resume(struct irqp_line *line)
{
	struct irq_desc *desc = line->desc;

	lockdep_assert_held(&desc->lock);
	line->state = IRQP_ACTIVE;
	line->asked = false;
	line->parked = 0;
	pace_forget(&line->pace);
	if (line->hooked && desc->handle_irq != irqp_flow) {
		line->hooked = false;
		irqp_event_later(line, IRQPACE_EVENT_FOREIGN);
	}
	trace_irqpace_state(line->irq, IRQP_PAUSED, IRQP_ACTIVE);
	/* A full barrier: the look at the wait queue that follows pairs with it. */
	atomic_dec_return(&desc->threads_active);
}

/* Without desc->lock: the wait queue's own lock may sleep on PREEMPT_RT. */
void irqp_wake_waiters(struct irq_desc *desc)
{
	/* irqp_resume() has the barrier against a waiter who is just going to sleep. */
	if (waitqueue_active(&desc->wait_for_threads) && !atomic_read(&desc->threads_active))
		wake_up(&desc->wait_for_threads);
}
