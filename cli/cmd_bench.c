// SPDX-License-Identifier: GPL-2.0-only
#include "cli.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../lib/bench_run.h"
#include "../lib/report.h"

static const char help[] =
"Usage: irqpace bench [OPTION]... [LABEL=]DEVICE[@SELECTOR]...\n"
"       irqpace bench --from FILE... [--json] [--out FILE] [--report FILE]\n"
"Run the same fio work under several interrupt policies and compare them.\n"
"\n"
"What is run:\n"
"  --policies LIST    policies, by commas: native, hard, threaded[:delay=D],\n"
"                     hybrid[:limit=L:window=W], moderate[:delay=D[:poll]];\n"
"                     with :stats=on or :stats=off for one of them\n"
"                     (native,hard,threaded,hybrid,moderate; native alone\n"
"                     without the module)\n"
"  --workloads LIST   randread, read, randwrite, write (randread; with --write\n"
"                     randread,randwrite)\n"
"  --jobs LIST        numbers of jobs (1,8)\n"
"  --iodepth N        I/Os in flight for each job (32)\n"
"  --bs SIZE          block size (4k)\n"
"  --engine NAME      fio's I/O engine (libaio)\n"
"  --hipri            poll for completions (io_uring on a polled queue)\n"
"  --ios N            I/Os of one run, shared by its jobs\n"
"  --runtime S        seconds of one run instead (10)\n"
"  --repeat N         runs of each policy, in turns (1)\n"
"  --stats on|off     the module's histograms, for residency (on)\n"
"  --victim           cyclictest on the line's CPU beside it\n"
"  --write            allow write workloads, on a device that nobody uses;\n"
"                     what is on it is lost\n"
"What comes of it:\n"
"  --json             print the results as JSON\n"
"  --out FILE         write them to FILE as well\n"
"  --report FILE      write a page (HTML, no script) with pictures\n"
"  --from FILE        take results from FILE instead of running anything; may be\n"
"                     given again to join several of one kernel\n"
"  --quiet            no line for each run on standard error\n"
"For bench series:\n"
"  --mode NAME        how time passes: machine, live or count\n"
"  --native-as NAME   what to call native rows (a peer's, as threadirqs)\n"
"  --pass NAME        keep these rows in blocks of their own\n"
"  --marker PROGRAM   run PROGRAM right before and after each fio\n"
"  --taken FILE       with --from: interrupts counted from outside, one number\n"
"                     for each row\n"
"  --bounds FILE      with --from: check the results against FILE (2 % slack),\n"
"                     a line for each bound, exit 1 where one does not hold\n"
"  --help\n"
"\n"
"What was set before is put back at the end, also after an error or Ctrl-C.\n";

enum {
	OPT_POLICIES = CLI_OPT_FIRST, OPT_WORKLOADS, OPT_JOBS, OPT_IODEPTH,
	OPT_BS, OPT_ENGINE, OPT_HIPRI, OPT_IOS, OPT_RUNTIME, OPT_REPEAT,
	OPT_STATS, OPT_VICTIM, OPT_WRITE, OPT_OUT, OPT_REPORT, OPT_FROM,
	OPT_QUIET, OPT_MODE, OPT_NATIVE_AS, OPT_PASS, OPT_MARKER, OPT_TAKEN,
	OPT_BOUNDS,
};

static const struct option options[] = {
	{ "policies", required_argument, NULL, OPT_POLICIES },
	{ "workloads", required_argument, NULL, OPT_WORKLOADS },
	{ "jobs", required_argument, NULL, OPT_JOBS },
	{ "iodepth", required_argument, NULL, OPT_IODEPTH },
	{ "bs", required_argument, NULL, OPT_BS },
	{ "engine", required_argument, NULL, OPT_ENGINE },
	{ "hipri", no_argument, NULL, OPT_HIPRI },
	{ "ios", required_argument, NULL, OPT_IOS },
	{ "runtime", required_argument, NULL, OPT_RUNTIME },
	{ "repeat", required_argument, NULL, OPT_REPEAT },
	{ "stats", required_argument, NULL, OPT_STATS },
	{ "victim", no_argument, NULL, OPT_VICTIM },
	{ "write", no_argument, NULL, OPT_WRITE },
	{ "out", required_argument, NULL, OPT_OUT },
	{ "report", required_argument, NULL, OPT_REPORT },
	{ "from", required_argument, NULL, OPT_FROM },
	{ "quiet", no_argument, NULL, OPT_QUIET },
	{ "mode", required_argument, NULL, OPT_MODE },
	{ "native-as", required_argument, NULL, OPT_NATIVE_AS },
	{ "pass", required_argument, NULL, OPT_PASS },
	{ "marker", required_argument, NULL, OPT_MARKER },
	{ "taken", required_argument, NULL, OPT_TAKEN },
	{ "bounds", required_argument, NULL, OPT_BOUNDS },
	{ NULL, 0, NULL, 0 },
};

