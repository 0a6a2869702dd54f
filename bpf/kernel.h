/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's types as far as our programs read them. Offsets are of the
 * kernel that runs: libbpf moves each access by BTF (CO-RE), so a member that
 * is not named here costs nothing and its place does not matter.
 */
#ifndef IRQPACE_BPF_KERNEL_H
#define IRQPACE_BPF_KERNEL_H

#include <linux/bpf.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "../core/types.h"

#define CORE __attribute__((preserve_access_index))

struct irqaction {
	int (*handler)(int irq, void *dev_id);
	struct irqaction *next;
} CORE;

#endif
