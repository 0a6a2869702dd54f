// SPDX-License-Identifier: GPL-2.0-only
/* The cases that every kind of line can show. */
#include <linux/delay.h>
#include <linux/kernel_stat.h>

#include "compat/compat.h"
#include "synth.h"

/*
 * SYNC: the driver silences its device and waits with synchronize_irq(). What
 * was delivered before is handled by then, and nothing runs afterwards.
 */
int synth_case_sync(struct synth_case *c)
{
	struct synth_line *line = c->line;
	u64 at_return;
	int err;

	err = synth_case_start_paused(c);
	if (err)
		return err;
	synth_case_fire(c, c->cpu, SYNTH_DO_RAISE);
	if (c->paced && synth_consumed(line) != 1)
		return synth_case_again(c, "the second event was not parked");
	synchronize_irq(line->irq);
	at_return = synth_consumed(line);
	WRITE_ONCE(line->quiesced, true);
	msleep(50);
	WRITE_ONCE(line->quiesced, false);
	if (line->n.after_sync)
		return synth_case_fail(c, "handler ran %llu times after synchronize_irq() returned",
				       line->n.after_sync);
	if (at_return != 2)
		return synth_case_fail(c, "synchronize_irq() returned with %llu of 2 events handled",
				       at_return);
	return 0;
}

/*
 * DISABLE: a handler that is called by a runner disables its own line and
 * leaves the rest to somebody else; meanwhile another event comes.
 */
int synth_case_disable(struct synth_case *c)
{
	struct synth_line *line = c->line;
	int err;

	err = synth_case_start_paused(c);
	if (err)
		return err;
	WRITE_ONCE(line->disable_self, true);
	synth_case_hold(c, SYNTH_UNTIL_RELEASE);
	synth_case_fire(c, c->cpu, SYNTH_DO_RAISE);
	err = synth_case_held_in_round(c);
	if (err == -EAGAIN) {
		synth_hold_release(line, SYNTH_HANDLER);
		synth_case_wait(READ_ONCE(line->disabled) && !atomic_read(&line->in_handler), SYNTH_CASE_MS);
		WRITE_ONCE(line->disabled, false);
		enable_irq(line->irq);
	}
	if (err)
		return err;
	synth_kick(line, c->other, SYNTH_DO_RAISE);
	if (!synth_case_wait(synth_raised(line) == 3, SYNTH_CASE_MS))
		return synth_case_fail(c, "the third event was not raised");
	usleep_range(1000, 2000);
	synth_hold_release(line, SYNTH_HANDLER);
	/* Longer than any pause. */
	msleep(50);
	err = line->n.while_disabled;
	WRITE_ONCE(line->disabled, false);
	enable_irq(line->irq);
	if (err)
		return synth_case_fail(c, "handler called %d times on the line it had disabled", err);
	if (!synth_case_consumed(c, 3, SYNTH_CASE_MS))
		return synth_case_fail(c, "the event that came while disabled is lost");
	return 0;
}

/*
 * FREE: the last action is taken away while a runner is in the handler. The
 * line is shut down then, and must stay as the core left it.
 */
int synth_case_free(struct synth_case *c)
{
	struct synth_line *line = c->line;
	struct irq_data *d = &line->desc->irq_data;
	int err;

	err = synth_case_start_paused(c);
	if (err)
		return err;
	synth_case_hold(c, SYNTH_UNTIL_NO_ACTION);
	synth_case_fire(c, c->cpu, SYNTH_DO_RAISE);
	err = synth_case_held_in_round(c);
	if (err)
		return err;
	synth_free(line);
	/* Longer than any pause, and than the runner needs to find the line empty. */
	msleep(50);
	if (line->n.unmask_when_down)
		err = synth_case_fail(c, "the line was unmasked after it was shut down");
	else if (!irqd_irq_masked(d) || !irqd_irq_disabled(d) || !line->masked)
		err = synth_case_fail(c, "the freed line is not masked and disabled as the core left it");
	else if (line->n.hold_timeouts)
		err = synth_case_fail(c, "free_irq() did not take the action while the handler ran");
	if (synth_request(line))
		return synth_case_fail(c, "the line cannot be requested again");
	if (err)
		return err;
	synth_case_fire(c, c->cpu, SYNTH_DO_RAISE);
	if (!synth_case_consumed(c, 3, SYNTH_CASE_MS))
		return synth_case_fail(c, "the new owner's first event is not handled");
	return 0;
}

