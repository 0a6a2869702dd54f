// SPDX-License-Identifier: GPL-2.0-only
/*
 * Worked examples of the core's decisions: the unit tests and the module's
 * self-test at load replay the same steps.
 */
#include "hist.h"
#include "pace.h"

enum op { START, ARRIVE, NATIVE, ROUND, EXPIRE, CHARGE };

struct step {
	enum op op;
	u32 now_us;
	u32 took_us;	/* NATIVE, ROUND, CHARGE: duration */
	u32 parked;
	bool handled;
	bool waiter;
	bool idle;
	enum pace_action want;
	u32 want_us;
	bool spurious;
	const struct pace_config *cfg;
};

#define US 1000

static const struct pace_config hard = {
	.policy = PACE_HARD, .spurious_rounds = 3, .spurious_native = 2,
};
static const struct pace_config threaded = {
	.policy = PACE_THREADED, .spurious_rounds = 3, .spurious_native = 2,
};
static const struct pace_config threaded_delay = {
	.policy = PACE_THREADED, .delay_ns = 200 * US, .spurious_rounds = 3, .spurious_native = 2,
};
static const struct pace_config hybrid = {
	.policy = PACE_HYBRID, .limit_ns = 50 * US, .window_ns = 1000 * US,
	.spurious_rounds = 3, .spurious_native = 2,
};
static const struct pace_config moderate = {
	.policy = PACE_MODERATE, .delay_ns = 100 * US, .spurious_rounds = 3, .spurious_native = 2,
};
static const struct pace_config poll = {
	.policy = PACE_MODERATE, .poll = true, .delay_ns = 100 * US, .rounds = 2,
	.spurious_rounds = 3, .spurious_native = 2,
};

