// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>

#include "../lib/table.h"
#include "../lib/xalloc.h"
#include "stat.h"

/* Cells of one row; those that were made are freed with it. */
struct row {
	const char *cell[20];
	char *made[20];
	size_t n;
};

static void put(struct row *row, const char *text)
{
	row->made[row->n] = NULL;
	row->cell[row->n++] = text;
}

static void put_made(struct row *row, char *text)
{
	row->made[row->n] = text;
	row->cell[row->n++] = text;
}

static void put_number(struct row *row, double value, int digits)
{
	put_made(row, xasprintf("%.*f", digits, value));
}

static void put_us(struct row *row, double ns, bool known)
{
	if (known)
		put_made(row, xasprintf("%.2f", ns / 1000));
	else
		put(row, NULL);
}

static void end(struct table *table, struct row *row)
{
	table_row(table, row->cell);
	for (size_t i = 0; i < row->n; i++)
		free(row->made[i]);
}

static double mean_ns(const struct pace_hist *hist)
{
	uint64_t n = pace_hist_count(hist);

	return n ? (double)hist->sum_ns / (double)n : 0;
}

static void add_line(struct table *table, const struct stat_report *report,
		     const struct stat_row *from)
{
	uint64_t interval = report->view.interval_ns;
	bool handled = from->runs > from->none_runs;
	struct row row = { .n = 0 };

	put_made(&row, xasprintf("%u", from->irq));
	put(&row, from->line ? from->line->name : NULL);
	if (from->handler_name)
		put(&row, from->handler_name);
	else
		put_made(&row, xasprintf("0x%" PRIx64, from->handler));
	if (report->per_cpu)
		put_made(&row, xasprintf("%ld", from->cpu));
	put_number(&row, stat_per_second((double)from->runs, interval), 1);
	put_number(&row, stat_percent(stat_row_ns(from), interval), 2);
	put_us(&row, mean_ns(&from->run), handled);
	put_us(&row, (double)pace_hist_percentile_ns(&from->run, 500), handled);
	put_us(&row, (double)pace_hist_percentile_ns(&from->run, 990), handled);
	put_us(&row, (double)pace_hist_percentile_ns(&from->run, 999), handled);
	put_us(&row, (double)from->run.max_ns, true);
	put_us(&row, (double)from->residency_max_ns, stat_row_hard(from));
	put_number(&row, stat_per_second((double)from->none_runs, interval), 1);
	put_number(&row, stat_percent(from->none_ns, interval), 2);
	if (from->completions > 0)
		put_number(&row, from->completions / (double)from->runs, 2);
	else
		put(&row, NULL);
	end(table, &row);
}

static int print_lines(const struct stat_report *report)
{
	static const struct table_column columns[] = {
		{ .title = "IRQ", .right = true },
		{ .title = "NAME", .trunc = true },
		{ .title = "HANDLER", .trunc = true },
		{ .title = "CPU", .right = true },
		{ .title = "RUNS/s", .right = true },
		{ .title = "SHARE%", .right = true },
		{ .title = "MEANus", .right = true },
		{ .title = "P50us", .right = true },
		{ .title = "P99us", .right = true },
		{ .title = "P99.9us", .right = true },
		{ .title = "MAXus", .right = true },
		{ .title = "STAYus", .right = true },
		{ .title = "NONE/s", .right = true },
		{ .title = "NONE%", .right = true },
		{ .title = "CPL/RUN", .right = true },
	};
	struct table_column used[15];
	size_t n = 0;
	struct table *table;
	int rc;

	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		if (report->per_cpu || columns[i].title[0] != 'C' || columns[i].title[2] != 'U')
			used[n++] = columns[i];
	table = table_new(used, n);
	for (size_t i = 0; i < report->view.n; i++)
		add_line(table, report, &report->view.row[i]);
	rc = table_print(table);
	table_free(table);
	return rc;
}

