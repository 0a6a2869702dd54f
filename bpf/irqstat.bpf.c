// SPDX-License-Identifier: GPL-2.0-only
/*
 * Times every hard interrupt handler and every softirq of the machine, without
 * the module. A program reads the clock last where a duration begins and first
 * where it ends, so that its own work is not in the duration.
 *
 * Each program exists twice: for BTF tracepoints, whose arguments are read
 * directly, and for raw ones where the kernel lacks those; lib/irqstat.c loads
 * one of the two.
 */
#include "kernel.h"

#include "hist.h"
#include "irqstat.h"

char LICENSE[] SEC("license") = "GPL";

/* Both maps get their size from lib/irqstat.c. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct irqstat_cell);
} cells SEC(".maps");

/* The cell of each key. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct irqstat_key);
	__type(value, u32);
} keys SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct irqstat_cpu);
} cpus SEC(".maps");

const volatile u32 n_cells;	/* as many as there is room for */
u32 used;	/* of these */
u64 epoch = 1;	/* moved on by lib/irqstat.c */

static __always_inline struct irqstat_cpu *this_cpu(void)
{
	u32 zero = 0;

	return bpf_map_lookup_elem(&cpus, &zero);
}

static __always_inline void handler_begins(u64 action)
{
	struct irqstat_cpu *cpu = this_cpu();

	if (!cpu)
		return;
	cpu->action = action;
	cpu->start_ns = bpf_ktime_get_ns();
}

/*
 * Only this CPU makes keys with its number, so none is made twice. A cell is
 * taken before its key is known to a reader. Not inlined: it is rarely needed,
 * and would take registers from what is always needed.
 */
static __noinline int look_up(struct irqstat_recent *recent, u64 handler, u32 irq)
{
	struct irqstat_key key = { .handler = handler, .irq = irq };
	u32 *known, cell;

	if (!recent)
		return 0;
	key.cpu = bpf_get_smp_processor_id();
	known = bpf_map_lookup_elem(&keys, &key);
	if (known) {
		cell = *known;
	} else {
		if (*(volatile u32 *)&used >= n_cells)
			return 0;
		cell = __sync_fetch_and_add(&used, 1);
		if (bpf_map_update_elem(&keys, &key, &cell, BPF_NOEXIST))
			return 0;
	}
	recent->handler = handler;
	recent->irq = irq;
	recent->cell = cell;
	return 1;
}

static __always_inline struct irqstat_cell *cell_of(struct irqstat_cpu *cpu, u32 irq, u64 handler)
{
	struct irqstat_recent *recent = &cpu->recent[irq % IRQSTAT_RECENT];

	if ((recent->handler != handler || recent->irq != irq) && !look_up(recent, handler, irq))
		return NULL;
	return bpf_map_lookup_elem(&cells, &recent->cell);
}

static __always_inline void keep_peak(struct irqstat_cell *cell, u64 run_ns, u64 stay_ns)
{
	u64 now = *(volatile u64 *)&epoch;
	struct irqstat_peak *peak = &cell->peak[now & 1];

	if (peak->epoch != now) {
		peak->epoch = now;
		peak->run_ns = 0;
		peak->stay_ns = 0;
	}
	if (run_ns > peak->run_ns)
		peak->run_ns = run_ns;
	if (stay_ns > peak->stay_ns)
		peak->stay_ns = stay_ns;
}

static __always_inline struct irqstat_cell *record(struct irqstat_cpu *cpu, u32 irq, u64 handler,
						   u64 ns, bool handled)
{
	struct irqstat_cell *cell = cell_of(cpu, irq, handler);

	if (!cell) {
		cpu->no_room++;
		return NULL;
	}
	if (handled) {
		hist_record(&cell->run, ns);
	} else {
		cell->none_runs++;
		cell->none_ns += ns;
	}
	return cell;
}

