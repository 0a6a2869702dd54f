// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/duration.h"
#include "../lib/nl.h"
#include "../lib/selector.h"
#include "../lib/table.h"
#include "cli.h"
#include "line_json.h"

static const char help[] =
	"Usage: irqpace show SELECTOR [--json]\n"
	"\n"
	"Everything the module knows of one line: settings, state, counters, how\n"
	"it is masked, requested and measured pause, and, while statistics are on\n"
	"(irqpace set --stats on), the percentiles of its histograms.\n"
	"\n"
	"  --json  machine-readable, see irqpace-show(1)\n"
	"  --help  this text\n";

struct view {
	struct lines lines;
	struct line *line;
	struct nl_status status;
	bool attached;
	char rule[SELECTOR_BUF];	/* the selector that decides, "" for none */
	bool has_hist[__IRQPACE_HIST_MAX];
	struct nl_hist hist[__IRQPACE_HIST_MAX];
};

static const double percents[] = { 50, 90, 99, 99.9 };
static const char *const percent_keys[] = { "p50_us", "p90_us", "p99_us", "p999_us" };
#define N_PERCENTS (sizeof(percents) / sizeof(percents[0]))

static bool has_samples(const struct view *v, enum irqpace_hist which)
{
	return v->has_hist[which] && v->hist[which].samples;
}

/* For each line the last matching rule decides. */
static int find_rule(struct nl *nl, struct view *v, struct errmsg *err)
{
	struct nl_rules rules;

	if (nl_rules(nl, &rules, err))
		return -1;
	for (size_t i = rules.n; i-- && !*v->rule;)
		if (selector_match(rules.rule[i].selector, v->line))
			selector_print(rules.rule[i].selector, v->rule,
				       sizeof(v->rule));
	nl_rules_free(&rules);
	return 0;
}

static void load(struct view *v, const char *selector)
{
	struct errmsg err;
	struct nl *nl;

	if (nl_open(&nl, &err) || lines_load(NULL, &v->lines, &err) ||
	    selector_find_one(selector, &v->lines, NULL, &v->line, &err) ||
	    nl_status(nl, &v->status, &err) ||
	    find_rule(nl, v, &err))
		die_err(&err);
	v->attached = v->line->module && v->line->module->attached;
	for (unsigned int i = 0; v->attached && i < __IRQPACE_HIST_MAX; i++) {
		v->has_hist[i] = !nl_hist(nl, v->line->irq,
					  (enum irqpace_hist)i, &v->hist[i],
					  &err);
		/* Nothing was recorded for it: that is no failure of show. */
		if (!v->has_hist[i] && err.sys_errno != ENOENT &&
		    err.sys_errno != ENODATA)
			die_err(&err);
	}
	nl_close(nl);
}

static void unload(struct view *v)
{
	for (unsigned int i = 0; i < __IRQPACE_HIST_MAX; i++)
		nl_hist_free(&v->hist[i]);
	lines_free(&v->lines);
}

