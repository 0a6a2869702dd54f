// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the spin locks that the handlers of chosen lines take, and of an ATA
 * host those that its structures name. Runs for a moment before anything is
 * measured. Like locks.bpf.c it takes no lock and allocates nothing.
 */
#include "lock_hooks.h"

char LICENSE[] SEC("license") = "GPL";

struct device {
	void *driver_data;
} CORE;

struct ata_host;

/* Only its address is asked for. */
struct spinlock {
} CORE;

struct ata_port {
	void *lock;
	unsigned int port_no;
	struct ata_host *host;
} CORE;

struct ata_host {
	struct spinlock lock;
	struct device *dev;
	unsigned int n_ports;
	struct ata_port *ports[];
} CORE;

struct irqaction___dev {
	void *dev_id;
} CORE;

u32 n_lines;
struct locks_line lines[LOCKS_LINES];
u32 own_pid;
struct locks_probe at_entry, at_exit;

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct locks_cpu);
} cpus SEC(".maps");

static __always_inline struct locks_cpu *this_cpu(void)
{
	u32 zero = 0;

	return bpf_map_lookup_elem(&cpus, &zero);
}

/* Each agrees with the others where it is a host, and hardly where it is not. */
static __always_inline bool is_host(struct ata_host *host)
{
	return host && BPF_CORE_READ(host, dev, driver_data) == host;
}

static __always_inline void read_host(struct locks_line *line, struct ata_host *host)
{
	u32 n = BPF_CORE_READ(host, n_ports);
	struct ata_port **ports = (void *)host + bpf_core_field_offset(struct ata_host, ports);

	line->ata.host_lock = (u64)host + bpf_core_field_offset(struct ata_host, lock);
	for (u32 i = 0; i < LOCKS_PORTS && i < n; i++) {
		struct ata_port *port = NULL;

		bpf_probe_read_kernel(&port, sizeof(port), &ports[i]);
		if (port && BPF_CORE_READ(port, host) == host)
			line->ata.port_lock[i] = (u64)BPF_CORE_READ(port, lock);
	}
}

/* A handler of libata is given the host, or one of its ports where each has a vector. */
static __always_inline void look_for_ata(struct locks_line *line, void *dev_id)
{
	struct ata_port *port = dev_id;
	struct ata_host *host = dev_id;

	if (!bpf_core_type_exists(struct ata_host) || line->ata.host_lock)
		return;
	if (!is_host(host))
		host = BPF_CORE_READ(port, host);
	if (is_host(host))
		read_host(line, host);
}

SEC("tp_btf/irq_handler_entry")
int BPF_PROG(handler_entry, int irq, struct irqaction *action)
{
	struct irqaction___dev *with_dev = (void *)action;
	struct locks_cpu *cpu = this_cpu();

	for (u32 i = 0; cpu && i < LOCKS_LINES && i < n_lines; i++) {
		if (lines[i].irq != (u32)irq)
			continue;
		if (!lines[i].runs)
			look_for_ata(&lines[i], BPF_CORE_READ(with_dev, dev_id));
		__sync_fetch_and_add(&lines[i].runs, 1);
		cpu->inside = 1;
	}
	return 0;
}

SEC("tp_btf/irq_handler_exit")
int BPF_PROG(handler_exit, int irq, struct irqaction *action, int ret)
{
	struct locks_cpu *cpu = this_cpu();

	if (cpu)
		cpu->inside = 0;
	return 0;
}

static __noinline int taken(const u64 *ctx, struct locks_cpu *cpu)
{
	u64 half = lower_half(ctx);
	u32 at = half >> 2 ^ half >> 10;

	for (u32 step = 0; step < LOCKS_FOUND; step++, at++) {
		struct locks_found *found = &cpu->found[at & (LOCKS_FOUND - 1)];

		if (!found->address)
			found->address = ctx[0];
		if (found->address != ctx[0])
			continue;
		found->count++;
		return 0;
	}
	cpu->dropped++;
	return 0;
}

static __noinline int probe(const u64 *ctx, struct locks_probe *into)
{
	if (own_pid != bpf_get_current_pid_tgid() >> 32)
		return 0;
	into->seen = 0;
	into->lock = ctx[0];
	into->function = bpf_get_func_ip((void *)ctx);
	for (int i = 0; i < LOCKS_WORDS; i++)
		bpf_probe_read_kernel(&into->word[i], sizeof(into->word[i]), ctx + i);
	into->seen = 1;
	return 0;
}

#define HOOK(section, name, ...)			\
	SEC(section) int name(u64 *ctx)			\
	{						\
		struct locks_cpu *cpu = this_cpu();	\
							\
		__VA_ARGS__;				\
		if (cpu && cpu->inside)			\
			taken(ctx, cpu);		\
		return 0;				\
	}

HOOK("fentry/_raw_spin_lock", lock, if (own_pid) probe(ctx, &at_entry))
HOOK("fexit/_raw_spin_lock_irq", lock_irq, if (own_pid) probe(ctx, &at_exit))
HOOK("fexit/_raw_spin_lock_irqsave", lock_irqsave)
HOOK("fexit/_raw_spin_lock_irq_disable", lock_irq_disable)
HOOK("fexit/_raw_spin_trylock", trylock, if (!(u32)ctx[1]) return 0)
