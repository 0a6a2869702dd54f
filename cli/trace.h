/* SPDX-License-Identifier: GPL-2.0-only */
/* What irqpace trace prints of a result. */
#ifndef IRQPACE_CLI_TRACE_H
#define IRQPACE_CLI_TRACE_H

#include "../lib/trace.h"

struct trace_report {
	const char *function;
	const struct trace_result *result;
	struct dist duration;
	struct dist gap;
	unsigned int bits;
	bool per_cpu;
};

/* -1 where it could not be written. */
int trace_print_table(const struct trace_report *report);
int trace_print_json(const struct trace_report *report);

#endif
