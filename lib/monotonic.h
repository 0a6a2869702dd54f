/* SPDX-License-Identifier: GPL-2.0-only */
/* The clock that our BPF programs and the module go by: CLOCK_MONOTONIC, in ns. */
#ifndef IRQPACE_MONOTONIC_H
#define IRQPACE_MONOTONIC_H

#include <stdint.h>
#include <time.h>

static inline uint64_t monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

#endif
