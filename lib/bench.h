/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What one bench run is made of. A figure that was not measured is NAN here
 * and null in JSON, never 0: a 0 in a table is always a real one.
 *
 * A sample is one fio run. A row sums up the samples of one device, workload,
 * number of jobs and policy. A set is all rows that belong together.
 */
#ifndef IRQPACE_BENCH_H
#define IRQPACE_BENCH_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "errmsg.h"
#include "policy.h"

#define BENCH_POINTS_MAX	16
#define BENCH_PASSES_MAX	64

/*
 * A percentile is given only where at least so many samples lie beyond it;
 * with fewer it would be one outlier's value with a serious name.
 */
#define BENCH_TAIL_MIN		5

/* A histogram: values v with low <= v <= high, in nanoseconds, ascending. */
struct bench_bin {
	uint64_t low_ns;
	uint64_t high_ns;
	uint64_t count;
};

struct bench_hist {
	struct bench_bin *bins;
	size_t len;
	size_t cap;
};

int bench_hist_add(struct bench_hist *hist, uint64_t low_ns, uint64_t high_ns,
		   uint64_t count);
int bench_hist_merge(struct bench_hist *into, const struct bench_hist *from);
void bench_hist_free(struct bench_hist *hist);
uint64_t bench_hist_total(const struct bench_hist *hist);
/* NAN where the tail is too thin (BENCH_TAIL_MIN); percent is 0 to 100. */
double bench_hist_percentile_us(const struct bench_hist *hist, double percent);

/* What one fio run said. */
struct bench_fio {
	double iops;
	double iops_min;
	double iops_max;
	double bandwidth_mb_s;
	double lat_mean_us;
	double usr;
	double sys;
	double ios;
	double runtime_ms;
	struct bench_hist lat;
	double p50_us;		/* fio's own, where it gave no bins */
	double p99_us;
	double p999_us;
	char version[32];
};

/* text: all that fio wrote to its standard output. */
int bench_fio_parse(const char *text, const char *workload,
		    struct bench_fio *fio, struct errmsg *err);
void bench_fio_free(struct bench_fio *fio);

/* cyclictest's JSON: its worst and its 99.9 % delay. */
int bench_victim_parse(const char *text, double *p999_us, double *max_us,
		       struct errmsg *err);

/* What the lines said about the same run. */
struct bench_irq {
	double interrupts;	/* /proc/interrupts, all lines of the device */
	double handler_runs;
	double rounds;
	double parked;
	double starved;
	double residency_max_us;
	double pause_mean_us;
	struct bench_hist residency;
};

void bench_irq_init(struct bench_irq *irq);
void bench_irq_free(struct bench_irq *irq);

struct bench_sample {
	struct bench_fio fio;
	struct bench_irq irq;
	double victim_p999_us;
	double victim_max_us;
};

void bench_sample_init(struct bench_sample *sample);
void bench_sample_free(struct bench_sample *sample);

struct bench_point {
	double percent;
	double us;
};

struct bench_row {
	char *device;
	char *lines;		/* "irq 25 (nvme0q1)", where known */
	char *workload;
	char *engine;
	char *bs;
	char *policy;
	char *pass;		/* rows of another pass are another block */
	json_t *params;		/* an object, never NULL */
	double jobs;
	double iodepth;
	double iops_min;
	double iops_max;
	double iops_mean;
	double bandwidth_mb_s;
	double lat_mean_us;
	double lat_p50_us;
	double lat_p99_us;
	double lat_p999_us;
	double cpu_usr;
	double cpu_sys;
	double ios;
	double runtime_ms;
	double interrupts;
	double interrupts_per_io;
	double completions_per_interrupt;
	double handler_runs;
	double runs_per_io;
	double rounds;
	double parked;
	double starved;
	double residency_p99_us;
	double residency_max_us;
	double pause_mean_us;
	double victim_p999_us;
	double victim_max_us;
	double taken;		/* all interrupts, counted from outside */
	double taken_per_io;
	double ratio_to_hard;
	double ratio_to_native;
	double spread;		/* (highest - lowest) / mean over the repeats */
	struct bench_point points[BENCH_POINTS_MAX];
	size_t points_len;
	double passes[BENCH_PASSES_MAX];	/* mean IOPS, in order of time */
	size_t passes_len;
};

struct bench_row *bench_row_new(void);
void bench_row_free(struct bench_row *row);
/* Everything that follows from the samples; samples[0] is the earliest. */
int bench_row_fill(struct bench_row *row, struct bench_sample *samples,
		   size_t len, struct errmsg *err);
json_t *bench_row_to_json(const struct bench_row *row);
struct bench_row *bench_row_from_json(const json_t *obj, struct errmsg *err);
/* By its name in JSON, "iops.mean"; NAN where it is unknown or no figure. */
double bench_row_figure(const struct bench_row *row, const char *name);
/* Two header lines for a column: "hybrid" and "50us/1ms". */
void bench_row_label(const struct bench_row *row, char *top, char *bottom,
		     size_t size);
/* "hybrid 50us/1ms" */
void bench_row_name(const struct bench_row *row, char *buf, size_t size);
/* Same device, workload, jobs, depth, engine, block size and pass. */
bool bench_same_block(const struct bench_row *a, const struct bench_row *b);
bool bench_is_policy(const struct bench_row *row, const char *policy);

struct bench_set {
	char *kernel;
	char *mode;		/* count, live or machine */
	char *command;
	char *fio;		/* fio's version */
	struct bench_row **rows;
	size_t len;
};

void bench_set_free(struct bench_set *set);
int bench_set_add(struct bench_set *set, struct bench_row *row);
/* Adds FILE's rows; kernel and mode must agree with what is there. */
int bench_set_load(struct bench_set *set, const char *file,
		   struct errmsg *err);
json_t *bench_set_to_json(const struct bench_set *set);
/* Through a temporary file: a whole one or none. */
int bench_set_save(const struct bench_set *set, const char *file,
		   struct errmsg *err);
void bench_set_ratios(struct bench_set *set);
/* Counts from outside (one a line, in the order of the rows) into the rows. */
int bench_set_taken(struct bench_set *set, const char *file,
		    struct errmsg *err);

/*
 * The bounds in FILE, each with SLACK (0.02), as `ok` and `not ok` lines to OUT;
 * FAILED says how many do not hold. See bench_bounds.c for their form.
 */
int bench_bounds(const struct bench_set *set, const char *file, double slack,
		 FILE *out, size_t *failed, struct errmsg *err);

/* The rules of the closing paragraph; the paragraph states them. */
#define BENCH_LOSS_MAX		0.03	/* of the base's IOPS, in any block */
#define BENCH_TIE		0.01	/* of IOPS: no difference */
#define BENCH_P99_MAX		1.25	/* times the base's p99 latency */
#define BENCH_RESIDENCY_US	100.0	/* p99, or what hard has */
#define BENCH_BATCHED		4.0	/* completions per interrupt */

/* One paragraph for each device and one on the rules; to be freed. */
char *bench_verdict(const struct bench_set *set);

/* A growing text. */
struct bench_text {
	char *buf;
	size_t len;
	size_t cap;
};

void bench_printf(struct bench_text *text, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif /* IRQPACE_BENCH_H */
