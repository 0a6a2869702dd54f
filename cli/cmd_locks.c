// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/bpf_program.h"
#include "../lib/command.h"
#include "../lib/monotonic.h"
#include "../lib/selector.h"
#include "../lib/xalloc.h"
#include "cli.h"
#include "interval.h"
#include "locks.h"

/* Handlers are watched so long for the locks that they take. */
#define FIND_MS		500
/* All locks of the machine are counted so long, once in so many steps. */
#define SAMPLE_MS	20
#define STEP_MS		50
#define SAMPLE_EVERY	40

static const char help[] =
	"Usage: irqpace locks SELECTOR [--seconds S] [--json | --csv]\n"
	"       irqpace locks --symbol SYMBOL[+OFFSET] | --lock ADDRESS [--seconds S] ...\n"
	"       irqpace locks ... [--json | --csv] -- COMMAND [ARGUMENT]...\n"
	"Acquisitions, hold and wait times of spin locks, on kernels without LOCK_STAT:\n"
	"those that the handlers of a line take, and of an AHCI line its host's and\n"
	"ports' locks, wherever they are taken. Needs root and a kernel with BTF.\n"
	"\n"
	"  --symbol SYMBOL[+OFFSET]  a lock in a static variable\n"
	"  --lock ADDRESS            a lock by its address\n"
	"  --seconds S               measure so long, 0.1 to 3600; default 1\n"
	"  COMMAND                   measure while it runs; its exit status is ours\n"
	"  --run N                   the number in the CSV's column \"run\"; default 1\n"
	"  --csv                     lock,run,holdtime_total,waittime_total,...\n"
	"  --json                    one document, with each place\n"
	"  --help                    this text\n";

enum { OPT_SYMBOL = CLI_OPT_FIRST, OPT_LOCK, OPT_SECONDS, OPT_RUN, OPT_CSV };

struct request {
	struct cli cli;
	const char *selector;
	const char *symbol;
	const char *lock;
	uint64_t time_ns;
	unsigned int run;
	bool csv;
	char **command;
};

static void check(const struct request *req, int operands, bool timed)
{
	int named = (operands > 0) + !!req->symbol + !!req->lock;

	if (!named)
		die_usage("locks needs a selector, --symbol or --lock, for example: irqpace locks sda");
	if (named > 1)
		die_usage("a selector, --symbol and --lock do not go together");
	if (operands > 1)
		die_usage("locks takes one selector, not %d", operands);
	if (req->command && timed)
		die_usage("a command has its own time: it does not go with --seconds");
	if (req->cli.json && req->csv)
		die_usage("--json and --csv do not go together");
}

static void parse(struct request *req, int argc, char **argv)
{
	static const struct option options[] = {
		{ "symbol", required_argument, NULL, OPT_SYMBOL },
		{ "lock", required_argument, NULL, OPT_LOCK },
		{ "seconds", required_argument, NULL, OPT_SECONDS },
		{ "run", required_argument, NULL, OPT_RUN },
		{ "csv", no_argument, NULL, OPT_CSV },
		{ 0 },
	};
	bool timed = false;
	int opt;

	req->command = cli_command(&argc, argv);
	while ((opt = cli_getopt(&req->cli, 0, argc, argv, options)) != -1) {
		switch (opt) {
		case OPT_SYMBOL:
			req->symbol = optarg;
			break;
		case OPT_LOCK:
			req->lock = optarg;
			break;
		case OPT_SECONDS:
			req->time_ns = cli_seconds(optarg, "--seconds", 0.1, 3600);
			timed = true;
			break;
		case OPT_RUN:
			req->run = (unsigned int)cli_number(optarg, "--run", 1000000);
			break;
		case OPT_CSV:
			req->csv = true;
			break;
		}
	}
	check(req, argc - optind, timed);
	req->selector = optind < argc ? argv[optind] : NULL;
}

/* True when the time is over, or the command, or the user has ended it. */
static bool over_within(const struct command *command, uint64_t *left_ns, int ms)
{
	uint64_t ns = (uint64_t)ms * 1000000;

	if (command)
		return command_ends_within(command, ms);
	if (ns > *left_ns)
		ns = *left_ns;
	*left_ns -= ns;
	interval_sleep_until(monotonic_ns() + ns);
	return !*left_ns || interval_ended();
}

static void measure(struct locks *locks, const struct command *command, uint64_t time_ns)
{
	bool over = false;

	for (unsigned int i = 0; !over; i++) {
		bool sample = i % SAMPLE_EVERY == 1;

		if (sample)
			locks_sample_begins(locks);
		over = over_within(command, &time_ns, sample ? SAMPLE_MS : STEP_MS);
		if (sample)
			locks_sample_ends(locks);
	}
}

/* The command runs on where this fails: it is waited for before that is said. */
static void find(struct locks_finder *finder, struct command *command,
		 struct locks_targets *targets)
{
	uint64_t time_ns = FIND_MS * 1000000ull;
	struct errmsg err;
	bool over;

