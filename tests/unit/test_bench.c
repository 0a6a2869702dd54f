// SPDX-License-Identifier: GPL-2.0-only
/* From samples to rows, ratios and the closing paragraph. */
#include "unit.h"

#include <math.h>

#include "bench.h"
#include "bench_run.h"
#include "report.h"

static void near(double got, double want)
{
	if (!(fabs(got - want) <= 1e-9 + fabs(want) * 1e-9))
		fail_msg("%.9f instead of %.9f", got, want);
}

static void percentiles(void **state)
{
	struct bench_hist hist = { 0 };

	(void)state;
	assert_true(isnan(bench_hist_percentile_us(&hist, 50)));
	/* Out of order, and one bin twice. */
	bench_hist_add(&hist, 2000, 2999, 40);
	bench_hist_add(&hist, 1000, 1999, 50);
	bench_hist_add(&hist, 5000, 5999, 10);
	assert_int_equal(hist.len, 3);
	bench_hist_add(&hist, 2000, 2999, 0);
	assert_int_equal(hist.len, 3);
	near(bench_hist_percentile_us(&hist, 50), 1.999);
	near(bench_hist_percentile_us(&hist, 51), 2.999);
	near(bench_hist_percentile_us(&hist, 90), 2.999);
	near(bench_hist_percentile_us(&hist, 95), 5.999);
	/* Four of a hundred lie beyond: too few to name the value. */
	assert_true(isnan(bench_hist_percentile_us(&hist, 96)));
	bench_hist_free(&hist);
}

static void sample(struct bench_sample *s, double iops, double ios, double ms,
		   uint64_t lat_ns)
{
	bench_sample_init(s);
	s->fio.iops = iops;
	s->fio.ios = ios;
	s->fio.runtime_ms = ms;
	s->fio.iops_min = iops * 0.9;
	s->fio.iops_max = iops * 1.1;
	s->fio.bandwidth_mb_s = iops * 4096 / 1e6;
	s->fio.lat_mean_us = (double)lat_ns / 1000;
	s->fio.usr = 10;
	s->fio.sys = 50;
	bench_hist_add(&s->fio.lat, lat_ns, lat_ns, (uint64_t)ios);
	s->irq.interrupts = ios / 4;
}

static void fills_rows(void **state)
{
	struct bench_row *row = bench_row_new();
	struct bench_sample s[2];
	struct errmsg err;

	(void)state;
	sample(&s[0], 1000, 1000, 1000, 500000);
	sample(&s[1], 3000, 9000, 3000, 100000);
	assert_int_equal(bench_row_fill(row, s, 2, &err), 0);
	near(row->ios, 10000);
	near(row->iops_mean, 2500);		/* 10,000 in 4 s */
	near(row->iops_min, 900);
	near(row->iops_max, 3300);
	near(row->spread, 0.8);
	near(row->lat_mean_us, 140);		/* weighted by I/Os */
	near(row->lat_p50_us, 100);		/* of both histograms together */
	near(row->lat_p99_us, 500);
	near(row->interrupts, 2500);
	near(row->completions_per_interrupt, 4);
	assert_int_equal(row->passes_len, 2);
	/* Nothing was attached: unknown, and null in JSON. */
	assert_true(isnan(row->handler_runs) && isnan(row->residency_p99_us));
	bench_row_free(row);

	/* One of two without the figure: nothing is known about both. */
	row = bench_row_new();
	s[1].irq.interrupts = NAN;
	assert_int_equal(bench_row_fill(row, s, 2, &err), 0);
	assert_true(isnan(row->interrupts) && isnan(row->interrupts_per_io));
	bench_row_free(row);
	bench_sample_free(&s[0]);
	bench_sample_free(&s[1]);
}

static struct bench_row *make(const char *policy, const char *params,
			      double jobs, double iops)
{
	struct bench_row *row = bench_row_new();

	row->device = strdup("nvme");
	row->workload = strdup("randread");
	row->engine = strdup("libaio");
	row->policy = strdup(policy);
	json_decref(row->params);
	row->params = json_loads(params, 0, NULL);
	assert_non_null(row->params);
	row->jobs = jobs;
	row->iodepth = 32;
	row->iops_mean = iops;
	row->ios = 10000;
	row->lat_p99_us = 100;
	row->interrupts = 8000;
	row->interrupts_per_io = 0.8;
	row->completions_per_interrupt = 1.25;
	return row;
}

static void ratios(void **state)
{
	struct bench_set set = { 0 };
	struct bench_row *other;

	(void)state;
	bench_set_add(&set, make("hard", "{\"statistics\":false}", 1, 200));
	bench_set_add(&set, make("hard", "{\"statistics\":true}", 1, 100));
	bench_set_add(&set, make("native", "{}", 1, 250));
	other = make("hybrid", "{\"limit_us\":50,\"window_us\":1000}", 8, 100);
	bench_set_add(&set, other);
	bench_set_ratios(&set);
	near(set.rows[0]->ratio_to_hard, 1);
	near(set.rows[1]->ratio_to_hard, 0.5);
	near(set.rows[0]->ratio_to_native, 0.8);
	near(set.rows[2]->ratio_to_hard, 1.25);
	/* Nothing to compare with in its own block. */
	assert_true(isnan(other->ratio_to_hard) && isnan(other->ratio_to_native));
	bench_set_free(&set);
}

