// SPDX-License-Identifier: GPL-2.0-only
#include "dist.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "table.h"

#define BAR	40

static const char bar[BAR + 1] = "########################################";

static const struct table_column figures[] = {
	{ .title = "", .trunc = true },
	{ .title = "SAMPLES", .right = true },
	{ .title = "MEAN ns", .right = true },
	{ .title = "P50 ns", .right = true },
	{ .title = "P90 ns", .right = true },
	{ .title = "P99 ns", .right = true },
	{ .title = "P99.9 ns", .right = true },
	{ .title = "MAX ns", .right = true },
	{ .title = "TOTAL s", .right = true },
};

#define N_FIGURES	(sizeof(figures) / sizeof(figures[0]) - 1)

/* In the order of the columns; each column's format is below. */
static void figures_of(const struct dist *d, double *value)
{
	value[0] = (double)d->samples;
	value[1] = dist_mean_ns(d);
	value[2] = (double)dist_percentile_ns(d, 50);
	value[3] = (double)dist_percentile_ns(d, 90);
	value[4] = (double)dist_percentile_ns(d, 99);
	value[5] = (double)dist_percentile_ns(d, 99.9);
	value[6] = (double)d->max_ns;
	value[7] = d->sum_ns / 1e9;
}

static const char *const formats[N_FIGURES] = {
	"%.0f", "%.2f", "%.0f", "%.0f", "%.0f", "%.0f", "%.0f", "%.6g",
};

static void figures_row(struct table *t, const char *name, const double *value,
			const char *const *format)
{
	const char *cells[N_FIGURES + 1] = { name };
	char text[N_FIGURES][40];

	for (size_t i = 0; i < N_FIGURES; i++) {
		snprintf(text[i], sizeof(text[i]), format[i], value[i]);
		cells[i + 1] = isfinite(value[i]) ? text[i] : NULL;
	}
	table_row(t, cells);
}

int dist_print_figures(const struct dist *dist, size_t n)
{
	struct table *t = table_new(figures, N_FIGURES + 1);
	double value[N_FIGURES];
	int ret;

	for (size_t i = 0; i < n; i++) {
		figures_of(&dist[i], value);
		figures_row(t, dist[i].name, value, formats);
	}
	ret = table_print(t);
	table_free(t);
	return ret;
}

/* And what the second has of the first. */
static int print_two(const struct dist *dist)
{
	static const char *const plain[N_FIGURES] = {
		"%.4f", "%.4f", "%.4f", "%.4f", "%.4f", "%.4f", "%.4f", "%.4f",
	};
	struct table *t = table_new(figures, N_FIGURES + 1);
	double value[2][N_FIGURES], ratio[N_FIGURES];
	int ret;

	for (size_t i = 0; i < 2; i++) {
		figures_of(&dist[i], value[i]);
		figures_row(t, dist[i].name, value[i], formats);
	}
	for (size_t i = 0; i < N_FIGURES; i++)
		ratio[i] = value[1][i] / value[0][i];
	figures_row(t, "second to first", ratio, plain);
	ret = table_print(t);
	table_free(t);
	return ret;
}

static const char *bar_of(double part)
{
	size_t len = (size_t)lround(part * BAR);

	return bar + BAR - (len > BAR ? BAR : len);
}

int dist_print_slots(const struct dist *d)
{
	static const struct table_column columns[] = {
		{ .title = "FROM ns", .right = true },
		{ .title = "TO ns", .right = true },
		{ .title = "SAMPLES", .right = true },
		{ .title = "%", .right = true },
		{ .title = "UP TO HERE %", .right = true },
		{ .title = "", .trunc = true },
	};
	struct table *t = table_new(columns, 6);
	uint64_t seen = 0, most = 1;
	int ret;

	for (size_t i = 0; i < d->n; i++)
		if (d->slot[i].count > most)
			most = d->slot[i].count;
	for (size_t i = 0; i < d->n; i++) {
		const struct dist_slot *s = &d->slot[i];
		char from[24], to[24], count[24], share[24], sum[24];

		seen += s->count;
		snprintf(from, sizeof(from), "%" PRIu64, s->low_ns);
		snprintf(to, sizeof(to), "%" PRIu64, s->high_ns);
		snprintf(count, sizeof(count), "%" PRIu64, s->count);
		snprintf(share, sizeof(share), "%.3f", 100.0 * (double)s->count / (double)d->samples);
		snprintf(sum, sizeof(sum), "%.4f", 100.0 * (double)seen / (double)d->samples);
		table_row(t, (const char *[]){ from, to, count, share, sum,
					       bar_of((double)s->count / (double)most) });
	}
	ret = table_print(t);
	table_free(t);
	return ret;
}

static unsigned int octave(uint64_t ns)
{
	return ns ? 64 - (unsigned int)__builtin_clzll(ns) : 0;
}

/* Two files need not share their slots, so they meet in powers of two. */
static int print_octaves(const struct dist *dist)
{
	static const struct table_column columns[] = {
		{ .title = "FROM ns", .right = true },
		{ .title = "FIRST %", .right = true },
		{ .title = "SECOND %", .right = true },
		{ .title = "FIRST" },
		{ .title = "SECOND" },
	};
	struct table *t = table_new(columns, 5);
	double part[2][65] = { 0 };
	int ret;

	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < dist[k].n; i++)
			part[k][octave(dist[k].slot[i].avg_ns)] +=
				(double)dist[k].slot[i].count / (double)dist[k].samples;
	for (unsigned int o = 0; o < 65; o++) {
		char from[24], first[24], second[24];

		if (!(part[0][o] > 0) && !(part[1][o] > 0))
			continue;
		snprintf(from, sizeof(from), "%" PRIu64, o ? (uint64_t)1 << (o - 1) : 0);
		snprintf(first, sizeof(first), "%.4f", 100 * part[0][o]);
		snprintf(second, sizeof(second), "%.4f", 100 * part[1][o]);
		table_row(t, (const char *[]){ from, first, second, bar_of(part[0][o]),
					       bar_of(part[1][o]) });
	}
	ret = table_print(t);
	table_free(t);
	return ret;
}

int dist_print_table(const struct dist *dist, size_t n)
{
	if (n == 2 ? print_two(dist) : dist_print_figures(dist, n))
		return -1;
	putchar('\n');
	return n == 2 ? print_octaves(dist) : dist_print_slots(dist);
}
