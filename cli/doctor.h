/* SPDX-License-Identifier: GPL-2.0-only */
/* The doctor's checks, apart from how they are printed. */
#ifndef IRQPACE_DOCTOR_H
#define IRQPACE_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

enum verdict { VERDICT_OK, VERDICT_WARN, VERDICT_FAIL, VERDICT_UNKNOWN };

struct check {
	const char *name;	/* static */
	enum verdict verdict;
	char *text;		/* what was found, a sentence */
	char *hint;		/* what to do, NULL: nothing */
};

struct report {
	struct check *check;
	size_t n;
};

/* HINT may be NULL. */
void report_add(struct report *report, const char *name, enum verdict verdict,
		const char *hint, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
void report_free(struct report *report);

/* Kernel, module, tools: whether irqpace can be built, loaded and used. */
void doctor_system(const char *sysroot, struct report *report);
/* Which kinds of lines there are and which of them can be attached. */
void doctor_lines(const char *sysroot, struct report *report);

#endif
