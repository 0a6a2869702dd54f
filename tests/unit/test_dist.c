// SPDX-License-Identifier: GPL-2.0-only
#include "unit.h"

#include <string.h>

#include "../../lib/dist.h"

static int read_text(struct dist *dist, const char *text, struct errmsg *err)
{
	FILE *in = fmemopen((void *)text, strlen(text), "r");
	int ret;

	assert_non_null(in);
	ret = dist_read(dist, in, "file", err);
	fclose(in);
	return ret;
}

static void figures_follow_from_slots(void **state)
{
	struct errmsg err = { 0 };
	struct dist d;

	(void)state;
	assert_int_equal(read_text(&d, "# four samples\n\n"
				   "count 2 avg 10 p 0.5 n 2\r\n"
				   "  count 1\tavg 40 p 0.75 n 3\n"
				   "count 1 avg 1000 p 1.000000 n 4", &err), 0);
	assert_int_equal(d.n, 3);
	assert_int_equal(d.samples, 4);
	assert_int_equal(d.max_ns, 1000);
	assert_true(dist_mean_ns(&d) == 265.0);
	assert_int_equal(dist_percentile_ns(&d, 50), 10);
	assert_int_equal(dist_percentile_ns(&d, 75), 40);
	assert_int_equal(dist_percentile_ns(&d, 75.1), 1000);
	assert_int_equal(dist_percentile_ns(&d, 100), 1000);
	dist_free(&d);
}

static void refuses_with_the_line(void **state)
{
	static const struct {
		const char *text;
		const char *sentence;
	} cases[] = {
		{ "\n", "file holds no slot" },
		{ "# nothing\n", "file holds no slot" },
		{ "count 1 avg 1 p 1 n 1\ncount 1 avg 2 p 1\n",
		  "file:2: not a slot: \"count N avg NS p PART n SUM\" is expected" },
		{ "count 1 avg 1 p 1 n 1 more\n",
		  "file:1: not a slot: \"count N avg NS p PART n SUM\" is expected" },
		{ "count 1 mean 1 p 1 n 1\n",
		  "file:1: not a slot: \"count N avg NS p PART n SUM\" is expected" },
		{ "count 0 avg 1 p 0 n 0\n", "file:1: count is a number from 1, not \"0\"" },
		{ "count -1 avg 1 p 0 n 0\n", "file:1: count is a number from 1, not \"-1\"" },
		{ "count 1 avg 1.5 p 0 n 1\n", "file:1: avg is a number of ns, not \"1.5\"" },
		{ "count 1 avg 99999999999999999999 p 0 n 1\n",
		  "file:1: avg is a number of ns, not \"99999999999999999999\"" },
		{ "count 1 avg 1 p 1.5 n 1\n", "file:1: p is a part of 1 that never falls, not \"1.5\"" },
		{ "count 1 avg 1 p nan n 1\n", "file:1: p is a part of 1 that never falls, not \"nan\"" },
		{ "count 1 avg 1 p 0.9 n 1\ncount 1 avg 2 p 0.8 n 2\n",
		  "file:2: p is a part of 1 that never falls, not \"0.8\"" },
		{ "count 1 avg 5 p 0 n 1\ncount 1 avg 4 p 1 n 2\n",
		  "file:2: avg 4 is less than that of the slot before" },
		{ "count 3 avg 5 p 0 n 3\ncount 1 avg 6 p 1 n 5\n",
		  "file:2: n is \"5\", but 3 samples came before and this slot has 1" },
		{ "count 18446744073709551615 avg 1 p 0 n 18446744073709551615\n"
		  "count 1 avg 2 p 1 n 0\n",
		  "file:2: n is \"0\", but 18446744073709551615 samples came before and this slot has 1" },
	};

	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
		struct errmsg err = { 0 };
		struct dist d;

		assert_int_equal(read_text(&d, cases[i].text, &err), -1);
		assert_string_equal(err.text, cases[i].sentence);
	}
}

/* Totals and times up to the last that 64 bits hold; more than a double tells apart. */
static void the_largest_numbers_are_taken(void **state)
{
	struct errmsg err = { 0 };
	struct dist d;
	char *text;
	size_t size;
	FILE *out;

	(void)state;
	assert_int_equal(read_text(&d, "count 1 avg 0 p 0 n 1\n"
				   "count 18446744073709551613 avg 1 p 0.5 n 18446744073709551614\n"
				   "count 1 avg 18446744073709551615 p 1 n 18446744073709551615\n",
				   &err), 0);
	assert_int_equal(dist_percentile_ns(&d, 50), 1);
	assert_true(dist_percentile_ns(&d, 100) == UINT64_MAX);
	out = open_memstream(&text, &size);
	dist_print_svg(out, &d, 1);
	fclose(out);
	assert_non_null(strstr(text, "</svg>"));
	free(text);
	dist_free(&d);
}

/* Sum and maximum are the module's own; a slot ends at the maximum. */
static void takes_what_the_module_knows(void **state)
{
	struct irqpace_bucket buckets[] = {
		{ .low_ns = 8, .high_ns = 8, .count = 3 },
		{ .low_ns = 1024, .high_ns = 1151, .count = 1 },
	};
	struct nl_hist hist = {
		.bucket = buckets, .n = 2, .samples = 4, .sum_ns = 1064, .max_ns = 1040,
	};
	struct dist d;

	(void)state;
	dist_from_hist(&d, &hist, "run");
	assert_int_equal(d.samples, 4);
	assert_true(dist_mean_ns(&d) == 266.0);
	assert_int_equal(d.slot[1].avg_ns, 1032);
	assert_int_equal(dist_percentile_ns(&d, 99), 1040);
	dist_free(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_follow_from_slots),
		cmocka_unit_test(refuses_with_the_line),
		cmocka_unit_test(the_largest_numbers_are_taken),
		cmocka_unit_test(takes_what_the_module_knows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
