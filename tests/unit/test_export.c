// SPDX-License-Identifier: GPL-2.0-only
/* Metrics: how they are written, and that the buckets are exact. */
#include "unit.h"

#include <sys/resource.h>

#include "../../lib/export.h"
#include "../../lib/xalloc.h"

struct out {
	struct metrics m;
	char *text;
	size_t size;
};

static void start(struct out *out, enum metrics_format format)
{
	mw_init(&out->m, open_memstream(&out->text, &out->size), format);
}

static void expect(struct out *out, const char *text)
{
	assert_int_equal(mw_done(&out->m), 0);
	fclose(out->m.out);
	assert_string_equal(out->text, text);
	free(out->text);
}

static void families(struct metrics *m)
{
	mw_family(m, "a_seconds", METRICS_COUNTER, "A.");
	mw_sample(m, NULL);
	mw_ns(m, 1500000000);
	mw_family(m, "b", METRICS_INFO, "B.");
	mw_sample(m, NULL);
	mw_label_u64(m, "irq", 7);
	mw_label(m, "name", NULL);
	mw_label(m, "policy", "hard");
	mw_u64(m, 1);
	mw_family(m, "c_seconds", METRICS_HISTOGRAM, "C.");
	mw_sample(m, "bucket");
	mw_label_ns(m, "le", 1023);
	mw_u64(m, 18446744073709551615ULL);
}

static void both_formats(void **state)
{
	struct out out;

	(void)state;
	start(&out, METRICS_PROMETHEUS);
	families(&out.m);
	expect(&out, "# HELP a_seconds_total A.\n# TYPE a_seconds_total counter\n"
		     "a_seconds_total 1.5\n"
		     "# HELP b_info B.\n# TYPE b_info gauge\n"
		     "b_info{irq=\"7\",policy=\"hard\"} 1\n"
		     "# HELP c_seconds C.\n# TYPE c_seconds histogram\n"
		     "c_seconds_bucket{le=\"0.000001023\"} 18446744073709551615\n# EOF\n");
	start(&out, METRICS_OPENMETRICS);
	families(&out.m);
	expect(&out, "# HELP a_seconds A.\n# TYPE a_seconds counter\n# UNIT a_seconds seconds\n"
		     "a_seconds_total 1.5\n"
		     "# HELP b B.\n# TYPE b info\n"
		     "b_info{irq=\"7\",policy=\"hard\"} 1\n"
		     "# HELP c_seconds C.\n# TYPE c_seconds histogram\n# UNIT c_seconds seconds\n"
		     "c_seconds_bucket{le=\"0.000001023\"} 18446744073709551615\n# EOF\n");
}

static void labels_are_escaped(void **state)
{
	struct out out;

	(void)state;
	start(&out, METRICS_PROMETHEUS);
	out.m.family = "x";
	out.m.type = METRICS_GAUGE;
	mw_sample(&out.m, NULL);
	mw_label(&out.m, "a", "q\"b\\n\nt\tz");
	mw_label(&out.m, "b", "bad\xff\xc3 good\xc3\xa9");
	mw_label(&out.m, "c", "");
	mw_u64(&out.m, 0);
	expect(&out, "x{a=\"q\\\"b\\\\n\\nt\tz\",b=\"bad\xef\xbf\xbd\xef\xbf\xbd good\xc3\xa9\",c=\"\"} 0\n"
		     "# EOF\n");
}

static void numbers_are_exact(void **state)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} cases[] = {
		{ 0, "x 0\n# EOF\n" }, { 1, "x 0.000000001\n# EOF\n" },
		{ 1000000000, "x 1\n# EOF\n" }, { 1230000000, "x 1.23\n# EOF\n" },
		{ UINT64_MAX, "x 18446744073.709551615\n# EOF\n" },
	};
	struct out out;

	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
		start(&out, METRICS_PROMETHEUS);
		out.m.family = "x";
		out.m.type = METRICS_GAUGE;
		mw_sample(&out.m, NULL);
		mw_ns(&out.m, cases[i].ns);
		expect(&out, cases[i].text);
	}
}

