// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/json.h"
#include "../lib/xalloc.h"
#include "cli.h"
#include "doctor.h"

static const char help[] =
	"Usage: irqpace doctor [--json] [--sysroot DIR]\n"
	"\n"
	"Says what this machine allows: the kernel, the module, what is needed to\n"
	"build it, who else moves interrupts, and which lines can be attached.\n"
	"Works without the module. The exit status is 0 whatever is found.\n"
	"\n"
	"  --json         machine-readable, see irqpace-doctor(1)\n"
	"  --sysroot DIR  look at a recorded machine\n"
	"  --help         this text\n";

static const char *const verdicts[] = {
	[VERDICT_OK] = "ok",
	[VERDICT_WARN] = "warn",
	[VERDICT_FAIL] = "fail",
	[VERDICT_UNKNOWN] = "unknown",
};

void report_add(struct report *report, const char *name, enum verdict verdict,
		const char *hint, const char *fmt, ...)
{
	struct check *check;
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	report->check = xrealloc(report->check, report->n + 1, sizeof(*check));
	check = &report->check[report->n++];
	check->name = name;
	check->verdict = verdict;
	check->text = xstrdup(text);
	check->hint = hint ? xstrdup(hint) : NULL;
}

void report_free(struct report *report)
{
	for (size_t i = 0; i < report->n; i++) {
		free(report->check[i].text);
		free(report->check[i].hint);
	}
	free(report->check);
	memset(report, 0, sizeof(*report));
}

static void print_text(const struct report *report)
{
	for (size_t i = 0; i < report->n; i++) {
		const struct check *c = &report->check[i];

		printf("%-8s %-11s %s\n", verdicts[c->verdict], c->name, c->text);
		if (c->hint)
			printf("%-8s %-11s hint: %s\n", "", "", c->hint);
	}
}

static void print_json(const struct report *report)
{
	struct json json;

	jw_init(&json, stdout);
	jw_object(&json, NULL);
	jw_array(&json, "checks");
	for (size_t i = 0; i < report->n; i++) {
		const struct check *c = &report->check[i];

		jw_object(&json, NULL);
		jw_string(&json, "check", c->name);
		jw_string(&json, "verdict", verdicts[c->verdict]);
		jw_string(&json, "text", c->text);
		jw_string(&json, "hint", c->hint);
		jw_end_object(&json);
	}
	jw_end_array(&json);
	jw_end_object(&json);
	jw_done(&json);
}

int cmd_doctor(int argc, char **argv)
{
	struct report report = { 0 };
	struct cli cli = { .help = help };

	cli_getopt(&cli, CLI_SYSROOT, argc, argv, NULL);
	if (optind < argc)
		die_usage("doctor takes no argument: %s", argv[optind]);
	doctor_system(cli.sysroot, &report);
	doctor_lines(cli.sysroot, &report);
	if (cli.json)
		print_json(&report);
	else
		print_text(&report);
	report_free(&report);
	return cli_finish(EXIT_SUCCESS);
}
