// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../lib/command.h"
#include "../lib/monotonic.h"
#include "../lib/xalloc.h"
#include "cli.h"
#include "dist_format.h"
#include "trace.h"

static const char help[] =
	"Usage: irqpace trace FUNCTION [--seconds S] [OPTION]...\n"
	"       irqpace trace FUNCTION [OPTION]... -- COMMAND [ARGUMENT]...\n"
	"The distribution of the durations of a kernel function's calls, and of the gaps\n"
	"from a return to the next call on the same CPU. Until Ctrl-C, for S seconds, or\n"
	"while COMMAND runs. Needs root and a kernel with BTF, not the module.\n"
	"\n"
	"  --seconds S      how long, 0.1 to 86400\n"
	"  --bits N         2^N slots to each power of two, 0 to 6; default 3\n"
	"  --per-cpu        each CPU as well (table and json)\n"
	"  --format FORMAT  table (default), json, kstats (durations alone) or svg\n"
	"  --json           the same as --format json\n"
	"  --help           this text\n"
	"  COMMAND          its exit status is ours\n";

enum { OPT_SECONDS = CLI_OPT_FIRST, OPT_BITS, OPT_PER_CPU, OPT_FORMAT };

struct request {
	const char *function;
	uint64_t time_ns;	/* 0: until interrupted */
	unsigned int bits;
	bool per_cpu;
	enum format format;
	char **command;		/* NULL: by time */
};

static unsigned int bits_of(const char *text)
{
	if (text[0] < '0' || text[0] > '0' + TRACE_BITS || text[1])
		die_usage("--bits is a number from 0 to %d (2^N slots to each power of two), not \"%s\"",
			  TRACE_BITS, text);
	return (unsigned int)(text[0] - '0');
}

static void parse(struct request *req, int argc, char **argv)
{
	static const struct option options[] = {
		{ "seconds", required_argument, NULL, OPT_SECONDS },
		{ "bits", required_argument, NULL, OPT_BITS },
		{ "per-cpu", no_argument, NULL, OPT_PER_CPU },
		{ "format", required_argument, NULL, OPT_FORMAT },
		{ 0 },
	};
	struct cli cli = { .help = help };
	int opt;

	req->command = cli_command(&argc, argv);
	while ((opt = cli_getopt(&cli, 0, argc, argv, options)) != -1) {
		switch (opt) {
		case OPT_SECONDS:
			req->time_ns = cli_seconds(optarg, "--seconds", 0.1, 86400);
			break;
		case OPT_BITS:
			req->bits = bits_of(optarg);
			break;
		case OPT_PER_CPU:
			req->per_cpu = true;
			break;
		case OPT_FORMAT:
			req->format = format_of(optarg);
			break;
		}
	}
	if (cli.json)
		req->format = JSON;
	if (optind == argc || !*argv[optind])
		die_usage("trace needs a function, for example: irqpace trace nvme_irq");
	if (argc - optind > 1)
		die_usage("trace takes one function, not %d", argc - optind);
	if (req->command && req->time_ns)
		die_usage("a command has its own time: it does not go with --seconds");
	if (req->per_cpu && (req->format == KSTATS || req->format == SVG))
		die_usage("--per-cpu goes with table and json: kstats and svg hold the sum of all CPUs");
	req->function = argv[optind];
}

static void on_signal(int signo)
{
	(void)signo;
}

/*
 * Blocked from the start, so that one which comes while the programs are loaded
 * is not lost; taken when it is waited for.
 */
static void block_signals(sigset_t *set, sigset_t *was)
{
	struct sigaction action = { .sa_handler = on_signal };

	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigprocmask(SIG_BLOCK, set, was);
}

static void wait_for(const sigset_t *set, uint64_t time_ns)
{
	uint64_t end_ns = monotonic_ns() + time_ns;

	if (!time_ns) {
		while (sigwaitinfo(set, NULL) < 0)
			;
		return;
	}
	for (;;) {
		uint64_t now_ns = monotonic_ns();
		struct timespec left;

		if (now_ns >= end_ns)
			return;
		left.tv_sec = (time_t)((end_ns - now_ns) / 1000000000);
		left.tv_nsec = (long)((end_ns - now_ns) % 1000000000);
		if (sigtimedwait(set, NULL, &left) > 0)
			return;
	}
}

/* What the command ends with, 0 without one. */
static int watch(const struct request *req)
{
	sigset_t set, was;
	struct errmsg err;
	int status = 0;

	if (!req->command) {
		block_signals(&set, &was);
		if (!req->time_ns && isatty(STDERR_FILENO))
			fprintf(stderr, "tracing %s; Ctrl-C ends it\n", req->function);
		wait_for(&set, req->time_ns);
	} else if (command_run(req->command, &status, &err)) {
		die_err(&err);
	}
	return status;
}

static int print(const struct request *req, const struct trace_report *report)
{
	struct dist both[] = { report->duration, report->gap };

	switch (req->format) {
	case JSON:
		return trace_print_json(report);
	case KSTATS:
		dist_print_kstats(stdout, both);
		return 0;
	case SVG:
		dist_print_svg(stdout, both, report->gap.samples ? 2 : 1);
		return 0;
	default:
		return trace_print_table(report);
	}
}

static void print_result(const struct request *req, const struct trace_result *result)
{
	struct trace_report report = {
		.function = req->function, .result = result,
		.bits = req->bits, .per_cpu = req->per_cpu,
	};
	char *duration = xasprintf("duration of %s", req->function);
	char *gap = xasprintf("gap before %s", req->function);

	trace_dist(&report.duration, result->cpu, result->n_cpus, TRACE_DURATION, req->bits,
		   duration);
	trace_dist(&report.gap, result->cpu, result->n_cpus, TRACE_GAP, req->bits, gap);
	if (!report.duration.samples)
		die("no call of %s began and returned in %.3f s; where it is inlined there is none to see", req->function,
		    (double)result->time_ns / 1e9);
	if (print(req, &report))
		die("cannot write the output: %s", strerror(errno));
	dist_free(&report.duration);
	dist_free(&report.gap);
	free(duration);
	free(gap);
}

int cmd_trace(int argc, char **argv)
{
	struct request req = { .bits = 3 };
	struct trace_result result;
	struct trace *trace;
	struct errmsg err;
	int status;

	parse(&req, argc, argv);
	if (trace_open(&trace, req.function, &err))
		die_err(&err);
	status = watch(&req);
	if (trace_stop(trace, &result, &err))
		die_err(&err);
	print_result(&req, &result);
	trace_result_free(&result);
	trace_close(trace);
	return cli_finish(status);
}
