// SPDX-License-Identifier: GPL-2.0-only
/* The cases that only an edge line can show: a message that comes once. */
#include <linux/delay.h>

#include "compat/compat.h"
#include "synth.h"

/*
 * PENDING: while a runner is in the handler, another CPU enters the kernel's
 * own flow for the same line (it had read "active" before, or irqpoll came by).
 * That flow sets PENDING, masks and acks, and trusts the owner of INPROGRESS.
 */
int synth_case_pending(struct synth_case *c)
{
	struct synth_line *line = c->line;
	int err;

	err = synth_case_start_paused(c);
	if (err)
		return err;
	synth_case_hold(c, SYNTH_UNTIL_RELEASE);
	synth_case_fire(c, c->cpu, SYNTH_DO_RAISE);
	err = synth_case_held_in_round(c);
	if (err)
		return err;
	synth_case_fire(c, c->other, SYNTH_DO_NATIVE);
	if (!synth_case_wait(*synth_istate(line->desc) & SYNTH_IRQS_PENDING, SYNTH_CASE_MS))
		return synth_case_again(c, "the native flow did not meet the handler");
	synth_hold_release(line, SYNTH_HANDLER);
	if (!synth_case_consumed(c, 3, SYNTH_CASE_MS))
		return synth_case_fail(c, "the event that the native flow left to the runner is lost");
	return 0;
}

/*
 * REPLAY: an event that came while disabled is replayed by enable_irq(), which
 * marks the line; only an entry into a flow takes the mark away, and as long
 * as it is there nothing is ever replayed again.
 */
int synth_case_replay(struct synth_case *c)
{
	struct synth_line *line = c->line;

	disable_irq(line->irq);
	synth_case_fire(c, c->cpu, SYNTH_DO_RAISE);
	enable_irq(line->irq);
	if (!synth_case_consumed(c, 1, SYNTH_CASE_MS))
		return synth_case_fail(c, "the event that came while disabled is not replayed");
	/* Raised and disabled in one hard interrupt: no thread gets in between. */
	synth_case_fire(c, c->cpu, SYNTH_DO_RAISE | SYNTH_DO_DISABLE);
	/* Longer than any pause: the runner has met the disabled line by then. */
	msleep(50);
	if (synth_consumed(line) != 1) {
		enable_irq(line->irq);
		return synth_case_again(c, "the event was handled before the line was disabled");
	}
	enable_irq(line->irq);
	if (!synth_case_consumed(c, 2, SYNTH_CASE_MS))
		return synth_case_fail(c, "the second event is never replayed (istate 0x%x)",
				       *synth_istate(line->desc));
	return 0;
}

/*
 * EDGE: the pin forgets what comes while it is masked. An edge after the
 * handler's last look and before an unmask is seen by nobody.
 */
int synth_case_edge(struct synth_case *c)
{
	struct synth_line *line = c->line;
	int err;

	err = synth_case_start_paused(c);
	if (err)
		return err;
	synth_case_hold(c, SYNTH_UNTIL_RELEASE);
	synth_case_fire(c, c->cpu, SYNTH_DO_RAISE);
	err = synth_case_held_in_round(c);
	if (err)
		return err;
	synth_kick(line, c->other, SYNTH_DO_RAISE);
	if (!synth_case_wait(synth_raised(line) == 3, SYNTH_CASE_MS))
		return synth_case_fail(c, "the third event was not raised");
	/* It has gone through the pin, or was forgotten there. */
	usleep_range(1000, 2000);
	synth_hold_release(line, SYNTH_HANDLER);
	if (!synth_case_consumed(c, 3, SYNTH_CASE_MS))
		return synth_case_fail(c, "an edge that came during a round is lost: the pin was masked and forgot %llu",
				       line->n.forgotten);
	return 0;
}