static void field(const char *name, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void field(const char *name, const char *fmt, ...)
{
	va_list ap;

	printf("%-20s ", name);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

static const char *or_dash(const char *text)
{
	return text ? text : "-";
}

/* What a pause does to arrivals, as a sentence. */
static const char *masking_text(const struct line *line)
{
	switch (line->module->masking) {
	case IRQPACE_MASKING_POSTED:
		return "posted (the mask bit is written and not read back)";
	case IRQPACE_MASKING_FLUSHED:
		return "flushed (the mask bit is written and read back)";
	case IRQPACE_MASKING_LEVEL:
		return "level (masked at the first arrival of a pause)";
	}
	if (line->chip && strstr(line->chip, "MSI"))
		return "none (this MSI cannot be masked: arrivals go on while the line is paused, and are parked)";
	return "none (this line would forget what arrives while it is masked: arrivals go on while it is paused, and are parked)";
}

static void print_identity(const struct view *v)
{
	const struct line *line = v->line;
	const struct nl_line *m = line->module;

	field("irq", "%u (%s)", line->irq,
	      line->name ? line->name : "no driver has requested it");
	for (size_t i = 0; i < line->n_devices; i++) {
		const struct line_device *d = &line->devices[i];

		printf("%-20s %s, driver %s", "device", or_dash(d->name),
		       or_dash(d->driver));
		if (d->vector >= 0)
			printf(", vector %ld", d->vector);
		putchar('\n');
	}
	for (size_t i = 0; m && i < m->n_actions; i++)
		field("handler", "%s [%s], %s", or_dash(m->action[i].handler),
		      m->action[i].module ? m->action[i].module : "built in",
		      or_dash(m->action[i].name));
	field("chip", "%s, %s", or_dash(line->chip), or_dash(line->type));
	field("affinity", "%s, effective %s", or_dash(line->affinity),
	      or_dash(line->effective_affinity));
	field("interrupts", "%" PRIu64, line_total(&v->lines, line));
}

static void print_pause(const struct view *v)
{
	const struct nl_hist *pause = &v->hist[IRQPACE_HIST_PAUSE];
	const struct policy *p = &v->line->module->settings;
	char requested[DURATION_BUF] = "none";

	if (p->delay_ns)
		duration_print(p->delay_ns, requested, sizeof(requested));
	if (has_samples(v, IRQPACE_HIST_PAUSE))
		field("pause", "requested %s, measured %.1fus on average, %.1fus at p99 (%" PRIu64 " pauses)",
		      requested, nl_hist_mean_ns(pause) / 1000,
		      (double)nl_hist_percentile(pause, 99) / 1000,
		      pause->samples);
	else
		field("pause", "requested %s, measured -", requested);
}

static int print_histograms(const struct view *v)
{
	static const struct table_column columns[] = {
		{ .title = "HISTOGRAM" },
		{ .title = "SAMPLES", .right = true },
		{ .title = "MEAN us", .right = true },
		{ .title = "p50", .right = true },
		{ .title = "p90", .right = true },
		{ .title = "p99", .right = true },
		{ .title = "p99.9", .right = true },
		{ .title = "MAX", .right = true },
	};
	enum { N_COLUMNS = sizeof(columns) / sizeof(columns[0]) };
	struct table *table = table_new(columns, N_COLUMNS);
	int rc;

	for (unsigned int i = 0; i < __IRQPACE_HIST_MAX; i++) {
		const struct nl_hist *h = &v->hist[i];
		char text[N_COLUMNS][24];
		const char *cells[N_COLUMNS];

		if (!has_samples(v, (enum irqpace_hist)i))
			continue;
		snprintf(text[0], sizeof(text[0]), "%s", nl_hist_name(i));
		snprintf(text[1], sizeof(text[1]), "%" PRIu64, h->samples);
		snprintf(text[2], sizeof(text[2]), "%.3f",
			 nl_hist_mean_ns(h) / 1000);
		for (size_t p = 0; p < N_PERCENTS; p++)
			snprintf(text[3 + p], sizeof(text[0]), "%.3f",
				 (double)nl_hist_percentile(h, percents[p]) / 1000);
		snprintf(text[7], sizeof(text[7]), "%.3f",
			 (double)h->max_ns / 1000);
		for (size_t c = 0; c < N_COLUMNS; c++)
			cells[c] = text[c];
		table_row(table, cells);
	}
	rc = table_print(table);
	table_free(table);
	return rc;
}

static int print_text(const struct view *v)
{
	const struct nl_line *m = v->line->module;
	struct policy brief;
	char policy[POLICY_BUF];
	bool any = false;

	print_identity(v);
	if (!v->attached) {
		field("policy", "%s", or_dash(line_policy(&v->lines, v->line)));
		field("attachable", "%s%s%s",
		      v->line->attachable == LINE_UNKNOWN ? "-" :
		      v->line->attachable == LINE_YES ? "yes" : "no",
		      v->line->reason ? ": " : "",
		      v->line->reason ? v->line->reason : "");
		return 0;
	}
	brief = policy_brief(&m->settings);
	field("policy", "%s", policy_print(&brief, policy, sizeof(policy)));
	field("rule", "%s", *v->rule ? v->rule : "-");
	if (m->has_state)
		field("state", "%s", nl_state_name(m->state));
	if (m->has_masking)
		field("masking", "%s", masking_text(v->line));
	print_pause(v);
	field("memory", "%u bytes", m->memory_bytes);
	for (uint32_t i = IRQPACE_CNT_ARRIVALS;
	     m->has_counters && i <= IRQPACE_CNT_MAX; i++)
		field(nl_counter_name(i), "%" PRIu64, m->counter[i]);
	for (unsigned int i = 0; i < __IRQPACE_HIST_MAX; i++)
		any |= has_samples(v, (enum irqpace_hist)i);
	field("statistics", "%s%s", v->status.stats ? "on" : "off",
	      any && !v->status.stats ? " (what follows was seen before)" : "");
	return any ? print_histograms(v) : 0;
}

static void hist_json(struct json *json, const char *key,
		      const struct nl_hist *h)
{
	jw_object(json, key);
	jw_u64(json, "samples", h->samples);
	jw_double(json, "mean_us", nl_hist_mean_ns(h) / 1000, 3);
	for (size_t p = 0; p < N_PERCENTS; p++)
		jw_us(json, percent_keys[p], nl_hist_percentile(h, percents[p]));
	jw_us(json, "max_us", h->max_ns);
	jw_end_object(json);
}

static int print_json(const struct view *v)
{
	const struct nl_hist *pause = &v->hist[IRQPACE_HIST_PAUSE];
	struct json json;

	jw_init(&json, stdout);
	jw_object(&json, NULL);
	line_json(&json, &v->lines, v->line);
	jw_bool(&json, "attached", v->attached);
	jw_bool(&json, "statistics", v->status.stats);
	if (v->attached) {
		jw_string(&json, "rule", *v->rule ? v->rule : NULL);
		jw_object(&json, "pause");
		if (v->line->module->settings.delay_ns)
			jw_us(&json, "requested_us",
				v->line->module->settings.delay_ns);
		else
			jw_null(&json, "requested_us");
		if (has_samples(v, IRQPACE_HIST_PAUSE)) {
			jw_double(&json, "measured_mean_us",
				    nl_hist_mean_ns(pause) / 1000, 3);
			jw_us(&json, "measured_p99_us",
				nl_hist_percentile(pause, 99));
		} else {
			jw_null(&json, "measured_mean_us");
			jw_null(&json, "measured_p99_us");
		}
		jw_end_object(&json);
		jw_object(&json, "histograms");
		for (unsigned int i = 0; i < __IRQPACE_HIST_MAX; i++) {
			if (has_samples(v, (enum irqpace_hist)i))
				hist_json(&json, nl_hist_name(i), &v->hist[i]);
			else
				jw_null(&json, nl_hist_name(i));
		}
		jw_end_object(&json);
	}
	jw_end_object(&json);
	return jw_done(&json);
}

int cmd_show(int argc, char **argv)
{
	struct cli cli = { .help = help };
	static struct view view;
	int rc;

	cli_getopt(&cli, 0, argc, argv, NULL);
	if (optind == argc)
		die_usage("show needs a selector, for example: irqpace show nvme0q1");
	if (argc - optind > 1)
		die_usage("show takes one selector, not %d", argc - optind);
	load(&view, argv[optind]);
	rc = cli.json ? print_json(&view) : print_text(&view);
	unload(&view);
	if (rc)
		die("cannot write the output: %s", strerror(errno));
	return cli_finish(EXIT_SUCCESS);
}
