// SPDX-License-Identifier: GPL-2.0-only
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../lib/json.h"
#include "../lib/nl.h"
#include "cli.h"

/* How long an unloaded module may go unnoticed. */
#define LOOK_EVERY_MS 1000

static const char help[] =
	"Usage: irqpace monitor [--json]\n"
	"\n"
	"Prints the module's events as they come, one a line, until interrupted:\n"
	"attached, changed, gone, starved, refused, foreign, ineligible, spurious,\n"
	"limit, and lost where they came faster than they could be read.\n"
	"\n"
	"  --json  one JSON object a line, see irqpace-monitor(1)\n"
	"  --help  this text\n";

static volatile sig_atomic_t stop;

static void on_signal(int signal)
{
	(void)signal;
	stop = 1;
}

static void catch_signals(void)
{
	/* No SA_RESTART: the wait for an event has to end. */
	struct sigaction action = { .sa_handler = on_signal };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

static void print_event(const struct nl_event *event)
{
	struct timespec now;
	struct tm tm;
	char clock[16];

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &tm);
	strftime(clock, sizeof(clock), "%H:%M:%S", &tm);
	printf("%s.%03ld %-10s ", clock, now.tv_nsec / 1000000,
	       nl_event_name(event->event));
	if (event->has_irq)
		printf("%u", event->irq);
	else
		putchar('-');
	if (event->name)
		printf(" (%s)", event->name);
	printf(" %s\n", event->text ? event->text : "");
	cli_finish(0);
}

static void print_event_json(const struct nl_event *event)
{
	struct timespec now;
	struct json json;

	clock_gettime(CLOCK_REALTIME, &now);
	jw_init(&json, stdout);
	jw_object(&json, NULL);
	jw_double(&json, "time", (double)now.tv_sec + (double)now.tv_nsec / 1e9,
		    6);
	jw_string(&json, "event", nl_event_name(event->event));
	if (event->has_irq)
		jw_u64(&json, "irq", event->irq);
	else
		jw_null(&json, "irq");
	jw_string(&json, "name", event->name);
	jw_string(&json, "text", event->text);
	jw_end_object(&json);
	jw_done(&json);
	cli_finish(0);
}

int cmd_monitor(int argc, char **argv)
{
	struct cli cli = { .help = help };
	struct nl_event event;
	struct errmsg err;
	struct nl *nl;

	cli_getopt(&cli, 0, argc, argv, NULL);
	if (optind < argc)
		die_usage("monitor takes no argument: %s", argv[optind]);
	catch_signals();
	if (nl_open(&nl, &err) || nl_subscribe(nl, &err))
		die_err(&err);
	while (!stop) {
		int rc = nl_next_event(nl, LOOK_EVERY_MS, &event, &err);

		if (rc < 0)
			die_err(&err);
		if (rc) {
			if (cli.json)
				print_event_json(&event);
			else
				print_event(&event);
			nl_event_free(&event);
		} else if (!nl_module_loaded()) {
			die("the irqpace module was unloaded");
		}
	}
	nl_close(nl);
	return cli_finish(EXIT_SUCCESS);
}
