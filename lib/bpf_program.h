/* SPDX-License-Identifier: GPL-2.0-only */
/* Why a BPF program cannot be had, in a sentence; libbpf prints nothing itself. */
#ifndef IRQPACE_BPF_PROGRAM_H
#define IRQPACE_BPF_PROGRAM_H

#include "errmsg.h"

/*
 * Asked before a program is opened: the kernel's age (5.15), its BTF, and what
 * this process may do. From here on libbpf's messages are kept, not printed.
 */
int bpf_ready(struct errmsg *err);
/* -1, with what libbpf said last about WHAT, which failed with -ERROR. */
int bpf_refused(struct errmsg *err, int error, const char *what);

#endif
