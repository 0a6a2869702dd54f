// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/dist.h"
#include "../lib/nl.h"
#include "../lib/selector.h"
#include "../lib/xalloc.h"
#include "cli.h"
#include "dist_format.h"

static const char help[] =
	"Usage: irqpace hist SELECTOR --of WHAT [--compare FILE] [--format FORMAT]\n"
	"       irqpace hist --import FILE [--compare FILE] [--format FORMAT]\n"
	"The distribution of a line's durations, from the module's histograms (while\n"
	"irqpace set --stats on), or of a file in the kstats text format.\n"
	"\n"
	"  --of WHAT        run, residency, park, pause or wake\n"
	"  --import FILE    read FILE instead: one \"count N avg NS p PART n SUM\" a slot\n"
	"  --compare FILE   a second distribution beside it\n"
	"  --format FORMAT  table (default), json, kstats (not with --compare) or svg\n"
	"  --json           the same as --format json\n"
	"  --help           this text\n";

enum { OPT_OF = CLI_OPT_FIRST, OPT_IMPORT, OPT_COMPARE, OPT_FORMAT };

struct request {
	int of;			/* enum irqpace_hist, -1: not given */
	const char *import;
	const char *compare;
	enum format format;
};

static int hist_of(const char *name)
{
	for (int i = 0; i < __IRQPACE_HIST_MAX; i++)
		if (!strcmp(name, nl_hist_name((uint32_t)i)))
			return i;
	die_usage("--of is run, residency, park, pause or wake, not %s", name);
}

static void parse(struct request *req, int argc, char **argv)
{
	static const struct option options[] = {
		{ "of", required_argument, NULL, OPT_OF },
		{ "import", required_argument, NULL, OPT_IMPORT },
		{ "compare", required_argument, NULL, OPT_COMPARE },
		{ "format", required_argument, NULL, OPT_FORMAT },
		{ 0 },
	};
	struct cli cli = { .help = help };
	int opt;

	while ((opt = cli_getopt(&cli, 0, argc, argv, options)) != -1) {
		switch (opt) {
		case OPT_OF:
			req->of = hist_of(optarg);
			break;
		case OPT_IMPORT:
			req->import = optarg;
			break;
		case OPT_COMPARE:
			req->compare = optarg;
			break;
		case OPT_FORMAT:
			req->format = format_of(optarg);
			break;
		}
	}
	if (cli.json)
		req->format = JSON;
	if (req->import && optind < argc)
		die_usage("a selector and --import do not go together");
	if (req->import && req->of >= 0)
		die_usage("--of is for a line; a file holds what it holds");
	if (!req->import && optind == argc)
		die_usage("hist needs a selector or --import FILE, for example: irqpace hist nvme0q1 --of residency");
	if (argc - optind > 1)
		die_usage("hist takes one selector, not %d", argc - optind);
	if (!req->import && req->of < 0)
		die_usage("--of says which distribution: run, residency, park, pause or wake");
	if (req->compare && req->format == KSTATS)
		die_usage("kstats holds one distribution, so it does not go with --compare");
}

static void load_line(struct dist *dist, const char *selector, enum irqpace_hist of)
{
	struct lines lines;
	struct nl_status status;
	struct nl_hist hist;
	struct line *line;
	struct errmsg err;
	struct nl *nl;
	char *name;

	if (nl_open(&nl, &err) || lines_load(NULL, &lines, &err) ||
	    selector_find_one(selector, &lines, NULL, &line, &err) ||
	    nl_status(nl, &status, &err))
		die_err(&err);
	name = xasprintf("%s of irq %u (%s)", nl_hist_name(of), line->irq,
			 line->name ? line->name : "");
	if (!line->module || !line->module->attached)
		die("irq %u (%s) is native, and the module measures attached lines only; try irqpace set %u hard",
		    line->irq, line->name ? line->name : "", line->irq);
	memset(&hist, 0, sizeof(hist));
	if (nl_hist(nl, line->irq, of, &hist, &err) && err.sys_errno != ENOENT &&
	    err.sys_errno != ENODATA)
		die_err(&err);
	if (!hist.samples)
		die("there is no sample for %s%s", name,
		    status.stats ? "" : "; statistics are off: irqpace set --stats on");
	dist_from_hist(dist, &hist, name);
	free(name);
	nl_hist_free(&hist);
	lines_free(&lines);
	nl_close(nl);
}

static int print(const struct dist *dist, size_t n, enum format format)
{
	switch (format) {
	case JSON:
		return dist_print_json(stdout, dist, n);
	case KSTATS:
		dist_print_kstats(stdout, dist);
		return 0;
	case SVG:
		dist_print_svg(stdout, dist, n);
		return 0;
	default:
		return dist_print_table(dist, n);
	}
}

int cmd_hist(int argc, char **argv)
{
	struct request req = { .of = -1 };
	struct dist dist[2] = { 0 };
	struct errmsg err;
	size_t n = 1;

	parse(&req, argc, argv);
	if (req.import && dist_load(&dist[0], req.import, &err))
		die_err(&err);
	if (req.compare && dist_load(&dist[n++], req.compare, &err))
		die_err(&err);
	if (!req.import)
		load_line(&dist[0], argv[optind], (enum irqpace_hist)req.of);
	if (print(dist, n, req.format))
		die("cannot write the output: %s", strerror(errno));
	for (size_t i = 0; i < n; i++)
		dist_free(&dist[i]);
	return cli_finish(EXIT_SUCCESS);
}
