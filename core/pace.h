/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The policy core: when and where an interrupt line's handlers run.
 *
 * Nothing here has a clock, allocates, calls out or acts: times and counts come
 * in as arguments, a verdict goes out, and the caller does what it says. All
 * times are nanoseconds of one monotonic clock; differences are signed, so a
 * clock that steps back opens a new window and does no other harm.
 */
#ifndef PACE_H
#define PACE_H

#include "types.h"

enum pace_policy {
	PACE_HARD,
	PACE_THREADED,
	PACE_HYBRID,
	PACE_MODERATE,
};

struct pace_config {
	enum pace_policy policy;
	bool poll;		/* moderate: rounds without unmasking between */
	u32 delay_ns;		/* moderate; threaded: 0 for none */
	u32 limit_ns;		/* hybrid: hard time ... */
	u32 window_ns;		/* ... within each window */
	u32 rounds;		/* moderate with poll: rounds before an unmask */
	u32 spurious_rounds;	/* unhandled rounds in a row ... */
	u32 spurious_native;	/* ... before so many arrivals go native */
};

/* One line's policy and learning; written under desc->lock. */
struct pace_line {
	struct pace_config cfg;
	u64 window_start_ns;	/* hybrid: begin of the current window */
	u32 used_ns;		/* hybrid: hard time used up in it */
	u32 single_ns;		/* hybrid: running mean of native runs */
	u32 pause_ns;		/* hybrid: what the thread waits between rounds */
	u32 probe_wait;		/* hybrid: windows until a pause is tried again ... */
	u32 probe_gap;		/* ... and the windows to wait after a vain try */
	bool pausing;		/* hybrid: the next round comes after such a pause */
	bool settled;		/* hybrid: pause_ns stays for probe_wait windows */
	u32 gain_ns;		/* hybrid: the run after a pause half as long */
	u32 idle_score;		/* hybrid: up by 2 at an idle end of a pause, else down */
	u32 rounds;		/* poll: rounds since the last unmask */
	bool empty;		/* poll: the last round found nothing */
	u32 unhandled;		/* rounds without a handled one, in a row */
	u32 native_left;	/* arrivals that still go native */
};

/* One CPU's stay in its timer interrupt; that CPU writes it, interrupts off. */
struct pace_cpu {
	u64 end_ns;		/* when the last round ended */
	u32 used_ns;		/* rounds of this stay */
};

/* Two rounds less than this apart are one stay in hard interrupt context. */
#define PACE_STAY_GAP_NS	5000

enum pace_action {
	PACE_GO,		/* active: arrivals run natively */
	PACE_AGAIN,		/* one more round, here and now */
	PACE_PAUSE,		/* for pause_ns; then ask pace_on_expiry() */
	PACE_THREAD,		/* the line's thread makes the next round, now */
	PACE_ROUND,		/* the timer makes a round, now */
	PACE_WORKER,		/* as ROUND, but out of hard interrupt context */
};

struct pace_verdict {
	enum pace_action action;
	u32 pause_ns;
	bool spurious;		/* rounds went unhandled too often: say so once */
	bool over_limit;	/* hybrid: one run alone exceeded the limit */
};

enum pace_cause {
	PACE_NATIVE,		/* the kernel's own flow handler ran */
	PACE_TIMER,
	PACE_KTHREAD,		/* thread or worker */
};

/*
 * In hybrid, once the limit is used up, each arrival would cost a wake of the
 * thread. Where many requests are under way a pause between the thread's rounds
 * gathers them; in a closed loop of one it would only delay. Two things tell:
 * where a pause's end often finds the CPU idle it was too long, and a
 * pause has gathered when more than one arrival was parked (where the line was
 * not masked with the first) or the run takes longer than a single one does.
 * A vain try is repeated after 2, 4, ... up to 128 windows.
 */
#define PACE_PROBE_PARTS	20	/* a first try: the window's 20th part */
#define PACE_HYBRID_PARTS	3	/* the longest pause: its third */
#define PACE_PROBE_GAP_MAX	128
#define PACE_IDLE_SCORE_MAX	4	/* more than a third of the ends: shorten */

/* What is known when a pause is over. */
struct pace_expiry {
	u64 now_ns;
	u64 budget_ns;		/* for the rounds of one stay of this CPU */
	u32 parked;		/* arrivals since the last run began */
	bool idle;		/* the CPU had nothing else to do */
};

/* What is known after the handlers were called once. */
struct pace_run {
	u64 now_ns;
	u64 duration_ns;	/* of the handlers; hybrid needs it */
	u32 gathered;		/* arrivals parked before the run began */
	u32 parked;		/* arrivals parked since then */
	bool handled;		/* a handler said so */
	bool waiter;		/* somebody waits for the pause to end */
	enum pace_cause cause;
};

void pace_init(struct pace_line *line, const struct pace_config *cfg);

/* Does the policy need to know how long a run took, and to be asked after it? */
static inline bool pace_watches_runs(const struct pace_line *line)
{
	return line->cfg.policy == PACE_HYBRID || line->cfg.policy == PACE_MODERATE;
}

/* Must pace_on_arrival() be asked, or can its answer only be GO? */
static inline bool pace_may_defer(const struct pace_line *line)
{
	return line->cfg.policy == PACE_THREADED ||
	       (line->cfg.policy == PACE_HYBRID && line->used_ns >= line->cfg.limit_ns);
}

/* An arrival on an active line, before anything ran: GO or THREAD. */
struct pace_verdict pace_on_arrival(struct pace_line *line, u64 now_ns);

/*
 * An arrival was parked on a CPU that is idle or not: does the thread run at
 * once? A pause between its rounds spares a busy CPU its wakes; an idle one
 * would only wait.
 */
static inline bool pace_cuts_pause(const struct pace_line *line, bool idle)
{
	return idle && (line->cfg.policy == PACE_THREADED || line->cfg.policy == PACE_HYBRID);
}

/* After a native run or a round: GO, AGAIN or PAUSE. */
struct pace_verdict pace_after_run(struct pace_line *line, const struct pace_run *run);

/*
 * The pause is over: GO (nothing is parked), ROUND, WORKER or THREAD. Hybrid
 * takes a new window's first round in the timer.
 */
struct pace_verdict pace_on_expiry(struct pace_line *line, const struct pace_cpu *cpu,
				   const struct pace_expiry *expiry);

/* A round in hard interrupt context ended on this CPU. */
void pace_cpu_charge(struct pace_cpu *cpu, u64 start_ns, u64 end_ns);

/* The pause was cut short from outside; what was learned stays. */
void pace_forget(struct pace_line *line);

/* 0, or the number (from 1) of the first step that came out wrong. */
u32 pace_selftest(void);

#endif /* PACE_H */
