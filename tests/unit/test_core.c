// SPDX-License-Identifier: GPL-2.0-only
/* The policy core and the histogram: worked examples, then what holds always. */
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "core/hist.h"
#include "core/pace.h"

static uint64_t state = 1;

static uint32_t below(uint32_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 32) % n;
}

static void worked_examples(void **arg)
{
	(void)arg;
	assert_int_equal(pace_selftest(), 0);
}

static struct pace_config some_config(void)
{
	struct pace_config cfg = {
		.policy = (enum pace_policy)below(4),
		.poll = below(2),
		.delay_ns = below(3) ? 1000 + below(1000000) : 0,
		.limit_ns = 1000 + below(50000),
		.rounds = 1 + below(10),
		.spurious_rounds = 1 + below(100),
		.spurious_native = 1 + below(100),
	};

	cfg.window_ns = cfg.limit_ns + 1000 + below(1000000);
	if (cfg.policy == PACE_MODERATE)
		cfg.delay_ns += 1000;
	return cfg;
}

static void check_run(const struct pace_config *cfg, struct pace_line *line, uint64_t now)
{
	struct pace_run run = {
		.now_ns = now,
		.duration_ns = below(10) ? below(20000) : (uint64_t)below(0xffffffff) << below(8),
		.gathered = below(4),
		.parked = below(3) ? 0 : below(5),
		.handled = below(4),
		.waiter = !below(8),
		.cause = (enum pace_cause)below(3),
	};
	struct pace_verdict v = pace_after_run(line, &run);

	switch (v.action) {
	case PACE_GO:
		/* What was parked during the run is not forgotten. */
		assert_int_equal(run.parked, 0);
		break;
	case PACE_AGAIN:
		assert_int_not_equal(run.parked, 0);
		break;
	case PACE_PAUSE:
		assert_false(run.waiter);
		assert_true(v.pause_ns > 0);
		if (cfg->policy == PACE_HYBRID)
			assert_true(v.pause_ns <= cfg->window_ns / PACE_HYBRID_PARTS);
		else
			assert_int_equal(v.pause_ns, cfg->delay_ns);
		assert_int_not_equal(cfg->policy, PACE_HARD);
		break;
	default:
		fail();
	}
}

static void check_expiry(const struct pace_config *cfg, struct pace_line *line,
			 struct pace_cpu *cpu, uint64_t now)
{
	struct pace_expiry expiry = {
		.now_ns = now, .budget_ns = 100000, .parked = below(3), .idle = below(2),
	};
	struct pace_verdict v = pace_on_expiry(line, cpu, &expiry);

	if (v.action == PACE_GO) {
		assert_int_equal(expiry.parked, 0);
	} else {
		assert_true(v.action == PACE_ROUND || v.action == PACE_WORKER ||
			    v.action == PACE_THREAD);
		if (cfg->policy == PACE_THREADED)
			assert_int_equal(v.action, PACE_THREAD);
	}
}

/* Whatever comes in, times that go back included. */
static void any_order(void **arg)
{
	struct pace_line line;
	struct pace_cpu cpu = { 0 };
	struct pace_config cfg = some_config();
	uint64_t now = 1;

	(void)arg;
	pace_init(&line, &cfg);
	for (int i = 0; i < 2000000; i++) {
		if (!below(1000)) {
			cfg = some_config();
			pace_init(&line, &cfg);
		}
		now += below(100) ? below(50000) : -(uint64_t)below(1000000);
		switch (below(4)) {
		case 0:
			if (pace_on_arrival(&line, now).action == PACE_THREAD)
				assert_true(cfg.policy == PACE_THREADED || cfg.policy == PACE_HYBRID);
			break;
		case 1:
			check_run(&cfg, &line, now);
			break;
		case 2:
			check_expiry(&cfg, &line, &cpu, now);
			break;
		default:
			pace_cpu_charge(&cpu, now - below(30000), now);
			if (!below(10))
				pace_forget(&line);
		}
	}
}

