// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/command.h"
#include "../lib/monotonic.h"
#include "../lib/nl.h"
#include "../lib/selector.h"
#include "cli.h"
#include "interval.h"
#include "stat.h"

static const char help[] =
	"Usage: irqpace stat [SELECTOR] [--interval S] [--count N] [--per-cpu] [--json]\n"
	"       irqpace stat [SELECTOR] [--per-cpu] [--json] -- COMMAND [ARGUMENT]...\n"
	"Where interrupt time goes: for each line and handler its rate, share of a CPU,\n"
	"durations, longest stay in hard interrupt context, runs that found nothing,\n"
	"and block requests completed for each run. Needs root and a kernel with BTF,\n"
	"not the module; with it, what the module did in the same interval.\n"
	"\n"
	"  --interval S  seconds of each report, 0.1 to 3600; default 1\n"
	"  --count N     so many reports; default 1, with --interval until interrupted\n"
	"  COMMAND       one report of the time that it runs; its exit status is ours\n"
	"  --per-cpu     a row for each CPU, and a table of the CPUs\n"
	"  --json        one document a line for each report\n"
	"  --help        this text\n";

enum { OPT_INTERVAL = CLI_OPT_FIRST, OPT_COUNT, OPT_PER_CPU };

struct request {
	struct cli cli;
	uint64_t interval_ns;
	uint64_t count;	/* 0: until interrupted */
	bool per_cpu;
	const char *selector;
	char **command;		/* NULL: reports by time */
};

struct source {
	struct irqstat *stat;
	struct nl *nl;		/* NULL: the module is not loaded */
	struct irqstat_sample sample;
	struct modstat module;
};

static void parse(struct request *req, int argc, char **argv)
{
	static const struct option options[] = {
		{ "interval", required_argument, NULL, OPT_INTERVAL },
		{ "count", required_argument, NULL, OPT_COUNT },
		{ "per-cpu", no_argument, NULL, OPT_PER_CPU },
		{ 0 },
	};
	bool counted = false, timed = false;
	int opt;

	req->command = cli_command(&argc, argv);
	while ((opt = cli_getopt(&req->cli, 0, argc, argv, options)) != -1) {
		switch (opt) {
		case OPT_INTERVAL:
			req->interval_ns = cli_seconds(optarg, "--interval", 0.1, 3600);
			timed = true;
			break;
		case OPT_COUNT:
			req->count = cli_number(optarg, "--count", 1000000000);
			counted = true;
			break;
		case OPT_PER_CPU:
			req->per_cpu = true;
			break;
		}
	}
	if (argc - optind > 1)
		die_usage("stat takes one selector, not %d", argc - optind);
	if (req->command && (timed || counted))
		die_usage("a command has its own time: it does not go with --interval or --count");
	if (timed && !counted)
		req->count = 0;
	req->selector = optind < argc ? argv[optind] : NULL;
}

static int sample(struct source *from, struct errmsg *err)
{
	if (irqstat_read(from->stat, &from->sample, err))
		return -1;
	return from->nl ? modstat_read(from->nl, true, &from->module, err) : 0;
}

/* Of the interval between the two; then NOW takes the place of BEFORE. */
static void report(const struct request *req, const struct source *now, struct source *before,
		   struct handler_names *names)
{
	struct stat_report report = { .per_cpu = req->per_cpu };
	struct selection selected;
	struct lines lines;
	struct errmsg err;
	int rc;

	/* Lines come and go: numbers are looked up for each report. */
	if (lines_load_names(&lines, &err))
		die_err(&err);
	if (req->selector && selector_find(req->selector, &lines, NULL, &selected, &err))
		die_err(&err);
	irqstat_difference(&now->sample, &before->sample);
	modstat_difference(&now->module, &before->module);
	report.selected = req->selector ? &selected : NULL;
	report.module = now->nl ? &before->module : NULL;
	stat_view_make(&report.view, &before->sample, &lines, report.selected, names, NULL,
		       req->per_cpu);
	rc = req->cli.json ? stat_print_json(&report) : stat_print_table(&report);
	if (rc || fflush(stdout))
		die("cannot write the output: %s", strerror(errno));
	stat_view_free(&report.view);
	irqstat_free(&before->sample);
	modstat_free(&before->module);
	*before = *now;
	if (req->selector)
		selection_free(&selected);
	lines_free(&lines);
}

static void by_time(const struct request *req, struct source *now, struct source *before,
		    struct handler_names *names)
{
	uint64_t next = monotonic_ns();
	struct errmsg err;

	for (uint64_t i = 0; !interval_ended() && (!req->count || i < req->count); i++) {
		if (i && !req->cli.json)
			putchar('\n');
		interval_sleep_until(next += req->interval_ns);
		if (sample(now, &err))
			die_err(&err);
		report(req, now, before, names);
	}
}

static int by_command(const struct request *req, struct source *now, struct source *before,
		      struct handler_names *names)
{
	struct errmsg err;
	int status;

	if (command_run(req->command, &status, &err) || sample(now, &err))
		die_err(&err);
	report(req, now, before, names);
	return status;
}

/* A selector that matches nothing is told before anything is loaded. */
static void open_source(struct source *source, const char *selector)
{
	struct selection selected;
	struct lines lines;
	struct errmsg err;

	if (lines_load_names(&lines, &err))
		die_err(&err);
	if (selector) {
		if (selector_find(selector, &lines, NULL, &selected, &err))
			die_err(&err);
		selection_free(&selected);
	}
	if (irqstat_open(&source->stat, lines.n, &err) ||
	    (nl_module_loaded() && nl_open(&source->nl, &err)))
		die_err(&err);
	lines_free(&lines);
}

int cmd_stat(int argc, char **argv)
{
	struct request req = {
		.cli = { .help = help }, .interval_ns = 1000000000, .count = 1,
	};
	struct handler_names names = { 0 };
	struct source now = { 0 }, before;
	struct errmsg err;
	int status = EXIT_SUCCESS;

	parse(&req, argc, argv);
	open_source(&now, req.selector);
	interval_begin();
	before = now;
	if (sample(&before, &err))
		die_err(&err);
	if (req.command)
		status = by_command(&req, &now, &before, &names);
	else
		by_time(&req, &now, &before, &names);
	irqstat_free(&before.sample);
	modstat_free(&before.module);
	handler_names_free(&names);
	irqstat_close(now.stat);
	if (now.nl)
		nl_close(now.nl);
	return cli_finish(status);
}

bool stat_is_selected(const struct stat_report *report, uint32_t irq)
{
	if (!report->selected)
		return true;
	for (size_t i = 0; i < report->selected->n; i++)
		if (report->selected->line[i]->irq == irq)
			return true;
	return false;
}
