// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

#define CLI_MAX_OPTIONS 40

enum { OPT_HELP = 1, OPT_JSON, OPT_SYSROOT };

static void __attribute__((noreturn, format(printf, 2, 0)))
die_status(int status, const char *fmt, va_list ap)
{
	fputs("irqpace: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	exit(status);
}

void die_usage(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	die_status(EXIT_USAGE, fmt, ap);
}

void die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	die_status(EXIT_FAIL, fmt, ap);
}

void die_err(const struct errmsg *err)
{
	fprintf(stderr, "irqpace: %s\n", err->text);
	exit(err->status);
}

int cli_finish(int status)
{
	if (fflush(stdout) || ferror(stdout))
		die("cannot write the output: %s", strerror(errno));
	return status;
}

char **cli_command(int *argc, char **argv)
{
	for (int i = 1; i < *argc; i++) {
		if (strcmp(argv[i], "--"))
			continue;
		if (i + 1 == *argc)
			die_usage("a command has to follow --");
		*argc = i;
		argv[i] = NULL;
		return &argv[i + 1];
	}
	return NULL;
}

uint64_t cli_number(const char *text, const char *what, uint64_t max)
{
	char *end;
	unsigned long long n;

	errno = 0;
	n = strtoull(text, &end, 10);
	if (errno || !isdigit((unsigned char)*text) || *end || !n || n > max)
		die_usage("%s has to be a number from 1 to %llu, not \"%s\"",
			  what, (unsigned long long)max, text);
	return n;
}

uint64_t cli_seconds(const char *text, const char *what, double min, double max)
{
	size_t digits = strspn(text, "0123456789.");
	char *end;
	double seconds = strtod(text, &end);

	if (!digits || end != text + digits || (*end && strcmp(end, "s")) || seconds < min || seconds > max)
		die_usage("%s has to be a number of seconds from %g to %g, not \"%s\"",
			  what, min, max, text);
	return (uint64_t)(seconds * 1e9 + 0.5);
}

static void print_help(const char *help) __attribute__((noreturn));

static void print_help(const char *help)
{
	fputs(help, stdout);
	exit(cli_finish(EXIT_SUCCESS));
}

/* The command's own options followed by the common ones. */
static const struct option *merge(const struct option *own, unsigned int flags)
{
	static const struct option common[] = {
		{ "help", no_argument, NULL, OPT_HELP },
		{ "json", no_argument, NULL, OPT_JSON },
		{ "sysroot", required_argument, NULL, OPT_SYSROOT },
	};
	static struct option all[CLI_MAX_OPTIONS];
	size_t n = 0;

	for (; own && own->name; own++)
		if (n + 4 < CLI_MAX_OPTIONS)
			all[n++] = *own;
	all[n++] = common[0];
	all[n++] = common[1];
	if (flags & CLI_SYSROOT)
		all[n++] = common[2];
	memset(&all[n], 0, sizeof(all[n]));
	return all;
}

/* Letters among the values are short options; the colon first tells what lacks a value. */
static const char *letters(const struct option *all)
{
	static char text[3 + 3 * CLI_MAX_OPTIONS];
	size_t n = 0;

	text[n++] = ':';
	text[n++] = 'h';
	for (; all->name; all++) {
		if (all->val <= OPT_SYSROOT || all->val >= CLI_OPT_FIRST)
			continue;
		text[n++] = (char)all->val;
		if (all->has_arg == required_argument)
			text[n++] = ':';
	}
	text[n] = '\0';
	return text;
}

static void unknown_option(char **argv) __attribute__((noreturn));

/* getopt_long() leaves 0, a short option's letter, or the `val` of a long one. */
static void unknown_option(char **argv)
{
	const char *word = argv[optind - 1];

	if (!optopt)
		die_usage("%s has no option %s: see irqpace %s --help", argv[0],
			  word, argv[0]);
	if (!strncmp(word, "--", 2))
		die_usage("%.*s takes no value", (int)strcspn(word, "="), word);
	die_usage("%s has no option -%c: see irqpace %s --help", argv[0],
		  optopt, argv[0]);
}

int cli_getopt(struct cli *cli, unsigned int flags, int argc, char **argv,
	       const struct option *options)
{
	const struct option *all = merge(options, flags);
	int c;

	opterr = 0;
	for (;;) {
		c = getopt_long(argc, argv, letters(all), all, NULL);
		switch (c) {
		case 'h':
		case OPT_HELP:
			print_help(cli->help);
		case OPT_JSON:
			cli->json = true;
			continue;
		case OPT_SYSROOT:
			if (!*optarg)
				die_usage("--sysroot needs a directory");
			cli->sysroot = optarg;
			continue;
		case ':':
			die_usage("%s needs a value", argv[optind - 1]);
		case '?':
			unknown_option(argv);
		default:
			return c;
		}
	}
}
