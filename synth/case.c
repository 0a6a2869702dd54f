// SPDX-License-Identifier: GPL-2.0-only
/*
 * Forced interleavings. A case plays the driver and the device on one line
 * whose policy was set before; it runs on another CPU than the line's, so that
 * it can act while the handler is held there. Each has to show that the
 * situation it is about really came up: on a line whose flow handler somebody
 * replaced, a case that could not force it has failed, not passed.
 */
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/workqueue.h>

#include "compat/compat.h"
#include "synth.h"

/* A window that this vCPU sleeps through comes again. */
#define SYNTH_CASE_TRY_MS	20000

int synth_case_fail(struct synth_case *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vscnprintf(c->why, sizeof(c->why), fmt, ap);
	va_end(ap);
	return -EPROTO;
}

/* The situation did not come up; without anybody on the line there is none to come. */
int synth_case_again(struct synth_case *c, const char *what)
{
	synth_case_fail(c, "could not be forced: %s", what);
	return c->paced ? -EAGAIN : 0;
}

/* Returns when it was carried out, flow handler included; held handlers excepted. */
void synth_case_fire(struct synth_case *c, int cpu, unsigned int todo)
{
	u64 before = READ_ONCE(c->line->n.kicked);

	synth_kick(c->line, cpu, todo);
	(void)synth_case_wait(READ_ONCE(c->line->n.kicked) != before ||
			      READ_ONCE(c->line->hold[SYNTH_HANDLER].inside), SYNTH_CASE_MS);
}

bool synth_case_consumed(struct synth_case *c, u64 count, unsigned int ms)
{
	return synth_case_wait(synth_consumed(c->line) >= count, ms);
}

/* Nothing raised, nothing running, nothing paused, nothing masked. */
bool synth_case_idle(struct synth_case *c)
{
	struct synth_line *line = c->line;

	return synth_raised(line) == synth_consumed(line) && !READ_ONCE(line->items) &&
	       !atomic_read(&line->in_handler) && !READ_ONCE(line->masked) &&
	       !atomic_read(&line->desc->threads_active) &&
	       READ_ONCE(line->n.entered) == READ_ONCE(line->n.left);
}

void synth_case_hold(struct synth_case *c, enum synth_until until)
{
	synth_hold_arm(c->line, SYNTH_HANDLER, 0, until, 8 * NSEC_PER_SEC);
}

/*
 * The handler is held, and every flow that was entered was left again: the
 * one who called it is no native flow but a runner.
 */
int synth_case_held_in_round(struct synth_case *c)
{
	struct synth_line *line = c->line;

	if (!synth_case_wait(READ_ONCE(line->hold[SYNTH_HANDLER].inside), SYNTH_CASE_MS))
		return synth_case_fail(c, "an event raised while the line pauses is not handled in time");
	if (c->paced && READ_ONCE(line->n.entered) != READ_ONCE(line->n.left))
		return synth_case_again(c, "the event was not parked");
	return 0;
}

/* The first event is handled, and with a policy that pauses the line now pauses. */
int synth_case_start_paused(struct synth_case *c)
{
	synth_case_fire(c, c->cpu, SYNTH_DO_RAISE);
	if (!synth_case_consumed(c, 1, SYNTH_CASE_MS))
		return synth_case_fail(c, "the first event is not handled in time");
	return 0;
}

/* What holds after every case, whatever it was about. */
static int synth_case_verdict(struct synth_case *c)
{
	struct synth_line *line = c->line;
	struct synth_counts *n = &line->n;
	struct irq_data *d = &line->desc->irq_data;

	if (!synth_case_wait(synth_case_idle(c), SYNTH_CASE_MS)) {
		u64 consumed = synth_consumed(line);

		return synth_case_fail(c, "the line does not come to rest: %llu of %llu events handled, %s, %d waited for",
				       consumed, synth_raised(line),
				       line->masked ? "masked" : "not masked",
				       atomic_read(&line->desc->threads_active));
	}
	if (n->doubled || n->concurrent)
		return synth_case_fail(c, "handler ran twice at once %llu times, %llu events were consumed twice",
				       n->concurrent, n->doubled);
	if (n->while_disabled)
		return synth_case_fail(c, "handler called %llu times on the line it had disabled",
				       n->while_disabled);
	if (n->after_free)
		return synth_case_fail(c, "handler called after free_irq() returned");
	if (n->after_sync)
		return synth_case_fail(c, "handler called after synchronize_irq() returned");
	if (n->while_armed)
		return synth_case_fail(c, "handler called %llu times while armed for wakeup",
				       n->while_armed);
	if (n->unmask_when_down)
		return synth_case_fail(c, "the line was unmasked after it was shut down");
	if (n->hold_timeouts)
		return synth_case_fail(c, "a held handler was not released in time");
	if (line->desc->depth || irqd_irq_disabled(d))
		return synth_case_fail(c, "the line is left disabled, depth %u", line->desc->depth);
	return 0;
}

