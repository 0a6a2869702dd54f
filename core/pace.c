// SPDX-License-Identifier: GPL-2.0-only
#include "pace.h"

#define PACE_U32_MAX 0xffffffffU

static struct pace_verdict verdict(enum pace_action action, u32 pause_ns)
{
	struct pace_verdict v = { .action = action, .pause_ns = pause_ns };

	return v;
}

void pace_init(struct pace_line *line, const struct pace_config *cfg)
{
	*line = (struct pace_line){ .cfg = *cfg, .probe_gap = 1 };
}

void pace_forget(struct pace_line *line)
{
	line->rounds = 0;
	line->empty = false;
	line->pausing = false;
}

/* Opens a new window when the old one is over, or when the clock stepped back. */
static bool window_over(struct pace_line *line, u64 now_ns)
{
	s64 age_ns = (s64)(now_ns - line->window_start_ns);

	return age_ns < 0 || age_ns >= (s64)line->cfg.window_ns;
}

static void open_window(struct pace_line *line, u64 now_ns)
{
	line->window_start_ns = now_ns;
	line->used_ns = 0;
	if (line->probe_wait)
		line->probe_wait--;
}

struct pace_verdict pace_on_arrival(struct pace_line *line, u64 now_ns)
{
	if (line->native_left) {
		line->native_left--;
		return verdict(PACE_GO, 0);
	}
	switch (line->cfg.policy) {
	case PACE_THREADED:
		return verdict(PACE_THREAD, 0);
	case PACE_HYBRID:
		if (window_over(line, now_ns))
			open_window(line, now_ns);
		if (line->used_ns >= line->cfg.limit_ns)
			return verdict(PACE_THREAD, 0);
		return verdict(PACE_GO, 0);
	default:
		return verdict(PACE_GO, 0);
	}
}

static u32 add_saturated(u32 a, u64 b)
{
	u64 sum = a + b;

	return sum > PACE_U32_MAX ? PACE_U32_MAX : (u32)sum;
}

static u32 first_pause_ns(const struct pace_line *line)
{
	return line->cfg.window_ns / PACE_PROBE_PARTS;
}

/* As it is, until some windows later. */
static void settle(struct pace_line *line)
{
	line->settled = true;
	line->probe_wait = PACE_PROBE_GAP_MAX;
}

/* The pause was worth it: twice as long, as long as that gathers more. */
static void lengthen(struct pace_line *line, u64 duration_ns)
{
	u32 longest_ns = line->cfg.window_ns / PACE_HYBRID_PARTS;

	line->probe_gap = 1;
	if (line->settled && line->probe_wait)
		return;
	if (line->settled) {
		line->settled = false;
		line->gain_ns = 0;
	}
	if (2 * duration_ns < 3 * (u64)line->gain_ns) {
		line->pause_ns /= 2;
		settle(line);
		return;
	}
	line->gain_ns = add_saturated(0, duration_ns);
	line->pause_ns *= 2;
	if (line->pause_ns < longest_ns)
		return;
	line->pause_ns = longest_ns;
	settle(line);
}

static void shorten(struct pace_line *line)
{
	line->pause_ns -= line->pause_ns / 4;
	settle(line);
	if (line->pause_ns >= first_pause_ns(line))
		return;
	line->pause_ns = 0;
	line->settled = false;
	line->gain_ns = 0;
	line->probe_gap = line->probe_gap < PACE_PROBE_GAP_MAX / 2 ?
			  2 * line->probe_gap : PACE_PROBE_GAP_MAX;
	line->probe_wait = line->probe_gap;
}

/* A device that is late now and then leaves the CPU idle at any length. */
static bool too_long(struct pace_line *line, bool idle)
{
	if (idle)
		line->idle_score += 2;
	else if (line->idle_score)
		line->idle_score--;
	if (line->idle_score < PACE_IDLE_SCORE_MAX)
		return false;
	line->idle_score = 0;
	return true;
}

static bool gathered(const struct pace_line *line, const struct pace_run *run)
{
	return run->gathered > 1 || 2 * run->duration_ns >= 3 * (u64)line->single_ns;
}

static struct pace_verdict after_hybrid_round(struct pace_line *line, const struct pace_run *run)
{
	bool paused = line->pausing;

	line->pausing = false;
	if (run->waiter || !run->handled)
		return verdict(PACE_GO, 0);
	if (paused && gathered(line, run))
		lengthen(line, run->duration_ns);
	else if (paused)
		shorten(line);
	else if (!line->pause_ns && !line->probe_wait)
		line->pause_ns = first_pause_ns(line);
	if (!line->pause_ns || window_over(line, run->now_ns))
		return verdict(PACE_GO, 0);
	line->pausing = true;
	return verdict(PACE_PAUSE, line->pause_ns);
}