static int print_module(const struct stat_report *report)
{
	static const struct table_column columns[] = {
		{ .title = "IRQ", .right = true },
		{ .title = "POLICY" },
		{ .title = "STATE" },
		{ .title = "ARRIVALS/s", .right = true },
		{ .title = "PARKED/s", .right = true },
		{ .title = "MASKED/s", .right = true },
		{ .title = "ROUNDS/s", .right = true },
		{ .title = "PAUSEus", .right = true },
		{ .title = "WAKEus", .right = true },
		{ .title = "PARKus", .right = true },
	};
	static const uint32_t rates[] = {
		IRQPACE_CNT_ARRIVALS, IRQPACE_CNT_PARKED, IRQPACE_CNT_MASKED, IRQPACE_CNT_ROUNDS,
	};
	static const enum irqpace_hist means[] = {
		IRQPACE_HIST_PAUSE, IRQPACE_HIST_WAKE, IRQPACE_HIST_PARK,
	};
	struct table *table = table_new(columns, sizeof(columns) / sizeof(columns[0]));
	char policy[POLICY_BUF];
	struct policy brief;
	int rc;

	for (size_t i = 0; i < report->module->n; i++) {
		const struct modstat_line *line = &report->module->line[i];
		struct row row = { .n = 0 };

		if (!stat_is_selected(report, line->irq))
			continue;
		brief = policy_brief(&line->policy);
		put_made(&row, xasprintf("%u", line->irq));
		put(&row, policy_print_spec(&brief, policy, sizeof(policy)));
		put(&row, nl_state_name(line->state));
		for (size_t c = 0; c < sizeof(rates) / sizeof(rates[0]); c++)
			put_number(&row, stat_per_second((double)line->counter[rates[c]],
						    report->view.interval_ns), 1);
		for (size_t h = 0; h < sizeof(means) / sizeof(means[0]); h++)
			put_us(&row, mean_ns(&line->hist[means[h]]),
			       pace_hist_count(&line->hist[means[h]]) > 0);
		end(table, &row);
	}
	putchar('\n');
	rc = table_print(table);
	table_free(table);
	return rc;
}

static bool cpu_was_busy(const struct irqstat_cpu *cpu)
{
	return cpu->irq_runs || cpu->softirq_runs;
}

static int print_cpus(const struct stat_report *report)
{
	static const struct table_column columns[] = {
		{ .title = "CPU", .right = true },
		{ .title = "HARD%", .right = true },
		{ .title = "SOFT%", .right = true },
		{ .title = "RUNS/s", .right = true },
		{ .title = "SOFTIRQS/s", .right = true },
	};
	struct table *table = table_new(columns, sizeof(columns) / sizeof(columns[0]));
	uint64_t interval = report->view.interval_ns;
	int rc;

	for (size_t i = 0; i < report->view.n_cpus; i++) {
		const struct irqstat_cpu *cpu = &report->view.cpu[i];
		struct row row = { .n = 0 };

		if (!cpu_was_busy(cpu))
			continue;
		put_made(&row, xasprintf("%zu", i));
		put_number(&row, stat_percent(cpu->irq_ns, interval), 2);
		put_number(&row, stat_percent(cpu->softirq_ns, interval), 2);
		put_number(&row, stat_per_second((double)cpu->irq_runs, interval), 1);
		put_number(&row, stat_per_second((double)cpu->softirq_runs, interval), 1);
		end(table, &row);
	}
	putchar('\n');
	rc = table_print(table);
	table_free(table);
	return rc;
}

/* The machine in one sentence, where the CPUs are not asked for one by one. */
static void print_busiest(const struct stat_report *report)
{
	uint64_t interval = report->view.interval_ns, hard = 0, soft = 0, most = 0;
	size_t busiest = 0, n = 0;

	for (size_t i = 0; i < report->view.n_cpus; i++) {
		const struct irqstat_cpu *cpu = &report->view.cpu[i];

		hard += cpu->irq_ns;
		soft += cpu->softirq_ns;
		n += cpu_was_busy(cpu);
		if (cpu->irq_ns + cpu->softirq_ns > most) {
			most = cpu->irq_ns + cpu->softirq_ns;
			busiest = i;
		}
	}
	if (!n)
		return;
	printf("\nhard interrupts %.2f %%, softirqs %.2f %% of the %zu CPUs that had any; busiest: CPU %zu, %.2f %% and %.2f %%\n",
	       stat_percent(hard, interval) / (double)n, stat_percent(soft, interval) / (double)n,
	       n, busiest, stat_percent(report->view.cpu[busiest].irq_ns, interval),
	       stat_percent(report->view.cpu[busiest].softirq_ns, interval));
}

int stat_print_table(const struct stat_report *report)
{
	if (print_lines(report))
		return -1;
	if (report->module && report->module->n && print_module(report))
		return -1;
	if (report->per_cpu) {
		if (print_cpus(report))
			return -1;
	} else {
		print_busiest(report);
	}
	if (report->view.no_room)
		printf("%" PRIu64 " runs are in no row: there was no room for more handlers and CPUs\n",
		       report->view.no_room);
	if (report->view.unpaired)
		printf("%" PRIu64 " runs are in no row: their beginning was not seen\n",
		       report->view.unpaired);
	return ferror(stdout) ? -1 : 0;
}
