// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../lib/nl.h"
#include "../lib/selector.h"
#include "../lib/top_screen.h"
#include "cli.h"
#include "interval.h"

/* Lines are read again when a number is not known, but not more often, and now and then. */
#define LINES_NEW_NS	1000000000ULL
#define LINES_OLD_NS	30000000000ULL
#define BATCH_WIDTH	80

static const char help[] =
	"Usage: irqpace top [-d S] [-n N] [--sort WHAT]\n"
	"       irqpace top -b [-d S] [-n N] [--sort WHAT]\n"
	"Interrupt lines as they are now, those that take most time first, with the\n"
	"CPUs' time in hard interrupts and softirqs. Needs root and a kernel with BTF,\n"
	"not the module; with it, shows and changes the lines' policies. Keys: h.\n"
	"\n"
	"  -b, --batch       pages of plain text instead of the screen\n"
	"  -d, --interval S  seconds between updates, 0.1 to 3600; default 1\n"
	"  -n, --count N     end after so many updates\n"
	"  --sort WHAT       share (default), rate, residency or irq\n"
	"  --help            this text\n";

enum { OPT_SORT = CLI_OPT_FIRST };

struct request {
	struct cli cli;
	bool batch;
	uint64_t interval_ns;
	uint64_t count;		/* 0: until interrupted */
	enum top_sort sort;
};

/* The last reading, and what the model that was made of it borrows. */
struct live {
	struct irqstat *stat;
	struct nl *nl;		/* NULL: the module is not loaded */
	struct irqstat_sample sample;
	struct modstat module;
	struct modstat since;	/* what the module counted between the last two */
	struct handler_names names;
	struct lines lines;
	uint64_t lines_ns;	/* when they were read */
};

static void parse(struct request *req, int argc, char **argv)
{
	static const struct option options[] = {
		{ "batch", no_argument, NULL, 'b' },
		{ "interval", required_argument, NULL, 'd' },
		{ "count", required_argument, NULL, 'n' },
		{ "sort", required_argument, NULL, OPT_SORT },
		{ 0 },
	};
	int opt;

	while ((opt = cli_getopt(&req->cli, 0, argc, argv, options)) != -1) {
		switch (opt) {
		case 'b':
			req->batch = true;
			break;
		case 'd':
			req->interval_ns = cli_seconds(optarg, "--interval", 0.1, 3600);
			break;
		case 'n':
			req->count = cli_number(optarg, "--count", 1000000000);
			break;
		case OPT_SORT:
			req->sort = top_sort_of(optarg);
			if (req->sort == __TOP_SORT_MAX)
				die_usage("--sort is share, rate, residency or irq, not %s", optarg);
			break;
		}
	}
	if (optind < argc)
		die_usage("top takes no argument: %s", argv[optind]);
	if (req->cli.json)
		die_usage("top is for people: for JSON there is irqpace stat --json");
	if (!req->batch && (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)))
		die_usage("top needs a terminal: without one, use irqpace top --batch");
}

static int open_live(struct live *live, struct errmsg *err)
{
	if (!live->lines.n && lines_load_names(&live->lines, err))
		return -1;
	if (irqstat_open(&live->stat, live->lines.n, err) ||
	    (nl_module_loaded() && nl_open(&live->nl, err)))
		return -1;
	if (irqstat_read(live->stat, &live->sample, err))
		return -1;
	return live->nl ? modstat_read(live->nl, false, &live->module, err) : 0;
}

/* The lines stay. */
static void close_live(struct live *live)
{
	irqstat_close(live->stat);
	live->stat = NULL;
	if (live->nl)
		nl_close(live->nl);
	live->nl = NULL;
	irqstat_free(&live->sample);
	modstat_free(&live->module);
	modstat_free(&live->since);
}

static bool all_known(const struct lines *lines, const struct irqstat_sample *sample)
{
	for (size_t i = 0; i < sample->n; i++)
		if (!lines_find(lines, sample->entry[i].key.irq))
			return false;
	return true;
}

static int follow_lines(struct live *live, const struct irqstat_sample *now, struct errmsg *err)
{
	uint64_t age = now->time_ns - live->lines_ns;
	struct lines lines;

	if (age < LINES_NEW_NS || (age < LINES_OLD_NS && all_known(&live->lines, now)))
		return 0;
	if (lines_load_names(&lines, err))
		return -1;
	lines_free(&live->lines);
	live->lines = lines;
	live->lines_ns = now->time_ns;
	return 0;
}

