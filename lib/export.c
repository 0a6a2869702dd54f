// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"

/*
 * Upper ends of the buckets: powers of two of nanoseconds, by their exponents. The
 * largest duration below 2^k is 2^k - 1 ns, at which core/hist.h cuts exactly.
 */
static const unsigned int ends[] = { 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 22, 24, 26 };
#define N_ENDS (sizeof(ends) / sizeof(ends[0]))

static int compare_names(const char *a, const char *b)
{
	if (!a || !b)
		return !a - !b;
	return strcmp(a, b);
}

/* Two functions may have one name; without names they have their addresses. */
static int by_labels(const void *va, const void *vb)
{
	const struct stat_row *a = va, *b = vb;
	int names = compare_names(a->handler_name, b->handler_name);

	if (a->irq != b->irq)
		return a->irq < b->irq ? -1 : 1;
	if (names)
		return names;
	if (!a->handler_name && a->handler != b->handler)
		return a->handler < b->handler ? -1 : 1;
	return (a->cpu > b->cpu) - (a->cpu < b->cpu);
}

static void add_row(struct stat_row *to, const struct stat_row *from)
{
	pace_hist_add(&to->run, &from->run);
	to->runs += from->runs;
	to->none_runs += from->none_runs;
	to->none_ns += from->none_ns;
	if (from->residency_max_ns > to->residency_max_ns)
		to->residency_max_ns = from->residency_max_ns;
}

/* A series may be there only once. */
static void join_rows(struct stat_view *view)
{
	size_t kept = 0;

	if (view->n)
		qsort(view->row, view->n, sizeof(*view->row), by_labels);
	for (size_t i = 0; i < view->n; i++) {
		if (kept && !by_labels(&view->row[kept - 1], &view->row[i]))
			add_row(&view->row[kept - 1], &view->row[i]);
		else if (kept++ != i)
			view->row[kept - 1] = view->row[i];
	}
	view->n = kept;
}

static void label_line(struct metrics *m, uint32_t irq, const struct line *line)
{
	mw_label_u64(m, "irq", irq);
	if (!line)
		return;
	mw_label(m, "name", line->name);
	mw_label(m, "device", line_device(line));
	mw_label(m, "driver", line_driver(line));
}

static void label_row(struct metrics *m, const struct stat_row *row)
{
	char address[24];

	label_line(m, row->irq, row->line);
	snprintf(address, sizeof(address), "0x%" PRIx64, row->handler);
	mw_label(m, "handler", row->handler_name ? row->handler_name : address);
	if (row->cpu >= 0)
		mw_label_u64(m, "cpu", (uint64_t)row->cpu);
}

static void write_counts(struct metrics *m, const struct export *export)
{
	const struct lines *lines = export->lines;

	mw_family(m, "irqpace_interrupts", METRICS_COUNTER,
		  "Interrupts of a line, as the kernel has counted them since it started.");
	for (size_t i = 0; i < lines->n; i++) {
		const struct line *line = &lines->line[i];

		for (size_t c = 0; export->per_cpu && c < lines->n_cpus; c++) {
			if (line->counts[c] == LINE_NO_COUNT)
				continue;
			mw_sample(m, NULL);
			label_line(m, line->irq, line);
			mw_label_u64(m, "cpu", lines->cpus[c]);
			mw_u64(m, line->counts[c]);
		}
		if (export->per_cpu)
			continue;
		mw_sample(m, NULL);
		label_line(m, line->irq, line);
		mw_u64(m, line_total(lines, line));
	}
}

/* What is one number of a row. */
static uint64_t runs(const struct stat_row *row) { return row->runs; }
static uint64_t none_runs(const struct stat_row *row) { return row->none_runs; }
static uint64_t none_ns(const struct stat_row *row) { return row->none_ns; }
static uint64_t residency(const struct stat_row *row) { return row->residency_max_ns; }

