/* SPDX-License-Identifier: GPL-2.0-only */
/* The text of /proc/interrupts, kernels 6.1 to 7.3. */
#ifndef IRQPACE_PROC_INTERRUPTS_H
#define IRQPACE_PROC_INTERRUPTS_H

#include <stdio.h>

#include "lines.h"

/*
 * Adds a line for each numbered row: counts by the header's CPU names, and
 * chip, hwirq, flow, type and actions as the text tells them. Rows without a
 * number (NMI, ERR, IPI0, ...) are no lines. PATH is only quoted in errors.
 */
int proc_interrupts_read(FILE *in, const char *path, struct lines *lines,
			 struct errmsg *err);

/* What stands behind the counts; exported for its test. */
void proc_interrupts_tail(char *tail, struct line *line);

#endif