#define LIST_MAX	BENCH_PASSES_MAX

struct request {
	struct bench_plan plan;
	struct bench_choice choices[LIST_MAX];
	const char *workloads[LIST_MAX];
	unsigned int jobs[LIST_MAX];
	const char *from[LIST_MAX];
	size_t n_from;
	const char *out;
	const char *report;
	const char *mode;
	const char *taken;
	const char *bounds;
	bool write;
	const char *measuring;	/* an option that --from has no use for */
};

/* Cuts TEXT at its commas; an empty part is a slip of the pen. */
static char *next_part(char **rest, const char *what)
{
	char *part = strsep(rest, ",");

	if (part && !*part)
		die_usage("%s has an empty part", what);
	return part;
}

static void take_policies(struct request *req, const char *text)
{
	char *copy = strdup(text), *rest = copy, *part;
	struct errmsg err;

	req->plan.n_choices = 0;
	while ((part = next_part(&rest, "--policies"))) {
		if (req->plan.n_choices == LIST_MAX)
			die_usage("--policies takes at most %d policies", LIST_MAX);
		if (bench_choice_parse(part,
				       &req->choices[req->plan.n_choices++], &err))
			die_err(&err);
	}
	free(copy);
}

static void take_workloads(struct request *req, const char *text)
{
	static const char * const known[] = {
		"randread", "read", "randwrite", "write",
	};
	char *copy = strdup(text), *rest = copy, *part;

	req->plan.n_workloads = 0;
	while ((part = next_part(&rest, "--workloads"))) {
		const char *is = NULL;

		for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
			if (!strcmp(part, known[i]))
				is = known[i];
		if (!is)
			die_usage("\"%s\" is no workload; there are randread, read, randwrite and write",
				  part);
		if (req->plan.n_workloads == LIST_MAX)
			die_usage("--workloads takes at most %d", LIST_MAX);
		req->workloads[req->plan.n_workloads++] = is;
	}
	free(copy);
}

static void take_jobs(struct request *req, const char *text)
{
	char *copy = strdup(text), *rest = copy, *part;

	req->plan.n_jobs = 0;
	while ((part = next_part(&rest, "--jobs"))) {
		if (req->plan.n_jobs == LIST_MAX)
			die_usage("--jobs takes at most %d numbers", LIST_MAX);
		req->jobs[req->plan.n_jobs++] =
			(unsigned int)cli_number(part, "--jobs", 1024);
	}
	free(copy);
}

static bool valid_bs(const char *text)
{
	size_t digits = strspn(text, "0123456789");

	return digits && digits < 9 && text[0] != '0' &&
	       (!text[digits] ||
		(strchr("kKmM", text[digits]) && !text[digits + 1]));
}

