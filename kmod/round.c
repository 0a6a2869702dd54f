// SPDX-License-Identifier: GPL-2.0-only
/*
 * A round: the handlers of a paused line, called by a runner. It is the equal
 * of handle_irq_event(): same bits, same order, same lock. Interrupts and
 * bottom halves are off throughout.
 */
#include <linux/random.h>

#include "irqpace.h"
#include "trace.h"

/* How long to leave a line alone that somebody else has in progress. */
#define RETRY_NS 20000

static bool same_owner(struct irqp_line *line)
{
	struct irqaction *action = line->desc->action;

	/* Sharers expect calls that are not theirs, a sole owner does not. */
	return action && (action == line->owner || (action->flags & IRQF_SHARED));
}

static bool may_run(struct irqp_line *line)
{
	struct irq_desc *desc = line->desc;

	return same_owner(line) && !irqd_irq_disabled(&desc->irq_data) &&
	       !irqd_is_wakeup_armed(&desc->irq_data);
}

/*
 * The line is no longer ours to run. A disabled one is resent by enable_irq();
 * an armed wakeup line is enabled, so nobody would resend it: raise it again,
 * for the pm code to see. What was parked for an owner who left is dropped.
 */
static void hand_back(struct irqp_line *line)
{
	struct irq_desc *desc = line->desc;
	struct irq_data *d = &desc->irq_data;
	bool parked = line->parked && same_owner(line);

	if (irqd_irq_disabled(d)) {
		if (parked)
			irqp_istate(desc) |= IRQP_ISTATE_PENDING;
	} else if (desc->action) {
		irqp_unmask(line);
		if (parked && !irqd_is_level_type(d) && d->chip->irq_retrigger)
			d->chip->irq_retrigger(d);
	}
	irqp_resume(line);
}

static bool call_handlers(struct irqp_line *line, bool hard)
{
	struct irqaction *action;
	irqreturn_t all = IRQ_NONE, ret;

	if (hard)
		lockdep_hardirq_threaded();
	/* INPROGRESS keeps every action: free_irq() waits for it. */
	for (action = line->desc->action; action; action = action->next) {
		ret = action->handler(line->irq, action->dev_id);
		if (WARN_ONCE(!irqs_disabled(), "irq %u: handler %pS enabled interrupts\n",
			      line->irq, action->handler))
			local_irq_disable();
		if (ret == IRQ_WAKE_THREAD)
			irq_wake_thread(line->irq, action->dev_id);
		all |= ret;
	}
	add_interrupt_randomness(line->irq);
	return all != IRQ_NONE;
}

/* PAUSED to RUNNING and back; desc->lock is dropped while the handlers run. */
static void run_handlers(struct irqp_line *line, enum pace_cause cause, struct pace_run *run)
{
	struct irq_desc *desc = line->desc;
	bool timed = irqp_stats_on() || line->pace.cfg.policy == PACE_HYBRID ||
		     trace_irqpace_round_enabled();
	u64 start_ns = timed ? irqp_now_ns() : 0;

	if (start_ns && line->paused_ns)
		irqp_sample(line, IRQPACE_HIST_PAUSE, start_ns - line->paused_ns);
	line->state = IRQP_RUNNING;
	run->gathered = line->parked;
	line->parked = 0;
	/* Masked by a native flow that met us: what comes now must get through. */
	if (line->masking == IRQPACE_MASKING_NONE)
		irqp_unmask(line);
	irqp_istate(desc) &= ~IRQP_ISTATE_PENDING;
	irqp_irqd_set(desc, IRQD_IRQ_INPROGRESS);
	raw_spin_unlock(&desc->lock);

	run->handled = call_handlers(line, cause == PACE_TIMER);
	if (start_ns) {
		run->duration_ns = irqp_now_ns() - start_ns;
		irqp_sample(line, IRQPACE_HIST_RUN, run->duration_ns);
	}

	raw_spin_lock(&desc->lock);
	irqp_irqd_clear(desc, IRQD_IRQ_INPROGRESS);
	line->state = IRQP_PAUSED;
	line->n.rounds++;
	line->n.unhandled += !run->handled;
	/* Left by a native flow that met our INPROGRESS; it masked, too. */
	if (irqp_istate(desc) & IRQP_ISTATE_PENDING) {
		irqp_istate(desc) &= ~IRQP_ISTATE_PENDING;
		line->parked++;
	}
	trace_irqpace_round(line->irq, cause, run->handled, line->parked, run->duration_ns);
}

/*
 * Under desc->lock, which is dropped meanwhile. True: an arrival was parked
 * during the run, so the caller has to see to one more round.
 */
bool irqp_round(struct irqp_line *line, enum pace_cause cause)
{
	struct irq_desc *desc = line->desc;
	struct pace_run run = { .cause = cause };
	struct pace_verdict v;

	lockdep_assert_held(&desc->lock);
	if (line->state != IRQP_PAUSED)
		return false;
	if (irqd_irq_inprogress(&desc->irq_data)) {
		irqp_pause(line, RETRY_NS);
		return false;
	}
	if (!may_run(line)) {
		hand_back(line);
		return false;
	}

	run_handlers(line, cause, &run);
	if (!may_run(line)) {
		hand_back(line);
		return false;
	}

	run.now_ns = irqp_now_ns();
	run.parked = line->parked;
	run.waiter = !irqp_may_pause(line);
	v = pace_after_run(&line->pace, &run);
	irqp_refresh(line);
	if (v.spurious)
		irqp_event_later(line, IRQPACE_EVENT_SPURIOUS);

	switch (v.action) {
	case PACE_PAUSE:
		/* Only a polled line is looked at again without an arrival. */
		if (!line->pace.cfg.poll)
			irqp_unmask(line);
		irqp_pause(line, v.pause_ns);
		return false;
	case PACE_AGAIN:
		return true;
	default:
		irqp_unmask(line);
		irqp_resume(line);
		return false;
	}
}

/*
 * Ends a pause here and now, if nobody else is in the middle of a round. Under
 * desc->lock, which is dropped meanwhile. True: the line is ACTIVE.
 */
bool irqp_finish(struct irqp_line *line)
{
	struct irq_desc *desc = line->desc;

	lockdep_assert_held(&desc->lock);
	while (line->state == IRQP_PAUSED && !irqd_irq_inprogress(&desc->irq_data)) {
		if (line->parked || !may_run(line)) {
			irqp_round(line, PACE_KTHREAD);
		} else {
			irqp_unmask(line);
			irqp_resume(line);
		}
	}
	return line->state == IRQP_ACTIVE;
}
