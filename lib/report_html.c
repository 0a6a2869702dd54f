// SPDX-License-Identifier: GPL-2.0-only
/*
 * The report: one file, no script, nothing fetched. It is well-formed XML as
 * well, so that a test can check it.
 */
#include "report.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Each colour for a light and for a dark ground. */
static const char * const colours[REPORT_COLOURS][2] = {
	{ "#75808c", "#98a3b0" }, { "#1f5fbf", "#6ea8ff" },
	{ "#b5451b", "#ff9a6b" }, { "#c78500", "#f5c04e" },
	{ "#0f7d5c", "#3fd0a0" }, { "#8a3fc0", "#c79bff" },
	{ "#c01f6e", "#ff85bb" }, { "#55700a", "#b2d648" },
	{ "#00738c", "#52cfe8" }, { "#7d5430", "#d6ac84" },
	{ "#4a4fa8", "#a3a8ff" }, { "#8c1d2c", "#ff8d96" },
};

static const char style[] =
	":root{color-scheme:light dark;--ink:#1c2127;--soft:#5b6570;--line:#d9dee4;--page:#fff;--panel:#f6f8fa;--good:#d8f0e3;--better:#b5e3cb;--bad:#fbe2d6;--worse:#f5c1ab}\n"
	"@media(prefers-color-scheme:dark){:root{--ink:#e4e8ec;--soft:#9aa5b1;--line:#39424c;--page:#14181d;--panel:#1c2229;--good:#17392b;--better:#1c5a40;--bad:#472a1e;--worse:#6b3420}}\n"
	"body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--page);margin:0 auto;padding:24px;max-width:1180px}\n"
	"h1{font-size:26px;margin:0 0 4px}h2{font-size:20px;margin:36px 0 8px}h3{font-size:16px;margin:28px 0 8px}h4{font-size:13px;margin:0 0 4px;color:var(--soft);font-weight:600}\n"
	"p{max-width:80ch}code{font-size:13px;overflow-wrap:anywhere}.soft{color:var(--soft)}\n"
	".verdict{max-width:86ch;background:var(--panel);border-left:4px solid var(--soft);padding:4px 18px;border-radius:4px}\n"
	".charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,430px),1fr));gap:14px}\n"
	".charts>div{background:var(--panel);border-radius:6px;padding:12px}svg{width:100%;display:block}\n"
	".wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:13px;margin:12px 0}\n"
	"th,td{padding:3px 10px;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}\n"
	"th:first-child,td:first-child{text-align:left}thead th{vertical-align:bottom;border-bottom:2px solid var(--line)}thead small{font-weight:400;color:var(--soft)}\n"
	"td.g1{background:var(--good)}td.g2{background:var(--better)}td.b1{background:var(--bad)}td.b2{background:var(--worse)}tr.key td{font-weight:600}\n"
	"svg text{font:12px system-ui,sans-serif;fill:var(--ink)}svg .n{text-anchor:end}svg .m{text-anchor:middle}svg .q{fill:var(--soft)}\n"
	"svg .w{stroke:var(--ink);stroke-width:1.2;fill:none;opacity:.75}svg .r{stroke:var(--soft);stroke-dasharray:3 3;fill:none}svg .g{stroke:var(--line);fill:none}\n"
	"svg .l{fill:none;stroke-width:2.2;stroke-linejoin:round}\n";

static void put_style(struct bench_text *out)
{
	bench_printf(out, "<style>\n%s", style);
	for (size_t i = 0; i < REPORT_COLOURS; i++)
		bench_printf(out, ".c%zu{fill:%s}.l.c%zu{fill:none;stroke:%s}", i,
			     colours[i][0], i, colours[i][0]);
	bench_printf(out, "\n@media(prefers-color-scheme:dark){");
	for (size_t i = 0; i < REPORT_COLOURS; i++)
		bench_printf(out, ".c%zu{fill:%s}.l.c%zu{fill:none;stroke:%s}", i,
			     colours[i][1], i, colours[i][1]);
	bench_printf(out, "}\n</style>\n");
}