static const struct {
	const char *name;
	int (*fn)(struct synth_case *c);
	unsigned int kinds;	/* on which kinds of line it makes sense */
} synth_cases[] = {
#define EDGES	(BIT(SYNTH_EDGE_LATCH) | BIT(SYNTH_EDGE))
#define ALL	(EDGES | BIT(SYNTH_LEVEL) | BIT(SYNTH_FASTEOI))
	{ "SYNC",	synth_case_sync,	ALL },
	{ "PENDING",	synth_case_pending,	EDGES },
	{ "REPLAY",	synth_case_replay,	EDGES },
	{ "DISABLE",	synth_case_disable,	ALL },
	{ "FREE",	synth_case_free,	ALL },
	{ "WAKE",	synth_case_wake,	ALL },
	{ "COUNT",	synth_case_count,	ALL },
	{ "EDGE",	synth_case_edge,	BIT(SYNTH_EDGE) },
#undef ALL
#undef EDGES
};

static void synth_case_clear(struct synth_case *c)
{
	struct synth_line *line = c->line;
	unsigned int i;

	for (i = 0; i < SYNTH_POINTS; i++)
		synth_hold_release(line, i);
	WRITE_ONCE(line->quiesced, false);
	WRITE_ONCE(line->disable_self, false);
	for (i = 0; i < line->ndevs; i++) {
		atomic64_set(&line->devs[i].raised, 0);
		atomic64_set(&line->devs[i].consumed, 0);
	}
	synth_counts_reset(line);
}

static int synth_case_try(struct synth_case *c, int (*fn)(struct synth_case *c))
{
	u64 end = synth_now_ns() + SYNTH_CASE_TRY_MS * NSEC_PER_MSEC;
	int err;

	while (synth_now_ns() < end) {
		if (!synth_case_wait(synth_case_idle(c), SYNTH_CASE_MS))
			return synth_case_fail(c, "the line was not at rest to begin with");
		synth_case_clear(c);
		c->paced = READ_ONCE(c->line->desc->handle_irq) != c->line->flow;
		err = fn(c);
		synth_hold_release(c->line, SYNTH_HANDLER);
		WRITE_ONCE(c->line->quiesced, false);
		if (!err)
			err = synth_case_verdict(c);
		if (err != -EAGAIN)
			return err;
	}
	return -EPROTO;
}

struct synth_case_work {
	struct work_struct work;
	struct synth_case c;
	int (*fn)(struct synth_case *c);
	int err;
};

static void synth_case_work_fn(struct work_struct *work)
{
	struct synth_case_work *w = container_of(work, struct synth_case_work, work);

	w->err = synth_case_try(&w->c, w->fn);
}

static int synth_case_run(const char *name, int (*fn)(struct synth_case *c), struct synth_line *line)
{
	struct synth_case_work w = { .fn = fn };
	int cpu;

	w.c.line = line;
	w.c.cpu = line->cpu;
	cpus_read_lock();
	for_each_online_cpu(cpu)
		if (cpu != w.c.cpu)
			break;
	w.c.other = cpu;
	cpus_read_unlock();
	if (cpu >= nr_cpu_ids)
		return synth_fail(-EOPNOTSUPP, "a case needs a second CPU, one that the line is not on");
	INIT_WORK_ONSTACK(&w.work, synth_case_work_fn);
	schedule_work_on(w.c.other, &w.work);
	flush_work(&w.work);
	destroy_work_on_stack(&w.work);
	if (w.err)
		synth_say("not ok %s: %s", name, w.c.why);
	else
		synth_say("ok %s", name);
	return 0;
}

/* case run NAME line=a: done when it returns; the verdict is in the result file. */
int synth_ctl_case(struct synth_args *args)
{
	const char *line_name = synth_arg(args, "line");
	struct synth_line *line;
	unsigned int i;
	int err;

	if (args->count < 3 || strcmp(args->word[1], "run"))
		return synth_fail(-EINVAL, "case takes run, a case's name and line=NAME");
	args->used[1] = true;
	args->used[2] = true;
	err = synth_args_done(args);
	if (err)
		return err;
	line = line_name ? synth_line_find(line_name) : NULL;
	if (!line)
		return synth_fail(-ENOENT, "case needs line=NAME, a line that exists");
	if (!line->devs[0].requested || line->ndevs != 1 || synth_disk_uses(line) ||
	    synth_storming(line))
		return synth_fail(-EBUSY, "line %s must be requested, quiet, and have one driver",
				  line->name);
	for (i = 0; i < ARRAY_SIZE(synth_cases); i++) {
		if (strcmp(synth_cases[i].name, args->word[2]))
			continue;
		if (!(synth_cases[i].kinds & BIT(line->kind)))
			return synth_fail(-EINVAL, "%s makes no sense on a line of type %s",
					  args->word[2], synth_kind_names[line->kind]);
		return synth_case_run(args->word[2], synth_cases[i].fn, line);
	}
	return synth_fail(-EINVAL, "there is no case %s", args->word[2]);
}
