/* SPDX-License-Identifier: GPL-2.0-only */
/* What the programs on the kernel's spin lock functions have in common. */
#ifndef IRQPACE_BPF_LOCK_HOOKS_H
#define IRQPACE_BPF_LOCK_HOOKS_H

#include "kernel.h"
#include "locks.h"

/*
 * The argument of these functions is a pointer to the verifier, which forbids
 * arithmetic with it. A 32-bit move makes a number of its lower half. The
 * compiler has no name for such a register at -mcpu=v2, hence the fixed ones.
 */
static __always_inline u64 lower_half(const u64 *ctx)
{
	register u64 half asm("r2");
	register u64 lock asm("r1") = ctx[0];

	asm volatile("w2 = w1" : "=r"(half) : "r"(lock));
	return half;
}

#endif
