// SPDX-License-Identifier: GPL-2.0-only
#include "bench.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "percentile.h"

void bench_printf(struct bench_text *text, const char *fmt, ...)
{
	va_list ap;
	int need;

	va_start(ap, fmt);
	need = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (need < 0)
		return;
	if (text->len + (size_t)need + 1 > text->cap) {
		size_t cap = (text->len + (size_t)need + 1) * 2;
		char *buf = realloc(text->buf, cap);

		if (!buf)
			abort();
		text->buf = buf;
		text->cap = cap;
	}
	va_start(ap, fmt);
	vsnprintf(text->buf + text->len, text->cap - text->len, fmt, ap);
	va_end(ap);
	text->len += (size_t)need;
}

/*
 * Keeps the bins in ascending order. Both sources (fio and the module) give
 * them in order, so the search from the end finds its place at once.
 */
int bench_hist_add(struct bench_hist *hist, uint64_t low_ns, uint64_t high_ns,
		   uint64_t count)
{
	size_t at = hist->len;

	while (at > 0 && hist->bins[at - 1].low_ns > low_ns)
		at--;
	if (at > 0 && hist->bins[at - 1].low_ns == low_ns &&
	    hist->bins[at - 1].high_ns == high_ns) {
		hist->bins[at - 1].count += count;
		return 0;
	}
	if (hist->len == hist->cap) {
		size_t cap = hist->cap ? hist->cap * 2 : 64;
		struct bench_bin *bins;

		bins = realloc(hist->bins, cap * sizeof(*bins));
		if (!bins)
			return -1;
		hist->bins = bins;
		hist->cap = cap;
	}
	memmove(&hist->bins[at + 1], &hist->bins[at],
		(hist->len - at) * sizeof(*hist->bins));
	hist->bins[at] = (struct bench_bin){ low_ns, high_ns, count };
	hist->len++;
	return 0;
}

int bench_hist_merge(struct bench_hist *into, const struct bench_hist *from)
{
	for (size_t i = 0; i < from->len; i++) {
		const struct bench_bin *bin = &from->bins[i];

		if (bench_hist_add(into, bin->low_ns, bin->high_ns, bin->count))
			return -1;
	}
	return 0;
}

void bench_hist_free(struct bench_hist *hist)
{
	free(hist->bins);
	memset(hist, 0, sizeof(*hist));
}

uint64_t bench_hist_total(const struct bench_hist *hist)
{
	uint64_t total = 0;

	for (size_t i = 0; i < hist->len; i++)
		total += hist->bins[i].count;
	return total;
}

/*
 * The upper end of the bin in which the value lies, so that a bound that holds
 * here holds. (fio gives one value for a bin, which then is both its ends.)
 */
double bench_hist_percentile_us(const struct bench_hist *hist, double percent)
{
	uint64_t total = bench_hist_total(hist);
	double beyond = (double)total * (100.0 - percent) / 100.0;
	uint64_t rank, seen = 0;

	if (!total || beyond < BENCH_TAIL_MIN - 1e-6)
		return NAN;
	rank = percentile_rank(total, percent);
	for (size_t i = 0; i < hist->len; i++) {
		seen += hist->bins[i].count;
		if (seen >= rank)
			return (double)hist->bins[i].high_ns / 1000.0;
	}
	return NAN;
}
