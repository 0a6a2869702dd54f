// SPDX-License-Identifier: GPL-2.0-only
/* From samples to a row: how the runs of one policy are put together. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double curve[] = {
	1, 5, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 99.95, 99.99,
};

void bench_irq_init(struct bench_irq *irq)
{
	memset(irq, 0, sizeof(*irq));
	irq->interrupts = irq->handler_runs = irq->rounds = NAN;
	irq->parked = irq->starved = NAN;
	irq->residency_max_us = irq->pause_mean_us = NAN;
}

void bench_irq_free(struct bench_irq *irq)
{
	bench_hist_free(&irq->residency);
}

void bench_sample_init(struct bench_sample *sample)
{
	memset(sample, 0, sizeof(*sample));
	bench_irq_init(&sample->irq);
	sample->victim_p999_us = sample->victim_max_us = NAN;
}

void bench_sample_free(struct bench_sample *sample)
{
	bench_fio_free(&sample->fio);
	bench_irq_free(&sample->irq);
}

/*
 * A sum or a mean is only there where every sample has the figure: of two
 * runs, one of them unknown, nothing is known about both together.
 */
static double sum(const struct bench_sample *s, size_t len, size_t off)
{
	double total = 0;

	for (size_t i = 0; i < len; i++)
		total += *(const double *)((const char *)&s[i] + off);
	return total;
}

static double weighted(const struct bench_sample *s, size_t len, size_t off,
		       size_t weight_off)
{
	double total = 0, weights = 0;

	for (size_t i = 0; i < len; i++) {
		double w = *(const double *)((const char *)&s[i] + weight_off);

		total += w * *(const double *)((const char *)&s[i] + off);
		weights += w;
	}
	return total / weights;
}

static double highest(const struct bench_sample *s, size_t len, size_t off)
{
	double best = NAN;

	for (size_t i = 0; i < len; i++) {
		double v = *(const double *)((const char *)&s[i] + off);

		if (isnan(v))
			return NAN;
		if (isnan(best) || v > best)
			best = v;
	}
	return best;
}

static double lowest(const struct bench_sample *s, size_t len, size_t off)
{
	double best = NAN;

	for (size_t i = 0; i < len; i++) {
		double v = *(const double *)((const char *)&s[i] + off);

		if (isnan(v))
			return NAN;
		if (isnan(best) || v < best)
			best = v;
	}
	return best;
}

#define AT(member) offsetof(struct bench_sample, member)

static int fill_latency(struct bench_row *row, const struct bench_sample *s,
			size_t len)
{
	struct bench_hist lat = { 0 };
	int ret = 0;

	row->lat_mean_us = weighted(s, len, AT(fio.lat_mean_us), AT(fio.ios));
	for (size_t i = 0; i < len && !ret; i++) {
		if (!s[i].fio.lat.len) {
			/* Percentiles of several runs cannot be put together
			 * without their histograms.
			 */
			bench_hist_free(&lat);
			if (len == 1) {
				row->lat_p50_us = s[0].fio.p50_us;
				row->lat_p99_us = s[0].fio.p99_us;
				row->lat_p999_us = s[0].fio.p999_us;
			}
			return 0;
		}
		ret = bench_hist_merge(&lat, &s[i].fio.lat);
	}
	row->lat_p50_us = bench_hist_percentile_us(&lat, 50);
	row->lat_p99_us = bench_hist_percentile_us(&lat, 99);
	row->lat_p999_us = bench_hist_percentile_us(&lat, 99.9);
	for (size_t i = 0; i < sizeof(curve) / sizeof(curve[0]); i++) {
		double us = bench_hist_percentile_us(&lat, curve[i]);

		if (!isnan(us))
			row->points[row->points_len++] =
				(struct bench_point){ curve[i], us };
	}
	bench_hist_free(&lat);
	return ret;
}

static int fill_residency(struct bench_row *row, const struct bench_sample *s,
			  size_t len)
{
	struct bench_hist all = { 0 };
	int ret = 0;

	for (size_t i = 0; i < len && !ret; i++)
		ret = bench_hist_merge(&all, &s[i].irq.residency);
	row->residency_p99_us = bench_hist_percentile_us(&all, 99);
	row->residency_max_us = highest(s, len, AT(irq.residency_max_us));
	/* A bucket's upper end can lie above the exact maximum. */
	if (row->residency_p99_us > row->residency_max_us)
		row->residency_p99_us = row->residency_max_us;
	bench_hist_free(&all);
	return ret;
}

int bench_row_fill(struct bench_row *row, struct bench_sample *s, size_t len,
		   struct errmsg *err)
{
	if (!len || len > BENCH_PASSES_MAX)
		return err_fail(err, "between 1 and %d runs make a row, not %zu",
				BENCH_PASSES_MAX, len);
	row->ios = sum(s, len, AT(fio.ios));
	row->runtime_ms = sum(s, len, AT(fio.runtime_ms));
	/*
	 * The mean rate over all runs: I/Os over time. fio's own figure is
	 * used for one run, since its time is finer than what it prints.
	 */
	row->iops_mean = weighted(s, len, AT(fio.iops), AT(fio.runtime_ms));
	row->iops_min = lowest(s, len, AT(fio.iops_min));
	row->iops_max = highest(s, len, AT(fio.iops_max));
	row->bandwidth_mb_s = weighted(s, len, AT(fio.bandwidth_mb_s),
				       AT(fio.runtime_ms));
	row->cpu_usr = weighted(s, len, AT(fio.usr), AT(fio.runtime_ms));
	row->cpu_sys = weighted(s, len, AT(fio.sys), AT(fio.runtime_ms));
	row->passes_len = len;
	for (size_t i = 0; i < len; i++)
		row->passes[i] = s[i].fio.iops;
	if (len > 1)
		row->spread = (highest(s, len, AT(fio.iops)) -
			       lowest(s, len, AT(fio.iops))) / row->iops_mean;

	row->interrupts = sum(s, len, AT(irq.interrupts));
	row->handler_runs = sum(s, len, AT(irq.handler_runs));
	row->rounds = sum(s, len, AT(irq.rounds));
	row->parked = sum(s, len, AT(irq.parked));
	row->starved = sum(s, len, AT(irq.starved));
	row->pause_mean_us = weighted(s, len, AT(irq.pause_mean_us),
				      AT(fio.ios));
	row->interrupts_per_io = row->interrupts / row->ios;
	if (row->interrupts > 0)
		row->completions_per_interrupt = row->ios / row->interrupts;
	row->runs_per_io = row->handler_runs / row->ios;
	row->victim_p999_us = highest(s, len, AT(victim_p999_us));
	row->victim_max_us = highest(s, len, AT(victim_max_us));
	if (fill_latency(row, s, len) || fill_residency(row, s, len))
		return err_fail(err, "out of memory");
	return 0;
}