static const struct step steps[] = {
	/* hard: whatever happens, the kernel goes on; a parked one is run */
	{ START, .cfg = &hard },
	{ ARRIVE, .now_us = 1, .want = PACE_GO },
	{ NATIVE, .now_us = 9, .took_us = 8, .handled = true, .want = PACE_GO },
	{ ROUND, .now_us = 9, .handled = true, .parked = 1, .want = PACE_AGAIN },

	/* threaded: every arrival to the thread, which comes back when done */
	{ START, .cfg = &threaded },
	{ ARRIVE, .now_us = 1, .want = PACE_THREAD },
	{ ROUND, .now_us = 9, .took_us = 5, .handled = true, .want = PACE_GO },
	{ ARRIVE, .now_us = 11, .want = PACE_THREAD },
	{ ROUND, .now_us = 20, .handled = true, .parked = 2, .want = PACE_AGAIN },
	{ ROUND, .now_us = 21, .handled = true, .want = PACE_GO },

	/* three unhandled rounds in a row: the next two arrivals go native */
	{ ROUND, .now_us = 30, .want = PACE_GO },
	{ ROUND, .now_us = 31, .want = PACE_GO },
	{ ROUND, .now_us = 32, .want = PACE_GO, .spurious = true },
	{ ARRIVE, .now_us = 33, .want = PACE_GO },
	{ ARRIVE, .now_us = 34, .want = PACE_GO },
	{ ARRIVE, .now_us = 35, .want = PACE_THREAD },

	/* threaded with a delay: pause after work, unless somebody waits */
	{ START, .cfg = &threaded_delay },
	{ ARRIVE, .now_us = 1, .want = PACE_THREAD },
	{ ROUND, .now_us = 9, .handled = true, .want = PACE_PAUSE, .want_us = 200 },
	{ EXPIRE, .now_us = 209, .parked = 1, .want = PACE_THREAD },
	{ ROUND, .now_us = 215, .handled = true, .parked = 1, .want = PACE_PAUSE, .want_us = 200 },
	{ EXPIRE, .now_us = 415, .want = PACE_GO },
	{ ROUND, .now_us = 420, .handled = true, .waiter = true, .want = PACE_GO },
	{ ROUND, .now_us = 430, .want = PACE_GO },

	/* hybrid: 50 us in each 1000 us, counted with the clock */
	{ START, .cfg = &hybrid },
	{ ARRIVE, .now_us = 5000, .want = PACE_GO },
	{ NATIVE, .now_us = 5030, .took_us = 30, .handled = true, .want = PACE_GO },
	{ ARRIVE, .now_us = 5100, .want = PACE_GO },
	{ NATIVE, .now_us = 5130, .took_us = 30, .handled = true, .want = PACE_GO },
	{ ARRIVE, .now_us = 5200, .want = PACE_THREAD },
	/* the thread tries a pause; the run after it is no longer than one: vain */
	{ ROUND, .now_us = 5900, .took_us = 600, .handled = true, .want = PACE_PAUSE, .want_us = 50 },
	{ EXPIRE, .now_us = 5950, .parked = 1, .want = PACE_THREAD },
	{ ROUND, .now_us = 5955, .took_us = 30, .handled = true, .want = PACE_GO },
	{ ARRIVE, .now_us = 5960, .want = PACE_THREAD },
	{ ROUND, .now_us = 5970, .took_us = 30, .handled = true, .want = PACE_GO },
	{ ARRIVE, .now_us = 5999, .want = PACE_THREAD },
	{ ARRIVE, .now_us = 6000, .want = PACE_GO },
	{ NATIVE, .now_us = 6049, .took_us = 49, .handled = true, .want = PACE_GO },
	{ ARRIVE, .now_us = 6060, .want = PACE_GO },
	{ NATIVE, .now_us = 6260, .took_us = 200, .handled = true, .want = PACE_GO },
	{ ARRIVE, .now_us = 6300, .want = PACE_THREAD },
	/* the clock steps back: a new window */
	{ ARRIVE, .now_us = 100, .want = PACE_GO },
	{ NATIVE, .now_us = 160, .took_us = 60, .handled = true, .want = PACE_GO },
	/* two windows later a try that gathers: longer each time, up to a third */
	{ ARRIVE, .now_us = 170, .want = PACE_THREAD },
	{ ROUND, .now_us = 180, .took_us = 10, .handled = true, .want = PACE_PAUSE, .want_us = 50 },
	{ EXPIRE, .now_us = 230, .parked = 1, .want = PACE_THREAD },
	{ ROUND, .now_us = 400, .took_us = 100, .handled = true, .want = PACE_PAUSE, .want_us = 100 },
	{ ROUND, .now_us = 500, .took_us = 200, .handled = true, .want = PACE_PAUSE, .want_us = 200 },
	{ ROUND, .now_us = 600, .took_us = 300, .handled = true, .want = PACE_PAUSE, .want_us = 333 },
	{ ROUND, .now_us = 640, .took_us = 300, .handled = true, .want = PACE_PAUSE, .want_us = 333 },
	/* an idle CPU twice in a row: too long */
	{ EXPIRE, .now_us = 650, .parked = 1, .idle = true, .want = PACE_THREAD },
	{ ROUND, .now_us = 660, .took_us = 300, .handled = true, .want = PACE_PAUSE, .want_us = 333 },
	{ EXPIRE, .now_us = 670, .parked = 1, .idle = true, .want = PACE_THREAD },
	{ ROUND, .now_us = 680, .took_us = 300, .handled = true, .want = PACE_PAUSE, .want_us = 250 },
	/* the first round of a new window is hard */
	{ EXPIRE, .now_us = 1100, .parked = 1, .want = PACE_ROUND },
	{ EXPIRE, .now_us = 1099, .parked = 1, .want = PACE_THREAD },
	{ EXPIRE, .now_us = 1100, .want = PACE_GO },

	/* four under way: a longer pause gathers no more of them */
	{ START, .cfg = &hybrid },
	{ ARRIVE, .now_us = 5000, .want = PACE_GO },
	{ NATIVE, .now_us = 5005, .took_us = 5, .handled = true, .want = PACE_GO },
	{ NATIVE, .now_us = 5055, .took_us = 50, .handled = true, .want = PACE_GO },
	{ ARRIVE, .now_us = 5056, .want = PACE_THREAD },
	{ ROUND, .now_us = 5060, .took_us = 5, .handled = true, .want = PACE_PAUSE, .want_us = 50 },
	{ ROUND, .now_us = 5130, .took_us = 20, .handled = true, .want = PACE_PAUSE, .want_us = 100 },
	{ ROUND, .now_us = 5250, .took_us = 20, .handled = true, .want = PACE_PAUSE, .want_us = 50 },
	{ ROUND, .now_us = 5320, .took_us = 20, .handled = true, .want = PACE_PAUSE, .want_us = 50 },

	/* moderate: a pause after each productive run */
	{ START, .cfg = &moderate },
	{ ARRIVE, .now_us = 1, .want = PACE_GO },
	{ NATIVE, .now_us = 3, .handled = true, .want = PACE_PAUSE, .want_us = 100 },
	{ EXPIRE, .now_us = 103, .parked = 1, .want = PACE_ROUND },
	{ ROUND, .now_us = 105, .handled = true, .parked = 1, .want = PACE_PAUSE, .want_us = 100 },
	{ EXPIRE, .now_us = 205, .want = PACE_GO },
	{ NATIVE, .now_us = 300, .want = PACE_GO },
	{ NATIVE, .now_us = 301, .handled = true, .waiter = true, .want = PACE_GO },
	{ ROUND, .now_us = 310, .parked = 1, .want = PACE_AGAIN },

	/* poll mode: rounds with nothing parked, at most two between unmasks */
	{ START, .cfg = &poll },
	{ NATIVE, .now_us = 3, .handled = true, .want = PACE_PAUSE, .want_us = 100 },
	{ EXPIRE, .now_us = 103, .want = PACE_ROUND },
	{ ROUND, .now_us = 105, .handled = true, .want = PACE_PAUSE, .want_us = 100 },
	{ EXPIRE, .now_us = 205, .want = PACE_ROUND },
	{ ROUND, .now_us = 207, .handled = true, .want = PACE_GO },
	{ NATIVE, .now_us = 300, .handled = true, .want = PACE_PAUSE, .want_us = 100 },
	{ EXPIRE, .now_us = 400, .want = PACE_ROUND },
	/* one empty round may be a late device, two are the end */
	{ ROUND, .now_us = 402, .want = PACE_PAUSE, .want_us = 100 },
	{ EXPIRE, .now_us = 502, .want = PACE_ROUND },
	{ ROUND, .now_us = 504, .want = PACE_GO },
	{ NATIVE, .now_us = 600, .handled = true, .want = PACE_PAUSE, .want_us = 100 },
	{ ROUND, .now_us = 702, .waiter = true, .want = PACE_GO },

	/* rounds of one stay beyond the budget of 100 us go to a worker */
	{ START, .cfg = &moderate },
	{ CHARGE, .now_us = 1060, .took_us = 60 },
	{ EXPIRE, .now_us = 1062, .parked = 1, .want = PACE_ROUND },
	{ CHARGE, .now_us = 1122, .took_us = 60 },
	{ EXPIRE, .now_us = 1124, .parked = 1, .want = PACE_WORKER },
	{ EXPIRE, .now_us = 1128, .parked = 1, .want = PACE_ROUND },
};