/* The whole text for rows made of RUNS and of IRQ and handler. */
static char *export_rows(struct stat_row *row, size_t n)
{
	struct lines lines = { 0 };
	struct diskstats disks = { 0 };
	struct stat_view view = { .row = row, .n = n };
	struct export export = { .lines = &lines, .view = &view, .disks = &disks };
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(export_write(out, METRICS_PROMETHEUS, &export), 0);
	fclose(out);
	return text;
}

static void record(struct stat_row *row, uint64_t ns)
{
	pace_hist_record(&row->run, ns);
	row->runs++;
}

/* The number behind the first line that begins with HEAD; it has to be there. */
static unsigned long long value_of(const char *text, const char *head)
{
	const char *at = text;

	while (at && strncmp(at, head, strlen(head))) {
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	if (!at)
		fail_msg("no line begins with %s", head);
	return strtoull(strstr(at, "} ") + 2, NULL, 10);
}

static unsigned long long below(const char *text, const char *le)
{
	char head[160];

	snprintf(head, sizeof(head),
		 "irqpace_handler_duration_seconds_bucket{irq=\"7\",handler=\"h\",le=\"%s\"}", le);
	return value_of(text, head);
}

static void buckets_are_exact(void **state)
{
	struct stat_row row = { .irq = 7, .cpu = -1, .handler = 99, .handler_name = "h" };
	char *text;

	(void)state;
	/* On both sides of ends, and beyond what the histogram tells apart. */
	record(&row, 0);
	record(&row, 511);
	record(&row, 512);
	record(&row, 1023);
	record(&row, 1024);
	record(&row, 67108863);
	record(&row, 67108864);
	record(&row, 5000000000);
	row.runs += 3;
	row.none_runs = 3;
	text = export_rows(&row, 1);
	assert_int_equal(below(text, "0.000000511"), 2);
	assert_int_equal(below(text, "0.000001023"), 4);
	assert_int_equal(below(text, "0.000002047"), 5);
	assert_int_equal(below(text, "0.016777215"), 5);
	assert_int_equal(below(text, "0.067108863"), 6);
	assert_int_equal(below(text, "+Inf"), 8);
	assert_int_equal(value_of(text, "irqpace_handler_duration_seconds_count{irq=\"7\""), 8);
	assert_int_equal(value_of(text, "irqpace_handler_runs_total{irq=\"7\""), 11);
	assert_int_equal(value_of(text, "irqpace_handler_none_runs_total{irq=\"7\""), 3);
	assert_int_equal(value_of(text, "irqpace_handler_duration_seconds_sum{irq=\"7\""), 5);
	free(text);
}

static size_t count(const char *text, const char *what)
{
	size_t n = 0;

	for (; (text = strstr(text, what)); text++)
		n++;
	return n;
}

/* Two functions with one name on one line are one series; without names they are two. */
static void series_are_there_once(void **state)
{
	struct stat_row row[] = {
		{ .irq = 7, .cpu = -1, .handler = 1000, .handler_name = "irq", .runs = 1 },
		{ .irq = 7, .cpu = -1, .handler = 1002 },
		{ .irq = 7, .cpu = -1, .handler = 1001, .handler_name = "irq", .runs = 2 },
		{ .irq = 6, .cpu = -1, .handler = 1003 },
		{ .irq = 7, .cpu = -1, .handler = 1003 },
	};
	char *text = export_rows(row, N_ELEMENTS(row));

	(void)state;
	assert_int_equal(count(text, "irqpace_handler_runs_total{"), 4);
	assert_int_equal(value_of(text, "irqpace_handler_runs_total{irq=\"7\",handler=\"irq\"}"), 3);
	assert_int_equal(value_of(text, "irqpace_handler_runs_total{irq=\"6\",handler=\"0x3eb\"}"), 0);
	free(text);
}

static void what_the_module_says(void **state)
{
	struct modstat_line attached = {
		.irq = 7, .policy = { .kind = IRQPACE_POLICY_MODERATE, .delay_ns = 100000,
				      .mask = POLICY_MASK_DEFAULT },
	};
	struct modstat module = { .line = &attached, .n = 1 };
	struct lines lines = { 0 };
	struct export export = { .lines = &lines, .module = &module };
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	for (uint64_t i = 0; i <= IRQPACE_CNT_MAX; i++)
		attached.counter[i] = 100 + i;
	assert_int_equal(export_write(out, METRICS_PROMETHEUS, &export), 0);
	fclose(out);
	assert_int_equal(value_of(text, "irqpace_policy_info{irq=\"7\",policy=\"moderate\","
				  "settings=\"moderate:delay=100us\"}"), 1);
	assert_int_equal(value_of(text, "irqpace_line_parked_total{irq=\"7\"}"),
			 100 + IRQPACE_CNT_PARKED);
	assert_int_equal(count(text, "(null)"), 0);
	free(text);
}

/*
 * 5,000 lines, each active on two of 512 CPUs, a series for each: what export holds
 * when it holds most, which is the lines with their counts, a sample and its view.
 */
static void large_machines_fit(void **state)
{
	struct irqstat_sample sample = { .n = 10000, .n_cpus = 512 };
	struct handler_names names = { .n = 1 };
	struct lines lines = { .n = 5000, .n_cpus = 512 };
	struct stat_view view;
	struct export export = {
		.lines = &lines, .view = &view, .disks = &sample.disks, .per_cpu = true,
	};
	struct rusage use;
	FILE *out = fopen("/dev/null", "w");

	(void)state;
	names.sym = xcalloc(1, sizeof(*names.sym));
	names.sym[0] = (struct ksym){ .address = 100, .name = xstrdup("handler") };
	lines.line = xcalloc(lines.n, sizeof(*lines.line));
	lines.cpus = xcalloc(lines.n_cpus, sizeof(*lines.cpus));
	for (size_t i = 0; i < lines.n; i++) {
		lines.line[i].irq = (unsigned int)i;
		lines.line[i].name = xasprintf("line%zu", i);
		lines.line[i].counts = xcalloc(lines.n_cpus, sizeof(*lines.line[i].counts));
		memset(lines.line[i].counts, 0xff, lines.n_cpus * sizeof(*lines.line[i].counts));
	}
	sample.cpu = xcalloc(sample.n_cpus, sizeof(*sample.cpu));
	sample.entry = xcalloc(sample.n, sizeof(*sample.entry));
	for (size_t i = 0; i < sample.n; i++) {
		sample.entry[i].key = (struct irqstat_key){
			.handler = 100, .irq = (uint32_t)(i / 2), .cpu = (uint32_t)(i % 512),
		};
		memset(sample.entry[i].run.bucket, 1, sizeof(sample.entry[i].run.bucket));
	}
	irqstat_sort(&sample);
	stat_view_make(&view, &sample, &lines, NULL, &names, NULL, true);
	assert_int_equal(export_write(out, METRICS_PROMETHEUS, &export), 0);
	assert_int_equal(view.n, 10000);
	getrusage(RUSAGE_SELF, &use);
	print_message("5,000 lines, 10,000 cells, 512 CPUs: %ld KiB\n", use.ru_maxrss);
#ifndef __SANITIZE_ADDRESS__
	assert_true(use.ru_maxrss < 64 * 1024);
#endif
	fclose(out);
	stat_view_free(&view);
	irqstat_free(&sample);
	handler_names_free(&names);
	lines_free(&lines);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_formats),
		cmocka_unit_test(labels_are_escaped),
		cmocka_unit_test(numbers_are_exact),
		cmocka_unit_test(buckets_are_exact),
		cmocka_unit_test(series_are_there_once),
		cmocka_unit_test(what_the_module_says),
		cmocka_unit_test(large_machines_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
