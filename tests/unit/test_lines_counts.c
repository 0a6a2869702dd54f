// SPDX-License-Identifier: GPL-2.0-only
/* Counts go by CPU and never by place: in the text, in sysfs, between readings. */
#include "root.h"

#include "../../lib/lines_internal.h"
#include "../../lib/proc_interrupts.h"
#include "../../lib/rootfs.h"
#include "../../lib/xalloc.h"

static void load(const char *from, struct lines *lines)
{
	struct errmsg err = { 0 };

	if (lines_read(from, lines, &err))
		fail_msg("%s", err.text);
}

static void parse(const char *text, struct lines *lines)
{
	FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
	struct errmsg err = { 0 };

	memset(lines, 0, sizeof(*lines));
	if (proc_interrupts_read(in, "interrupts", lines, &err))
		fail_msg("%s", err.text);
	fclose(in);
}

static uint64_t count_of(const struct lines *lines, unsigned int irq, unsigned int cpu)
{
	const struct line *line = lines_find(lines, irq);

	assert_non_null(line);
	for (size_t i = 0; i < lines->n_cpus; i++)
		if (lines->cpus[i] == cpu)
			return line->counts[i];
	return LINE_NO_COUNT;
}

/* The kernel tells each count twice: in the text, and in sysfs with the offline CPUs. */
static void text_and_sysfs_agree_with_a_cpu_offline(void **state)
{
	static const char *const recorded[] = {
		"tests/fixtures/offline-6.1", "tests/fixtures/offline-6.12",
		"tests/fixtures/offline-7.3",
	};

	(void)state;
	for (size_t f = 0; f < N_ELEMENTS(recorded); f++) {
		struct lines text, sysfs;

		load(recorded[f], &text);
		load(recorded[f], &sysfs);
		assert_int_equal(text.n_cpus, 3);
		assert_int_equal(text.cpus[1], 2);
		assert_int_equal(text.n, 15);
		for (size_t i = 0; i < sysfs.n; i++)
			memset(sysfs.line[i].counts, 0xff, 3 * sizeof(uint64_t));
		lines_fill_counts(recorded[f], &sysfs);
		for (size_t i = 0; i < text.n; i++)
			for (size_t c = 0; c < text.n_cpus; c++)
				assert_int_equal(text.line[i].counts[c], sysfs.line[i].counts[c]);
		assert_true(line_total(&text, lines_find(&text, 29)) >= 40);
		lines_free(&text);
		lines_free(&sysfs);
	}
}

/* A CPU came or went while the text was printed: the row tells nobody's counts. */
static void ragged_rows_are_told_by_sysfs(void **state)
{
	struct lines lines;

	(void)state;
	write_file("/proc/interrupts",
	     "CPU0 CPU4 CPU5\n"
	     "24: 1 4 5 PCI-MSI 1-edge      whole\n"
	     "25: 1 5 PCI-MSI 2-edge      fewer\n"
	     "26: 1 2 4 5 PCI-MSI 3-edge      more\n"
	     "27: 9 PCI-MSI 4-edge      nowhere\n");
	write_file("/sys/devices/system/cpu/possible", "0-1,4-5\n");
	write_file("/sys/kernel/irq/24/per_cpu_count", "91,92,94,95\n");
	write_file("/sys/kernel/irq/25/per_cpu_count", "1,2,4,5\n");
	write_file("/sys/kernel/irq/26/per_cpu_count", "1,2,4,4294967295\n");
	/* It came up after the text was read; its list is damaged. */
	write_file("/sys/kernel/irq/28/actions", "new\n");
	write_file("/sys/kernel/irq/28/per_cpu_count", "x,2,7\n");
	load(root, &lines);
	assert_int_equal(lines.n, 5);
	assert_int_equal(count_of(&lines, 24, 4), 4);
	assert_int_equal(count_of(&lines, 25, 0), 1);
	assert_int_equal(count_of(&lines, 25, 4), 4);
	assert_int_equal(count_of(&lines, 25, 5), 5);
	assert_string_equal(lines_find(&lines, 25)->name, "fewer");
	assert_int_equal(count_of(&lines, 26, 4), 4);
	assert_int_equal(count_of(&lines, 26, 5), 4294967295);
	assert_string_equal(lines_find(&lines, 26)->chip, "PCI-MSI");
	assert_string_equal(lines_find(&lines, 26)->name, "more");
	assert_false(line_has_count(&lines, lines_find(&lines, 27)));
	assert_int_equal(line_total(&lines, lines_find(&lines, 27)), 0);
	assert_true(count_of(&lines, 28, 0) == LINE_NO_COUNT);
	assert_int_equal(count_of(&lines, 28, 4), 7);
	assert_true(count_of(&lines, 28, 5) == LINE_NO_COUNT);
	lines_free(&lines);
}

/* Up to 6.x the list ends with the page: the last number may be the half of one. */
static void a_list_cut_by_the_page_loses_its_last_number(void **state)
{
	char list[4096] = "";
	struct lines lines;

	(void)state;
	write_file("/proc/interrupts", "CPU0 CPU583 CPU584 CPU585 CPU700\n24: PCI-MSI 1-edge      x\n");
	/* 585 numbers of seven bytes, and no newline. */
	for (size_t i = 0; i < 585; i++)
		memcpy(list + 7 * i, "123456,", 7);
	list[4095] = '\0';
	write_file("/sys/kernel/irq/24/per_cpu_count", list);
	load(root, &lines);
	assert_int_equal(count_of(&lines, 24, 0), 123456);
	assert_int_equal(count_of(&lines, 24, 584), 123456);
	assert_true(count_of(&lines, 24, 585) == LINE_NO_COUNT);
	lines_free(&lines);
	memmove(list, list + 1, sizeof(list) - 1);
	strcat(list, "9");
	write_file("/sys/kernel/irq/24/per_cpu_count", list);
	load(root, &lines);
	assert_int_equal(count_of(&lines, 24, 0), 23456);
	assert_int_equal(count_of(&lines, 24, 583), 123456);
	assert_true(count_of(&lines, 24, 585) == LINE_NO_COUNT);
	lines_free(&lines);
}

