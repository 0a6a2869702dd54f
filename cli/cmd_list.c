// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/selector.h"
#include "../lib/table.h"
#include "../lib/xalloc.h"
#include "cli.h"
#include "line_json.h"

static const char help[] =
	"Usage: irqpace list [SELECTOR] [--json] [--sysroot DIR]\n"
	"\n"
	"Lists interrupt lines with their devices, counts and policies. Works\n"
	"without the module; with it, says which lines can be attached.\n"
	"\n"
	"  --json         machine-readable, see irqpace-list(1)\n"
	"  --sysroot DIR  read DIR/proc and DIR/sys, a recorded machine\n"
	"  --help         this text\n";

static void add_row(struct table *table, const struct lines *lines,
		    const struct line *line)
{
	static const char *const attachable[] = { "no", "yes" };
	char irq[16], total[24], vector[24], policy[POLICY_BUF];
	const char *shown = line_policy(lines, line);
	struct policy brief;

	snprintf(irq, sizeof(irq), "%u", line->irq);
	snprintf(total, sizeof(total), "%" PRIu64, line_total(lines, line));
	snprintf(vector, sizeof(vector), "%ld", line_vector(line));
	if (line->module && line->module->attached && line->module->has_settings) {
		brief = policy_brief(&line->module->settings);
		shown = policy_print_spec(&brief, policy, sizeof(policy));
	}
	table_row(table, (const char *const[]){
		irq, line_has_count(lines, line) ? total : NULL, line->name, line_device(line), line_driver(line),
		line_vector(line) < 0 ? NULL : vector, line->type,
		line->affinity, line->effective_affinity, shown,
		line->attachable == LINE_UNKNOWN ? NULL :
			attachable[line->attachable],
	});
}

static int print_table(const struct lines *lines, struct line *const *line,
		       size_t n)
{
	static const struct table_column columns[] = {
		{ .title = "IRQ", .right = true },
		{ .title = "TOTAL", .right = true },
		{ .title = "NAME" },
		{ .title = "DEVICE" },
		{ .title = "DRIVER" },
		{ .title = "VECTOR", .right = true },
		{ .title = "TYPE" },
		{ .title = "AFFINITY", .trunc = true },
		{ .title = "EFFECTIVE", .trunc = true },
		{ .title = "POLICY" },
		{ .title = "ATTACHABLE" },
	};
	struct table *table = table_new(columns,
					sizeof(columns) / sizeof(columns[0]));
	int rc;

	for (size_t i = 0; i < n; i++)
		add_row(table, lines, line[i]);
	rc = table_print(table);
	table_free(table);
	return rc;
}

static int print_json(const struct lines *lines, struct line *const *line,
		      size_t n)
{
	struct json json;

	jw_init(&json, stdout);
	jw_object(&json, NULL);
	jw_array(&json, "lines");
	for (size_t i = 0; i < n; i++) {
		jw_object(&json, NULL);
		line_json(&json, lines, line[i]);
		jw_end_object(&json);
	}
	jw_end_array(&json);
	jw_end_object(&json);
	return jw_done(&json);
}

static void select_all(const struct lines *lines, struct selection *sel)
{
	memset(sel, 0, sizeof(*sel));
	sel->line = xcalloc(lines->n, sizeof(*sel->line));
	for (size_t i = 0; i < lines->n; i++)
		sel->line[sel->n++] = &lines->line[i];
}

int cmd_list(int argc, char **argv)
{
	struct cli cli = { .help = help };
	struct selection sel;
	struct lines lines;
	struct errmsg err;
	int rc;

	cli_getopt(&cli, CLI_SYSROOT, argc, argv, NULL);
	if (argc - optind > 1)
		die_usage("list takes one selector, not %d", argc - optind);
	if (lines_load(cli.sysroot, &lines, &err))
		die_err(&err);
	if (optind == argc)
		select_all(&lines, &sel);
	else if (selector_find(argv[optind], &lines, cli.sysroot, &sel, &err))
		die_err(&err);
	rc = cli.json ? print_json(&lines, sel.line, sel.n) :
			print_table(&lines, sel.line, sel.n);
	selection_free(&sel);
	lines_free(&lines);
	if (rc)
		die("cannot write the output: %s", strerror(errno));
	return EXIT_SUCCESS;
}
