/* SPDX-License-Identifier: GPL-2.0-only */
/* The programs on one function, and what the kernel says of that function. */
#ifndef IRQPACE_TRACE_INTERNAL_H
#define IRQPACE_TRACE_INTERNAL_H

#include "trace.h"

struct trace_bpf;
struct bpf_link;

struct trace_probe {
	struct trace_bpf *skel;
	bool kprobe;
	size_t n_cpus;
	struct bpf_link *begin;
	struct bpf_link *end;
	bool missed_known;		/* told when it was detached */
	uint64_t missed_begin;
	uint64_t missed_end;
};

/* These return -errno; libbpf's words on it are kept for bpf_refused(). */
int trace_probe_load(struct trace_probe *probe, const char *function, bool kprobe);
int trace_probe_attach(struct trace_probe *probe, const char *function);
void trace_probe_detach(struct trace_probe *probe);
int trace_probe_read(struct trace_probe *probe, struct trace_result *result);
void trace_probe_unload(struct trace_probe *probe);

/*
 * Calls an empty function of the kernel's with and without programs on it. -1
 * where they see nothing of it; unknown where there is no such function.
 */
int trace_measure(struct trace_overhead *overhead, bool kprobe, struct errmsg *err);

/* Whether there is one function of that name, at /proc/kallsyms of SYSROOT. */
int trace_function_check(const char *sysroot, const char *function, struct errmsg *err);
/* Whether ftrace knows it; where it cannot be asked, it does. */
int trace_function_traceable(const char *sysroot, const char *function, struct errmsg *err);

#endif