static void put_head(struct bench_text *out, const struct bench_set *set)
{
	bench_printf(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
		     "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"/>\n"
		     "<title>irqpace bench, Linux ");
	report_escape(out, set->kernel);
	bench_printf(out, "</title>\n");
	put_style(out);
	bench_printf(out, "</head>\n<body>\n<h1>Interrupt policies compared</h1>\n<p class=\"soft\">Linux ");
	report_escape(out, set->kernel);
	if (set->fio && set->fio[0]) {
		bench_printf(out, ", ");
		report_escape(out, set->fio);
	}
	bench_printf(out, ". ");
	report_escape(out, report_mode_note(set->mode));
	bench_printf(out, "</p>\n");
	if (set->command) {
		bench_printf(out, "<p><code>");
		report_escape(out, set->command);
		bench_printf(out, "</code></p>\n");
	}
}

/* The choice itself stands out; what follows are its reasons. */
static void put_first(struct bench_text *out, char **para)
{
	char *end = strstr(*para, ". ");

	if (!end || !strncmp(*para, "How ", 4))
		return;
	end[1] = 0;
	bench_printf(out, "<strong>");
	report_escape(out, *para);
	bench_printf(out, "</strong> ");
	*para = end + 2;
}

static void put_verdict(struct bench_text *out, const struct bench_set *set)
{
	char *verdict = bench_verdict(set), *rest = verdict, *para;

	bench_printf(out, "<h2>Which policy for each line</h2>\n<div class=\"verdict\">\n");
	while ((para = strsep(&rest, "\n"))) {
		if (!*para)
			continue;
		bench_printf(out, "<p>");
		put_first(out, &para);
		report_escape(out, para);
		bench_printf(out, "</p>\n");
	}
	bench_printf(out, "</div>\n");
	free(verdict);
}

static const char *tint(double ratio)
{
	if (ratio >= 1.1)
		return " class=\"g2\"";
	if (ratio >= 1 + BENCH_TIE)
		return " class=\"g1\"";
	if (ratio < 0.8)
		return " class=\"b2\"";
	if (ratio < 1 - BENCH_LOSS_MAX)
		return " class=\"b1\"";
	return "";
}

static const struct bench_row *find(const struct report_block *block,
				    const struct bench_row *like)
{
	for (size_t i = 0; i < block->len; i++)
		if (bench_is_policy(block->rows[i], like->policy) &&
		    json_equal(block->rows[i]->params, like->params))
			return block->rows[i];
	return NULL;
}

/* A column for each row of the block: policy and, small, its parameters. */
static void put_columns(struct bench_text *out, const struct report_block *block)
{
	char top[64], bottom[64];

	bench_printf(out, "<div class=\"wide\"><table>\n<thead><tr><th></th>");
	for (size_t i = 0; i < block->len; i++) {
		bench_row_label(block->rows[i], top, bottom, sizeof(top));
		bench_printf(out, "<th>");
		report_escape(out, top);
		bench_printf(out, "<br/><small>");
		report_escape(out, bottom);
		bench_printf(out, "</small></th>");
	}
	bench_printf(out, "</tr></thead>\n<tbody>\n");
}

/* All blocks at a glance: a line for each, a column for each policy. */
static void put_overview(struct bench_text *out,
			 const struct report_blocks *blocks)
{
	const struct report_block *widest = &blocks->list[0];
	bool native = false;
	char cell[64], title[256];

	for (size_t i = 0; i < blocks->len; i++) {
		if (blocks->list[i].len > widest->len)
			widest = &blocks->list[i];
		for (size_t j = 0; j < blocks->list[i].len; j++)
			native |= !isnan(blocks->list[i].rows[j]->ratio_to_native);
	}
	bench_printf(out, "<h2>IOPS as a ratio to %s</h2>\n", native ? "native" : "hard");
	put_columns(out, widest);
	for (size_t b = 0; b < blocks->len; b++) {
		const struct report_block *block = &blocks->list[b];

		report_title(block->rows[0], title, sizeof(title));
		bench_printf(out, "<tr><td>");
		report_escape(out, title);
		bench_printf(out, "</td>");
		for (size_t i = 0; i < widest->len; i++) {
			const struct bench_row *row = find(block, widest->rows[i]);
			double ratio = NAN;

			if (row)
				ratio = native ? row->ratio_to_native :
						 row->ratio_to_hard;
			report_print(ratio, REPORT_RATIO, cell, sizeof(cell));
			bench_printf(out, "<td%s>%s</td>", tint(ratio), cell);
		}
		bench_printf(out, "</tr>\n");
	}
	bench_printf(out, "</tbody></table></div>\n");
}