static void charge(struct pace_line *line, const struct pace_run *run)
{
	if (window_over(line, run->now_ns))
		open_window(line, run->now_ns - run->duration_ns);
	line->used_ns = add_saturated(line->used_ns, run->duration_ns);
}

static struct pace_verdict after_hybrid(struct pace_line *line, const struct pace_run *run)
{
	struct pace_verdict v = verdict(PACE_GO, 0);
	u32 duration_ns = add_saturated(0, run->duration_ns);

	if (run->cause != PACE_KTHREAD) {
		charge(line, run);
		line->pausing = false;
	}
	if (run->cause == PACE_NATIVE) {
		line->single_ns = line->single_ns ?
				  line->single_ns - line->single_ns / 8 + duration_ns / 8 :
				  duration_ns;
	} else if (run->cause == PACE_KTHREAD) {
		v = after_hybrid_round(line, run);
	}
	v.over_limit = run->cause != PACE_KTHREAD && run->duration_ns > line->cfg.limit_ns;
	return v;
}

static struct pace_verdict after_moderate(struct pace_line *line, const struct pace_run *run)
{
	bool empty = line->empty;

	if (run->cause == PACE_NATIVE)
		line->rounds = 0;
	line->empty = !run->handled;
	if (run->waiter)
		return verdict(PACE_GO, 0);
	/* The device may only be late: one empty round does not end the polling. */
	if (!run->handled && (!line->cfg.poll || run->cause == PACE_NATIVE || empty))
		return verdict(PACE_GO, 0);
	if (line->cfg.poll && run->cause != PACE_NATIVE && ++line->rounds >= line->cfg.rounds)
		return verdict(PACE_GO, 0);
	return verdict(PACE_PAUSE, line->cfg.delay_ns);
}

static struct pace_verdict after_threaded(struct pace_line *line, const struct pace_run *run)
{
	if (run->waiter || !run->handled || !line->cfg.delay_ns || run->cause == PACE_NATIVE)
		return verdict(PACE_GO, 0);
	return verdict(PACE_PAUSE, line->cfg.delay_ns);
}

struct pace_verdict pace_after_run(struct pace_line *line, const struct pace_run *run)
{
	struct pace_verdict v = verdict(PACE_GO, 0);
	bool spurious = false;

	if (run->handled) {
		line->unhandled = 0;
	} else if (run->cause != PACE_NATIVE &&
		   ++line->unhandled >= line->cfg.spurious_rounds) {
		line->unhandled = 0;
		line->native_left = line->cfg.spurious_native;
		spurious = true;
	}

	switch (line->cfg.policy) {
	case PACE_HYBRID:
		v = after_hybrid(line, run);
		break;
	case PACE_MODERATE:
		v = after_moderate(line, run);
		break;
	case PACE_THREADED:
		v = after_threaded(line, run);
		break;
	case PACE_HARD:
		break;
	}

	/* What was parked meanwhile must be followed by a run that starts later. */
	if (v.action == PACE_GO && run->parked)
		v.action = PACE_AGAIN;
	v.spurious = spurious;
	return v;
}

struct pace_verdict pace_on_expiry(struct pace_line *line, const struct pace_cpu *cpu,
				   const struct pace_expiry *expiry)
{
	const struct pace_config *cfg = &line->cfg;
	s64 gap_ns = (s64)(expiry->now_ns - cpu->end_ns);

	if (line->pausing && too_long(line, expiry->idle)) {
		shorten(line);
		line->pausing = false;
	}
	if (!expiry->parked && !(cfg->policy == PACE_MODERATE && cfg->poll))
		return verdict(PACE_GO, 0);
	if (cfg->policy == PACE_THREADED ||
	    (cfg->policy == PACE_HYBRID && !window_over(line, expiry->now_ns)))
		return verdict(PACE_THREAD, 0);
	if (gap_ns >= 0 && gap_ns < PACE_STAY_GAP_NS && cpu->used_ns >= expiry->budget_ns)
		return verdict(PACE_WORKER, 0);
	return verdict(PACE_ROUND, 0);
}

void pace_cpu_charge(struct pace_cpu *cpu, u64 start_ns, u64 end_ns)
{
	s64 gap_ns = (s64)(start_ns - cpu->end_ns);
	s64 took_ns = (s64)(end_ns - start_ns);

	if (gap_ns < 0 || gap_ns >= PACE_STAY_GAP_NS)
		cpu->used_ns = 0;
	if (took_ns > 0)
		cpu->used_ns = add_saturated(cpu->used_ns, (u64)took_ns);
	cpu->end_ns = end_ns;
}
