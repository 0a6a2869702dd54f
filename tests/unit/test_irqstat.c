// SPDX-License-Identifier: GPL-2.0-only
#include "unit.h"

#include <sys/resource.h>

#include "../../lib/irqstat_view.h"
#include "../../lib/modstat.h"
#include "../../lib/xalloc.h"

static void put(struct irqstat_sample *sample, uint32_t irq, uint64_t handler, uint32_t cpu,
		uint64_t runs, uint64_t ns)
{
	struct irqstat_entry *entry;

	sample->entry = xrealloc(sample->entry, sample->n + 1, sizeof(*sample->entry));
	entry = &sample->entry[sample->n++];
	memset(entry, 0, sizeof(*entry));
	entry->key = (struct irqstat_key){ .handler = handler, .irq = irq, .cpu = cpu };
	for (uint64_t i = 0; i < runs; i++)
		pace_hist_record(&entry->run, ns);
	entry->run_max_ns = runs ? ns : 0;
	entry->stay_max_ns = entry->run_max_ns;
	irqstat_sort(sample);
}

static void cpus(struct irqstat_sample *sample, size_t n)
{
	sample->cpu = xcalloc(n, sizeof(*sample->cpu));
	sample->n_cpus = n;
}

static void difference(void **state)
{
	struct irqstat_sample before = { .time_ns = 1000 }, now = { .time_ns = 5000 };

	(void)state;
	cpus(&before, 2);
	cpus(&now, 2);
	put(&before, 30, 0xa000, 0, 10, 100);
	put(&before, 31, 0xb000, 1, 5, 100);
	put(&now, 30, 0xa000, 0, 13, 100);
	put(&now, 31, 0xb000, 1, 5, 100);	/* no run meanwhile */
	put(&now, 29, 0xc000, 0, 2, 700);	/* new, and before all others */
	put(&now, 30, 0xa000, 1, 1, 50);
	before.cpu[1].softirq_ns = 40;
	now.cpu[1].softirq_ns = 100;
	now.cpu[0].no_room = 7;
	now.cpu[1].unpaired = 1;

	irqstat_difference(&now, &before);
	assert_true(before.time_ns == 4000);
	assert_int_equal(before.n, 3);
	assert_int_equal(before.entry[0].key.irq, 29);
	assert_int_equal(before.entry[0].run_max_ns, 700);
	assert_int_equal(pace_hist_count(&before.entry[1].run), 3);
	assert_int_equal(before.entry[1].run.sum_ns, 300);
	assert_int_equal(before.entry[2].key.cpu, 1);
	assert_int_equal(before.cpu[1].softirq_ns, 60);
	assert_int_equal(irqstat_no_room(&before), 7);
	assert_int_equal(irqstat_unpaired(&before), 1);
	irqstat_free(&before);
	irqstat_free(&now);
}

static void diskstats(void **state)
{
	struct diskstat old[] = { { (char *)"sda", 10 }, { (char *)"gone", 5 }, { (char *)"sdb", 50 } };
	struct diskstat new[] = { { (char *)"nvme0n1", 3 }, { (char *)"sda", 25 }, { (char *)"sdb", 7 } };
	struct diskstats now = { new, 3 }, before = { xcalloc(3, sizeof(old[0])), 3 };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		before.disk[i].name = xstrdup(old[i].name);
		before.disk[i].completions = old[i].completions;
	}
	diskstats_difference(&now, &before);
	assert_int_equal(before.n, 3);
	assert_int_equal(before.disk[0].completions, 3);
	assert_int_equal(before.disk[1].completions, 15);
	/* The same name, a new disk. */
	assert_int_equal(before.disk[2].completions, 7);
	diskstats_free(&before);
}

static void modstat(void **state)
{
	struct modstat_line old = { .irq = 30, .counter = { [IRQPACE_CNT_RUNS] = 10 } };
	struct modstat_line new[] = {
		{ .irq = 30, .counter = { [IRQPACE_CNT_RUNS] = 15, [IRQPACE_CNT_PARKED] = 2 } },
		{ .irq = 31, .counter = { [IRQPACE_CNT_RUNS] = 4 } },
	};
	struct modstat before = { xcalloc(1, sizeof(old)), 1 }, now = { new, 2 };

	(void)state;
	before.line[0] = old;
	before.line[0].hist = xcalloc(__IRQPACE_HIST_MAX, sizeof(struct pace_hist));
	new[0].hist = xcalloc(__IRQPACE_HIST_MAX, sizeof(struct pace_hist));
	pace_hist_record(&before.line[0].hist[IRQPACE_HIST_RUN], 80);
	pace_hist_record(&new[0].hist[IRQPACE_HIST_RUN], 80);
	pace_hist_record(&new[0].hist[IRQPACE_HIST_RUN], 90);
	/* Attached anew: fewer samples than before. */
	pace_hist_record(&before.line[0].hist[IRQPACE_HIST_PAUSE], 80);
	pace_hist_record(&before.line[0].hist[IRQPACE_HIST_PAUSE], 80);
	pace_hist_record(&new[0].hist[IRQPACE_HIST_PAUSE], 80);

	modstat_difference(&now, &before);
	assert_int_equal(before.n, 2);
	assert_int_equal(before.line[0].counter[IRQPACE_CNT_RUNS], 5);
	assert_int_equal(before.line[0].counter[IRQPACE_CNT_PARKED], 2);
	assert_int_equal(before.line[1].counter[IRQPACE_CNT_RUNS], 4);
	assert_int_equal(pace_hist_count(&before.line[0].hist[IRQPACE_HIST_RUN]), 1);
	assert_int_equal(before.line[0].hist[IRQPACE_HIST_RUN].sum_ns, 90);
	assert_int_equal(pace_hist_count(&before.line[0].hist[IRQPACE_HIST_PAUSE]), 1);
	assert_null(modstat_find(&before, 29));
	free(new[0].hist);
	modstat_free(&before);
}

