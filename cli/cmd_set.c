// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "../lib/duration.h"
#include "../lib/json.h"
#include "../lib/nl.h"
#include "../lib/policy.h"
#include "../lib/selector.h"
#include "../lib/xalloc.h"
#include "cli.h"

#define STARVE_MIN_NS	1000000ULL
#define STARVE_MAX_NS	1000000000ULL

static const char help[] =
	"Usage: irqpace set SELECTOR hard [OPTION]...\n"
	"       irqpace set SELECTOR threaded [--delay D] [OPTION]...\n"
	"       irqpace set SELECTOR hybrid --limit L --window W [OPTION]...\n"
	"       irqpace set SELECTOR moderate --delay D [--poll [--rounds N]] [OPTION]...\n"
	"       irqpace set SELECTOR native\n"
	"       irqpace set [--stats on|off] [--starve-limit T]\n"
	"\n"
	"Chooses how lines are handled, now and when their device comes back.\n"
	"\n"
	"  --delay D              pause after each run, 1us to 10ms\n"
	"  --limit L --window W   time in the hard interrupt, for each window\n"
	"  --poll                 keep the line masked while rounds find work\n"
	"  --rounds N             at most so many rounds in a row\n"
	"  --mask posted|flushed  how a paused line is masked (default posted)\n"
	"  --mask-after K         mask with the K-th arrival of a pause (default 2)\n"
	"  --shared               allow moderate on a shared level line\n"
	"  --stats on|off         histograms of all lines\n"
	"  --starve-limit T       a thread that has not run for T is overtaken, 1ms to 1s\n"
	"  --json                 machine-readable, see irqpace-set(1)\n"
	"  --help                 this text\n"
	"\n"
	"Times carry a unit: 100us, 1.5ms.\n";

enum { OPT_STATS = CLI_OPT_FIRST, OPT_STARVE, OPT_POLICY };

struct request {
	struct cli cli;
	struct policy_args args;
	bool has_args;
	struct nl_config config;
};

static void read_options(struct request *r, int argc, char **argv)
{
	static const struct option own[] = {
		{ "stats", required_argument, NULL, OPT_STATS },
		{ "starve-limit", required_argument, NULL, OPT_STARVE },
	};
	struct option options[2 + POLICY_N_OPTIONS + 1] = { own[0], own[1] };
	struct errmsg err;
	int c;

	for (int i = 0; i < POLICY_N_OPTIONS; i++)
		options[2 + i] = (struct option){
			.name = policy_option_names[i],
			.has_arg = policy_option_has_value(i) ?
				   required_argument : no_argument,
			.val = OPT_POLICY + i,
		};
	while ((c = cli_getopt(&r->cli, 0, argc, argv, options)) != -1) {
		switch (c) {
		case OPT_STATS:
			if (strcmp(optarg, "on") && strcmp(optarg, "off"))
				die_usage("--stats %s is neither on nor off",
					  optarg);
			r->config.have |= NL_CONFIG_STATS;
			r->config.stats = !strcmp(optarg, "on");
			break;
		case OPT_STARVE:
			if (duration_parse_range(optarg, "--starve-limit",
						 STARVE_MIN_NS, STARVE_MAX_NS,
						 &r->config.starve_ns, &err))
				die_err(&err);
			r->config.have |= NL_CONFIG_STARVE;
			break;
		default:
			r->has_args = true;
			if (policy_args_add(&r->args,
					    policy_option_names[c - OPT_POLICY],
					    optarg, &err))
				die_err(&err);
		}
	}
}

static int set_config(const struct request *r)
{
	struct nl_status status;
	char starve[DURATION_BUF];
	struct errmsg err;
	struct json json;
	struct nl *nl;

	if (nl_open(&nl, &err) || nl_config(nl, &r->config, &err) ||
	    nl_status(nl, &status, &err))
		die_err(&err);
	nl_close(nl);
	if (r->cli.json) {
		jw_init(&json, stdout);
		jw_object(&json, NULL);
		jw_bool(&json, "stats", status.stats);
		jw_us(&json, "starve_limit_us", status.starve_ns);
		jw_end_object(&json);
		jw_done(&json);
	} else {
		printf("statistics %s, starvation limit %s\n",
		       status.stats ? "on" : "off",
		       duration_print(status.starve_ns, starve, sizeof(starve)));
	}
	return cli_finish(EXIT_SUCCESS);
}

