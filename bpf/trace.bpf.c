// SPDX-License-Identifier: GPL-2.0-only
/*
 * The durations of one function's calls, and the gaps between them. The clock is
 * read last where a call begins and first where it ends, and all the rest is done
 * at the end, so that as little of our own work as can be is in a duration.
 *
 * A call is known by its frame: both programs find it at the same address, no
 * other call that is under way can have it, and it stays the same when the task
 * sleeps, moves to another CPU, recurses or is interrupted.
 */
#include <linux/ptrace.h>

#include "kernel.h"

#include "trace.h"

char LICENSE[] SEC("license") = "GPL";

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);		/* set by lib/trace_probe.c */
	__type(key, u32);
	__type(value, struct trace_cpu);
} cpus SEC(".maps");

u32 phase;	/* enum trace_phase */
struct trace_call calls[TRACE_PLACES];

static __always_inline u32 place_of(u64 frame)
{
	return frame * 0x9e3779b97f4a7c15 >> (64 - TRACE_PLACES_BITS);
}

/*
 * A place for the call, the first that is free. One that has its frame is of a
 * call whose return was not seen, as no two that are under way share a frame; its
 * start_ns is not 0.
 */
static __always_inline struct trace_call *claim(u64 frame)
{
	u32 place = place_of(frame);

	for (u32 way = 0; way < TRACE_WAYS; way++) {
		struct trace_call *call = &calls[(place + way) % TRACE_PLACES];
		u64 was = __sync_val_compare_and_swap(&call->frame, 0, frame);

		if (was && was != frame)
			continue;
		return call;
	}
	return NULL;
}

static __always_inline struct trace_call *find(u64 frame)
{
	u32 place = place_of(frame);

	for (u32 way = 0; way < TRACE_WAYS; way++) {
		struct trace_call *call = &calls[(place + way) % TRACE_PLACES];

		if (call->frame == frame)
			return call;
	}
	return NULL;
}

/* Not inline: a value is rarely in another power of two than the one before. */
static __noinline u64 shift_of(u64 ns)
{
	return trace_shift(ns, TRACE_BITS);
}

/* The clocks of two CPUs, or before and after an adjustment, may differ a little. */
static __always_inline void record(struct trace_hist *hist, u64 from_ns, u64 to_ns)
{
	s64 took = to_ns - from_ns;
	u64 ns = took < 0 ? 0 : took, index;
	struct trace_cell *cell;

	if (ns >> hist->shift >> TRACE_BITS != 1)
		hist->shift = shift_of(ns);
	index = (hist->shift << TRACE_BITS) + (ns >> hist->shift);
	if (index >= TRACE_CELLS(TRACE_BITS))
		index = TRACE_CELLS(TRACE_BITS) - 1;
	cell = &hist->cell[index];
	cell->count++;
	cell->sum_ns += ns;
	if (ns > hist->max_ns)
		hist->max_ns = ns;
}

static __always_inline struct trace_cpu *cpu_of(u32 id)
{
	return bpf_map_lookup_elem(&cpus, &id);
}

/* A call ended that had begun on CPU ID, and not there, or unseen. */
static __always_inline void ended_elsewhere(u32 id, u64 now)
{
	struct trace_cpu *cpu = cpu_of(id);

	if (!cpu)
		return;
	cpu->elsewhere_ns = now;
	__sync_fetch_and_add(&cpu->ended_elsewhere, 1);
}

static __always_inline void call_begins(u64 frame)
{
	u32 id = bpf_get_smp_processor_id();
	struct trace_cpu *cpu = cpu_of(id);
	struct trace_call *call;

	if (!cpu)
		return;
	call = claim(frame);
	if (!call) {
		cpu->no_place++;
		cpu->returned_ns = 0;
		return;
	}
	if (call->start_ns) {
		cpu->no_return++;
		ended_elsewhere(call->cpu, bpf_ktime_get_ns());
	}
	call->cpu = id;
	call->returned_ns = 0;
	if (cpu->begun++ == cpu->ended + cpu->ended_elsewhere &&
	    cpu->returned_ns > cpu->elsewhere_ns)
		call->returned_ns = cpu->returned_ns;
	call->start_ns = bpf_ktime_get_ns();
}

static __always_inline void call_ends(u64 frame, u64 now)
{
	u32 id = bpf_get_smp_processor_id();
	struct trace_call *call = find(frame);
	struct trace_cpu *cpu = cpu_of(id);
	u64 start_ns, returned_ns, began;

	if (!cpu)
		return;
	if (!call) {
		if (*(volatile u32 *)&phase == TRACE_ON)
			cpu->unpaired++;
		cpu->returned_ns = now;
		return;
	}
	start_ns = call->start_ns;
	returned_ns = call->returned_ns;
	began = call->cpu;
	call->start_ns = 0;
	/* Atomic, so that who takes the place next writes it after we have read it. */
	__sync_lock_test_and_set(&call->frame, 0);

	record(&cpu->duration, start_ns, now);
	if (returned_ns)
		record(&cpu->gap, returned_ns, start_ns);
	/* In this order, or a call that interrupts us finds a gap from an older return. */
	cpu->returned_ns = now;
	barrier();
	if (began == id)
		cpu->ended++;
	else
		ended_elsewhere(began, now);
}

/*
 * Of fentry and fexit the context is in the trampoline's frame, which is that of
 * the call. The verifier lets nobody compute with its address, but the distance
 * of two addresses is a number like any other.
 */
static __always_inline u64 frame_of(void *ctx)
{
	u64 frame = (u64)ctx;

	asm volatile("%0 -= %1" : "+r"(frame) : "r"(calls));
	return frame;
}

SEC("fentry")
int trace_fentry(void *ctx)
{
	call_begins(frame_of(ctx));
	return 0;
}

SEC("fexit")
int trace_fexit(void *ctx)
{
	u64 now = bpf_ktime_get_ns();

	call_ends(frame_of(ctx), now);
	return 0;
}

/*
 * With kprobes the frame is where the return address lies, which on x86 is off
 * the stack when a kretprobe runs.
 */
#ifdef __TARGET_ARCH_x86
#define RETURN_SIZE	8
#else
#define RETURN_SIZE	0
#endif

SEC("kprobe")
int trace_kprobe(struct pt_regs *ctx)
{
	call_begins(PT_REGS_SP(ctx));
	return 0;
}

SEC("kretprobe")
int trace_kretprobe(struct pt_regs *ctx)
{
	u64 now = bpf_ktime_get_ns();

	call_ends(PT_REGS_SP(ctx) - RETURN_SIZE, now);
	return 0;
}

/* Run, not attached: the kernel then calls the functions that it has for tests. */
SEC("fentry/bpf_fentry_test1")
int trace_calls(void *ctx)
{
	return 0;
}
