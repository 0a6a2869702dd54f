// SPDX-License-Identifier: GPL-2.0-only
/*
 * The flow handler that stands in for the kernel's own. It runs in hard
 * interrupt context with interrupts off, which is also what keeps the line
 * alive here: detach waits for a grace period before it frees anything.
 */
#include <linux/sched.h>

#include "irqpace.h"
#include "trace.h"

/* Direct calls where the target is known: an indirect one costs a retpoline. */
static void call_native(struct irqp_line *line, struct irq_desc *desc)
{
	if (line->native == handle_edge_irq)
		handle_edge_irq(desc);
	else if (line->native == handle_fasteoi_irq)
		handle_fasteoi_irq(desc);
	else
		handle_level_irq(desc);
}

static void after_native(struct irqp_line *line, struct irq_desc *desc, bool handled,
			 u64 now_ns, u64 duration_ns)
{
	struct pace_run run = {
		.now_ns = now_ns,
		.duration_ns = duration_ns,
		.handled = handled,
		.cause = PACE_NATIVE,
	};
	struct pace_verdict v;

	raw_spin_lock(&desc->lock);
	if (!handled)
		line->n.unhandled++;
	/* Another CPU may have paused the line since: the run is then its own. */
	if (line->watches && line->state == IRQP_ACTIVE) {
		v = pace_after_run(&line->pace, &run);
		irqp_refresh(line);
		if (v.over_limit)
			irqp_event_later(line, IRQPACE_EVENT_LIMIT);
		if (v.action == PACE_PAUSE && irqp_may_pause(line))
			irqp_pause(line, v.pause_ns);
	}
	raw_spin_unlock(&desc->lock);
}

/*
 * Whether the handlers were productive shows in what note_interrupt() keeps:
 * last_unhandled or irqs_unhandled change exactly when all said IRQ_NONE. Where
 * two CPUs enter at once the answer may be the other's; it only steers pauses.
 */
static void run_native(struct irqp_line *line, struct irq_desc *desc)
{
	unsigned long last_unhandled = desc->last_unhandled;
	unsigned int irqs_unhandled = desc->irqs_unhandled;
	bool timed = irqp_stats_on() || line->pace.cfg.policy == PACE_HYBRID;
	u64 start_ns = timed ? irqp_now_ns() : 0;
	u64 end_ns = 0;
	bool handled;

	call_native(line, desc);

	if (timed)
		end_ns = irqp_now_ns();
	handled = desc->last_unhandled == last_unhandled &&
		  desc->irqs_unhandled <= irqs_unhandled;
	if (timed && irqp_stats_on()) {
		irqp_stats_record(line, IRQPACE_HIST_RUN, end_ns - start_ns);
		irqp_stats_record(line, IRQPACE_HIST_RESIDENCY, end_ns - start_ns);
	}
	if (READ_ONCE(line->watches) || !handled)
		after_native(line, desc, handled, end_ns, end_ns - start_ns);
}

/* True: parked. False: the native flow is to have it. */
static bool arrive(struct irqp_line *line, struct irq_desc *desc)
{
	bool parked = false;

	raw_spin_lock(&desc->lock);
	/* An armed wakeup line is the pm code's: it disarms and reports it. */
	if (irqd_is_wakeup_armed(&desc->irq_data))
		goto out;
	if (line->state == IRQP_ACTIVE) {
		if (!line->defers ||
		    pace_on_arrival(&line->pace, irqp_now_ns()).action != PACE_THREAD) {
			irqp_refresh(line);
			goto out;
		}
		if (!irqp_may_pause(line))
			goto out;
		line->n.deferred++;
		irqp_pause_for_thread(line);
	}
	irqp_park(line);
	if (line->state == IRQP_PAUSED && !line->asked &&
	    pace_cuts_pause(&line->pace, is_idle_task(current)))
		irqp_ask(line, false);
	parked = true;
out:
	raw_spin_unlock(&desc->lock);
	return parked;
}

void irqp_flow(struct irq_desc *desc)
{
	struct irqp_line *line;

	/* Pairs with the smp_wmb() in hook(): handle_irq is ours, so the line is there. */
	smp_rmb();
	line = irqp_line_find(desc);

	/*
	 * The state may change between this look and the native flow. It then
	 * meets the round's INPROGRESS and leaves PENDING, which a round treats
	 * as parked.
	 */
	if (likely(READ_ONCE(line->state) == IRQP_ACTIVE && !READ_ONCE(line->defers)))
		run_native(line, desc);
	else if (!arrive(line, desc))
		run_native(line, desc);
}