static int synth_wake_reported(struct synth_case *c)
{
	struct synth_line *line = c->line;
	unsigned int istate;
	unsigned long flags;
	bool armed, disabled;

	raw_spin_lock_irqsave(&line->desc->lock, flags);
	armed = irqd_is_wakeup_armed(&line->desc->irq_data);
	disabled = irqd_irq_disabled(&line->desc->irq_data) && line->desc->depth == 1;
	istate = *synth_istate(line->desc);
	raw_spin_unlock_irqrestore(&line->desc->lock, flags);
	if (armed || !disabled || !(istate & SYNTH_IRQS_SUSPENDED))
		return synth_case_fail(c, "an event on an armed wakeup line is not reported: armed %d, disabled %d, istate 0x%x",
				       armed, disabled, istate);
	return 0;
}

/*
 * WAKE: an event on an armed line goes to the power management code: disarmed,
 * disabled, reported, and the handler is called after resume. Once from rest,
 * and once with an event parked when the line is armed.
 */
int synth_case_wake(struct synth_case *c)
{
	struct synth_line *line = c->line;
	unsigned int part;
	u64 events = 0;
	int err;

	for (part = 0; part < 2; part++) {
		if (part) {
			synth_case_fire(c, c->cpu, SYNTH_DO_RAISE);
			if (!synth_case_consumed(c, ++events, SYNTH_CASE_MS))
				return synth_case_fail(c, "an event after resume is not handled");
			synth_case_fire(c, c->cpu, SYNTH_DO_RAISE);
			events++;
		}
		synth_line_arm(line);
		/* What is parked and left to a runner would come within this time. */
		msleep(50);
		synth_case_fire(c, c->cpu, SYNTH_DO_RAISE);
		events++;
		msleep(50);
		err = synth_wake_reported(c);
		synth_line_disarm(line);
		if (err)
			return err;
		if (line->n.while_armed)
			return synth_case_fail(c, "handler called %llu times while armed for wakeup",
					       line->n.while_armed);
		if (!synth_case_consumed(c, events, SYNTH_CASE_MS))
			return synth_case_fail(c, "the event that woke the system is not handled after resume");
	}
	return 0;
}

struct synth_kstat {
	u64 line, total, sum;
};

static struct synth_kstat synth_kstat_read(struct synth_line *line)
{
	struct synth_kstat k = { .total = line->desc->tot_count };
	int cpu;

	for_each_possible_cpu(cpu) {
		k.line += synth_irq_count(line->desc, cpu);
		k.sum += kstat_cpu_irqs_sum(cpu);
	}
	return k;
}

/* COUNT: what was delivered stands in /proc/interrupts, /proc/stat and the rest. */
int synth_case_count(struct synth_case *c)
{
	struct synth_line *line = c->line;
	struct synth_kstat before, after;
	unsigned int i;
	u64 entered;

	before = synth_kstat_read(line);
	for (i = 0; i < 100; i++)
		synth_case_fire(c, c->cpu, SYNTH_DO_RAISE);
	if (!synth_case_consumed(c, 100, SYNTH_CASE_MS))
		return synth_case_fail(c, "not all of 100 events are handled");
	if (!synth_case_wait(synth_case_idle(c), SYNTH_CASE_MS))
		return synth_case_fail(c, "the line does not come to rest");
	after = synth_kstat_read(line);
	entered = line->n.entered;
	if (!entered || after.line - before.line != entered)
		return synth_case_fail(c, "%llu arrivals, but the line's count moved by %llu",
				       entered, after.line - before.line);
	/* An unsigned int in 6.1 and 6.12, which may wrap. */
	if ((u32)(after.total - before.total) != entered)
		return synth_case_fail(c, "%llu arrivals, but tot_count moved by %llu", entered,
				       after.total - before.total);
	if (after.sum - before.sum < entered)
		return synth_case_fail(c, "%llu arrivals, but the CPUs' sum moved by %llu", entered,
				       after.sum - before.sum);
	return 0;
}