static void round_trip(void **state)
{
	struct bench_row *row = make("moderate", "{\"delay_us\":100,\"poll\":true}",
				     8, 12345.678);
	struct bench_row *back;
	struct errmsg err;
	json_t *obj;
	char name[64];

	(void)state;
	row->points[0] = (struct bench_point){ 99.9, 12.5 };
	row->points_len = 1;
	row->passes[0] = 12345.678;
	row->passes_len = 1;
	obj = bench_row_to_json(row);
	assert_true(json_is_null(json_object_get(json_object_get(obj, "residency_us"),
						 "max")));
	assert_true(json_is_null(json_object_get(obj, "ratio_to_hard")));
	back = bench_row_from_json(obj, &err);
	assert_non_null(back);
	near(back->iops_mean, 12345.678);
	near(back->points[0].percent, 99.9);
	near(back->points[0].us, 12.5);
	assert_true(isnan(back->residency_max_us));
	assert_true(bench_same_block(row, back));
	bench_row_name(back, name, sizeof(name));
	assert_string_equal(name, "moderate 100us poll");
	json_decref(obj);
	bench_row_free(row);
	bench_row_free(back);
}

static void bad_row(const char *text, const char *want)
{
	json_t *obj = json_loads(text, 0, NULL);
	struct errmsg err;

	assert_non_null(obj);
	assert_null(bench_row_from_json(obj, &err));
	assert_string_equal(err.text, want);
	json_decref(obj);
}

#define HEAD "{\"device\":\"d\",\"workload\":\"read\",\"engine\":\"e\",\"policy\":\"hard\""

static void bad_rows(void **state)
{
	(void)state;
	bad_row("{}", "\"device\" is missing");
	bad_row("{\"device\":3}", "\"device\" is no text");
	bad_row(HEAD "}", "\"jobs\" or \"iodepth\" is missing");
	bad_row(HEAD ",\"jobs\":\"1\"}", "\"jobs\" is neither a number nor null");
	bad_row(HEAD ",\"jobs\":1,\"iodepth\":1,\"latency_percentiles_us\":[[1]]}",
		"\"latency_percentiles_us\" is no list of pairs");
	bad_row(HEAD ",\"jobs\":1,\"iodepth\":1,\"iops_of_each_run\":7}",
		"\"iops_of_each_run\" is no array");
}

/* A set of one device; the paragraph has to begin with WANT and hold HAS. */
static void verdict(struct bench_set *set, const char *want, const char *has)
{
	char *text = bench_verdict(set);

	if (strncmp(text, want, strlen(want)))
		fail_msg("'%s' instead of '%s'", text, want);
	if (!strstr(text, has))
		fail_msg("'%s' does not say '%s'", text, has);
	free(text);
	bench_set_free(set);
}

static void chooses(void **state)
{
	struct bench_set set = { 0 };
	struct bench_row *row;

	(void)state;
	/* The fastest one. */
	bench_set_add(&set, make("native", "{}", 1, 100));
	bench_set_add(&set, make("hard", "{}", 1, 99));
	bench_set_add(&set, make("moderate", "{\"delay_us\":100}", 1, 104));
	verdict(&set, "nvme: moderate 100us. It gave 1.040 of native's IOPS over 1 block",
		"try --iodepth 1");

	/* Faster in one block, but too slow in the other. */
	for (double jobs = 1; jobs <= 8; jobs += 7) {
		bench_set_add(&set, make("native", "{}", jobs, 100));
		bench_set_add(&set, make("hard", "{}", jobs, 100));
		bench_set_add(&set, make("moderate", "{\"delay_us\":100}", jobs,
					 jobs == 1 ? 150 : 96.9));
	}
	verdict(&set, "nvme: native. No other policy",
		"Out: moderate 100us (0.969 of the IOPS in randread with 8 jobs).");

	/* As fast, with half the interrupts. */
	bench_set_add(&set, make("native", "{}", 1, 100));
	bench_set_add(&set, make("hard", "{}", 1, 100.4));
	row = make("moderate", "{\"delay_us\":100}", 1, 99.5);
	row->interrupts = 4000;
	bench_set_add(&set, row);
	verdict(&set, "nvme: moderate 100us.",
		"0.400 interrupts per I/O instead of 0.800");

	/* A little more than half is no reason. */
	bench_set_add(&set, make("native", "{}", 1, 100));
	row = make("moderate", "{\"delay_us\":100}", 1, 100.5);
	row->interrupts = 4001;
	bench_set_add(&set, row);
	verdict(&set, "nvme: native.", "How it chooses");
}

