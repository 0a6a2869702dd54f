// SPDX-License-Identifier: GPL-2.0-only
/* fio's and cyclictest's results, as recorded and as they must not be taken. */
#include "unit.h"

#include <errno.h>
#include <math.h>

#include "bench.h"

static char *slurp(const char *name)
{
	char path[256];
	char *text = calloc(1, 1 << 20);
	FILE *in;

	snprintf(path, sizeof(path), "tests/fixtures/bench/%s", name);
	in = fopen(path, "r");
	assert_non_null(in);
	assert_true(fread(text, 1, (1 << 20) - 1, in) > 0);
	fclose(in);
	return text;
}

static void near(double got, double want)
{
	if (!(fabs(got - want) <= fabs(want) * 1e-9))
		fail_msg("%.9f instead of %.9f", got, want);
}

static void reads_bins(void **state)
{
	char *text = slurp("fio-randread.json");
	struct bench_fio fio;
	struct errmsg err;

	(void)state;
	assert_int_equal(bench_fio_parse(text, "randread", &fio, &err), 0);
	near(fio.iops, 315076.923077);
	near(fio.ios, 16384);
	near(fio.runtime_ms, 52);
	near(fio.lat_mean_us, 158.427687439);
	assert_string_equal(fio.version, "fio-3.33");
	/* fio's own percentiles are those of its bins. */
	assert_int_equal(bench_hist_total(&fio.lat), 16384);
	near(bench_hist_percentile_us(&fio.lat, 50), 110.08);
	near(bench_hist_percentile_us(&fio.lat, 99), 4145.152);
	near(bench_hist_percentile_us(&fio.lat, 99.9), 4177.92);
	/* 16,384 samples have fewer than five beyond 99.99 %. */
	assert_true(isnan(bench_hist_percentile_us(&fio.lat, 99.99)));
	/* No sample was long enough: fio's 0 is not a figure. */
	assert_true(isnan(fio.iops_min));
	assert_true(isnan(fio.iops_max));
	bench_fio_free(&fio);
	free(text);
}

static void reads_plain(void **state)
{
	char *text = slurp("fio-randwrite-plain.json");
	struct bench_fio fio;
	struct errmsg err;

	(void)state;
	assert_int_equal(bench_fio_parse(text, "randwrite", &fio, &err), 0);
	near(fio.ios, 1024);
	assert_int_equal(fio.lat.len, 0);
	assert_true(fio.p50_us > 0 && fio.p99_us >= fio.p50_us);
	assert_true(isnan(fio.p999_us));
	bench_fio_free(&fio);
	/* The same file has nothing to say about reading. */
	assert_int_equal(bench_fio_parse(text, "randread", &fio, &err), -1);
	assert_string_equal(err.text, "fio did no read");
	free(text);
}

static void passes_warnings(void **state)
{
	char *json = slurp("fio-randread.json"), *text = NULL;
	struct bench_fio fio;
	struct errmsg err;

	(void)state;
	text = malloc(strlen(json) + 64);
	sprintf(text, "fio: note {about} something\nanother\n%s", json);
	assert_int_equal(bench_fio_parse(text, "randread", &fio, &err), 0);
	bench_fio_free(&fio);
	free(text);
	free(json);
}

static void tells_errors(void **state)
{
	char *text = slurp("fio-error.json");
	struct bench_fio fio;
	struct errmsg err;

	(void)state;
	assert_int_equal(bench_fio_parse(text, "write", &fio, &err), -1);
	assert_string_equal(err.text, "fio failed: No space left on device");
	free(text);
}

static void refuse(const char *text, const char *want, int sys_errno)
{
	struct bench_fio fio;
	struct errmsg err = { 0 };

	assert_int_equal(bench_fio_parse(text, "read", &fio, &err), -1);
	assert_string_equal(err.text, want);
	assert_int_equal(err.sys_errno, sys_errno);
}

static void refuses(void **state)
{
	(void)state;
	refuse("", "fio wrote no JSON", 0);
	refuse("fio: bad option {\n", "fio wrote no JSON", 0);
	refuse("{}", "fio's result has 0 groups of jobs instead of one", 0);
	refuse("{\"jobs\":[{},{}]}",
	       "fio's result has 2 groups of jobs instead of one", 0);
	refuse("{\"jobs\":[{}]}",
	       "fio's result does not say whether it failed", 0);
	refuse("{\"jobs\":[{\"error\":0}]}", "fio's result has no part for read", 0);
	refuse("{\"jobs\":[{\"error\":0,\"read\":{\"total_ios\":0}}]}",
	       "fio did no read", 0);
	refuse("{\"jobs\":[{\"error\":0,\"read\":{\"total_ios\":5,\"iops\":0,\"runtime\":0}}]}",
	       "fio's run was too short to give a rate; ask for more with --ios or --runtime",
	       ERANGE);
	refuse("{\"jobs\":[{\"error\":0,\"read\":{\"total_ios\":5,\"iops\":5,\"runtime\":1,\"lat_ns\":{\"bins\":{\"x\":1}}}}]}",
	       "fio's latency bins hold \"x\"", 0);
	refuse("{\"jobs\":[{\"error\":0,\"read\":{\"total_ios\":5,\"iops\":5,\"runtime\":1,\"lat_ns\":{\"bins\":{\"7\":-1}}}}]}",
	       "fio's latency bins hold \"7\"", 0);
}

static void misses_nothing_silently(void **state)
{
	struct bench_fio fio;
	struct errmsg err;

	(void)state;
	/* What is not in the file is unknown, not 0. */
	assert_int_equal(bench_fio_parse("{\"jobs\":[{\"error\":0,\"read\":{\"total_ios\":5,\"iops\":5.5,\"runtime\":1}}]}",
					 "read", &fio, &err), 0);
	near(fio.iops, 5.5);
	assert_true(isnan(fio.usr) && isnan(fio.sys));
	assert_true(isnan(fio.lat_mean_us) && isnan(fio.bandwidth_mb_s));
	assert_true(isnan(fio.p50_us) && isnan(fio.iops_min));
	bench_fio_free(&fio);
}

static void reads_victim(void **state)
{
	char *text = slurp("cyclictest.json");
	struct errmsg err;
	double p999, max;

	(void)state;
	assert_int_equal(bench_victim_parse(text, &p999, &max, &err), 0);
	near(max, 7581);
	assert_true(p999 > 44 && p999 < max);
	assert_int_equal(bench_victim_parse("{\"thread\":{}}", &p999, &max, &err),
			 -1);
	assert_string_equal(err.text, "cyclictest's result has no histogram");
	assert_true(isnan(p999) && isnan(max));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_bins),
		cmocka_unit_test(reads_plain),
		cmocka_unit_test(passes_warnings),
		cmocka_unit_test(tells_errors),
		cmocka_unit_test(refuses),
		cmocka_unit_test(misses_nothing_silently),
		cmocka_unit_test(reads_victim),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
