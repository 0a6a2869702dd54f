// SPDX-License-Identifier: GPL-2.0-only
/* The comparison as text, in the shape of published fio tables. */
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define METRIC(name, member, unit, always) \
	{ name, offsetof(struct bench_row, member), unit, always }

const struct report_metric report_metrics[] = {
	METRIC("min IOPS", iops_min, REPORT_COUNT, true),
	METRIC("max IOPS", iops_max, REPORT_COUNT, true),
	METRIC("mean IOPS", iops_mean, REPORT_COUNT, true),
	METRIC("ratio to hard", ratio_to_hard, REPORT_RATIO, true),
	METRIC("ratio to native", ratio_to_native, REPORT_RATIO, true),
	METRIC("spread over repeats", spread, REPORT_RATIO, false),
	METRIC("CPU usr %", cpu_usr, REPORT_PERCENT, true),
	METRIC("CPU sys %", cpu_sys, REPORT_PERCENT, true),
	METRIC("bandwidth MB/s", bandwidth_mb_s, REPORT_US, true),
	METRIC("latency mean us", lat_mean_us, REPORT_US, true),
	METRIC("latency p50 us", lat_p50_us, REPORT_US, false),
	METRIC("latency p99 us", lat_p99_us, REPORT_US, true),
	METRIC("latency p99.9 us", lat_p999_us, REPORT_US, false),
	METRIC("interrupts per I/O", interrupts_per_io, REPORT_RATIO, true),
	METRIC("I/Os per interrupt", completions_per_interrupt, REPORT_US, true),
	METRIC("handler runs per I/O", runs_per_io, REPORT_RATIO, false),
	METRIC("all interrupts per I/O", taken_per_io, REPORT_RATIO, false),
	METRIC("measured pause us", pause_mean_us, REPORT_US, false),
	METRIC("residency p99 us", residency_p99_us, REPORT_US, true),
	METRIC("longest residency us", residency_max_us, REPORT_US, true),
	METRIC("victim p99.9 us", victim_p999_us, REPORT_US, false),
	METRIC("victim worst us", victim_max_us, REPORT_US, false),
};

const size_t report_metrics_len =
	sizeof(report_metrics) / sizeof(report_metrics[0]);

double report_value(const struct bench_row *row,
		    const struct report_metric *metric)
{
	return *(const double *)((const char *)row + metric->off);
}

void report_print(double v, enum report_unit unit, char *buf, size_t size)
{
	if (isnan(v)) {
		snprintf(buf, size, "-");
		return;
	}
	switch (unit) {
	case REPORT_COUNT:
		snprintf(buf, size, "%.0f", v);
		break;
	case REPORT_RATIO:
		snprintf(buf, size, "%.3f", v);
		break;
	case REPORT_US:
		snprintf(buf, size, "%.1f", v);
		break;
	case REPORT_PERCENT:
		snprintf(buf, size, "%.2f", v);
		break;
	}
}

void report_blocks(const struct bench_set *set, struct report_blocks *blocks)
{
	memset(blocks, 0, sizeof(*blocks));
	for (size_t i = 0; i < set->len; i++) {
		const struct bench_row *row = set->rows[i];
		struct report_block *block = NULL;

		for (size_t j = 0; j < blocks->len && !block; j++)
			if (bench_same_block(blocks->list[j].rows[0], row))
				block = &blocks->list[j];
		if (!block) {
			blocks->list = realloc(blocks->list, (blocks->len + 1) *
					       sizeof(*blocks->list));
			if (!blocks->list)
				abort();
			block = &blocks->list[blocks->len++];
			memset(block, 0, sizeof(*block));
		}
		block->rows = realloc(block->rows, (block->len + 1) *
				      sizeof(*block->rows));
		if (!block->rows)
			abort();
		block->rows[block->len++] = row;
	}
}

void report_blocks_free(struct report_blocks *blocks)
{
	for (size_t i = 0; i < blocks->len; i++)
		free(blocks->list[i].rows);
	free(blocks->list);
}

bool report_has(const struct report_block *block,
		const struct report_metric *metric)
{
	for (size_t i = 0; i < block->len; i++)
		if (!isnan(report_value(block->rows[i], metric)))
			return true;
	return false;
}

