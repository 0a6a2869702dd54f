/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory that is there, or the program ends with a sentence and exit 1. */
#ifndef IRQPACE_XALLOC_H
#define IRQPACE_XALLOC_H

#include <stddef.h>

void xalloc_die(void) __attribute__((noreturn));
void *xcalloc(size_t n, size_t size);
/* Room for N elements of SIZE; the product may not overflow. */
void *xrealloc(void *p, size_t n, size_t size);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