static void possible_may_be_anything(void **state)
{
	static const char *const lists[] = {
		"x", "-", "5-0", "0-", ",", "1-2,", "99999999999999999999-99999999999999999999",
		"0-18446744073709551615,0-3",
	};
	struct lines lines;

	(void)state;
	write_file("/proc/interrupts", "CPU0 CPU9\n24: PCI-MSI 1-edge      x\n");
	write_file("/sys/kernel/irq/24/per_cpu_count", "6,7\n");
	for (size_t i = 0; i < N_ELEMENTS(lists); i++) {
		write_file("/sys/devices/system/cpu/possible", lists[i]);
		load(root, &lines);
		assert_true(count_of(&lines, 24, 9) == LINE_NO_COUNT);
		lines_free(&lines);
	}
}

static void a_difference_is_right_or_0(void **state)
{
	static const struct {
		uint64_t before;
		uint64_t after;
		uint64_t delta;
	} cases[] = {
		{ 0, 0, 0 },
		{ 7, 7, 0 },
		{ 0, 4294967295, 4294967295 },
		{ 10, 4000000010, 4000000000 },
		/* It wrapped at 2^32. */
		{ 4294967295, 0, 1 },
		{ 4294967290, 10, 16 },
		{ 4294967295, (1U << 28) - 2, (1U << 28) - 1 },
		/* It began anew: the device came back, and its line counts from 0. */
		{ 4294967295, (1U << 28) - 1, 0 },
		{ 1000, 10, 0 },
		{ 1, 0, 0 },
		{ 3000000000, 5, 0 },
		{ 2, 1, 0 },
		/* No kernel's count is this large; in a recording it may be. */
		{ 5000000000, 5000000001, 1 },
		{ 5000000000, 4, 0 },
		{ LINE_NO_COUNT - 1, 0, 0 },
		/* The CPU was offline at one of the two. */
		{ LINE_NO_COUNT, 5, 0 },
		{ 5, LINE_NO_COUNT, 0 },
		{ LINE_NO_COUNT, LINE_NO_COUNT, 0 },
	};

	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(cases); i++)
		assert_true(line_count_delta(cases[i].before, cases[i].after) == cases[i].delta);
}

static void readings_are_compared_by_cpu_and_name(void **state)
{
	static const struct {
		unsigned int irq;
		bool same;
		uint64_t delta[4];	/* of CPU 3, 0, 2, 1 */
	} cases[] = {
		{ 24, true, { 3, 5, 0, 0 } },
		{ 25, true, { 0, 0, 0, 0 } },	/* one CPU has no count any more */
		{ 26, true, { 16, 1, 0, 0 } },	/* one of its counts wrapped */
		{ 27, false, { 0 } },		/* one fell: it began anew, and all of it */
		{ 28, false, { 0 } },		/* another device's by now */
		{ 29, false, { 0 } },		/* was not there */
		{ 30, true, { 1, 1, 0, 0 } },	/* no handler, before and after */
	};
	struct lines before, after;
	struct lines_pair pair;
	uint64_t delta[4];

	(void)state;
	parse("CPU0 CPU1 CPU3\n"
	      "24: 10 20 30 PCI-MSI 1-edge      a\n"
	      "25: 10 20 30 PCI-MSI 2-edge      b\n"
	      "26: 1 0 4294967290 PCI-MSI 3-edge      c\n"
	      "27: 5 5 5000 PCI-MSI 4-edge      d\n"
	      "28: 1 1 1 PCI-MSI 5-edge      e\n"
	      "30: 1 1 1\n"
	      "31: 1 1 1 PCI-MSI 6-edge      gone\n"
	      "ERR: 7\n", &before);
	/* CPU1 went, CPU2 came, and a header that no kernel prints. */
	parse("CPU3 CPU0 CPU2 CPU2\n"
	      "24: 33 15 1000 1000 PCI-MSI 1-edge      a\n"
	      "25: 30 10 PCI-MSI 2-edge      b\n"
	      "26: 10 2 77 77 PCI-MSI 3-edge      c\n"
	      "27: 4 9 1 1 PCI-MSI 4-edge      d\n"
	      "28: 9 9 9 9 PCI-MSI 5-edge      other\n"
	      "29: 9 9 9 9 PCI-MSI 7-edge      new\n"
	      "30: 2 2 2 2\n"
	      "MIS: 7\n", &after);
	lines_pair_init(&pair, &before, &after);
	for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
		memset(delta, 0x55, sizeof(delta));
		assert_int_equal(lines_pair_delta(&pair, lines_find(&after, cases[i].irq), delta),
				 cases[i].same);
		assert_memory_equal(delta, cases[i].delta, sizeof(delta));
	}
	lines_pair_free(&pair);
	lines_free(&before);
	lines_free(&after);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_and_sysfs_agree_with_a_cpu_offline),
		cmocka_unit_test_setup_teardown(ragged_rows_are_told_by_sysfs, make_root, remove_root),
		cmocka_unit_test_setup_teardown(a_list_cut_by_the_page_loses_its_last_number,
						make_root, remove_root),
		cmocka_unit_test_setup_teardown(possible_may_be_anything, make_root, remove_root),
		cmocka_unit_test(a_difference_is_right_or_0),
		cmocka_unit_test(readings_are_compared_by_cpu_and_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