static bool replay(struct pace_line *line, struct pace_cpu *cpu, const struct step *s)
{
	u64 now_ns = (u64)s->now_us * US;
	struct pace_verdict v = { .action = s->want };
	struct pace_expiry expiry = {
		.now_ns = now_ns,
		.budget_ns = 100 * US,
		.parked = s->parked,
		.idle = s->idle,
	};
	struct pace_run run = {
		.now_ns = now_ns,
		.duration_ns = (u64)s->took_us * US,
		.parked = s->parked,
		.handled = s->handled,
		.waiter = s->waiter,
		.cause = s->op == NATIVE ? PACE_NATIVE : PACE_KTHREAD,
	};

	switch (s->op) {
	case START:
		pace_init(line, s->cfg);
		*cpu = (struct pace_cpu){ 0 };
		return true;
	case ARRIVE:
		v = pace_on_arrival(line, now_ns);
		break;
	case NATIVE:
	case ROUND:
		v = pace_after_run(line, &run);
		break;
	case EXPIRE:
		v = pace_on_expiry(line, cpu, &expiry);
		break;
	case CHARGE:
		pace_cpu_charge(cpu, now_ns - run.duration_ns, now_ns);
		return true;
	}
	return v.action == s->want && v.spurious == s->spurious && v.pause_ns / US == s->want_us;
}

static bool hist_holds(void)
{
	static const u64 edges[] = { 0, 1, 7, 8, 9, 15, 16, 17, 1000, 1833, 100000, 134217727 };
	u32 i, at;

	for (i = 0; i < sizeof(edges) / sizeof(edges[0]); i++) {
		at = pace_hist_index(edges[i]);
		if (pace_hist_low_ns(at) > edges[i] || pace_hist_high_ns(at) < edges[i])
			return false;
	}
	return pace_hist_index(134217728) == PACE_HIST_BUCKETS - 1;
}

u32 pace_selftest(void)
{
	struct pace_line line;
	struct pace_cpu cpu;
	u32 i;

	for (i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (!replay(&line, &cpu, &steps[i]))
			return i + 1;
	return hist_holds() ? 0 : i + 1;
}