static void keeps_bounds(void **state)
{
	struct bench_set set = { 0 };
	struct bench_row *row;

	(void)state;
	/* Too late. */
	bench_set_add(&set, make("native", "{}", 1, 100));
	row = make("threaded", "{\"delay_us\":200}", 1, 120);
	row->lat_p99_us = 126;
	bench_set_add(&set, row);
	verdict(&set, "nvme: native.",
		"Out: threaded 200us (p99 latency 126 us instead of 100 us in randread with 1 job).");

	/* Too long in hard context; hard itself has less. */
	bench_set_add(&set, make("native", "{}", 1, 100));
	row = make("hard", "{}", 1, 100);
	row->residency_p99_us = 20;
	bench_set_add(&set, row);
	row = make("moderate", "{\"delay_us\":100}", 1, 120);
	row->residency_p99_us = 101;
	bench_set_add(&set, row);
	verdict(&set, "nvme: native.", "Out: moderate 100us (p99 residency 101.0 us).");

	/* What hard has anyway is no reason against another. */
	bench_set_add(&set, make("native", "{}", 1, 100));
	row = make("hard", "{}", 1, 100);
	row->residency_p99_us = 150;
	bench_set_add(&set, row);
	row = make("moderate", "{\"delay_us\":100}", 1, 120);
	row->residency_p99_us = 140;
	bench_set_add(&set, row);
	verdict(&set, "nvme: moderate 100us.", "How it chooses");
}

static void says_what_it_cannot(void **state)
{
	struct bench_set set = { 0 };
	struct bench_row *row;

	(void)state;
	/* The device batches by itself (5.8 completions for an interrupt). */
	row = make("native", "{}", 1, 100);
	row->completions_per_interrupt = 5.8;
	bench_set_add(&set, row);
	bench_set_add(&set, make("moderate", "{\"delay_us\":100}", 1, 100));
	verdict(&set, "nvme: native.",
		"completes 5.8 I/Os per interrupt by itself");

	/* A peer is no choice, whatever it gives. */
	bench_set_add(&set, make("native", "{}", 1, 100));
	bench_set_add(&set, make("hard", "{}", 1, 100));
	bench_set_add(&set, make("threadirqs", "{}", 1, 200));
	verdict(&set, "nvme: native.", "How it chooses");

	/* Native's own runs differ by more than what decides. */
	row = make("native", "{}", 1, 100);
	row->spread = 0.031;
	bench_set_add(&set, row);
	bench_set_add(&set, make("hard", "{}", 1, 102));
	verdict(&set, "nvme: hard.", "differ by 3.1 %");

	/* Only one policy. */
	bench_set_add(&set, make("native", "{}", 1, 100));
	verdict(&set, "nvme: nothing to choose between, only native was run.", "");

	/* Without native the base is hard. */
	bench_set_add(&set, make("hard", "{}", 1, 100));
	bench_set_add(&set, make("moderate", "{\"delay_us\":100}", 1, 110));
	verdict(&set, "nvme: moderate 100us. It gave 1.100 of hard's IOPS", "");
}

static void choices(void **state)
{
	struct bench_choice c;
	struct errmsg err;
	json_t *params;

	(void)state;
	assert_int_equal(bench_choice_parse("hybrid", &c, &err), 0);
	assert_int_equal(c.policy.limit_ns, 50000);
	assert_int_equal(c.policy.window_ns, 1000000);
	assert_int_equal(c.stats, -1);
	assert_int_equal(bench_choice_parse("moderate:delay=1500ns:poll:stats=off",
					    &c, &err), 0);
	assert_int_equal(c.stats, 0);
	params = bench_choice_params(&c);
	near(json_number_value(json_object_get(params, "delay_us")), 1.5);
	assert_true(json_is_true(json_object_get(params, "poll")));
	assert_true(json_is_false(json_object_get(params, "statistics")));
	json_decref(params);
	assert_int_equal(bench_choice_parse("hard:stats=maybe", &c, &err), -1);
	assert_int_equal(err.status, EXIT_USAGE);
	assert_int_equal(bench_choice_parse("hard:stats=on:delay=1us", &c, &err),
			 -1);
	assert_int_equal(bench_choice_parse("hard:delay=1us", &c, &err), -1);
}

static void escapes(void **state)
{
	struct bench_text text = { 0 };

	(void)state;
	report_escape(&text, "<a href=\"x\">&\001</a>");
	assert_string_equal(text.buf,
			    "&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt;");
	free(text.buf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(percentiles),
		cmocka_unit_test(fills_rows),
		cmocka_unit_test(ratios),
		cmocka_unit_test(round_trip),
		cmocka_unit_test(bad_rows),
		cmocka_unit_test(chooses),
		cmocka_unit_test(keeps_bounds),
		cmocka_unit_test(says_what_it_cannot),
		cmocka_unit_test(choices),
		cmocka_unit_test(escapes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