static const char *line_name(const struct lines *lines, uint32_t irq)
{
	const struct line *line = lines_find(lines, irq);

	return line ? line->name : NULL;
}

static void print_changed(const struct lines *lines,
			  const struct policy *policy, const uint32_t *irq,
			  size_t n)
{
	char text[POLICY_BUF];

	policy_print(policy, text, sizeof(text));
	if (!n)
		printf("%s: no line had to be changed\n", text);
	for (size_t i = 0; i < n; i++) {
		const char *name = line_name(lines, irq[i]);

		printf("%u (%s): %s\n", irq[i], name ? name : "unused", text);
	}
}

static void print_changed_json(const struct lines *lines,
			       const struct selector *sel,
			       const struct policy *policy,
			       const uint32_t *irq, size_t n)
{
	char selector[SELECTOR_BUF];
	struct json json;

	jw_init(&json, stdout);
	jw_object(&json, NULL);
	jw_string(&json, "selector",
		    selector_print(sel, selector, sizeof(selector)));
	jw_string(&json, "policy", policy_name(policy->kind));
	policy_json(&json, "params", policy);
	jw_array(&json, "lines");
	for (size_t i = 0; i < n; i++) {
		jw_object(&json, NULL);
		jw_u64(&json, "irq", irq[i]);
		jw_string(&json, "name", line_name(lines, irq[i]));
		jw_end_object(&json);
	}
	jw_end_array(&json);
	jw_end_object(&json);
	jw_done(&json);
}

/* A rule with policy native is what RESET makes where a wider rule is there. */
static int make_native(struct nl *nl, const struct selection *sel,
		       uint32_t **irq, size_t *n, struct errmsg *err)
{
	if (nl_reset(nl, &sel->selector, err))
		return -1;
	*irq = xcalloc(sel->n, sizeof(**irq));
	for (*n = 0; *n < sel->n; (*n)++)
		(*irq)[*n] = sel->line[*n]->irq;
	return 0;
}

static int apply(struct nl *nl, const struct selection *sel,
		 const struct policy *policy, uint32_t **irq, size_t *n,
		 struct errmsg *err)
{
	if (policy->kind == IRQPACE_POLICY_NATIVE)
		return make_native(nl, sel, irq, n, err);
	return nl_set(nl, &sel->selector, policy, irq, n, err);
}

static int set_policy(const struct request *r, const char *text,
		      const char *kind)
{
	struct policy policy;
	struct selection sel;
	struct lines lines;
	struct errmsg err;
	uint32_t *irq;
	struct nl *nl;
	size_t n;

	if (policy_args_finish(&r->args, kind, &policy, &err) ||
	    nl_open(&nl, &err) || lines_load(NULL, &lines, &err) ||
	    selector_find(text, &lines, NULL, &sel, &err) ||
	    apply(nl, &sel, &policy, &irq, &n, &err))
		die_err(&err);
	if (r->cli.json)
		print_changed_json(&lines, &sel.selector, &policy, irq, n);
	else
		print_changed(&lines, &policy, irq, n);
	free(irq);
	selection_free(&sel);
	lines_free(&lines);
	nl_close(nl);
	return cli_finish(EXIT_SUCCESS);
}

int cmd_set(int argc, char **argv)
{
	struct request r = { .cli = { .help = help } };
	int operands;

	read_options(&r, argc, argv);
	operands = argc - optind;
	if (!operands && r.config.have && !r.has_args)
		return set_config(&r);
	if (r.config.have)
		die_usage("--stats and --starve-limit belong to the whole module: give them without a selector and a policy");
	if (operands == 0)
		die_usage("set needs a selector and a policy, for example: irqpace set nvme0 moderate --delay 100us");
	if (operands == 1)
		die_usage("set needs a policy after %s: hard, threaded, hybrid, moderate or native",
			  argv[optind]);
	if (operands > 2)
		die_usage("set takes one selector and one policy; %s is too much",
			  argv[optind + 2]);
	return set_policy(&r, argv[optind], argv[optind + 1]);
}
