/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One refusal: a sentence for the user and the exit status that belongs to it.
 *
 * Functions of lib/ that can fail for a reason the user should hear take a
 * `struct errmsg *` and return -1 after filling it. They never print and never
 * exit; cli/ does that (die_err()).
 */
#ifndef IRQPACE_ERRMSG_H
#define IRQPACE_ERRMSG_H

#define EXIT_FAIL	1	/* the machine or the kernel says no */
#define EXIT_USAGE	2	/* the command line itself is wrong */

struct errmsg {
	int status;		/* EXIT_FAIL or EXIT_USAGE */
	int sys_errno;		/* errno behind it, 0 where there is none */
	char text[1024];	/* one sentence, no "irqpace:", no full stop or newline */
};

/* Both return -1, so that a caller can write `return err_usage(...)`. */
int err_usage(struct errmsg *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
int err_fail(struct errmsg *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* err_fail() with an errno kept beside the sentence. */
int err_sys(struct errmsg *err, int sys_errno, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
