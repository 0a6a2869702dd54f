// SPDX-License-Identifier: GPL-2.0-only
/* The live view without a terminal: what it shows of made-up samples, at any size. */
#include "unit.h"

#include <sys/resource.h>

#include "../../lib/top.h"
#include "../../lib/xalloc.h"

#define SECOND_NS	1000000000ULL

/* N lines, numbered from 16 on, on N_CPUS CPUs; top keeps no counts of them. */
static void make_lines(struct lines *lines, size_t n, size_t n_cpus)
{
	memset(lines, 0, sizeof(*lines));
	lines->n = n;
	lines->line = xcalloc(n, sizeof(*lines->line));
	lines->n_cpus = n_cpus;
	lines->cpus = xcalloc(n_cpus, sizeof(*lines->cpus));
	for (size_t c = 0; c < n_cpus; c++)
		lines->cpus[c] = (unsigned int)c;
	for (size_t i = 0; i < n; i++) {
		struct line *line = &lines->line[i];

		line->irq = (unsigned int)(16 + i);
		line->name = xasprintf("line%zu", i);
		line->n_actions = 1;
		line->actions = xcalloc(1, sizeof(*line->actions));
		line->actions[0] = xstrdup(line->name);
	}
}

static struct stat_row row_of(uint32_t irq, uint64_t handler, uint64_t runs, uint64_t ns)
{
	struct stat_row row = { .irq = irq, .cpu = -1, .handler = handler, .runs = runs };

	row.run.sum_ns = ns;
	return row;
}

static const struct top_line *line_in(const struct top_model *model, uint32_t irq)
{
	for (size_t i = 0; i < model->n; i++)
		if (model->line[i].irq == irq)
			return &model->line[i];
	return NULL;
}

static void what_a_line_adds_up(void **state)
{
	struct modstat_line attached = { .irq = 17, .policy = { .kind = IRQPACE_POLICY_HARD } };
	struct modstat module = { .line = &attached, .n = 1 };
	struct irqstat_cpu cpu[3] = { { .irq_ns = SECOND_NS }, { .softirq_ns = SECOND_NS / 2 } };
	struct stat_row rows[] = {
		row_of(16, 100, 40, 1000), row_of(16, 101, 50, 3000),
		row_of(17, 100, 10, 4000), row_of(17, IRQSTAT_ROUND_THREAD, 5, 6000),
		row_of(99, 100, 2, 7),
	};
	struct stat_view view = {
		.row = rows, .n = N_ELEMENTS(rows), .interval_ns = 2 * SECOND_NS, .cpu = cpu,
		.n_cpus = 3, .no_room = 1, .unpaired = 2,
	};
	struct top_model model;
	struct lines lines;

	(void)state;
	make_lines(&lines, 3, 2);
	/* One without a handler is not shown. */
	free(lines.line[2].actions[0]);
	lines.line[2].n_actions = 0;
	rows[0].handler_name = "little";
	rows[1].handler_name = "much";
	rows[1].residency_max_ns = 77;
	attached.counter[IRQPACE_CNT_ARRIVALS] = 600;
	top_model_make(&model, &view, &lines, &module);
	assert_int_equal(model.n, 3);
	/* Of a shared line each interrupt runs both (case 11). */
	assert_true(line_in(&model, 16)->rate > 24.9 && line_in(&model, 16)->rate < 25.1);
	assert_int_equal(line_in(&model, 16)->ns, 4000);
	assert_int_equal(line_in(&model, 16)->n_handlers, 2);
	assert_int_equal(line_in(&model, 16)->residency_max_ns, 77);
	assert_string_equal(line_in(&model, 16)->handler, "much");
	assert_null(line_in(&model, 16)->module);
	/* Parked arrivals run nothing, and are interrupts all the same. */
	assert_true(line_in(&model, 17)->rate > 299.9 && line_in(&model, 17)->rate < 300.1);
	assert_int_equal(line_in(&model, 17)->ns, 10000);
	assert_int_equal(line_in(&model, 17)->n_handlers, 1);
	assert_ptr_equal(line_in(&model, 17)->module, &attached);
	/* A line that came up after the lines were read. */
	assert_null(line_in(&model, 99)->line);
	assert_null(line_in(&model, 18));
	assert_int_equal(model.n_cpus, 2);
	assert_true(model.cpu[0].hard > 49.9 && model.cpu[0].hard < 50.1);
	assert_true(model.cpu[1].soft > 24.9 && model.cpu[1].soft < 25.1);
	assert_int_equal(model.lost, 3);
	top_model_free(&model);
	lines_free(&lines);
}

