/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * irqpace-synth: interrupt lines, a driver and a disk made of timers, to force
 * what a real machine shows once in a million interrupts.
 *
 * Three parties meet on a line, each with its own state and lock:
 *   the pin     what the interrupt controller knows (masked, latched, asserted);
 *               guarded by synth_line.lock, a raw lock inside desc->lock
 *   the device  what was raised and what is still to be done; the same lock
 *   the driver  requested, disabled by itself, freed; guarded by the mutex of
 *               the control file, read by the handler
 */
#ifndef SYNTH_H
#define SYNTH_H

#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/debugfs.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irq_work.h>
#include <linux/irqdesc.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#define SYNTH_NAME_MAX		44
#define SYNTH_DEVS_MAX		8
#define SYNTH_LOG_SIZE		256	/* power of two */
#define SYNTH_HIST_SUB		32
#define SYNTH_HIST_SIZE		(SYNTH_HIST_SUB * 32)

enum synth_kind {
	SYNTH_EDGE_LATCH,	/* like MSI-X: a mask that latches */
	SYNTH_EDGE,		/* like an IO-APIC edge pin: forgets while masked */
	SYNTH_LEVEL,		/* handle_level_irq */
	SYNTH_FASTEOI,		/* like an IO-APIC level pin */
	SYNTH_KINDS,
};

/* Places where a line can be held and charged; the first are chip operations. */
enum synth_point {
	SYNTH_MASK,
	SYNTH_UNMASK,
	SYNTH_ACK,
	SYNTH_EOI,
	SYNTH_RETRIGGER,
	SYNTH_SHUTDOWN,
	SYNTH_ENTRY,		/* just before the flow handler is called */
	SYNTH_HANDLER,		/* in the driver's handler, what it saw is read */
	SYNTH_POINTS,
	/* Only in the log. */
	SYNTH_RAISE = SYNTH_POINTS,
	SYNTH_LATCH,
	SYNTH_FORGET,
	SYNTH_LEAVE,
	SYNTH_DONE,
	SYNTH_LOG_KINDS,
};

/* What a CPU is asked to do for a line in hard interrupt context. */
#define SYNTH_DO_MESSAGE	BIT(0)	/* deliver; the event is known already */
#define SYNTH_DO_RAISE	BIT(1)	/* a new event, then deliver */
#define SYNTH_DO_NATIVE	BIT(2)	/* a new event, into the kernel's own flow */
#define SYNTH_DO_DISABLE	BIT(3)	/* after the above: disable_irq_nosync() */

enum synth_until {
	SYNTH_UNTIL_RELEASE,
	SYNTH_UNTIL_NO_ACTION,	/* the line has lost its last action */
};

struct synth_hold {
	atomic_t armed;		/* passes until held; 0 is off */
	enum synth_until until;
	bool inside;
	bool release;
	u64 timeout_ns;
};

struct synth_log_entry {
	u64 now_ns;
	u64 value;
	u16 cpu;
	u8 what;
	u8 flags;
};

struct synth_counts {
	u64 runs;		/* handler calls */
	u64 runs_task;		/* of these, outside hard interrupt context */
	u64 empty;		/* calls that found nothing to do */
	u64 none;		/* calls that answered IRQ_NONE */
	u64 thread_runs;	/* calls of the driver's own thread_fn */
	u64 items;		/* work items done */
	u64 locked;		/* times under the shared lock */
	u64 entered;		/* flow handler entered */
	u64 left;		/* ... and left again */
	u64 latched;		/* raised while masked, remembered by the pin */
	u64 forgotten;		/* raised while masked, forgotten by the pin */
	u64 kicked;		/* commands carried out in hard context */
	u64 max_wait_ns;	/* from raise to the start of the run that saw it */
	u64 late;		/* of these, above late_ns */
	u64 run_max_ns;
	u64 residencies;
	u64 res_max_ns;
	u64 res_over;		/* residencies above res_limit_ns */
	/* Each of these is a fault. */
	u64 doubled;		/* events consumed by two runs */
	u64 concurrent;		/* handler entered on two CPUs at once */
	u64 while_disabled;	/* called after the driver had disabled its line */
	u64 after_free;
	u64 after_sync;		/* called though quiesced and synchronized */
	u64 while_armed;	/* called while armed as a wakeup line */
	u64 hold_timeouts;
	u64 unmask_when_down;	/* unmasked after shutdown, before a new start */
};

struct synth_line;

