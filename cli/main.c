// SPDX-License-Identifier: GPL-2.0-only
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/selector.h"
#include "cli.h"

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *brief;
} commands[] = {
	{ "list", cmd_list, "interrupt lines and their policies" },
	{ "show", cmd_show, "one line: settings, state, counters, histograms" },
	{ "set", cmd_set, "choose how lines are handled" },
	{ "reset", cmd_reset, "give lines back to the kernel" },
	{ "bench", cmd_bench, "compare policies on a block device" },
	{ "stat", cmd_stat, "where interrupt time goes, with or without the module" },
	{ "trace", cmd_trace, "how long a kernel function takes, and how often it is called" },
	{ "hist", cmd_hist, "the distribution of a line's durations, or of a file" },
	{ "top", cmd_top, "the lines as they are now, most time first; sets policies" },
	{ "export", cmd_export, "metrics for Prometheus, once or again and again" },
	{ "locks", cmd_locks, "hold and wait times of the spin locks of a line" },
	{ "monitor", cmd_monitor, "print the module's events as they come" },
	{ "doctor", cmd_doctor, "what this machine allows" },
};
#define N_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static int help(void)
{
	puts("Usage: irqpace COMMAND [ARGUMENT]...\n"
	     "       irqpace --version | --help\n"
	     "\n"
	     "Chooses, for each interrupt line, how a stock kernel handles it.\n"
	     "\n"
	     "Commands (each with --help and a man page irqpace-COMMAND):");
	for (size_t i = 0; i < N_COMMANDS; i++)
		printf("  %-9s %s\n", commands[i].name, commands[i].brief);
	puts("\n"
	     "Policies: native, hard, threaded, hybrid, moderate.\n"
	     "Selectors: 25  nvme0q*  nvme0  sda  0000:00:03.0  driver:nvme  nvme0/3");
	return cli_finish(EXIT_SUCCESS);
}

static const char *nearest(const char *name)
{
	const struct command *best = &commands[0];

	for (size_t i = 1; i < N_COMMANDS; i++)
		if (edit_distance(name, commands[i].name) <
		    edit_distance(name, best->name))
			best = &commands[i];
	return best->name;
}

int main(int argc, char **argv)
{
	/* A closed pipe is an output that could not be written: exit 1, not a signal. */
	signal(SIGPIPE, SIG_IGN);
	if (argc < 2)
		die_usage("a command is needed: see irqpace --help");
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
	    !strcmp(argv[1], "help"))
		return help();
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		printf("irqpace %s\n", IRQPACE_VERSION);
		return cli_finish(EXIT_SUCCESS);
	}
	for (size_t i = 0; i < N_COMMANDS; i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	if (argv[1][0] == '-')
		die_usage("there is no option %s: see irqpace --help", argv[1]);
	die_usage("there is no command %s; the nearest is %s", argv[1],
		  nearest(argv[1]));
}