/* Hard time within a window never exceeds the limit by more than one run. */
static void hybrid_keeps_its_word(void **arg)
{
	const struct pace_config cfg = {
		.policy = PACE_HYBRID, .limit_ns = 20000, .window_ns = 1000000,
		.spurious_rounds = 100, .spurious_native = 100,
	};
	struct pace_line line;
	uint64_t now = 1000000, window = 0, used = 0;
	unsigned int deferred = 0;

	(void)arg;
	pace_init(&line, &cfg);
	for (int i = 0; i < 1000000; i++) {
		struct pace_run run = { .handled = true, .duration_ns = 5000 * (1 + below(200)) };

		now += below(30000);
		run.cause = pace_on_arrival(&line, now).action == PACE_GO ? PACE_NATIVE : PACE_KTHREAD;
		deferred += run.cause == PACE_KTHREAD;
		if (now >= window + cfg.window_ns) {
			window = now;
			used = 0;
		}
		if (run.cause == PACE_NATIVE) {
			assert_true(used < cfg.limit_ns);
			used += run.duration_ns;
		}
		now += run.duration_ns;
		run.now_ns = now;
		pace_after_run(&line, &run);
		if (run.cause == PACE_NATIVE && now >= window + cfg.window_ns) {
			window = now - run.duration_ns;
			used = run.duration_ns;
		}
	}
	assert_true(deferred > 1000);
}

/* One request at a time: after a few vain tries hardly any pause is left. */
static void hybrid_leaves_depth_one_alone(void **arg)
{
	const struct pace_config cfg = {
		.policy = PACE_HYBRID, .limit_ns = 50000, .window_ns = 1000000,
		.spurious_rounds = 100, .spurious_native = 100,
	};
	struct pace_line line;
	uint64_t now = 1, paused = 0, begin = 0;

	(void)arg;
	pace_init(&line, &cfg);
	for (int i = 0; i < 200000; i++) {
		struct pace_run run = { .handled = true, .duration_ns = 2000 };
		struct pace_verdict v;

		if (i == 20000)
			paused = 0, begin = now;
		now += 12000;
		run.cause = pace_on_arrival(&line, now).action == PACE_GO ? PACE_NATIVE : PACE_KTHREAD;
		for (;;) {
			now += run.duration_ns;
			run.now_ns = now;
			v = pace_after_run(&line, &run);
			if (v.action != PACE_PAUSE)
				break;
			now += v.pause_ns;
			paused += v.pause_ns;
			run.cause = PACE_KTHREAD;
		}
	}
	assert_true(paused * 1000 < now - begin);
}

static int compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void histogram(void **arg)
{
	enum { N = 100000 };
	static uint64_t v[N];
	static struct pace_hist h, sum;
	uint64_t total = 0;

	(void)arg;
	for (int i = 0; i < N; i++) {
		v[i] = below(1U << (1 + below(28)));
		pace_hist_record(&h, v[i]);
		total += v[i];
	}
	qsort(v, N, sizeof(v[0]), compare);
	pace_hist_add(&sum, &h);
	pace_hist_add(&sum, &h);
	assert_int_equal(pace_hist_count(&h), N);
	assert_int_equal(pace_hist_count(&sum), 2 * N);
	assert_int_equal(h.sum_ns, total);
	assert_int_equal(h.max_ns, v[N - 1]);
	for (uint32_t p = 1; p <= 1000; p++) {
		uint64_t exact = v[(uint64_t)N * p / 1000 - 1];
		uint64_t got = pace_hist_percentile_ns(&h, p);

		assert_true(got >= exact);
		/* A bucket is an eighth wide; the last one is as wide as it likes. */
		if (pace_hist_index(exact) < PACE_HIST_BUCKETS - 1)
			assert_true(got <= exact + exact / 8 + 1);
	}
	for (uint32_t i = 0; i < PACE_HIST_BUCKETS; i++) {
		assert_int_equal(pace_hist_index(pace_hist_low_ns(i)), i);
		assert_int_equal(pace_hist_index(pace_hist_high_ns(i)), i);
	}
	assert_int_equal(pace_hist_index(UINT64_MAX), PACE_HIST_BUCKETS - 1);
	memset(&h, 0, sizeof(h));
	assert_int_equal(pace_hist_percentile_ns(&h, 990), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(worked_examples),
		cmocka_unit_test(any_order),
		cmocka_unit_test(hybrid_keeps_its_word),
		cmocka_unit_test(hybrid_leaves_depth_one_alone),
		cmocka_unit_test(histogram),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