void report_title(const struct bench_row *row, char *buf, size_t size)
{
	snprintf(buf, size, "%s: %s%s%s, %s, depth %g, %g job%s%s%s",
		 row->device, row->workload, row->bs ? " " : "",
		 row->bs ? row->bs : "", row->engine, row->iodepth, row->jobs,
		 row->jobs == 1 ? "" : "s", row->pass ? ", " : "",
		 row->pass ? row->pass : "");
}

const char *report_mode_note(const char *mode)
{
	if (mode && !strcmp(mode, "count"))
		return "Count mode: one guest instruction is one nanosecond, so the figures repeat and compare instruction paths; what an interrupt or a register access costs on real silicon is not in them.";
	if (mode && !strcmp(mode, "live"))
		return "Live mode: a virtual machine in real time; its times carry the noise of the host.";
	return "Real time on this machine.";
}

static size_t width_of(const struct report_block *block, size_t col)
{
	char top[64], bottom[64], cell[64];
	size_t width;

	bench_row_label(block->rows[col], top, bottom, sizeof(top));
	width = strlen(top) > strlen(bottom) ? strlen(top) : strlen(bottom);
	for (size_t i = 0; i < report_metrics_len; i++) {
		report_print(report_value(block->rows[col], &report_metrics[i]),
			     report_metrics[i].unit, cell, sizeof(cell));
		if (strlen(cell) > width)
			width = strlen(cell);
	}
	return width;
}

/* A block with many policies is cut into several of at most this width. */
#define TABLE_WIDTH	118
#define NAME_WIDTH	22

static void columns(struct bench_text *text, const struct report_block *block,
		    size_t from, size_t to)
{
	char top[64], bottom[64], cell[64];

	bench_printf(text, "%-*s", NAME_WIDTH, "");
	for (size_t i = from; i < to; i++) {
		bench_row_label(block->rows[i], top, bottom, sizeof(top));
		bench_printf(text, "  %*s", (int)width_of(block, i), top);
	}
	bench_printf(text, "\n%-*s", NAME_WIDTH, "");
	for (size_t i = from; i < to; i++) {
		bench_row_label(block->rows[i], top, bottom, sizeof(top));
		bench_printf(text, "  %*s", (int)width_of(block, i), bottom);
	}
	/* No blanks at the ends of lines. */
	while (text->len && text->buf[text->len - 1] == ' ')
		text->len--;
	bench_printf(text, "\n");
	for (size_t m = 0; m < report_metrics_len; m++) {
		const struct report_metric *metric = &report_metrics[m];

		if (!metric->always && !report_has(block, metric))
			continue;
		bench_printf(text, "%-*s", NAME_WIDTH, metric->name);
		for (size_t i = from; i < to; i++) {
			report_print(report_value(block->rows[i], metric),
				     metric->unit, cell, sizeof(cell));
			bench_printf(text, "  %*s", (int)width_of(block, i), cell);
		}
		bench_printf(text, "\n");
	}
}

static void block_table(struct bench_text *text,
			const struct report_block *block)
{
	size_t from = 0;
	char title[256];

	report_title(block->rows[0], title, sizeof(title));
	bench_printf(text, "%s", title);
	if (block->rows[0]->lines)
		bench_printf(text, "; %s", block->rows[0]->lines);
	bench_printf(text, "\n");
	while (from < block->len) {
		size_t width = NAME_WIDTH, to = from;

		while (to < block->len) {
			width += width_of(block, to) + 2;
			if (width > TABLE_WIDTH && to > from)
				break;
			to++;
		}
		columns(text, block, from, to);
		bench_printf(text, "\n");
		from = to;
	}
}

void report_table(const struct bench_set *set, struct bench_text *text)
{
	struct report_blocks blocks;
	char *verdict;

	bench_printf(text, "Linux %s. %s\n\n", set->kernel ? set->kernel : "-",
		     report_mode_note(set->mode));
	report_blocks(set, &blocks);
	for (size_t i = 0; i < blocks.len; i++)
		block_table(text, &blocks.list[i]);
	report_blocks_free(&blocks);
	verdict = bench_verdict(set);
	bench_printf(text, "%s", verdict);
	free(verdict);
}
