// SPDX-License-Identifier: GPL-2.0-only
/* Distributions for other programs: kstats, JSON, SVG. */
#include "dist.h"

#include <inttypes.h>
#include <math.h>

#include "json.h"

#define WIDTH	720.0
#define HEIGHT	320.0
#define LEFT	60.0
#define BOTTOM	60.0
#define TOP	24.0
#define PARTS	8	/* points to each power of two */
#define N_BINS	(65 * PARTS)

void dist_print_kstats(FILE *out, const struct dist *dist)
{
	uint64_t seen = 0;

	for (size_t i = 0; i < dist->n; i++) {
		const struct dist_slot *s = &dist->slot[i];
		unsigned int millionths;

		/* The format cuts p off, it does not round. */
		seen += s->count;
		millionths = (unsigned int)((double)seen / (double)dist->samples * 1e6);
		fprintf(out, "count %" PRIu64 " avg %" PRIu64 " p %u.%06u n %" PRIu64 "\n",
			s->count, s->avg_ns, millionths / 1000000, millionths % 1000000, seen);
	}
}

void dist_write_json(struct json *json, const struct dist *d)
{
	jw_object(json, NULL);
	jw_string(json, "name", d->name);
	jw_u64(json, "samples", d->samples);
	jw_double(json, "mean_ns", dist_mean_ns(d), 3);
	jw_double(json, "sum_ns", d->sum_ns, 0);
	jw_u64(json, "p50_ns", dist_percentile_ns(d, 50));
	jw_u64(json, "p90_ns", dist_percentile_ns(d, 90));
	jw_u64(json, "p99_ns", dist_percentile_ns(d, 99));
	jw_u64(json, "p999_ns", dist_percentile_ns(d, 99.9));
	jw_u64(json, "max_ns", d->max_ns);
	jw_array(json, "slots");
	for (size_t i = 0; i < d->n; i++) {
		jw_object(json, NULL);
		jw_u64(json, "low_ns", d->slot[i].low_ns);
		jw_u64(json, "high_ns", d->slot[i].high_ns);
		jw_u64(json, "avg_ns", d->slot[i].avg_ns);
		jw_u64(json, "count", d->slot[i].count);
		jw_end_object(json);
	}
	jw_end_array(json);
	jw_end_object(json);
}

int dist_print_json(FILE *out, const struct dist *dist, size_t n)
{
	struct json json;

	jw_init(&json, out);
	jw_object(&json, NULL);
	jw_array(&json, "distributions");
	for (size_t i = 0; i < n; i++)
		dist_write_json(&json, &dist[i]);
	jw_end_array(&json);
	jw_end_object(&json);
	return jw_done(&json);
}

static size_t bin_of(uint64_t ns)
{
	return ns ? (size_t)(log2((double)ns) * PARTS) : 0;
}

static void escape(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '<' || *text == '&')
			fprintf(out, "&#%d;", *text);
		else if ((unsigned char)*text >= ' ')
			fputc(*text, out);
	}
}

static void time_label(char *buf, size_t size, double ns)
{
	if (ns < 1e3)
		snprintf(buf, size, "%.0f ns", ns);
	else if (ns < 1e6)
		snprintf(buf, size, "%.0f us", ns / 1e3);
	else if (ns < 1e9)
		snprintf(buf, size, "%.0f ms", ns / 1e6);
	else
		snprintf(buf, size, "%.0f s", ns / 1e9);
}

/* Each decade that the picture has room for. */
static void put_axis(FILE *out, size_t first, size_t last)
{
	double step = (WIDTH - LEFT - 10) / (double)(last - first + 1);
	char label[32];

	for (double ns = 1; log2(ns) * PARTS < (double)last + 1; ns *= 10) {
		double x = LEFT + (log2(ns) * PARTS - (double)first) * step;

		if (x < LEFT)
			continue;
		time_label(label, sizeof(label), ns);
		fprintf(out, "<path stroke=\"#bbb\" d=\"M%.1f %.1fV%.1f\"/><text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n",
			x, TOP, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 16, label);
	}
}

static void put_curve(FILE *out, const double *part, size_t first, size_t last, double most,
		      const char *colour)
{
	double step = (WIDTH - LEFT - 10) / (double)(last - first + 1);
	double room = HEIGHT - BOTTOM - TOP;

	fprintf(out, "<path fill=\"%s\" fill-opacity=\".45\" stroke=\"%s\" d=\"M%.1f %.1f", colour,
		colour, LEFT, HEIGHT - BOTTOM);
	for (size_t b = first; b <= last; b++)
		fprintf(out, "V%.1fH%.1f", HEIGHT - BOTTOM - part[b] / most * room,
			LEFT + (double)(b - first + 1) * step);
	fprintf(out, "V%.1fZ\"/>\n", HEIGHT - BOTTOM);
}

void dist_print_svg(FILE *out, const struct dist *dist, size_t n)
{
	static const char *const colours[] = { "#1f5fbf", "#b5451b" };
	static double part[2][N_BINS];
	size_t first = N_BINS, last = 0;
	double most = 0;

	for (size_t k = 0; k < n; k++) {
		for (size_t b = 0; b < N_BINS; b++)
			part[k][b] = 0;
		for (size_t i = 0; i < dist[k].n; i++) {
			size_t b = bin_of(dist[k].slot[i].avg_ns);

			part[k][b] += (double)dist[k].slot[i].count / (double)dist[k].samples;
			most = fmax(most, part[k][b]);
			first = b < first ? b : first;
			last = b > last ? b : last;
		}
	}
	if (first > last)
		first = last;
	fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" font-family=\"system-ui,sans-serif\" font-size=\"12\">\n",
		WIDTH, HEIGHT);
	fprintf(out, "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n");
	put_axis(out, first, last);
	fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%.1f %%</text><text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">0</text>\n",
		LEFT - 6, TOP + 4, 100 * most, LEFT - 6, HEIGHT - BOTTOM + 4);
	for (size_t k = 0; k < n; k++) {
		put_curve(out, part[k], first, last, most > 0 ? most : 1, colours[k]);
		fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\">", LEFT,
			HEIGHT - 24 + 17 * (double)k, colours[k]);
		escape(out, dist[k].name);
		fprintf(out, ": %" PRIu64 " samples, mean %.2f ns</text>\n", dist[k].samples,
			dist_mean_ns(&dist[k]));
	}
	fprintf(out, "</svg>\n");
}