/* One sharer of a line: a device with its own events and its own action. */
struct synth_dev {
	struct synth_line *line;
	unsigned int index;
	bool requested;
	char name[SYNTH_NAME_MAX + 12];
	atomic64_t raised;
	atomic64_t consumed;
	u64 first_ns;		/* raise time of the oldest event not seen */
	u64 items;		/* work left, all events together */
	void (*complete)(void *arg);	/* the disk's part of the handler */
	void *arg;
};

struct synth_cpu_line {
	struct synth_line *line;
	struct irq_work work;
	call_single_data_t csd;
	atomic_t todo;
	struct hrtimer storm;
	u64 period_ns;
	u64 left;		/* events still to come; 0 is no end */
	unsigned int burst;
	bool jitter;
	bool storming;
	u64 seed;
	u64 res_start_ns;
	u64 res_end_ns;
};

struct synth_line {
	struct list_head node;
	char name[SYNTH_NAME_MAX];
	enum synth_kind kind;
	unsigned int irq;
	struct irq_desc *desc;
	irq_flow_handler_t flow;	/* the kernel's own, for this kind */
	int cpu;			/* where messages go */
	struct dentry *dir;
	struct synth_cpu_line __percpu *cpus;

	raw_spinlock_t lock;
	bool masked;
	bool latched;
	bool asserted;
	bool in_service;		/* fasteoi: delivered, not yet EOIed */
	bool down;			/* shut down and not started again */
	u64 items;			/* sum over the devices */
	u64 seed;

	struct synth_dev devs[SYNTH_DEVS_MAX];
	unsigned int ndevs;
	atomic_t next_dev;
	atomic_t in_handler;
	unsigned long request_flags;
	bool own_thread;
	bool disabled;			/* by its driver, and waited for */
	bool disable_self;		/* the next call disables the line */
	bool freed;
	bool quiesced;
	bool armed;			/* wakeup emulation */

	u64 cost_ns;			/* per call */
	u64 item_ns;			/* per work item */
	u64 locked_ns;			/* per call, under the lock that all lines share */
	unsigned int items_min, items_max;	/* per event */
	unsigned int per_call;		/* items in one call; 0 is all */
	unsigned int none_percent;
	u64 gap_ns;
	u64 late_ns;
	u64 res_limit_ns;
	u64 charge_ns[SYNTH_POINTS];
	struct synth_hold hold[SYNTH_POINTS];

	struct synth_counts n;
	u64 ops[SYNTH_POINTS];
	u32 hist[SYNTH_HIST_SIZE];
	struct synth_log_entry log[SYNTH_LOG_SIZE];
	u64 log_head;
};

static inline bool synth_is_level(const struct synth_line *line)
{
	return line->kind == SYNTH_LEVEL || line->kind == SYNTH_FASTEOI;
}

/* The words of one command; what no part of it asked for is refused. */
#define SYNTH_ARGS_MAX	24

struct synth_args {
	char *word[SYNTH_ARGS_MAX];
	bool used[SYNTH_ARGS_MAX];
	unsigned int count;
};

/* time.c */
int synth_time_init(void);
u64 synth_now_ns(void);
void synth_spin_ns(u64 ns);
u64 synth_random(u64 *seed);
extern u64 synth_loops_per_1024_ns;
void synth_hold_arm(struct synth_line *line, enum synth_point point, unsigned int skip,
		    enum synth_until until, u64 timeout_ns);
void synth_hold_release(struct synth_line *line, enum synth_point point);
void synth_hold_here(struct synth_line *line, enum synth_point point);
void synth_hist_add(struct synth_line *line, u64 ns);
u64 synth_hist_percentile(const struct synth_line *line, unsigned int permille);

/* chip.c */
extern const char *const synth_kind_names[SYNTH_KINDS];
extern const char *const synth_point_names[SYNTH_LOG_KINDS];
void synth_log(struct synth_line *line, unsigned int what, u64 value);
int synth_chip_attach(struct synth_line *line);

/* raise.c */
int synth_raise_init(struct synth_line *line);
void synth_raise_exit(struct synth_line *line);
void synth_kick(struct synth_line *line, int cpu, unsigned int todo);
void synth_raise(struct synth_line *line, struct synth_dev *dev, unsigned int events, bool direct);
void synth_message(struct synth_line *line, bool direct);
int synth_storm_start(struct synth_line *line, int cpu, u64 period_ns, unsigned int burst,
		      u64 count, bool jitter);