	if (locks_finder_start(finder, &err))
		goto failed;
	over = over_within(command, &time_ns, FIND_MS);
	if (locks_finder_stop(finder, targets, &err))
		goto failed;
	if (!command || !over)
		return;
	err_fail(&err, "the command ended before its locks were found, which takes %.1f s",
		 FIND_MS / 1e3);
failed:
	if (command)
		command_wait(command);
	die_err(&err);
}

/* A static lock is named by its symbol; one inside an object has none near it. */
static void name_lock(struct locks_target *target, const struct ksym *sym)
{
	if (target->name || !sym->name || sym->offset > 4096)
		return;
	target->name = sym->offset ? xasprintf("%s+0x%" PRIx64, sym->name, sym->offset) :
				     xstrdup(sym->name);
}

/* Place 0 has no caller, so the lock itself is asked for in its stead. */
static void name_all(struct locks_report *report)
{
	size_t n = report->result.n * LOCKS_ROOM;
	struct errmsg err;

	report->place = xcalloc(n, sizeof(*report->place));
	for (size_t i = 0; i < n; i++) {
		const struct locks_lock *lock = &report->result.lock[i / LOCKS_ROOM];
		size_t place = i % LOCKS_ROOM;

		report->place[i].address = place ? lock->place[place].caller : lock->address;
	}
	if (ksyms_name(NULL, report->place, n, &err))
		die_err(&err);
	for (size_t i = 0; i < report->result.n; i++)
		name_lock(&report->targets.target[i], &report->place[i * LOCKS_ROOM]);
}

/* The most used lock first. */
static void resort(struct locks_report *report)
{
	for (size_t i = 1; i < report->result.n; i++) {
		struct locks_lock lock = report->result.lock[i];
		struct locks_target target = report->targets.target[i];
		uint64_t n = locks_total(&lock).acquisitions;
		size_t at = i;

		for (; at && locks_total(&report->result.lock[at - 1]).acquisitions < n; at--) {
			report->result.lock[at] = report->result.lock[at - 1];
			report->targets.target[at] = report->targets.target[at - 1];
		}
		report->result.lock[at] = lock;
		report->targets.target[at] = target;
	}
}

static uint64_t acquisitions(const struct locks_report *report)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < report->result.n; i++)
		sum += locks_total(&report->result.lock[i]).acquisitions;
	return sum;
}

/* The hooks are attached while this runs, and nowhere else. */
static int run(const struct request *req, struct line *const *line, size_t n_lines,
	       struct locks_report *report)
{
	struct command command, *running = req->command ? &command : NULL;
	struct locks_finder *finder;
	struct locks *locks;
	struct errmsg err;

	if (locks_finder_open(&finder, line, n_lines, &err) ||
	    locks_open(&locks, locks_finder_layout(finder), n_lines > 0, &err))
		die_err(&err);
	if (!running)
		interval_begin();
	if (!n_lines)
		locks_start(locks, &report->targets);
	if (running && command_start(running, req->command, &err))
		die_err(&err);
	if (n_lines) {
		find(finder, running, &report->targets);
		locks_start(locks, &report->targets);
	}
	measure(locks, running, req->time_ns);
	locks_stop(locks, &report->result);
	locks_close(locks);
	locks_finder_close(finder);
	return running ? command_wait(running) : EXIT_SUCCESS;
}

static void print(const struct request *req, const struct locks_report *report)
{
	int rc = req->cli.json ? locks_print_json(report) :
		 req->csv ? locks_print_csv(report) : locks_print_table(report);

	if (rc)
		die("cannot write the output: %s", strerror(errno));
}

int cmd_locks(int argc, char **argv)
{
	struct request req = { .cli = { .help = help }, .time_ns = 1000000000, .run = 1 };
	struct locks_report report = { 0 };
	struct selection selected = { 0 };
	struct lines lines = { 0 };
	struct errmsg err;
	int status;

	parse(&req, argc, argv);
	report.run = req.run;
	if (req.lock && locks_by_address(req.lock, &report.targets, &err))
		die_err(&err);
	if (req.symbol && locks_by_symbol(NULL, req.symbol, &report.targets, &err))
		die_err(&err);
	if (req.selector && (lines_load(NULL, &lines, &err) ||
			     selector_find(req.selector, &lines, NULL, &selected, &err)))
		die_err(&err);
	status = run(&req, selected.line, selected.n, &report);
	if (!acquisitions(&report))
		die("the lock was not taken while it was measured%s",
		    req.selector ? "" : "; is that the address of a spin lock?");
	resort(&report);
	name_all(&report);
	print(&req, &report);
	ksyms_free(report.place, report.result.n * LOCKS_ROOM);
	free(report.place);
	locks_result_free(&report.result);
	locks_targets_free(&report.targets);
	if (req.selector) {
		selection_free(&selected);
		lines_free(&lines);
	}
	return cli_finish(status);
}
