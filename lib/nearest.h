/* SPDX-License-Identifier: GPL-2.0-only */
/* "Did you mean": the names nearest to one that is not there. */
#ifndef IRQPACE_NEAREST_H
#define IRQPACE_NEAREST_H

#include "lines.h"

/*
 * "; the nearest are a, b and c" into LIST, nearest first, at most three; ""
 * where there is nothing to name.
 */
void nearest_selectors(const struct lines *lines, const char *sysroot,
		       const char *text, char *list, size_t size);
void nearest_drivers(const struct lines *lines, const char *text, char *list,
		     size_t size);

/* The same of any names, offered one by one. */
struct nearest *nearest_begin(const char *text);
void nearest_offer(struct nearest *near, const char *name);
void nearest_end(struct nearest *near, char *list, size_t size);

#endif
