/* SPDX-License-Identifier: GPL-2.0-only */
/* A result set as text tables and as one self-contained HTML page. */
#ifndef IRQPACE_REPORT_H
#define IRQPACE_REPORT_H

#include "bench.h"

enum report_unit { REPORT_COUNT, REPORT_RATIO, REPORT_US, REPORT_PERCENT };

struct report_metric {
	const char *name;
	size_t off;		/* in struct bench_row */
	enum report_unit unit;
	bool always;		/* shown even where no policy has it */
};

extern const struct report_metric report_metrics[];
extern const size_t report_metrics_len;

double report_value(const struct bench_row *row,
		    const struct report_metric *metric);
/* "-" for what was not measured. */
void report_print(double v, enum report_unit unit, char *buf, size_t size);

/* The rows that stand side by side, in the order in which they were asked for. */
struct report_block {
	const struct bench_row **rows;
	size_t len;
};

struct report_blocks {
	struct report_block *list;
	size_t len;
};

void report_blocks(const struct bench_set *set, struct report_blocks *blocks);
void report_blocks_free(struct report_blocks *blocks);
bool report_has(const struct report_block *block,
		const struct report_metric *metric);
/* "nvme: randread 4k, libaio, depth 32, 8 jobs" */
void report_title(const struct bench_row *row, char *buf, size_t size);
/* What MODE lets one conclude; a whole sentence. */
const char *report_mode_note(const char *mode);

void report_table(const struct bench_set *set, struct bench_text *text);

/* A policy has the same colour in all pictures of a page. */
size_t report_colour(const struct bench_set *set, const struct bench_row *row);
#define REPORT_COLOURS	12

void report_svg_bars(struct bench_text *out, const struct bench_set *set,
		     const struct report_block *block,
		     const struct report_metric *metric, const char *title);
/* Latency over percentile; false (and nothing written) without points. */
bool report_svg_latency(struct bench_text *out, const struct bench_set *set,
			const struct report_block *block);
void report_escape(struct bench_text *out, const char *text);

int report_html(const struct bench_set *set, const char *file,
		struct errmsg *err);

#endif /* IRQPACE_REPORT_H */
