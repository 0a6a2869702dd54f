// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hold and wait times of chosen spin locks, from hooks on the kernel's lock
 * functions. They run for every spin lock of the machine, so nothing here may
 * take a lock, allocate or print: array maps, the clock and one guarded read.
 *
 * What a CPU waits for and holds is kept per CPU; the sums are written at the
 * release by who still holds the lock, so the lock itself orders them, and no
 * atomic operation is needed. An invocation that the kernel leaves out (the
 * same program already runs on this CPU, beneath an interrupt) shows as a
 * beginning without an end or the reverse, and is counted as that.
 *
 * A program reads the clock last where a hold begins and first where it ends.
 */
#include "hist.h"
#include "lock_hooks.h"

char LICENSE[] SEC("license") = "GPL";

/* Where above its context a program finds the return address; lib/locks_find.c learns it. */
const volatile u32 entry_word, exit_word;

u8 table[LOCKS_TABLE];			/* filled by lib/locks.c while it measures */
struct locks_lock locks[LOCKS_MAX + 1];	/* from 1 */

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, LOCKS_MAX + 1);
	__type(key, u32);
	__type(value, struct locks_hold);
} holds SEC(".maps");

/* 0 for nearly every lock of the machine. */
static __always_inline u64 first_measured(const u64 *ctx)
{
	return table[LOCKS_SLOT(lower_half(ctx))];
}

/*
 * The number of the lock, 0 where it only shares the byte with a measured one.
 * 64 bits wide, because the verifier loses the bounds of what is then widened.
 */
static __always_inline u64 measured(const u64 *ctx, u64 i)
{
	for (int step = 0; step < LOCKS_MAX; step++) {
		if (!i || i > LOCKS_MAX)
			return 0;
		if (locks[i].address == ctx[0])
			return i;
		i = locks[i].next;
	}
	return 0;
}

static __always_inline struct locks_hold *hold_of(u64 i)
{
	u32 key = (u32)i;

	return bpf_map_lookup_elem(&holds, &key);
}

static __noinline int begins(const u64 *ctx, u64 first, u32 word)
{
	u64 i = measured(ctx, first);
	struct locks_hold *hold;

	if (!i)
		return 0;
	hold = hold_of(i);
	if (!hold || i > LOCKS_MAX)
		return 0;
	if (hold->since_ns)
		__sync_fetch_and_add(&locks[i].lost, 1);
	if (bpf_probe_read_kernel(&hold->caller, sizeof(hold->caller), ctx + word))
		hold->caller = 0;
	hold->since_ns = bpf_ktime_get_ns();
	return 0;
}

static __noinline int wait_begins(const u64 *ctx, u64 first)
{
	u64 i = measured(ctx, first);
	struct locks_hold *hold;

	if (!i)
		return 0;
	hold = hold_of(i);
	if (hold)
		hold->wait_since_ns = bpf_ktime_get_ns();
	return 0;
}

/* Now the lock is ours: a hold whose beginning was stamped at the entry begins here. */
static __noinline int wait_ends(const u64 *ctx, u64 first)
{
	u64 now = bpf_ktime_get_ns();
	u64 i = measured(ctx, first);
	struct locks_hold *hold;

	if (!i)
		return 0;
	hold = hold_of(i);
	if (!hold)
		return 0;
	if (hold->wait_since_ns)
		hold->wait_ns = now - hold->wait_since_ns;
	hold->wait_since_ns = 0;
	if (hold->since_ns)
		hold->since_ns = bpf_ktime_get_ns();
	return 0;
}

/* Place 0 where there is no room, or no caller. */
static __always_inline struct locks_place *place_of(struct locks_lock *lock, u64 caller)
{
	u32 at = (u32)(caller ^ caller >> 6);

	for (u32 step = 0; caller && step < LOCKS_ROOM; step++, at++) {
		struct locks_place *place = &lock->place[at & (LOCKS_ROOM - 1)];

		if (place->caller == caller)
			return place;
		if (!place->caller && place != &lock->place[0]) {
			place->caller = caller;
			return place;
		}
	}
	return &lock->place[0];
}