void synth_storm_stop(struct synth_line *line);
bool synth_storming(struct synth_line *line);

/* driver.c */
int synth_request(struct synth_line *line);
void synth_free(struct synth_line *line);
u64 synth_raised(struct synth_line *line);
u64 synth_consumed(struct synth_line *line);
void synth_residency_close(struct synth_line *line);
void synth_counts_reset(struct synth_line *line);

/* line.c */
extern struct list_head synth_lines;
extern atomic_t synth_stray_ops;
struct synth_line *synth_line_find(const char *name);
struct synth_line *synth_line_create(const char *name, enum synth_kind kind, int cpu);
void synth_line_destroy(struct synth_line *line);
void synth_lines_destroy(void);
int synth_line_set_affinity(struct synth_line *line, int cpu);
void synth_line_arm(struct synth_line *line);
void synth_line_disarm(struct synth_line *line);

/* disk.c */
struct synth_disk_conf {
	struct synth_line *line;
	u64 service_ns;
	unsigned int slots;
	unsigned int channels;	/* requests served at a time */
	u64 size_bytes;
	bool direct;
};
int synth_disk_create(const struct synth_disk_conf *conf, const char **name);
int synth_disk_destroy(const char *name);
void synth_disks_destroy(void);
void synth_disks_show(struct seq_file *m);
bool synth_disk_uses(const struct synth_line *line);

/* ctl.c: 0 or a negative errno; the sentence goes to the result file */
extern struct dentry *synth_root;
extern struct dentry *synth_lines_dir;
extern struct mutex synth_mutex;
__printf(2, 3) int synth_fail(int err, const char *fmt, ...);
__printf(1, 2) void synth_say(const char *fmt, ...);
const char *synth_arg(struct synth_args *args, const char *key);
bool synth_flag(struct synth_args *args, const char *key);
int synth_arg_u64(struct synth_args *args, const char *key, u64 min, u64 max, u64 *value);
int synth_args_done(struct synth_args *args);
int synth_ctl_init(void);
void synth_ctl_exit(void);

/* ctl_line.c, ctl_disk.c */
int synth_ctl_line(struct synth_args *args);
int synth_ctl_lines(struct synth_args *args);
int synth_ctl_disk(struct synth_args *args);

/* hog.c */
int synth_ctl_hog(struct synth_args *args);
void synth_hog_stop(void);

/* state.c */
void synth_state_add(struct synth_line *line);
void synth_state_add_root(void);

/* case.c */
struct synth_case {
	struct synth_line *line;
	int cpu;		/* the line's */
	int other;		/* where the driver's side of the case runs */
	bool paced;		/* somebody replaced the flow handler */
	char why[256];
};
__printf(2, 3) int synth_case_fail(struct synth_case *c, const char *fmt, ...);
int synth_case_again(struct synth_case *c, const char *what);
void synth_case_fire(struct synth_case *c, int cpu, unsigned int todo);
bool synth_case_consumed(struct synth_case *c, u64 count, unsigned int ms);
bool synth_case_idle(struct synth_case *c);
void synth_case_hold(struct synth_case *c, enum synth_until until);
int synth_case_held_in_round(struct synth_case *c);
int synth_case_start_paused(struct synth_case *c);
int synth_ctl_case(struct synth_args *args);

/* Awake at first: what is waited for may open a window that closes soon. */
/* Long enough for a host that has other things to do than to run this vCPU. */
#define SYNTH_CASE_MS	5000

#define synth_case_wait(cond, ms)					\
({									\
	u64 __start = synth_now_ns();					\
	u64 __end = __start + (u64)(ms) * NSEC_PER_MSEC;		\
	bool __ok;							\
	while (!(__ok = (cond)) && synth_now_ns() < __end) {		\
		if (synth_now_ns() - __start < 2 * NSEC_PER_MSEC)	\
			cpu_relax();					\
		else							\
			usleep_range(50, 100);				\
	}								\
	__ok || (cond);							\
})

/* case_edge.c, case_any.c */
int synth_case_pending(struct synth_case *c);
int synth_case_replay(struct synth_case *c);
int synth_case_edge(struct synth_case *c);
int synth_case_sync(struct synth_case *c);
int synth_case_disable(struct synth_case *c);
int synth_case_free(struct synth_case *c);
int synth_case_wake(struct synth_case *c);
int synth_case_count(struct synth_case *c);

#endif