static void take_option(struct request *req, int opt)
{
	struct bench_plan *plan = &req->plan;

	switch (opt) {
	case OPT_POLICIES:
		take_policies(req, optarg);
		break;
	case OPT_WORKLOADS:
		take_workloads(req, optarg);
		break;
	case OPT_JOBS:
		take_jobs(req, optarg);
		break;
	case OPT_IODEPTH:
		plan->iodepth = (unsigned int)cli_number(optarg, "--iodepth", 65536);
		break;
	case OPT_BS:
		if (!valid_bs(optarg))
			die_usage("--bs has to be a size like 512, 4k or 1m, not \"%s\"",
				  optarg);
		plan->bs = optarg;
		break;
	case OPT_ENGINE:
		plan->engine = optarg;
		break;
	case OPT_HIPRI:
		plan->hipri = true;
		break;
	case OPT_IOS:
		plan->ios = cli_number(optarg, "--ios", 1ULL << 40);
		break;
	case OPT_RUNTIME:
		plan->runtime_s = (unsigned int)cli_number(optarg, "--runtime", 86400);
		break;
	case OPT_REPEAT:
		plan->repeat = (unsigned int)cli_number(optarg, "--repeat", LIST_MAX);
		break;
	case OPT_STATS:
		if (strcmp(optarg, "on") && strcmp(optarg, "off"))
			die_usage("--stats is on or off, not \"%s\"", optarg);
		plan->stats = !strcmp(optarg, "on");
		break;
	case OPT_VICTIM:
		plan->victim = true;
		break;
	case OPT_WRITE:
		req->write = true;
		break;
	case OPT_NATIVE_AS:
		plan->native_as = optarg;
		break;
	case OPT_PASS:
		plan->pass = optarg;
		break;
	case OPT_MARKER:
		plan->marker = optarg;
		break;
	}
}

static void take_options(struct request *req, struct cli *cli, int argc,
			 char **argv)
{
	int opt, index;

	while ((opt = cli_getopt(cli, 0, argc, argv, options)) != -1) {
		switch (opt) {
		case OPT_OUT:
			req->out = optarg;
			break;
		case OPT_REPORT:
			req->report = optarg;
			break;
		case OPT_MODE:
			req->mode = optarg;
			break;
		case OPT_TAKEN:
			req->taken = optarg;
			break;
		case OPT_BOUNDS:
			req->bounds = optarg;
			break;
		case OPT_QUIET:
			req->plan.quiet = true;
			break;
		case OPT_FROM:
			if (req->n_from == LIST_MAX)
				die_usage("--from can be given %d times", LIST_MAX);
			req->from[req->n_from++] = optarg;
			break;
		default:
			take_option(req, opt);
			for (index = 0; options[index].val != opt; index++)
				;
			req->measuring = options[index].name;
			break;
		}
	}
}

/* So that an hour of measuring is not lost to a folder that is not there. */
static void check_writable(const char *file)
{
	char tmp[PATH_MAX];
	FILE *out;

	if (!file)
		return;
	snprintf(tmp, sizeof(tmp), "%s.new", file);
	out = fopen(tmp, "w");
	if (!out)
		die("%s cannot be written: %s", file, strerror(errno));
	fclose(out);
	unlink(tmp);
}

static void fill_defaults(struct request *req)
{
	struct bench_plan *plan = &req->plan;

	if (!plan->n_choices)
		take_policies(req, nl_module_loaded() ?
			      "native,hard,threaded,hybrid,moderate" : "native");
	if (!plan->n_workloads)
		take_workloads(req, req->write ? "randread,randwrite" : "randread");
	if (!plan->n_jobs)
		take_jobs(req, "1,8");
	if (plan->ios && plan->runtime_s)
		die_usage("--ios and --runtime are two ways to say how long; give one");
	if (!plan->ios && !plan->runtime_s)
		plan->runtime_s = 10;
	for (size_t i = 0; i < plan->n_workloads; i++)
		if (strstr(plan->workloads[i], "write") && !req->write)
			die_usage("%s overwrites the device; it has to be allowed with --write",
				  plan->workloads[i]);
	if (plan->n_choices * plan->repeat > BENCH_PASSES_MAX)
		die_usage("policies times repeats may be at most %d",
			  BENCH_PASSES_MAX);
}

static void open_devices(struct request *req, char **names, size_t n)
{
	struct bench_plan *plan = &req->plan;
	bool policies = false;
	struct lines lines;
	struct errmsg err;

	for (size_t i = 0; i < plan->n_choices; i++)
		policies |= plan->choices[i].policy.kind != IRQPACE_POLICY_NATIVE;
	plan->devs = calloc(n, sizeof(*plan->devs));
	if (!plan->devs)
		die("out of memory");
	plan->n_devs = n;
	for (size_t i = 0; i < n; i++)
		if (bench_device_open(&plan->devs[i], names[i], &err))
			die_err(&err);
	if (policies && !nl_module_loaded())
		die("the irqpace module is not loaded, so only native can be run; try modprobe irqpace");
	if (lines_load(NULL, &lines, &err))
		die_err(&err);
	for (size_t i = 0; i < n; i++) {
		if (bench_device_find_lines(&plan->devs[i], &lines, &err))
			die_err(&err);
		if (policies && !plan->devs[i].n_irqs)
			die("%s has no interrupt line of its own, so only native can be run (or name one: DEVICE@SELECTOR)",
			    plan->devs[i].path);
	}
	lines_free(&lines);
	for (size_t i = 0; req->write && i < n; i++)
		if (bench_device_claim(&plan->devs[i], &err))
			die_err(&err);
}

