// SPDX-License-Identifier: GPL-2.0-only
/* Guest time: calibrated work, places to hold a line, the residency histogram. */
#include <linux/math64.h>
#include <linux/minmax.h>

#include "synth.h"

#define CALIBRATE_LOOPS	(1U << 20)

u64 synth_loops_per_1024_ns;

u64 synth_now_ns(void)
{
	return ktime_get_mono_fast_ns();
}

/*
 * Nothing but instructions: where one instruction is one nanosecond the cost
 * is exact, and a stolen vCPU does not shorten the work as a clock would.
 */
static noinline void synth_loop(u64 loops)
{
	while (loops--)
		barrier();
}

void synth_spin_ns(u64 ns)
{
	if (ns)
		synth_loop((ns * synth_loops_per_1024_ns) >> 10);
}

/* The best of a few: anything that disturbs makes a run longer, never shorter. */
int synth_time_init(void)
{
	u64 best = U64_MAX;
	int i;

	for (i = 0; i < 5; i++) {
		unsigned long flags;
		u64 start, took;

		local_irq_save(flags);
		start = synth_now_ns();
		synth_loop(CALIBRATE_LOOPS);
		took = synth_now_ns() - start;
		local_irq_restore(flags);
		best = min(best, took);
	}
	if (!best)
		return -ENODEV;
	synth_loops_per_1024_ns = max(div64_u64((u64)CALIBRATE_LOOPS << 10, best), 1ULL);
	return 0;
}

/* xorshift64: the same seed gives the same storm. */
u64 synth_random(u64 *seed)
{
	u64 x = *seed ? *seed : 88172645463325252ULL;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	*seed = x;
	return x;
}

void synth_hold_arm(struct synth_line *line, enum synth_point point, unsigned int skip,
		    enum synth_until until, u64 timeout_ns)
{
	struct synth_hold *hold = &line->hold[point];

	atomic_set(&hold->armed, 0);
	WRITE_ONCE(hold->release, false);
	hold->until = until;
	hold->timeout_ns = timeout_ns;
	/* Pairs with the full barrier of the decrement in synth_hold_here(). */
	smp_mb();
	atomic_set(&hold->armed, skip + 1);
}

void synth_hold_release(struct synth_line *line, enum synth_point point)
{
	atomic_set(&line->hold[point].armed, 0);
	WRITE_ONCE(line->hold[point].release, true);
}

static bool synth_hold_over(struct synth_line *line, struct synth_hold *hold)
{
	if (READ_ONCE(hold->release))
		return true;
	if (hold->until != SYNTH_UNTIL_NO_ACTION || READ_ONCE(line->desc->action))
		return false;
	/*
	 * free_irq() takes the action and shuts the line down in one critical
	 * section; "down" says that the second half is done as well.
	 */
	return READ_ONCE(line->down);
}

/* Interrupts may be off and desc->lock held; hence the timeout. */
void synth_hold_here(struct synth_line *line, enum synth_point point)
{
	struct synth_hold *hold = &line->hold[point];
	u64 end;

	if (likely(!atomic_read(&hold->armed)))
		return;
	if (atomic_dec_if_positive(&hold->armed) != 0)
		return;
	end = synth_now_ns() + hold->timeout_ns;
	/* Release: who sees us held sees what the handler did before. */
	smp_store_release(&hold->inside, true);
	while (!synth_hold_over(line, hold)) {
		if (synth_now_ns() > end) {
			line->n.hold_timeouts++;
			break;
		}
		cpu_relax();
	}
	WRITE_ONCE(hold->inside, false);
}

/* Log-linear: exact below SYNTH_HIST_SUB, then SYNTH_HIST_SUB buckets for each power of two. */
static unsigned int synth_hist_index(u64 ns)
{
	unsigned int order, index;

	if (ns < SYNTH_HIST_SUB)
		return ns;
	order = fls64(ns) - fls64(SYNTH_HIST_SUB);
	index = (order + 1) * SYNTH_HIST_SUB + (unsigned int)(ns >> order) - SYNTH_HIST_SUB;
	return min_t(unsigned int, index, SYNTH_HIST_SIZE - 1);
}

static u64 synth_hist_high(unsigned int index)
{
	unsigned int order;

	if (index < SYNTH_HIST_SUB)
		return index;
	order = index / SYNTH_HIST_SUB - 1;
	return ((u64)(index % SYNTH_HIST_SUB + SYNTH_HIST_SUB + 1) << order) - 1;
}

void synth_hist_add(struct synth_line *line, u64 ns)
{
	line->hist[synth_hist_index(ns)]++;
	line->n.residencies++;
	line->n.res_max_ns = max(line->n.res_max_ns, ns);
	if (line->res_limit_ns && ns > line->res_limit_ns)
		line->n.res_over++;
}

/* The upper end of the bucket in which the percentile lies. */
u64 synth_hist_percentile(const struct synth_line *line, unsigned int permille)
{
	u64 total = 0, want, seen = 0;
	unsigned int i;

	for (i = 0; i < SYNTH_HIST_SIZE; i++)
		total += line->hist[i];
	if (!total)
		return 0;
	want = div_u64(total * permille + 999, 1000);
	for (i = 0; i < SYNTH_HIST_SIZE; i++) {
		seen += line->hist[i];
		if (seen >= want)
			return min(synth_hist_high(i), line->n.res_max_ns);
	}
	return line->n.res_max_ns;
}