/* Two queues of one NVMe, a shared line, and one whose number is not in the list. */
static void view(void **state)
{
	struct line_device nvme = { .name = (char *)"0000:00:02.0" };
	struct line list[] = {
		{ .irq = 25, .name = (char *)"nvme0q1", .devices = &nvme, .n_devices = 1 },
		{ .irq = 26, .name = (char *)"nvme0q2", .devices = &nvme, .n_devices = 1 },
	};
	struct lines lines = { .line = list, .n = 2 };
	struct line *one[] = { &list[1] };
	struct selection selected = { .line = one, .n = 1 };
	struct irqstat_sample sample = { .time_ns = 1000000 };
	struct handler_names names = { 0 };
	struct stat_view made;

	(void)state;
	cpus(&sample, 4);
	put(&sample, 25, 0xa000, 0, 30, 100);
	put(&sample, 25, 0xa000, 3, 10, 200);
	put(&sample, 26, 0xa000, 1, 40, 1000);
	put(&sample, 77, 0xb000, 2, 1, 10);
	sample.entry[3].none_runs = 4;
	sample.entry[3].none_ns = 44;
	put(&sample, 26, IRQSTAT_ROUND_THREAD, 1, 2, 50);

	stat_view_make(&made, &sample, &lines, NULL, &names, "/nowhere", false);
	assert_int_equal(made.n, 4);
	assert_int_equal(made.row[0].irq, 26);	/* most time first */
	assert_true(made.row[0].line == &list[1]);
	assert_true(stat_row_hard(&made.row[0]));
	assert_int_equal(made.row[1].irq, 25);
	assert_int_equal(made.row[1].runs, 40);
	assert_int_equal(made.row[1].cpu, -1);
	assert_int_equal(made.row[1].residency_max_ns, 200);
	assert_int_equal(made.row[1].run.max_ns, 200);
	assert_null(made.row[1].handler_name);	/* no symbols there */
	assert_string_equal(made.row[2].handler_name, "thread round");
	assert_false(stat_row_hard(&made.row[2]));
	assert_int_equal(made.row[3].irq, 77);
	assert_null(made.row[3].line);
	assert_int_equal(made.row[3].runs, 5);
	assert_int_equal(stat_row_ns(&made.row[3]), 54);
	assert_true(stat_percent(4000, 1000000) > 0.39);
	stat_view_free(&made);

	stat_view_make(&made, &sample, &lines, &selected, &names, "/nowhere", true);
	assert_int_equal(made.n, 2);
	assert_int_equal(made.row[0].cpu, 1);
	stat_view_free(&made);
	handler_names_free(&names);
	irqstat_free(&sample);
}

/* What the issue of a large machine asks for: 5,000 lines, 512 CPUs, 64 MiB. */
static void bounded(void **state)
{
	struct irqstat_sample before = { 0 }, now = { .time_ns = 1000000000 };
	struct handler_names names = { 0 };
	struct lines lines = { 0 };
	struct stat_view made;
	struct rusage usage;
	size_t n = 10000;

	(void)state;
	cpus(&before, 512);
	cpus(&now, 512);
	now.entry = xcalloc(n, sizeof(*now.entry));
	before.entry = xcalloc(n, sizeof(*before.entry));
	for (size_t i = 0; i < n; i++) {
		before.entry[i].key = (struct irqstat_key){
			.irq = (uint32_t)(i / 2), .cpu = (uint32_t)(i % 512), .handler = 0xa000,
		};
		pace_hist_record(&before.entry[i].run, 1000);
		now.entry[i] = before.entry[i];
		pace_hist_record(&now.entry[i].run, 2000);
	}
	now.n = before.n = n;
	irqstat_sort(&now);
	irqstat_sort(&before);
	irqstat_difference(&now, &before);
	stat_view_make(&made, &before, &lines, NULL, &names, "/nowhere", false);
	assert_int_equal(made.n, n / 2);
	for (size_t i = 0; i < made.n; i++)
		assert_int_equal(made.row[i].runs, 2);
	stat_view_free(&made);
	handler_names_free(&names);
	irqstat_free(&now);
	irqstat_free(&before);
	assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
#ifndef __SANITIZE_ADDRESS__
	assert_true(usage.ru_maxrss < 64 * 1024);
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(difference),
		cmocka_unit_test(diskstats),
		cmocka_unit_test(modstat),
		cmocka_unit_test(view),
		cmocka_unit_test(bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