static int read_live(void *data, struct top_model *model, struct errmsg *err)
{
	struct irqstat_sample now, handlers;
	struct live *live = data;
	struct modstat module;
	struct stat_view view;

	/* The programs see the module's rounds only where it was there before them. */
	if (nl_module_loaded() != (live->nl != NULL)) {
		close_live(live);
		if (open_live(live, err))
			return -1;
	}
	if (irqstat_read(live->stat, &now, err))
		return -1;
	if (follow_lines(live, &now, err) ||
	    (live->nl && modstat_read(live->nl, false, &module, err))) {
		irqstat_free(&now);
		return -1;
	}
	irqstat_difference(&now, &live->sample);
	if (live->nl) {
		modstat_free(&live->since);
		live->since = live->module;
		live->module = module;
		modstat_difference(&live->module, &live->since);
	}
	/* Completions are not shown, and cost a look at sysfs for each disk. */
	handlers = live->sample;
	handlers.disks.n = 0;
	stat_view_make(&view, &handlers, &live->lines, NULL, &live->names, NULL, false);
	top_model_make(model, &view, &live->lines, live->nl ? &live->since : NULL);
	stat_view_free(&view);
	irqstat_free(&live->sample);
	live->sample = now;
	return 0;
}

/* As `irqpace set NUMBER` does. */
static int set_live(void *data, struct top_ui *ui, struct errmsg *err)
{
	struct live *live = data;
	char number[16], policy[POLICY_BUF];
	struct selection sel;
	uint32_t *irqs = NULL;
	size_t n = 1;
	int rc;

	snprintf(number, sizeof(number), "%u", ui->selected_irq);
	if (!live->nl)
		return err_fail(err, "the irqpace module is not loaded: modprobe irqpace");
	if (selector_find(number, &live->lines, NULL, &sel, err))
		return -1;
	if (ui->policy.kind == IRQPACE_POLICY_NATIVE)
		rc = nl_reset(live->nl, &sel.selector, err);
	else
		rc = nl_set(live->nl, &sel.selector, &ui->policy, &irqs, &n, err);
	if (!rc)
		snprintf(ui->message, sizeof(ui->message), "%s (%s): %s%s", number,
			 sel.line[0]->name ? sel.line[0]->name : "unused",
			 policy_print(&ui->policy, policy, sizeof(policy)),
			 n ? "" : ", as it was");
	free(irqs);
	selection_free(&sel);
	return rc;
}

static void print_page(const struct top_page *page)
{
	for (size_t i = 0; i < page->n; i++) {
		const char *row = top_page_row(page, i);
		size_t n = strlen(row);

		while (n && row[n - 1] == ' ')
			n--;
		printf("%.*s\n", (int)n, row);
	}
}

/* Wide enough for all columns where the user says so, as to top(1). */
static size_t batch_width(void)
{
	const char *columns = getenv("COLUMNS");
	unsigned long width = columns ? strtoul(columns, NULL, 10) : 0;

	return width >= TOP_WIDTH_MIN && width <= TOP_WIDTH_MAX ? width : BATCH_WIDTH;
}

static int batch(const struct request *req, struct live *live, struct errmsg *err)
{
	struct top_ui ui = { .sort = req->sort };
	uint64_t next = live->sample.time_ns;
	struct top_page page = { 0 };
	size_t width = batch_width();
	int rc = 0;

	for (uint64_t i = 0; !interval_ended() && (!req->count || i < req->count); i++) {
		struct top_model model;
		time_t now;
		struct tm tm;
		char clock[16];

		interval_sleep_until(next += req->interval_ns);
		rc = read_live(live, &model, err);
		if (rc)
			break;
		top_model_sort(&model, req->sort);
		now = time(NULL);
		localtime_r(&now, &tm);
		strftime(clock, sizeof(clock), "%H:%M:%S", &tm);
		top_page_make(&page, &model, &ui, width, 0, clock);
		if (i)
			putchar('\n');
		print_page(&page);
		top_model_free(&model);
		cli_finish(0);
	}
	top_page_free(&page);
	return rc;
}

int cmd_top(int argc, char **argv)
{
	struct request req = { .cli = { .help = help }, .interval_ns = 1000000000 };
	struct live live = { 0 };
	struct top_source source = { .data = &live, .read = read_live, .set = set_live };
	struct errmsg err;
	int rc;

	parse(&req, argc, argv);
	if (open_live(&live, &err))
		die_err(&err);
	live.lines_ns = live.sample.time_ns;
	if (req.batch) {
		interval_begin();
		rc = batch(&req, &live, &err);
	} else {
		rc = top_screen(&source, req.sort, req.interval_ns, req.count, &err);
	}
	close_live(&live);
	handler_names_free(&live.names);
	lines_free(&live.lines);
	if (rc)
		die_err(&err);
	return cli_finish(EXIT_SUCCESS);
}