/* Numbers in the order of the model. */
static void expect_order(const struct top_model *model, const uint32_t *irq, size_t n)
{
	assert_int_equal(model->n, n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(model->line[i].irq, irq[i]);
}

static void orders(void **state)
{
	struct top_line line[] = {
		{ .irq = 5, .ns = 10, .rate = 1, .residency_max_ns = 3 },
		{ .irq = 3, .ns = 10, .rate = 2, .residency_max_ns = 9 },
		{ .irq = 4, .ns = 30, .rate = 0.5, .residency_max_ns = 3 },
		{ .irq = 1 }, { .irq = 2 },
	};
	struct top_model model = { .line = line, .n = N_ELEMENTS(line) };

	(void)state;
	top_model_sort(&model, TOP_SHARE);
	expect_order(&model, (uint32_t[]){ 4, 3, 5, 1, 2 }, 5);
	top_model_sort(&model, TOP_RATE);
	expect_order(&model, (uint32_t[]){ 3, 5, 4, 1, 2 }, 5);
	top_model_sort(&model, TOP_RESIDENCY);
	expect_order(&model, (uint32_t[]){ 3, 4, 5, 1, 2 }, 5);
	top_model_sort(&model, TOP_IRQ);
	expect_order(&model, (uint32_t[]){ 1, 2, 3, 4, 5 }, 5);
	for (enum top_sort s = 0; s < __TOP_SORT_MAX; s++)
		assert_int_equal(top_sort_of(top_sort_name(s)), s);
	assert_int_equal(top_sort_of("name"), __TOP_SORT_MAX);
}

/* N_LINES lines, all with interrupts, on N_CPUS CPUs. */
struct made {
	struct lines lines;
	struct stat_row *row;
	struct irqstat_cpu *cpu;
	struct top_model model;
};

static void make(struct made *made, size_t n_lines, size_t n_cpus)
{
	struct stat_view view = { .n = n_lines, .interval_ns = SECOND_NS, .n_cpus = n_cpus };

	make_lines(&made->lines, n_lines, n_cpus);
	view.row = made->row = xcalloc(n_lines + 1, sizeof(*made->row));
	view.cpu = made->cpu = xcalloc(n_cpus, sizeof(*made->cpu));
	for (size_t i = 0; i < n_lines; i++)
		made->row[i] = row_of((uint32_t)(16 + i), 100, 1 + i, 1000 * (n_lines - i));
	for (size_t c = 0; c < n_cpus; c++)
		made->cpu[c].irq_ns = c * 1000000;
	top_model_make(&made->model, &view, &made->lines, NULL);
	top_model_sort(&made->model, TOP_SHARE);
}

static void unmake(struct made *made)
{
	top_model_free(&made->model);
	free(made->row);
	free(made->cpu);
	lines_free(&made->lines);
}

static void expect_sound(const struct top_page *page)
{
	for (size_t i = 0; i < page->n; i++) {
		const char *row = top_page_row(page, i);

		assert_int_equal(strlen(row), page->width);
		for (size_t c = 0; c < page->width; c++)
			assert_true(row[c] >= ' ' && row[c] <= '~');
	}
}

static void any_size(void **state)
{
	struct top_page page = { 0 };
	struct top_ui ui = { 0 };
	struct made made = { 0 };

	(void)state;
	make(&made, 100, 40);
	for (size_t width = 1; width < 200; width++) {
		for (size_t height = 1; height < 70; height += 3) {
			for (ui.mode = TOP_LIST; ui.mode <= TOP_CONFIRM; ui.mode++) {
				bool fits = width >= TOP_WIDTH_MIN && height >= TOP_HEIGHT_MIN;

				top_page_make(&page, &made.model, &ui, width, height, "12:00:00");
				assert_true(page.n <= height);
				if (fits && ui.mode != TOP_HELP)
					assert_int_equal(page.n, height);
				expect_sound(&page);
			}
		}
	}
	top_page_free(&page);
	unmake(&made);
}

static void no_lines_and_no_cpus(void **state)
{
	struct top_model model = { 0 };
	struct top_page page = { 0 };
	struct top_ui ui = { .mode = TOP_LIST };
	static const int keys[] = {
		TOP_KEY_UP, TOP_KEY_DOWN, TOP_KEY_PAGE_UP, TOP_KEY_PAGE_DOWN, TOP_KEY_HOME,
		TOP_KEY_END, 'P', 'R', 'L', 'N', '<', '>', 'i', 's', TOP_KEY_ENTER, 0, 0x1000,
	};

	(void)state;
	model.module_loaded = true;
	for (size_t i = 0; i < N_ELEMENTS(keys); i++) {
		assert_int_equal(top_key(&ui, &model, keys[i]), TOP_SHOW);
		assert_false(ui.selected);
		top_page_make(&page, &model, &ui, 80, 24, "12:00:00");
		expect_sound(&page);
	}
	top_page_free(&page);
}

static void at_80_columns(void **state)
{
	struct modstat_line attached = {
		.irq = 16, .state = IRQPACE_STATE_PAUSED,
		.policy = { .kind = IRQPACE_POLICY_HYBRID, .limit_ns = 50000, .window_ns = 1000000,
			    .mask = IRQPACE_MASK_POSTED, .mask_after = 2 },
	};
	struct line line = { .irq = 16, .name = "nvme\xff" "0q1-a-long-name" };
	struct top_line lines[] = {
		{ .irq = 16, .line = &line, .ns = 123456789, .runs = 100, .rate = 123456.7,
		  .residency_max_ns = 55123, .module = &attached },
		{ .irq = 4000000000 },
	};
	struct top_cpu cpu[] = { { 0, 25, 25 }, { 1, 100, 50 } };
	struct top_model model = {
		.line = lines, .n = 2, .cpu = cpu, .n_cpus = 2, .interval_ns = SECOND_NS,
		.module_loaded = true, .lost = 7,
	};
	struct top_ui ui = { .selected = true, .selected_irq = 16 };
	struct top_page page = { 0 };

	(void)state;
	top_page_make(&page, &model, &ui, 80, 0, "12:00:00");
	expect_sound(&page);
	assert_int_equal(page.n, 6);
	assert_string_equal(top_page_row(&page, 0),
		"irqpace top - 12:00:00, 1.0 s, by share; 7 runs missed; lines 2, active 1, attac");
	assert_string_equal(top_page_row(&page, 1),
		"CPUs 2: hard# 62.5%, soft= 37.5%; busiest CPU1: 100.0%, 50.0%                   ");
	assert_string_equal(top_page_row(&page, 2),
		"   0[#######======             ]  50.0%    1[##########################] 150.0% ");
	assert_string_equal(top_page_row(&page, 3),
		"    IRQ SHARE%   RATE/s   MEAN   STAY NAME           STATE   POLICY             ");
	assert_string_equal(top_page_row(&page, 4),
		">    16  12.35   123457 1.23ms 55.1us nvme?0q1-a-lo+ paused  hybrid:limit=50us:+");
	assert_string_equal(top_page_row(&page, 5),
		" 40000+   0.00      0.0      -      - ?              -       native             ");
	assert_int_equal(page.look[4], TOP_CHOSEN);
	assert_int_equal(page.look[5], TOP_PLAIN);
	top_page_free(&page);
}

/* The chosen line is in sight after every key and every new order. */
static void the_chosen_line_stays_in_sight(void **state)
{
	static const int keys[] = {
		TOP_KEY_DOWN, TOP_KEY_END, TOP_KEY_UP, TOP_KEY_HOME, TOP_KEY_PAGE_DOWN, 'R', 'P', 'N',
		TOP_KEY_PAGE_UP, TOP_KEY_PAGE_DOWN, '>', 'L', 'i', TOP_KEY_DOWN,
	};
	struct top_page page = { 0 };
	struct top_ui ui = { 0 };
	struct made made = { 0 };

	(void)state;
	make(&made, 300, 2);
	top_page_make(&page, &made.model, &ui, 80, 24, "12:00:00");
	for (unsigned int i = 0; i < 5000; i++) {
		size_t chosen = 0;

		top_key(&ui, &made.model, keys[i * i % 7919 % N_ELEMENTS(keys)]);
		top_page_make(&page, &made.model, &ui, 80, i % 3 ? 24 : 8, "12:00:00");
		for (size_t r = 0; r < page.n; r++)
			chosen += page.look[r] == TOP_CHOSEN;
		assert_int_equal(chosen, ui.selected);
	}
	assert_true(ui.selected);
	top_page_free(&page);
	unmake(&made);
}

static void type(struct top_ui *ui, struct top_model *model, const char *text)
{
	for (; *text; text++)
		assert_int_equal(top_key(ui, model, *text), TOP_SHOW);
}

static void a_policy_is_confirmed(void **state)
{
	struct top_ui ui = { 0 };
	struct made made = { 0 };

	(void)state;
	make(&made, 3, 1);
	made.model.module_loaded = true;
	top_key(&ui, &made.model, TOP_KEY_ENTER);
	assert_int_equal(ui.mode, TOP_POLICY);
	assert_int_equal(ui.selected_irq, 16);
	type(&ui, &made.model, "  moderate   --delay 100us --poll --rounds 64 ");
	top_key(&ui, &made.model, TOP_KEY_ENTER);
	assert_int_equal(ui.mode, TOP_CONFIRM);
	assert_int_equal(ui.policy.kind, IRQPACE_POLICY_MODERATE);
	assert_int_equal(ui.policy.delay_ns, 100000);
	assert_true(ui.policy.poll);
	assert_int_equal(ui.policy.rounds, 64);
	/* Only a yes is one. */
	assert_int_equal(top_key(&ui, &made.model, TOP_KEY_ENTER), TOP_SHOW);
	assert_int_equal(ui.mode, TOP_LIST);
	type(&ui, &made.model, "shard");
	top_key(&ui, &made.model, TOP_KEY_ENTER);
	assert_int_equal(top_key(&ui, &made.model, 'y'), TOP_SET);
	assert_int_equal(ui.policy.kind, IRQPACE_POLICY_HARD);
	/* A line of any length is cut, not overrun. */
	type(&ui, &made.model, "s");
	for (int i = 0; i < 1000; i++)
		top_key(&ui, &made.model, 'a');
	top_key(&ui, &made.model, TOP_KEY_ENTER);
	assert_int_equal(ui.mode, TOP_LIST);
	assert_true(*ui.message);
	unmake(&made);
}

/*
 * 5,000 lines, each active on two of 512 CPUs: what top holds of it when it holds
 * most, which is two samples, the view of their difference, the model and a page.
 */
static void large_machines_fit(void **state)
{
	struct irqstat_sample sample[2] = { 0 };
	struct handler_names names = { 0 };
	struct top_page page = { 0 };
	struct top_ui ui = { 0 };
	struct top_model model;
	struct stat_view view;
	struct lines lines;
	struct rusage use;

	(void)state;
	names.sym = xcalloc(1, sizeof(*names.sym));
	names.n = 1;
	names.sym[0] = (struct ksym){ .address = 100, .name = xstrdup("handler") };
	make_lines(&lines, 5000, 512);
	for (size_t s = 0; s < 2; s++) {
		sample[s].time_ns = s * SECOND_NS;
		sample[s].n = 10000;
		sample[s].entry = xcalloc(sample[s].n, sizeof(*sample[s].entry));
		for (size_t i = 0; i < sample[s].n; i++) {
			struct irqstat_entry *entry = &sample[s].entry[i];

			entry->key = (struct irqstat_key){
				.handler = 100, .irq = (uint32_t)(16 + i / 2), .cpu = (uint32_t)(i % 512),
			};
			for (size_t b = 60; b < 100; b++)
				entry->run.bucket[b] = 1 + s * i;
		}
		sample[s].n_cpus = 512;
		sample[s].cpu = xcalloc(512, sizeof(*sample[s].cpu));
	}
	irqstat_sort(&sample[0]);
	irqstat_sort(&sample[1]);
	irqstat_difference(&sample[1], &sample[0]);
	stat_view_make(&view, &sample[0], &lines, NULL, &names, NULL, false);
	top_model_make(&model, &view, &lines, NULL);
	top_model_sort(&model, TOP_SHARE);
	top_page_make(&page, &model, &ui, 80, 0, "12:00:00");
	assert_int_equal(model.n, 5000);
	assert_true(page.n > 5000);
	getrusage(RUSAGE_SELF, &use);
	print_message("5,000 lines, 10,000 cells, 512 CPUs: %ld KiB\n", use.ru_maxrss);
#ifndef __SANITIZE_ADDRESS__
	assert_true(use.ru_maxrss < 64 * 1024);
#endif
	top_page_free(&page);
	top_model_free(&model);
	stat_view_free(&view);
	irqstat_free(&sample[0]);
	irqstat_free(&sample[1]);
	handler_names_free(&names);
	lines_free(&lines);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_line_adds_up),
		cmocka_unit_test(orders),
		cmocka_unit_test(any_size),
		cmocka_unit_test(no_lines_and_no_cpus),
		cmocka_unit_test(at_80_columns),
		cmocka_unit_test(the_chosen_line_stays_in_sight),
		cmocka_unit_test(a_policy_is_confirmed),
		cmocka_unit_test(large_machines_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
