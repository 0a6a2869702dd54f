// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>

#include "../lib/json.h"
#include "stat.h"

static void put_hist(struct json *json, const struct pace_hist *hist, uint64_t max_ns)
{
	uint64_t n = pace_hist_count(hist);

	if (!n) {
		jw_null(json, "mean_us");
		jw_null(json, "p50_us");
		jw_null(json, "p99_us");
		jw_null(json, "p999_us");
	} else {
		jw_double(json, "mean_us", (double)hist->sum_ns / (double)n / 1000, 4);
		jw_us(json, "p50_us", pace_hist_percentile_ns(hist, 500));
		jw_us(json, "p99_us", pace_hist_percentile_ns(hist, 990));
		jw_us(json, "p999_us", pace_hist_percentile_ns(hist, 999));
	}
	jw_us(json, "max_us", max_ns);
}

static void put_row(struct json *json, const struct stat_row *row, uint64_t interval)
{
	char address[24];

	snprintf(address, sizeof(address), "0x%" PRIx64, row->handler);
	jw_object(json, NULL);
	jw_u64(json, "irq", row->irq);
	jw_string(json, "name", row->line ? row->line->name : NULL);
	jw_string(json, "device", row->line ? line_device(row->line) : NULL);
	jw_string(json, "handler", row->handler_name);
	jw_string(json, "handler_module", row->handler_module);
	jw_string(json, "handler_address", address);
	if (row->cpu >= 0)
		jw_i64(json, "cpu", row->cpu);
	jw_bool(json, "hard_interrupt", stat_row_hard(row));
	jw_u64(json, "runs", row->runs);
	jw_double(json, "runs_per_s", stat_per_second((double)row->runs, interval), 3);
	jw_u64(json, "time_ns", stat_row_ns(row));
	jw_double(json, "share_percent", stat_percent(stat_row_ns(row), interval), 4);
	put_hist(json, &row->run, row->run.max_ns);
	jw_us(json, "residency_max_us", row->residency_max_ns);
	jw_u64(json, "none_runs", row->none_runs);
	jw_u64(json, "none_ns", row->none_ns);
	jw_double(json, "completions", row->completions, 3);
	jw_double(json, "completions_per_run",
		  row->runs ? row->completions / (double)row->runs : 0, 4);
	jw_end_object(json);
}

static void put_cpus(struct json *json, const struct stat_report *report)
{
	uint64_t interval = report->view.interval_ns;

	jw_array(json, "cpus");
	for (size_t i = 0; i < report->view.n_cpus; i++) {
		const struct irqstat_cpu *cpu = &report->view.cpu[i];

		if (!cpu->irq_runs && !cpu->softirq_runs)
			continue;
		jw_object(json, NULL);
		jw_u64(json, "cpu", i);
		jw_u64(json, "hard_ns", cpu->irq_ns);
		jw_double(json, "hard_percent", stat_percent(cpu->irq_ns, interval), 4);
		jw_u64(json, "softirq_ns", cpu->softirq_ns);
		jw_double(json, "softirq_percent", stat_percent(cpu->softirq_ns, interval), 4);
		jw_u64(json, "runs", cpu->irq_runs);
		jw_u64(json, "softirqs", cpu->softirq_runs);
		jw_end_object(json);
	}
	jw_end_array(json);
}

static void put_module(struct json *json, const struct stat_report *report)
{
	char policy[POLICY_BUF];

	jw_array(json, "module");
	for (size_t i = 0; i < report->module->n; i++) {
		const struct modstat_line *line = &report->module->line[i];
		struct policy brief = policy_brief(&line->policy);

		if (!stat_is_selected(report, line->irq))
			continue;
		jw_object(json, NULL);
		jw_u64(json, "irq", line->irq);
		jw_string(json, "policy", policy_print_spec(&brief, policy, sizeof(policy)));
		jw_string(json, "state", nl_state_name(line->state));
		for (uint32_t c = IRQPACE_CNT_ARRIVALS; c <= IRQPACE_CNT_MAX; c++)
			jw_u64(json, nl_counter_name(c), line->counter[c]);
		for (uint32_t h = 0; h < __IRQPACE_HIST_MAX; h++) {
			jw_object(json, nl_hist_name(h));
			jw_u64(json, "samples", pace_hist_count(&line->hist[h]));
			put_hist(json, &line->hist[h], line->hist[h].max_ns);
			jw_end_object(json);
		}
		jw_end_object(json);
	}
	jw_end_array(json);
}

int stat_print_json(const struct stat_report *report)
{
	struct json json;

	jw_init(&json, stdout);
	jw_object(&json, NULL);
	jw_u64(&json, "interval_ns", report->view.interval_ns);
	jw_array(&json, "lines");
	for (size_t i = 0; i < report->view.n; i++)
		put_row(&json, &report->view.row[i], report->view.interval_ns);
	jw_end_array(&json);
	put_cpus(&json, report);
	if (report->module)
		put_module(&json, report);
	jw_u64(&json, "runs_without_room", report->view.no_room);
	jw_u64(&json, "runs_unpaired", report->view.unpaired);
	jw_end_object(&json);
	return jw_done(&json);
}
