// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "trace.h"
#include "xalloc.h"

uint32_t trace_cell_of(unsigned int bits, uint64_t ns)
{
	uint32_t shift = trace_shift(ns, bits);
	uint64_t cell = ((uint64_t)shift << bits) + (ns >> shift);

	return (uint32_t)(cell < TRACE_CELLS(bits) ? cell : TRACE_CELLS(bits) - 1);
}

uint64_t trace_cell_low_ns(unsigned int bits, uint32_t cell)
{
	uint32_t power = cell >> bits;
	uint64_t digits = cell & ((1U << bits) - 1);

	return power ? (digits + ((uint64_t)1 << bits)) << (power - 1) : digits;
}

static const struct trace_hist *hist_of(const struct trace_cpu *cpu, enum trace_of of)
{
	return of == TRACE_GAP ? &cpu->gap : &cpu->duration;
}

/* The program's cells that make the one with number WANTED of BITS, from *AT on. */
static struct trace_cell sum_up(const struct trace_cpu *cpu, size_t n, enum trace_of of,
				unsigned int bits, uint32_t wanted, uint32_t *at)
{
	struct trace_cell sum = { 0 };

	for (; *at < TRACE_CELLS(TRACE_BITS) &&
	     trace_cell_of(bits, trace_cell_low_ns(TRACE_BITS, *at)) == wanted; (*at)++)
		for (size_t i = 0; i < n; i++) {
			sum.count += hist_of(&cpu[i], of)->cell[*at].count;
			sum.sum_ns += hist_of(&cpu[i], of)->cell[*at].sum_ns;
		}
	return sum;
}

void trace_dist(struct dist *dist, const struct trace_cpu *cpu, size_t n, enum trace_of of,
		unsigned int bits, const char *name)
{
	double sum_ns = 0;
	uint32_t at = 0;

	memset(dist, 0, sizeof(*dist));
	dist->name = xstrdup(name);
	for (size_t i = 0; i < n; i++)
		if (hist_of(&cpu[i], of)->max_ns > dist->max_ns)
			dist->max_ns = hist_of(&cpu[i], of)->max_ns;
	for (uint32_t i = 0; i < TRACE_CELLS(bits); i++) {
		struct trace_cell sum = sum_up(cpu, n, of, bits, i, &at);
		struct dist_slot slot = {
			.low_ns = trace_cell_low_ns(bits, i),
			.high_ns = trace_cell_low_ns(bits, i + 1) - 1,
			.count = sum.count,
		};

		if (!sum.count)
			continue;
		slot.avg_ns = (sum.sum_ns + sum.count / 2) / sum.count;
		if (i == TRACE_CELLS(bits) - 1 || slot.high_ns > dist->max_ns)
			slot.high_ns = dist->max_ns;
		dist_add(dist, &slot);
		sum_ns += (double)sum.sum_ns;
	}
	/* Exact there, where the averages are rounded. */
	dist->sum_ns = sum_ns;
}