static __always_inline void handler_ends(u32 irq, u64 action, u64 handler, u64 next, int ret)
{
	u64 now = bpf_ktime_get_ns(), ns, stay;
	struct irqstat_cpu *cpu = this_cpu();
	struct irqstat_cell *cell;

	if (!cpu)
		return;
	/* Begun before we were attached, or an NMI's handler came between. */
	if (cpu->action != action) {
		cpu->unpaired++;
		return;
	}
	ns = now - cpu->start_ns;
	stay = ns;
	if (cpu->next == action)
		stay = now - cpu->stay_start_ns;
	else if (next)
		cpu->stay_start_ns = cpu->start_ns;
	cpu->next = next;
	cpu->action = 0;
	cpu->irq_ns += ns;
	cell = record(cpu, irq, handler, ns, ret);
	if (cell)
		keep_peak(cell, ns, stay);
}

static __always_inline void round_ends(u32 irq, u32 cause, bool handled, u64 ns)
{
	struct irqstat_cpu *cpu = this_cpu();
	bool hard = cause == IRQSTAT_ROUND_TIMER;
	struct irqstat_cell *cell;

	if (!cpu)
		return;
	if (hard)
		cpu->irq_ns += ns;
	cell = record(cpu, irq, cause, ns, handled);
	if (cell)
		keep_peak(cell, ns, hard ? ns : 0);
}

static __always_inline void softirq_begins(u32 vec)
{
	struct irqstat_cpu *cpu = this_cpu();

	if (!cpu)
		return;
	cpu->soft_vec = vec + 1;
	cpu->soft_irq_ns = cpu->irq_ns;
	cpu->soft_start_ns = bpf_ktime_get_ns();
}

/* Softirqs do not nest on a CPU; handlers that interrupted one are taken off. */
static __always_inline void softirq_ends(u32 vec)
{
	u64 now = bpf_ktime_get_ns();
	struct irqstat_cpu *cpu = this_cpu();

	if (!cpu || cpu->soft_vec != vec + 1)
		return;
	cpu->soft_vec = 0;
	cpu->softirq_runs++;
	cpu->softirq_ns += now - cpu->soft_start_ns - (cpu->irq_ns - cpu->soft_irq_ns);
}

SEC("tp_btf/irq_handler_entry")
int BPF_PROG(handler_entry, int irq, struct irqaction *action)
{
	handler_begins((u64)action);
	return 0;
}

SEC("tp_btf/irq_handler_exit")
int BPF_PROG(handler_exit, int irq, struct irqaction *action, int ret)
{
	handler_ends(irq, (u64)action, (u64)action->handler, (u64)action->next, ret);
	return 0;
}

SEC("tp_btf/softirq_entry")
int BPF_PROG(soft_entry, unsigned int vec)
{
	softirq_begins(vec);
	return 0;
}

SEC("tp_btf/softirq_exit")
int BPF_PROG(soft_exit, unsigned int vec)
{
	softirq_ends(vec);
	return 0;
}

SEC("raw_tp/irq_handler_entry")
int handler_entry_raw(struct bpf_raw_tracepoint_args *ctx)
{
	handler_begins(ctx->args[1]);
	return 0;
}

SEC("raw_tp/irq_handler_exit")
int handler_exit_raw(struct bpf_raw_tracepoint_args *ctx)
{
	struct irqaction *action = (void *)ctx->args[1];

	handler_ends(ctx->args[0], (u64)action, (u64)BPF_CORE_READ(action, handler),
		     (u64)BPF_CORE_READ(action, next), ctx->args[2]);
	return 0;
}

SEC("raw_tp/softirq_entry")
int soft_entry_raw(struct bpf_raw_tracepoint_args *ctx)
{
	softirq_begins(ctx->args[0]);
	return 0;
}

SEC("raw_tp/softirq_exit")
int soft_exit_raw(struct bpf_raw_tracepoint_args *ctx)
{
	softirq_ends(ctx->args[0]);
	return 0;
}

/* Only while the module is loaded; it is not unloaded while this is attached. */
SEC("raw_tp/irqpace_round")
int round_raw(struct bpf_raw_tracepoint_args *ctx)
{
	round_ends(ctx->args[0], ctx->args[1], ctx->args[2], ctx->args[4]);
	return 0;
}