static const struct {
	const char *name, *help;
	enum metrics_type type;
	bool ns;
	uint64_t (*of)(const struct stat_row *row);
} numbers[] = {
	{ "irqpace_handler_runs", "Runs of a handler.", METRICS_COUNTER, false, runs },
	{ "irqpace_handler_seconds", "Time in a handler.", METRICS_COUNTER, true, stat_row_ns },
	{ "irqpace_handler_none_runs", "Runs of a handler that found nothing to do (IRQ_NONE).",
	  METRICS_COUNTER, false, none_runs },
	{ "irqpace_handler_none_seconds", "Time in runs of a handler that found nothing to do.",
	  METRICS_COUNTER, true, none_ns },
	{ "irqpace_residency_max_seconds",
	  "Longest stay in hard interrupt context that a handler ended, since the last reading.",
	  METRICS_GAUGE, true, residency },
};

static void write_numbers(struct metrics *m, const struct stat_view *view)
{
	for (size_t n = 0; n < sizeof(numbers) / sizeof(numbers[0]); n++) {
		mw_family(m, numbers[n].name, numbers[n].type, numbers[n].help);
		for (size_t i = 0; i < view->n; i++) {
			uint64_t value = numbers[n].of(&view->row[i]);

			mw_sample(m, NULL);
			label_row(m, &view->row[i]);
			if (numbers[n].ns)
				mw_ns(m, value);
			else
				mw_u64(m, value);
		}
	}
}

static void write_histogram(struct metrics *m, const struct stat_row *row)
{
	uint64_t below = 0;
	uint32_t bucket = 0;

	for (size_t e = 0; e < N_ENDS; e++) {
		uint64_t end = 1ULL << ends[e];

		while (pace_hist_high_ns(bucket) < end)
			below += row->run.bucket[bucket++];
		mw_sample(m, "bucket");
		label_row(m, row);
		mw_label_ns(m, "le", end - 1);
		mw_u64(m, below);
	}
	mw_sample(m, "bucket");
	label_row(m, row);
	mw_label(m, "le", "+Inf");
	mw_u64(m, row->runs - row->none_runs);
	mw_sample(m, "sum");
	label_row(m, row);
	mw_ns(m, row->run.sum_ns);
	mw_sample(m, "count");
	label_row(m, row);
	mw_u64(m, row->runs - row->none_runs);
}

/* What falls to a line of them depends on its runs, and could fall: a counter may not. */
static void write_disks(struct metrics *m, const struct diskstats *disks)
{
	mw_family(m, "irqpace_disk_completions", METRICS_COUNTER,
		  "Block requests that a disk has completed since it is there.");
	for (size_t i = 0; i < disks->n; i++) {
		mw_sample(m, NULL);
		mw_label(m, "disk", disks->disk[i].name);
		mw_u64(m, disks->disk[i].completions);
	}
}

static uint64_t hard_ns(const struct irqstat_cpu *cpu) { return cpu->irq_ns; }
static uint64_t soft_ns(const struct irqstat_cpu *cpu) { return cpu->softirq_ns; }

static bool has_cpu(const struct lines *lines, size_t cpu)
{
	for (size_t i = 0; i < lines->n_cpus; i++)
		if (lines->cpus[i] == cpu)
			return true;
	return false;
}

static void write_cpu_times(struct metrics *m, const struct export *export, const char *name,
			    const char *help, uint64_t (*of)(const struct irqstat_cpu *cpu))
{
	mw_family(m, name, METRICS_COUNTER, help);
	for (size_t c = 0; c < export->view->n_cpus; c++) {
		uint64_t ns = of(&export->view->cpu[c]);

		/* Most possible CPUs are not there; one that went keeps its time. */
		if (!ns && !has_cpu(export->lines, c))
			continue;
		mw_sample(m, NULL);
		mw_label_u64(m, "cpu", c);
		mw_ns(m, ns);
	}
}

