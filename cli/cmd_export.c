// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../lib/export.h"
#include "../lib/monotonic.h"
#include "../lib/nl.h"
#include "../lib/whole_file.h"
#include "cli.h"
#include "interval.h"

#define SECOND_NS	1000000000ULL

static const char help[] =
	"Usage: irqpace export [--seconds S] [--output FILE] [--per-cpu] [--format FORMAT]\n"
	"       irqpace export --output FILE --interval S [--per-cpu] [--format FORMAT]\n"
	"       irqpace export --sysroot DIR [--output FILE] [--per-cpu] [--format FORMAT]\n"
	"Metrics of lines, handlers and CPUs for Prometheus: what S seconds brought, or,\n"
	"with --interval, all since the start in a file that is replaced every S seconds,\n"
	"as node_exporter's textfile collector reads it. Needs root and a kernel with\n"
	"BTF, not the module; with it, its counters and policies too.\n"
	"\n"
	"  --output FILE    write FILE, whole or not at all, instead of stdout\n"
	"  --interval S     go on until interrupted, 1 to 3600 seconds\n"
	"  --seconds S      measure once for S seconds, 0.1 to 3600; default 1\n"
	"  --per-cpu        a series for each CPU\n"
	"  --format FORMAT  prometheus (default) or openmetrics\n"
	"  --sysroot DIR    only the counts of DIR/proc/interrupts; needs no root\n"
	"  --help           this text\n";

enum { OPT_OUTPUT = CLI_OPT_FIRST, OPT_INTERVAL, OPT_SECONDS, OPT_PER_CPU, OPT_FORMAT };

struct request {
	struct cli cli;
	const char *output;		/* NULL: stdout */
	uint64_t interval_ns;		/* 0: once */
	uint64_t window_ns;
	bool per_cpu;
	enum metrics_format format;
};

struct source {
	struct irqstat *stat;
	struct nl *nl;			/* NULL: the module is not loaded */
	struct handler_names names;
	uint64_t start_ns;
};

static enum metrics_format format_of(const char *name)
{
	if (!strcmp(name, "prometheus"))
		return METRICS_PROMETHEUS;
	if (!strcmp(name, "openmetrics"))
		return METRICS_OPENMETRICS;
	die_usage("--format is prometheus or openmetrics, not %s", name);
}

static void parse(struct request *req, int argc, char **argv)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, OPT_OUTPUT },
		{ "interval", required_argument, NULL, OPT_INTERVAL },
		{ "seconds", required_argument, NULL, OPT_SECONDS },
		{ "per-cpu", no_argument, NULL, OPT_PER_CPU },
		{ "format", required_argument, NULL, OPT_FORMAT },
		{ 0 },
	};
	int opt;

	while ((opt = cli_getopt(&req->cli, CLI_SYSROOT, argc, argv, options)) != -1) {
		switch (opt) {
		case OPT_OUTPUT:
			if (!*optarg)
				die_usage("--output needs a file");
			req->output = optarg;
			break;
		case OPT_INTERVAL:
			req->interval_ns = cli_seconds(optarg, "--interval", 1, 3600);
			break;
		case OPT_SECONDS:
			req->window_ns = cli_seconds(optarg, "--seconds", 0.1, 3600);
			break;
		case OPT_PER_CPU:
			req->per_cpu = true;
			break;
		case OPT_FORMAT:
			req->format = format_of(optarg);
			break;
		}
	}
	if (optind < argc)
		die_usage("export takes no argument: %s", argv[optind]);
	if (req->cli.json)
		die_usage("export writes metrics: for JSON there is irqpace stat --json");
	if (req->interval_ns && !req->output)
		die_usage("--interval replaces a file again and again: it needs --output");
	if (req->interval_ns && req->window_ns)
		die_usage("--interval goes on and --seconds measures once: give one of them");
	if (req->cli.sysroot && (req->interval_ns || req->window_ns))
		die_usage("a recorded machine stands still: no --interval or --seconds with --sysroot");
	if (!req->window_ns)
		req->window_ns = SECOND_NS;
}

static uint64_t realtime_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * SECOND_NS + (uint64_t)now.tv_nsec;
}

static void write_metrics(const struct request *req, struct export *export)
{
	struct whole_file file;
	struct errmsg err;

	if (!req->output) {
		if (export_write(stdout, req->format, export))
			die("cannot write the output: %s", strerror(errno));
		return;
	}
	if (whole_file_begin(&file, req->output, &err))
		die_err(&err);
	/* What could not be written is told by its end. */
	(void)export_write(file.out, req->format, export);
	if (whole_file_end(&file, &err))
		die_err(&err);
}

/* Everything is read before anything is written. */
static void export_now(const struct request *req, struct source *source)
{
	struct export export = { .per_cpu = req->per_cpu };
	struct irqstat_sample sample, handlers;
	struct modstat module;
	struct stat_view view;
	struct lines lines;
	struct errmsg err;

	if (irqstat_read(source->stat, &sample, &err) || lines_load(NULL, &lines, &err) ||
	    (source->nl && modstat_read(source->nl, false, &module, &err)))
		die_err(&err);
	/* Requests that are shared out by runs would not be counters. */
	handlers = sample;
	handlers.disks.n = 0;
	stat_view_make(&view, &handlers, &lines, NULL, &source->names, NULL, req->per_cpu);
	export.lines = &lines;
	export.view = &view;
	export.disks = &sample.disks;
	export.start_ns = source->start_ns;
	export.module = source->nl ? &module : NULL;
	write_metrics(req, &export);
	if (source->nl)
		modstat_free(&module);
	stat_view_free(&view);
	irqstat_free(&sample);
	lines_free(&lines);
}

static void export_recorded(const struct request *req)
{
	struct export export = { .per_cpu = req->per_cpu };
	struct lines lines;
	struct errmsg err;

	if (lines_load(req->cli.sysroot, &lines, &err))
		die_err(&err);
	export.lines = &lines;
	write_metrics(req, &export);
	lines_free(&lines);
}

static void close_source(struct source *source)
{
	irqstat_close(source->stat);
	if (source->nl)
		nl_close(source->nl);
	handler_names_free(&source->names);
	memset(source, 0, sizeof(*source));
}

static void open_source(struct source *source)
{
	struct errmsg err;
	struct lines lines;

	if (lines_load(NULL, &lines, &err) || irqstat_open(&source->stat, lines.n, &err) ||
	    (nl_module_loaded() && nl_open(&source->nl, &err)))
		die_err(&err);
	source->start_ns = realtime_ns();
	lines_free(&lines);
}

/* The programs see the module's rounds only where it was there before them. */
static void follow_module(struct source *source)
{
	if (nl_module_loaded() == (source->nl != NULL))
		return;
	close_source(source);
	open_source(source);
}

int cmd_export(int argc, char **argv)
{
	struct request req = { .cli = { .help = help } };
	struct source source = { 0 };
	uint64_t next;

	parse(&req, argc, argv);
	if (req.cli.sysroot) {
		export_recorded(&req);
		return cli_finish(EXIT_SUCCESS);
	}
	open_source(&source);
	interval_begin();
	next = monotonic_ns();
	/* At once, so that a file that cannot be written is told at once. */
	while (req.interval_ns && !interval_ended()) {
		follow_module(&source);
		export_now(&req, &source);
		interval_sleep_until(next += req.interval_ns);
	}
	if (!req.interval_ns) {
		interval_sleep_until(next + req.window_ns);
		export_now(&req, &source);
	}
	close_source(&source);
	return cli_finish(EXIT_SUCCESS);
}
