/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hold and wait times of spin locks on a kernel without LOCK_STAT, by the
 * programs of bpf/locks.bpf.c. In this order:
 *
 *	locks_finder_open()	learns how this kernel's programs find a caller
 *	locks_open()		attaches the hooks and measures what they cost
 *	locks_finder_start() ... locks_finder_stop()	where a line names the locks
 *	locks_start() ... locks_stop()			the measurement itself
 *
 * An acquisition is counted when it ends. One whose beginning was not seen is
 * counted without a time and without a place, except the first: that one began
 * before the measurement.
 */
#ifndef IRQPACE_LOCKS_H
#define IRQPACE_LOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../bpf/locks.h"
#include "errmsg.h"
#include "lines.h"

struct bpf_object;
struct locks;
struct locks_finder;

struct locks_target {
	uint64_t address;
	char *name;		/* NULL: none but the address */
	uint64_t count;		/* how often it was seen while locks were looked for */
};

struct locks_targets {
	struct locks_target *target;
	size_t n;
	size_t left_out;	/* found, but there is no room; the least used ones, at least so many */
};

/* How this kernel lays out a program's stack, and what a probe of it needs. */
struct locks_layout {
	uint32_t entry_word;
	uint32_t exit_word;
	uint64_t probe_lock;	/* taken and released at once by each read of probe_fd; 0: not known */
	int probe_fd;
	double plain_ns;	/* such a read without hooks */
};

/* What the hooks cost. All are of the run itself, on the CPU where they run. */
struct locks_cost {
	bool known;
	double other_ns;	/* a lock that is not measured, taken and released */
	double measured_ns;	/* one that is */
	double floor_ns;	/* what a hold of nothing reads */
	double pairs_per_s;	/* of all locks of the machine; 0: the run was too short to tell */
};

struct locks_result {
	struct locks_lock *lock;	/* as the targets are ordered */
	size_t n;
	uint64_t time_ns;
	uint64_t missed;	/* runs of hooks that the kernel left out, of all locks */
	struct locks_cost cost;
};

/* Without lines it only learns the layout. */
int locks_finder_open(struct locks_finder **finder, struct line *const *line, size_t n,
		      struct errmsg *err);
const struct locks_layout *locks_finder_layout(const struct locks_finder *finder);
int locks_finder_start(struct locks_finder *finder, struct errmsg *err);
/* What the handlers took since the start, most used first; -1 where that is nothing. */
int locks_finder_stop(struct locks_finder *finder, struct locks_targets *targets,
		      struct errmsg *err);
void locks_finder_close(struct locks_finder *finder);

/*
 * TEXT as the address of a lock ("0xffff...") or as SYMBOL or SYMBOL+OFFSET;
 * a sentence where it is none.
 */
int locks_by_address(const char *text, struct locks_targets *targets, struct errmsg *err);
int locks_by_symbol(const char *sysroot, const char *text, struct locks_targets *targets,
		    struct errmsg *err);
void locks_targets_free(struct locks_targets *targets);

/*
 * IRQ_SAFE: interrupt handlers take the locks too, so that nobody takes them
 * with interrupts on, which makes the hooks cheaper.
 */
int locks_open(struct locks **locks, const struct locks_layout *layout, bool irq_safe,
	       struct errmsg *err);
void locks_start(struct locks *locks, const struct locks_targets *targets);
/* Now and then while it measures: for some 20 ms counts how many locks the machine takes. */
void locks_sample_begins(struct locks *locks);
void locks_sample_ends(struct locks *locks);
void locks_stop(struct locks *locks, struct locks_result *result);
void locks_result_free(struct locks_result *result);
void locks_close(struct locks *locks);

/* All places of a lock in one. */
struct locks_place locks_total(const struct locks_lock *lock);
/* Of all timed acquisitions, most of which may have waited for nothing. */
uint64_t locks_wait_p99_ns(const struct locks_lock *lock);
/* The part of one CPU that the hooks took. */
double locks_cost_share(const struct locks_result *result);

/* Leaves out the hooks on functions that this kernel lacks; -1 where one is needed. */
int locks_choose_hooks(struct bpf_object *object, struct errmsg *err);
/* The shortest of some reads of probe_fd. */
double locks_probe_ns(int probe_fd);

#endif