static const struct report_metric *metric(size_t off)
{
	for (size_t i = 0; i < report_metrics_len; i++)
		if (report_metrics[i].off == off)
			return &report_metrics[i];
	return NULL;
}

static void put_chart(struct bench_text *out, const struct bench_set *set,
		      const struct report_block *block, size_t off,
		      const char *title)
{
	const struct report_metric *m = metric(off);

	if (!m || !report_has(block, m))
		return;
	bench_printf(out, "<div><h4>%s</h4>\n", title);
	report_svg_bars(out, set, block, m, title);
	bench_printf(out, "</div>\n");
}

static void put_table(struct bench_text *out, const struct report_block *block)
{
	char cell[64];

	put_columns(out, block);
	for (size_t m = 0; m < report_metrics_len; m++) {
		const struct report_metric *metric = &report_metrics[m];

		if (!metric->always && !report_has(block, metric))
			continue;
		bench_printf(out, "<tr%s><td>%s</td>",
			     metric->off == offsetof(struct bench_row, iops_mean) ?
			     " class=\"key\"" : "", metric->name);
		for (size_t i = 0; i < block->len; i++) {
			report_print(report_value(block->rows[i], metric),
				     metric->unit, cell, sizeof(cell));
			bench_printf(out, "<td>%s</td>", cell);
		}
		bench_printf(out, "</tr>\n");
	}
	bench_printf(out, "</tbody></table></div>\n");
}

static void put_block(struct bench_text *out, const struct bench_set *set,
		      const struct report_block *block)
{
	size_t mark;
	char title[256];

	report_title(block->rows[0], title, sizeof(title));
	bench_printf(out, "<h3>");
	report_escape(out, title);
	bench_printf(out, "</h3>\n");
	if (block->rows[0]->lines) {
		bench_printf(out, "<p class=\"soft\">");
		report_escape(out, block->rows[0]->lines);
		bench_printf(out, "</p>\n");
	}
	bench_printf(out, "<div class=\"charts\">\n");
	put_chart(out, set, block, offsetof(struct bench_row, iops_mean),
		  "Mean IOPS (whiskers: lowest and highest sample)");
	mark = out->len;
	bench_printf(out, "<div><h4>Latency by percentile</h4>\n");
	if (report_svg_latency(out, set, block))
		bench_printf(out, "</div>\n");
	else
		out->len = mark;
	put_chart(out, set, block,
		  offsetof(struct bench_row, interrupts_per_io),
		  "Interrupts per I/O");
	put_chart(out, set, block,
		  offsetof(struct bench_row, residency_p99_us),
		  "Residency in hard interrupt context, p99, us");
	put_chart(out, set, block, offsetof(struct bench_row, taken_per_io),
		  "All interrupts per I/O, timers included, counted from outside");
	put_chart(out, set, block, offsetof(struct bench_row, victim_max_us),
		  "Worst delay of a real-time task on the line's CPU, us");
	bench_printf(out, "</div>\n");
	put_table(out, block);
}

static int write_out(const struct bench_text *out, const char *file,
		     struct errmsg *err)
{
	char tmp[4096];
	FILE *to;

	snprintf(tmp, sizeof(tmp), "%s.new", file);
	to = fopen(tmp, "w");
	if (!to)
		return err_fail(err, "%s: %s", tmp, strerror(errno));
	fwrite(out->buf, 1, out->len, to);
	if (fflush(to) || ferror(to) || fclose(to) || rename(tmp, file)) {
		err_fail(err, "%s: %s", file, strerror(errno));
		unlink(tmp);
		return -1;
	}
	return 0;
}

int report_html(const struct bench_set *set, const char *file,
		struct errmsg *err)
{
	struct report_blocks blocks;
	struct bench_text out = { 0 };
	int ret;

	if (!set->len)
		return err_fail(err, "no rows to report");
	report_blocks(set, &blocks);
	put_head(&out, set);
	put_verdict(&out, set);
	put_overview(&out, &blocks);
	bench_printf(&out, "<h2>Each run</h2>\n<p class=\"soft\">The dashed line is native. A dash in a table means not measured.</p>\n");
	for (size_t i = 0; i < blocks.len; i++)
		put_block(&out, set, &blocks.list[i]);
	bench_printf(&out, "</body>\n</html>\n");
	ret = write_out(&out, file, err);
	free(out.buf);
	report_blocks_free(&blocks);
	return ret;
}
