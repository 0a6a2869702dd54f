/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What every command shares. A command is `int cmd_<verb>(int argc, char **argv)`
 * with argv[0] its own name; it returns the exit status. Its --help text is a
 * static string in its own file.
 */
#ifndef IRQPACE_CLI_H
#define IRQPACE_CLI_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../lib/errmsg.h"

#define IRQPACE_VERSION "0.1.0"

int cmd_list(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_set(int argc, char **argv);
int cmd_reset(int argc, char **argv);
int cmd_bench(int argc, char **argv);
int cmd_hist(int argc, char **argv);
int cmd_top(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_stat(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_locks(int argc, char **argv);
int cmd_monitor(int argc, char **argv);
int cmd_doctor(int argc, char **argv);

struct cli {
	const char *help;	/* printed by --help, to stdout, exit 0 */
	bool json;
	const char *sysroot;	/* NULL: this machine */
};

/*
 * getopt_long() with the options that commands have in common. OPTIONS is the
 * command's own, ended by zeros; its `val`s must be CLI_OPT_FIRST or more, or a letter, which
 * is then a short option as well. It returns such a val (optarg is its argument),
 * or -1 when all are read; then argv[optind] is the first operand. --json, --help and, with CLI_SYSROOT,
 * --sysroot are taken care of; an unknown or incomplete option ends the
 * program by die_usage().
 */
#define CLI_OPT_FIRST	0x100
#define CLI_SYSROOT	0x1
int cli_getopt(struct cli *cli, unsigned int flags, int argc, char **argv,
	       const struct option *options);

/*
 * The command behind a "--", which ARGC then ends before; NULL without one. Before
 * cli_getopt(), which would mix the command's words with the operands.
 */
char **cli_command(int *argc, char **argv);

/* TEXT as a number from 1 to MAX, or die_usage(). */
uint64_t cli_number(const char *text, const char *what, uint64_t max);
/* TEXT as seconds from MIN to MAX ("0.5", "15s"), in ns; or die_usage(). */
uint64_t cli_seconds(const char *text, const char *what, double min, double max);

/* "irqpace: SENTENCE" on stderr and exit 2, 1 or err->status. */
void die_usage(const char *fmt, ...)
	__attribute__((noreturn, format(printf, 1, 2)));
void die(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));
void die_err(const struct errmsg *err) __attribute__((noreturn));

/* Flushes stdout and returns STATUS, or dies where it could not be written. */
int cli_finish(int status);

#endif
