/* SPDX-License-Identifier: GPL-2.0-only */
/* What locks.bpf.c and locks_find.bpf.c share with lib/locks*.c. */
#ifndef IRQPACE_BPF_LOCKS_H
#define IRQPACE_BPF_LOCKS_H

#include "../core/hist.h"

#define LOCKS_MAX		64	/* locks that are measured at a time */
#define LOCKS_ROOM		64	/* places of each, a power of two; what finds no room shares place 0 */

/*
 * A lock's address picks a byte of this table: 0, or the first of the measured
 * locks there (from 1), which lead on to each other by `next`. Most locks of
 * the machine end at the 0, so that what is not measured costs little.
 */
#define LOCKS_TABLE		32768
#define LOCKS_SLOT(address)	(((address) >> 2) & (LOCKS_TABLE - 1))

/* Where a lock was taken: the return address. Those of place 0 were not seen to begin. */
struct locks_place {
	u64 caller;
	u64 acquisitions;
	u64 timed;		/* of these: beginning and end were seen */
	u64 contended;
	u64 hold_ns;
	u64 hold_max_ns;
	u64 wait_ns;
};

/* Written by who holds the lock, so by one CPU at a time, in the lock's own order. */
struct locks_lock {
	u64 address;
	u32 next;		/* the next at the same byte, from 1; 0: none */
	u32 released;		/* some release was seen */
	u64 lost;		/* beginnings whose end was not seen */
	struct locks_place place[LOCKS_ROOM];
	struct pace_hist wait;	/* of contended acquisitions */
};

/* What a CPU knows of a lock that it waits for or holds; spin locks do not migrate. */
struct locks_hold {
	u64 since_ns;		/* 0: not held as far as we saw */
	u64 caller;
	u64 wait_since_ns;
	u64 wait_ns;
};

/* Finding: a lock that a handler took. */
struct locks_found {
	u64 address;
	u64 count;
};

#define LOCKS_LINES	64	/* lines whose handlers are looked at */
#define LOCKS_FOUND	256	/* locks that are found on each CPU */
#define LOCKS_WORDS	16
#define LOCKS_PORTS	32

struct locks_cpu {
	u32 inside;		/* a handler of a selected line runs */
	u32 dropped;		/* locks that found no room */
	struct locks_found found[LOCKS_FOUND];
};

/* The stack from a program's context upward, to learn where it holds the caller. */
struct locks_probe {
	u64 lock;
	u64 function;
	u64 word[LOCKS_WORDS];
	u32 seen;
};

/* The ATA host behind a line, where its structures agree with each other. */
struct locks_ata {
	u64 host_lock;			/* 0: it is no ATA host */
	u64 port_lock[LOCKS_PORTS];	/* what each port takes, often the host's; 0: no port */
};

struct locks_line {
	u32 irq;
	u32 runs;		/* of its handlers while locks were looked for */
	struct locks_ata ata;
};

#endif
