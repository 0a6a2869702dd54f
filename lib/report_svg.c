// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pictures as inline SVG. Colours are CSS classes (c0, c1, ...), so that the
 * page's own style sheet can turn them with the reader's colour scheme.
 */
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BAR_LEFT	170.0
#define BAR_WIDTH	230.0
#define BAR_STEP	24.0
#define SVG_WIDTH	470

void report_escape(struct bench_text *out, const char *text)
{
	for (; text && *text; text++) {
		switch (*text) {
		case '<':
			bench_printf(out, "&lt;");
			break;
		case '>':
			bench_printf(out, "&gt;");
			break;
		case '&':
			bench_printf(out, "&amp;");
			break;
		case '"':
			bench_printf(out, "&quot;");
			break;
		default:
			if ((unsigned char)*text >= ' ' || *text == '\n')
				bench_printf(out, "%c", *text);
		}
	}
}

static bool same_colour(const struct bench_row *a, const struct bench_row *b)
{
	return bench_is_policy(a, b->policy) && json_equal(a->params, b->params);
}

size_t report_colour(const struct bench_set *set, const struct bench_row *row)
{
	size_t colour = 1;

	/* Native is the grey one wherever it stands. */
	if (bench_is_policy(row, "native"))
		return 0;
	for (size_t i = 0; i < set->len; i++) {
		const struct bench_row *other = set->rows[i];
		bool first = true;

		if (same_colour(other, row))
			break;
		if (bench_is_policy(other, "native"))
			continue;
		for (size_t j = 0; j < i && first; j++)
			first = !same_colour(set->rows[j], other);
		colour += first;
	}
	return (colour - 1) % (REPORT_COLOURS - 1) + 1;
}

static void open_svg(struct bench_text *out, double height, const char *title,
		     const char *subject)
{
	bench_printf(out, "<svg viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"",
		     SVG_WIDTH, height);
	report_escape(out, title);
	bench_printf(out, ", ");
	report_escape(out, subject);
	bench_printf(out, "\">\n");
}

void report_svg_bars(struct bench_text *out, const struct bench_set *set,
		     const struct report_block *block,
		     const struct report_metric *metric, const char *title)
{
	bool whiskers = metric->off == offsetof(struct bench_row, iops_mean);
	double top = 0, base = NAN, y = 6;
	char name[160], value[64], subject[256];

	for (size_t i = 0; i < block->len; i++) {
		const struct bench_row *row = block->rows[i];

		top = fmax(top, report_value(row, metric));
		if (whiskers)
			top = fmax(top, row->iops_max);
		if (bench_is_policy(row, "native"))
			base = report_value(row, metric);
	}
	if (top <= 0)
		top = 1;
	report_title(block->rows[0], subject, sizeof(subject));
	open_svg(out, BAR_STEP * (double)block->len + 12, title, subject);
	for (size_t i = 0; i < block->len; i++, y += BAR_STEP) {
		const struct bench_row *row = block->rows[i];
		double v = report_value(row, metric);

		bench_row_name(row, name, sizeof(name));
		report_print(v, metric->unit, value, sizeof(value));
		bench_printf(out, "<text class=\"n\" x=\"%.0f\" y=\"%.1f\">",
			     BAR_LEFT - 8, y + 15);
		report_escape(out, name);
		bench_printf(out, "</text>\n");
		if (isnan(v)) {
			bench_printf(out, "<text class=\"q\" x=\"%.0f\" y=\"%.1f\">not measured</text>\n",
				     BAR_LEFT + 4, y + 15);
			continue;
		}
		bench_printf(out, "<rect class=\"c%zu\" x=\"%.0f\" y=\"%.1f\" width=\"%.1f\" height=\"%.0f\" rx=\"2\"><title>",
			     report_colour(set, row), BAR_LEFT, y + 3,
			     fmax(v / top * BAR_WIDTH, 1), BAR_STEP - 7);
		report_escape(out, name);
		bench_printf(out, ": %s</title></rect>\n", value);
		if (whiskers && !isnan(row->iops_min) && !isnan(row->iops_max))
			bench_printf(out, "<path class=\"w\" d=\"M%.1f %.1fH%.1fM%.1f %.1fv6M%.1f %.1fv6\"/>\n",
				     BAR_LEFT + row->iops_min / top * BAR_WIDTH,
				     y + 11.5,
				     BAR_LEFT + row->iops_max / top * BAR_WIDTH,
				     BAR_LEFT + row->iops_min / top * BAR_WIDTH,
				     y + 8.5,
				     BAR_LEFT + row->iops_max / top * BAR_WIDTH,
				     y + 8.5);
		bench_printf(out, "<text class=\"v\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
			     BAR_LEFT + BAR_WIDTH + 8, y + 15, value);
	}
	if (!isnan(base))
		bench_printf(out, "<path class=\"r\" d=\"M%.1f 4V%.1f\"/>\n",
			     BAR_LEFT + base / top * BAR_WIDTH, y + 2);
	bench_printf(out, "</svg>\n");
}

#define PLOT_LEFT	58.0
#define PLOT_TOP	10.0
#define PLOT_RIGHT	444.0
#define PLOT_BOTTOM	208.0