static char *command_line(int argc, char **argv)
{
	struct bench_text text = { 0 };

	bench_printf(&text, "irqpace");
	for (int i = 0; i < argc; i++) {
		bool plain = argv[i][0] &&
			     !strpbrk(argv[i], " \t\n\"'\\$`*?[];&|<>(){}~#!");

		bench_printf(&text, plain ? " %s" : " '%s'", argv[i]);
	}
	return text.buf;
}

static int print(const struct bench_set *set, bool json)
{
	if (json) {
		json_t *root = bench_set_to_json(set);

		if (json_dumpf(root, stdout, JSON_REAL_PRECISION(12)))
			die("the results could not be written");
		putchar('\n');
		json_decref(root);
	} else {
		struct bench_text text = { 0 };

		report_table(set, &text);
		fputs(text.buf, stdout);
		free(text.buf);
	}
	return cli_finish(0);
}

#define SLACK	0.02

static int check_bounds(const struct bench_set *set, const char *file)
{
	struct errmsg err;
	size_t failed;

	if (bench_bounds(set, file, SLACK, stdout, &failed, &err))
		die_err(&err);
	return cli_finish(failed ? EXIT_FAIL : 0);
}

int cmd_bench(int argc, char **argv)
{
	struct cli cli = { .help = help };
	struct request req = {
		.plan = {
			.iodepth = 32, .bs = "4k", .engine = "libaio",
			.repeat = 1, .stats = true,
		},
	};
	struct bench_set set = { 0 };
	char *command = command_line(argc, argv);
	struct errmsg err = { 0 };
	const char *mode;
	int failed = 0;

	req.plan.choices = req.choices;
	req.plan.workloads = req.workloads;
	req.plan.jobs = req.jobs;
	take_options(&req, &cli, argc, argv);
	if (req.n_from && (optind < argc || req.measuring))
		die_usage("--from runs nothing, so it takes no %s%s",
			  optind < argc ? "device" : "--",
			  optind < argc ? "" : req.measuring);
	if (!req.n_from && optind == argc)
		die_usage("bench needs a block device, as in irqpace bench /dev/nvme0n1");
	mode = req.mode ? req.mode : getenv("IRQPACE_MODE");
	if (!mode)
		mode = "machine";
	if ((req.taken || req.bounds) && !req.n_from)
		die_usage("%s goes with --from", req.taken ? "--taken" : "--bounds");
	for (size_t i = 0; i < req.n_from; i++)
		if (bench_set_load(&set, req.from[i], &err))
			die_err(&err);
	if (req.taken && bench_set_taken(&set, req.taken, &err))
		die_err(&err);
	if (!req.n_from) {
		fill_defaults(&req);
		open_devices(&req, argv + optind, (size_t)(argc - optind));
		check_writable(req.out);
		check_writable(req.report);
		req.plan.mode = mode;
		set.command = strdup(command);
		failed = bench_run(&req.plan, &set, &err);
	}
	free(command);
	if (failed)
		die_err(&err);
	if (req.mode || !set.mode) {
		free(set.mode);
		set.mode = strdup(mode);
	}
	bench_set_ratios(&set);
	if ((req.out && bench_set_save(&set, req.out, &err)) ||
	    (req.report && report_html(&set, req.report, &err)))
		die_err(&err);
	failed = req.bounds ? check_bounds(&set, req.bounds) :
			      print(&set, cli.json);
	for (size_t i = 0; i < req.plan.n_devs; i++)
		bench_device_close(&req.plan.devs[i]);
	free(req.plan.devs);
	bench_set_free(&set);
	return failed;
}
