/* SPDX-License-Identifier: GPL-2.0-only */
/* Times as users write them: 100us, 1.5ms, 800ns, 2s. */
#ifndef IRQPACE_DURATION_H
#define IRQPACE_DURATION_H

#include <stddef.h>
#include <stdint.h>

#include "errmsg.h"

/*
 * Reads TEXT, which must carry a unit (ns, us, ms, s). WHAT names the value in
 * the refusal ("--delay"). Nothing is rounded: a value that is no whole number
 * of nanoseconds is refused.
 */
int duration_parse(const char *text, const char *what, uint64_t *ns,
		   struct errmsg *err);

/* As duration_parse(), and refuses what is outside MIN_NS..MAX_NS (both allowed). */
int duration_parse_range(const char *text, const char *what, uint64_t min_ns,
			 uint64_t max_ns, uint64_t *ns, struct errmsg *err);

/* The shortest exact form: "100us", "1.5ms", "1234ns". Returns BUF. */
char *duration_print(uint64_t ns, char *buf, size_t size);
#define DURATION_BUF 32

#endif