static __always_inline void record(struct locks_lock *lock, const struct locks_hold *hold, u64 ns)
{
	struct locks_place *place = place_of(lock, hold->caller);

	place->acquisitions++;
	place->timed++;
	place->hold_ns += ns;
	if (ns > place->hold_max_ns)
		place->hold_max_ns = ns;
	if (!hold->wait_ns)
		return;
	place->contended++;
	place->wait_ns += hold->wait_ns;
	hist_record(&lock->wait, hold->wait_ns);
	if (hold->wait_ns > lock->wait.max_ns)
		lock->wait.max_ns = hold->wait_ns;
}

static __noinline int ends(const u64 *ctx, u64 first)
{
	u64 now = bpf_ktime_get_ns();
	u64 i = measured(ctx, first);
	struct locks_hold *hold;
	struct locks_lock *lock;

	if (!i)
		return 0;
	hold = hold_of(i);
	if (!hold || i > LOCKS_MAX)
		return 0;
	lock = &locks[i];
	/* Where a wait's end was not seen, its time would be in the hold. */
	if (hold->since_ns && !hold->wait_since_ns)
		record(lock, hold, now - hold->since_ns);
	else if (lock->released)
		lock->place[0].acquisitions++;
	/* Else it was taken before we looked. */
	lock->released = 1;
	hold->since_ns = 0;
	hold->wait_since_ns = 0;
	hold->wait_ns = 0;
	return 0;
}

#define HOOK(section, name, ...)				\
	SEC(section) int name(u64 *ctx)				\
	{							\
		u64 first = first_measured(ctx);		\
								\
		if (first)					\
			__VA_ARGS__;				\
		return 0;					\
	}

/*
 * At the exit the lock is held. The entry costs a third less, and is as good
 * where interrupts are off already: then nothing comes between the two but a
 * wait. Whoever takes a lock by plain spin_lock() that an interrupt handler
 * takes as well has them off; lib/locks.c loads one of the two.
 */
HOOK("fentry/_raw_spin_lock", lock_entry, begins(ctx, first, entry_word))
HOOK("fexit/_raw_spin_lock", lock_exit, begins(ctx, first, exit_word))
HOOK("fexit/_raw_spin_lock_irqsave", lock_irqsave, begins(ctx, first, exit_word))
HOOK("fexit/_raw_spin_lock_irq", lock_irq, begins(ctx, first, exit_word))
HOOK("fexit/_raw_spin_lock_irq_disable", lock_irq_disable, begins(ctx, first, exit_word))
HOOK("fexit/_raw_spin_lock_bh", lock_bh, begins(ctx, first, exit_word))
HOOK("fexit/_raw_spin_trylock", trylock, if ((u32)ctx[1]) begins(ctx, first, exit_word))
HOOK("fexit/_raw_spin_trylock_bh", trylock_bh, if ((u32)ctx[1]) begins(ctx, first, exit_word))
HOOK("fentry/_raw_spin_unlock", unlock, ends(ctx, first))
HOOK("fentry/_raw_spin_unlock_irqrestore", unlock_irqrestore, ends(ctx, first))
HOOK("fentry/_raw_spin_unlock_irq", unlock_irq, ends(ctx, first))
HOOK("fentry/_raw_spin_unlock_irq_enable", unlock_irq_enable, ends(ctx, first))
HOOK("fentry/_raw_spin_unlock_bh", unlock_bh, ends(ctx, first))

/* Entered under contention alone; tracepoints tell only of some of the waits. */
HOOK("fentry/native_queued_spin_lock_slowpath", native_wait, wait_begins(ctx, first))
HOOK("fexit/native_queued_spin_lock_slowpath", native_waited, wait_ends(ctx, first))
HOOK("fentry/__pv_queued_spin_lock_slowpath", pv_wait, wait_begins(ctx, first))
HOOK("fexit/__pv_queued_spin_lock_slowpath", pv_waited, wait_ends(ctx, first))
HOOK("fentry/queued_spin_lock_slowpath", queued_wait, wait_begins(ctx, first))
HOOK("fexit/queued_spin_lock_slowpath", queued_waited, wait_ends(ctx, first))