static void write_health(struct metrics *m, const struct export *export)
{
	mw_family(m, "irqpace_runs_not_kept", METRICS_COUNTER,
		  "Runs of handlers in no series, because there was no room for another.");
	mw_sample(m, NULL);
	mw_u64(m, export->view->no_room);
	mw_family(m, "irqpace_runs_unpaired", METRICS_COUNTER,
		  "Runs of handlers in no series, because their beginning was not seen.");
	mw_sample(m, NULL);
	mw_u64(m, export->view->unpaired);
	mw_family(m, "irqpace_start_time_seconds", METRICS_GAUGE,
		  "When the counters of handlers and CPUs began, in seconds since 1970.");
	mw_sample(m, NULL);
	mw_ns(m, export->start_ns);
}

static void write_measured(struct metrics *m, const struct export *export)
{
	join_rows(export->view);
	write_numbers(m, export->view);
	mw_family(m, "irqpace_handler_duration_seconds", METRICS_HISTOGRAM,
		  "Durations of the runs of a handler that handled something.");
	for (size_t i = 0; i < export->view->n; i++)
		write_histogram(m, &export->view->row[i]);
	write_disks(m, export->disks);
	write_cpu_times(m, export, "irqpace_hardirq_seconds",
			"Time of a CPU in hard interrupt handlers.", hard_ns);
	write_cpu_times(m, export, "irqpace_softirq_seconds",
			"Time of a CPU in softirqs, without the handlers that interrupted them.",
			soft_ns);
	write_health(m, export);
}

static const char *const counter_help[IRQPACE_CNT_MAX + 1] = {
	[IRQPACE_CNT_ARRIVALS] = "Arrivals at an attached line, parked ones included.",
	[IRQPACE_CNT_RUNS] = "Runs of all handlers of an attached line.",
	[IRQPACE_CNT_HANDLED] = "Runs in which a handler handled something.",
	[IRQPACE_CNT_UNHANDLED] = "Runs in which every handler found nothing to do.",
	[IRQPACE_CNT_PARKED] = "Arrivals that were acknowledged and remembered.",
	[IRQPACE_CNT_MASKED] = "Times that a line was masked by a parked arrival.",
	[IRQPACE_CNT_ROUNDS] = "Runs made by timer, thread or worker.",
	[IRQPACE_CNT_PAUSES] = "Times that a line began to pause.",
	[IRQPACE_CNT_DEFERRED] = "Arrivals sent to the thread before any run.",
	[IRQPACE_CNT_STARVED] = "Rounds taken over from a thread that did not run in time.",
	[IRQPACE_CNT_OVERFLOWS] = "Rounds sent to a worker, because the budget was used up.",
};

static void write_module(struct metrics *m, const struct export *export)
{
	const struct modstat *module = export->module;
	char policy[POLICY_BUF], name[64];

	mw_family(m, "irqpace_policy", METRICS_INFO, "The policy of an attached line.");
	for (size_t i = 0; i < module->n; i++) {
		const struct modstat_line *line = &module->line[i];

		mw_sample(m, NULL);
		label_line(m, line->irq, lines_find(export->lines, line->irq));
		mw_label(m, "policy", policy_name(line->policy.kind));
		mw_label(m, "settings", policy_print_spec(&line->policy, policy, sizeof(policy)));
		mw_u64(m, 1);
	}
	for (uint32_t c = IRQPACE_CNT_ARRIVALS; c <= IRQPACE_CNT_MAX; c++) {
		snprintf(name, sizeof(name), "irqpace_line_%s", nl_counter_name(c));
		mw_family(m, name, METRICS_COUNTER, counter_help[c]);
		for (size_t i = 0; i < module->n; i++) {
			mw_sample(m, NULL);
			label_line(m, module->line[i].irq,
				   lines_find(export->lines, module->line[i].irq));
			mw_u64(m, module->line[i].counter[c]);
		}
	}
}

int export_write(FILE *out, enum metrics_format format, struct export *export)
{
	struct metrics metrics;

	mw_init(&metrics, out, format);
	write_counts(&metrics, export);
	if (export->view)
		write_measured(&metrics, export);
	if (export->module)
		write_module(&metrics, export);
	return mw_done(&metrics);
}
