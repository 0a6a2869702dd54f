/* SPDX-License-Identifier: GPL-2.0-only */
/* The few types that core/ needs, in the kernel and outside of it. */
#ifndef PACE_TYPES_H
#define PACE_TYPES_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t s64;
#endif

#endif /* PACE_TYPES_H */
