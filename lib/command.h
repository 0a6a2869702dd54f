/* SPDX-License-Identifier: GPL-2.0-only */
/* A command that is run while something is measured, as perf stat does it. */
#ifndef IRQPACE_COMMAND_H
#define IRQPACE_COMMAND_H

#include <signal.h>
#include <stdbool.h>

#include "errmsg.h"

/*
 * Runs ARGV (found by PATH, our own output and error) to its end. STATUS is its
 * exit status, 128 and the signal's number where one ended it. An interrupt from
 * the terminal is the command's; we go on to what was measured until then.
 * -1 where it cannot be started.
 */
int command_run(char *const *argv, int *status, struct errmsg *err);

/* The same in steps; whoever starts one waits for it. */
struct command {
	pid_t pid;
	int fd;			/* readable when it has ended */
	struct sigaction was;
};

int command_start(struct command *command, char *const *argv, struct errmsg *err);
bool command_ends_within(const struct command *command, int ms);
/* Its status, as above. */
int command_wait(struct command *command);

#endif
