/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A streaming writer of metrics, in one of two formats that differ in how a
 * counter is introduced:
 *
 *	Prometheus	# TYPE irqpace_interrupts_total counter
 *	OpenMetrics	# TYPE irqpace_interrupts counter
 *			irqpace_interrupts_total{irq="24"} 11
 *
 * promtool and node_exporter's textfile collector read the first, and take a
 * counter of the second for one without type and help; a reader of OpenMetrics
 * refuses the first. Names, units, labels and the closing "# EOF", by which a
 * whole file is known, are those of OpenMetrics in both.
 *
 * A family begins with mw_family(); each sample is mw_sample(), its labels, and
 * one of the values.
 */
#ifndef IRQPACE_METRICS_H
#define IRQPACE_METRICS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum metrics_format { METRICS_PROMETHEUS, METRICS_OPENMETRICS };
enum metrics_type { METRICS_COUNTER, METRICS_GAUGE, METRICS_HISTOGRAM, METRICS_INFO };

struct metrics {
	FILE *out;
	enum metrics_format format;
	enum metrics_type type;	/* of the family that is being written */
	const char *family;
	bool labels;		/* of the sample that is being written: it has some */
};

void mw_init(struct metrics *metrics, FILE *out, enum metrics_format format);
/* NAME without "_total", "_info"; its unit is what follows the last '_' if that is "seconds". */
void mw_family(struct metrics *metrics, const char *name, enum metrics_type type,
	       const char *help);
/* PART: "bucket", "sum" or "count" of a histogram, NULL of any other. */
void mw_sample(struct metrics *metrics, const char *part);
/* VALUE is made valid UTF-8, as jw_string() does; a label that is NULL is left out. */
void mw_label(struct metrics *metrics, const char *name, const char *value);
void mw_label_u64(struct metrics *metrics, const char *name, uint64_t value);
/* Nanoseconds in seconds, exact. */
void mw_label_ns(struct metrics *metrics, const char *name, uint64_t ns);
void mw_u64(struct metrics *metrics, uint64_t value);
void mw_ns(struct metrics *metrics, uint64_t ns);
/* Ends the text and flushes; -1 where anything could not be written. */
int mw_done(struct metrics *metrics);

#endif
