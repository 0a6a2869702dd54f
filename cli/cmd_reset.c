// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "../lib/json.h"
#include "../lib/nl.h"
#include "../lib/selector.h"
#include "cli.h"

static const char help[] =
	"Usage: irqpace reset SELECTOR [--json]\n"
	"       irqpace reset --all [--json]\n"
	"\n"
	"Gives lines back to the kernel: they become native, and the rules that\n"
	"named them go.\n"
	"\n"
	"  --all   every rule and every line\n"
	"  --json  machine-readable, see irqpace-reset(1)\n"
	"  --help  this text\n";

enum { OPT_ALL = CLI_OPT_FIRST };

/* The rule of a device that is away now: its lines cannot be found, it can. */
static bool find_rule(struct nl *nl, const char *text, struct selector *sel)
{
	char canonical[SELECTOR_BUF];
	struct nl_rules rules;
	struct errmsg err;
	bool found = false;

	if (nl_rules(nl, &rules, &err))
		return false;
	for (size_t i = 0; i < rules.n && !found; i++) {
		const struct selector *s = rules.rule[i].selector;

		found = !strcmp(s->text, text) ||
			!strcmp(selector_print(s, canonical, sizeof(canonical)),
				text);
		if (found)
			*sel = *s;
	}
	nl_rules_free(&rules);
	return found;
}

static void print_result(const struct cli *cli, const char *selector)
{
	struct json json;

	if (!cli->json) {
		printf("%s: native\n", selector ? selector : "all lines");
		return;
	}
	jw_init(&json, stdout);
	jw_object(&json, NULL);
	jw_string(&json, "selector", selector);
	jw_bool(&json, "all", !selector);
	jw_string(&json, "policy", "native");
	jw_end_object(&json);
	jw_done(&json);
}

int cmd_reset(int argc, char **argv)
{
	static const struct option options[] = {
		{ "all", no_argument, NULL, OPT_ALL },
		{ 0 },
	};
	struct cli cli = { .help = help };
	char canonical[SELECTOR_BUF];
	struct selection sel = { 0 };
	struct selector selector;
	struct lines lines;
	struct errmsg err;
	bool all = false;
	struct nl *nl;

	while (cli_getopt(&cli, 0, argc, argv, options) != -1)
		all = true;
	if (all && optind < argc)
		die_usage("reset takes a selector or --all, not both");
	if (!all && optind == argc)
		die_usage("reset needs a selector or --all");
	if (argc - optind > 1)
		die_usage("reset takes one selector, not %d", argc - optind);

	if (nl_open(&nl, &err))
		die_err(&err);
	if (all) {
		if (nl_reset(nl, NULL, &err))
			die_err(&err);
		print_result(&cli, NULL);
	} else {
		if (lines_load(NULL, &lines, &err))
			die_err(&err);
		if (!selector_find(argv[optind], &lines, NULL, &sel, &err))
			selector = sel.selector;
		else if (!find_rule(nl, argv[optind], &selector))
			die_err(&err);
		if (nl_reset(nl, &selector, &err))
			die_err(&err);
		print_result(&cli, selector_print(&selector, canonical,
						  sizeof(canonical)));
		selection_free(&sel);
		lines_free(&lines);
	}
	nl_close(nl);
	return cli_finish(EXIT_SUCCESS);
}