struct scale {
	double low;
	double high;
	double last;	/* highest percentile, on the logarithmic axis */
	bool log;
};

/* Nines are equally far apart: 90, 99, 99.9, 99.99. */
static double nines(double percent)
{
	return -log10(1 - percent / 100);
}

static double at_x(const struct scale *s, double percent)
{
	return PLOT_LEFT + nines(percent) / s->last * (PLOT_RIGHT - PLOT_LEFT);
}

static double at_y(const struct scale *s, double us)
{
	double part;

	if (s->log)
		part = log(us / s->low) / log(s->high / s->low);
	else
		part = us / s->high;
	return PLOT_BOTTOM - part * (PLOT_BOTTOM - PLOT_TOP);
}

/* 1, 2 or 5 times a power of ten, at least v. */
static double round_up(double v)
{
	double unit = pow(10, floor(log10(v)));

	for (double m = 1; m <= 5; m += m == 1 ? 1 : 3)
		if (v <= m * unit * 1.0001)
			return m * unit;
	return 10 * unit;
}

static void put_tick(struct bench_text *out, const struct scale *s, double us)
{
	double y = at_y(s, us);

	bench_printf(out, "<path class=\"g\" d=\"M%.0f %.1fH%.0f\"/><text class=\"n\" x=\"%.0f\" y=\"%.1f\">%g</text>\n",
		     PLOT_LEFT, y, PLOT_RIGHT, PLOT_LEFT - 6, y + 4, us);
}

static void axes(struct bench_text *out, const struct scale *s)
{
	static const double percents[] = { 50, 90, 99, 99.9, 99.99 };

	if (s->log) {
		for (double us = s->low; us <= s->high * 1.0001; us *= 10)
			put_tick(out, s, us);
	} else {
		for (int i = 0; i <= 5; i++)
			put_tick(out, s, s->high * i / 5);
	}
	for (size_t i = 0; i < sizeof(percents) / sizeof(percents[0]); i++) {
		double x = at_x(s, percents[i]);

		if (nines(percents[i]) > s->last * 1.0001)
			break;
		bench_printf(out, "<path class=\"g\" d=\"M%.1f %.0fV%.0f\"/><text class=\"m\" x=\"%.1f\" y=\"%.0f\">p%g</text>\n",
			     x, PLOT_TOP, PLOT_BOTTOM, x, PLOT_BOTTOM + 16,
			     percents[i]);
	}
	bench_printf(out, "<text class=\"q\" x=\"4\" y=\"%.0f\">us</text>\n",
		     PLOT_BOTTOM + 16);
}

static void curve(struct bench_text *out, const struct scale *s,
		  const struct bench_row *row, size_t colour)
{
	char name[160];

	bench_row_name(row, name, sizeof(name));
	bench_printf(out, "<path class=\"l c%zu\" d=\"", colour);
	for (size_t i = 0; i < row->points_len; i++)
		bench_printf(out, "%s%.1f %.1f", i ? "L" : "M",
			     at_x(s, row->points[i].percent),
			     at_y(s, row->points[i].us));
	bench_printf(out, "\"><title>");
	report_escape(out, name);
	bench_printf(out, "</title></path>\n");
}

bool report_svg_latency(struct bench_text *out, const struct bench_set *set,
			const struct report_block *block)
{
	struct scale s = { .low = INFINITY };
	double y = PLOT_BOTTOM + 38;
	char name[160], subject[256];
	size_t curves = 0;

	for (size_t i = 0; i < block->len; i++) {
		const struct bench_row *row = block->rows[i];

		for (size_t j = 0; j < row->points_len; j++) {
			if (row->points[j].us <= 0)
				return false;
			s.low = fmin(s.low, row->points[j].us);
			s.high = fmax(s.high, row->points[j].us);
			s.last = fmax(s.last, nines(row->points[j].percent));
		}
		curves += row->points_len > 1;
	}
	if (!curves)
		return false;
	s.log = s.high > 20 * s.low;
	if (s.log) {
		s.low = pow(10, floor(log10(s.low)));
		s.high = pow(10, ceil(log10(s.high)));
	} else {
		s.high = round_up(s.high);
	}
	report_title(block->rows[0], subject, sizeof(subject));
	open_svg(out, y + 18.0 * (double)((block->len + 1) / 2),
		 "latency by percentile", subject);
	axes(out, &s);
	for (size_t i = 0; i < block->len; i++) {
		const struct bench_row *row = block->rows[i];
		size_t colour = report_colour(set, row);
		double x = i % 2 ? 240 : 12;

		if (row->points_len > 1)
			curve(out, &s, row, colour);
		bench_row_name(row, name, sizeof(name));
		bench_printf(out, "<path class=\"l c%zu\" d=\"M%.0f %.1fh26\"/><text class=\"q\" x=\"%.0f\" y=\"%.1f\">",
			     colour, x, y + 4, x + 32, y + 8);
		report_escape(out, name);
		bench_printf(out, "</text>\n");
		if (i % 2)
			y += 18;
	}
	bench_printf(out, "</svg>\n");
	return true;
}
