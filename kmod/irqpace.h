/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of irqpace.ko share.
 *
 * Locks, outermost first: irqp_mutex (lines, rules), desc->lock, then what the
 * kernel takes in hrtimer_start(), wake_up_process() and queue_work(). Nothing
 * sleeps under desc->lock, and cpus_read_lock() is never taken under
 * irqp_mutex, because CPU hotplug takes the two the other way round.
 */
#ifndef IRQPACE_KMOD_H
#define IRQPACE_KMOD_H

#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irqdesc.h>
#include <linux/jump_label.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include "compat/compat.h"
#include "core/hist.h"
#include "core/pace.h"
#include "uapi/irqpace.h"

#define IRQP_VERSION "0.1.0"
#define IRQP_NAME_MAX 64

struct genl_info;
struct netlink_ext_ack;

enum irqp_state { IRQP_ACTIVE, IRQP_PAUSED, IRQP_RUNNING };

struct irqp_settings {
	struct pace_config pace;
	u32 mask_after;
	bool native;		/* a rule that keeps its lines from being attached */
	bool flushed;		/* mask by the chip, which reads back */
	bool shared;		/* a shared level line may be moderated */
};

/* Histograms of one line on one CPU; that CPU writes, interrupts off. */
struct irqp_hists {
	struct pace_hist of[__IRQPACE_HIST_MAX];
};

/* Written under desc->lock. */
struct irqp_counters {
	u64 arrivals;		/* folded from desc->tot_count, which wraps */
	u64 unhandled;
	u64 parked;
	u64 masked;
	u64 rounds;
	u64 pauses;
	u64 deferred;
	u64 starved;
	u64 overflows;
	u64 unrecorded;
};

/*
 * One attached line. From attach to the end of the grace period after detach
 * the flow handler, the timers, the thread and the worker may use it; desc is
 * pinned by a reference on its kobject for as long.
 */
struct irqp_line {
	struct hlist_node hash;		/* by desc; RCU */
	struct irq_desc *desc;
	irq_flow_handler_t native;	/* set before desc->handle_irq is ours */
	unsigned int irq;

	/* Under desc->lock; state and defers are also read without it. */
	enum irqp_state state;
	bool defers;		/* ask the core before the handlers run */
	bool watches;		/* ask the core after they ran */
	bool level;
	bool hooked;		/* desc->handle_irq is ours */
	bool forbid;		/* no new pause: detach or change under way */
	bool asked;		/* a thread or worker was told to make a round */
	bool move;		/* the thread is to follow the line's affinity */
	enum irqpace_masking masking;
	int paused_cpu;
	u32 parked;		/* arrivals since the last run began */
	struct irqaction *owner;/* desc->action when the pause began; compared only */
	u64 paused_ns;		/* when the pause began (statistics) */
	u64 asked_ns;
	struct pace_line pace;
	struct irqp_settings set;
	struct irqp_counters n;
	u32 tot_count;		/* desc->tot_count when last folded */

	struct hrtimer timer;	/* ends the pause */
	struct hrtimer watch;	/* takes over from a thread that does not run */
	struct task_struct *thread;
	struct work_struct work;

	struct irqp_hists **hists;	/* by CPU; entries appear, never change */
	int wants_hists;	/* a CPU + 1 that recorded nothing for want of memory */
	unsigned long events;	/* bits of enum irqpace_event, to be sent */
	unsigned long told;	/* those said already; under desc->lock */
	struct list_head node;	/* irqp_lines; irqp_mutex */
	struct rcu_head rcu;
};

struct irqp_cpu {
	struct pace_cpu pace;
	bool native_only;	/* going offline: no new pause here */
};

struct irqp_tunables {
	u64 starve_ns;
	u32 budget_ns;
	u32 spurious_rounds;
	u32 spurious_native;
};

extern struct mutex irqp_mutex;
extern struct list_head irqp_lines;
extern struct irqp_tunables irqp_tunables;
extern struct workqueue_struct *irqp_wq;
DECLARE_STATIC_KEY_FALSE(irqp_stats_key);
DECLARE_PER_CPU(struct irqp_cpu, irqp_cpu);

static inline u64 irqp_now_ns(void)
{
	return ktime_get_mono_fast_ns();
}

static inline bool irqp_stats_on(void)
{
	return static_branch_unlikely(&irqp_stats_key);
}

/* Bits that genirq keeps under desc->lock, which the caller holds. */
static inline void irqp_irqd_set(struct irq_desc *desc, unsigned int bits)
{
	ACCESS_PRIVATE(&desc->irq_common_data, state_use_accessors) |= bits;
}

static inline void irqp_irqd_clear(struct irq_desc *desc, unsigned int bits)
{
	ACCESS_PRIVATE(&desc->irq_common_data, state_use_accessors) &= ~bits;
}

/* Where the line is delivered; a chip that does not say may deliver anywhere allowed. */
static inline const struct cpumask *irqp_cpus_of(struct irq_data *d)
{
	const struct cpumask *effective = irq_data_get_effective_affinity_mask(d);

	return cpumask_empty(effective) ? irq_data_get_affinity_mask(d) : effective;
}

/* line.c */
struct irqp_line *irqp_line_find(struct irq_desc *desc);
struct irq_desc *irqp_desc_pin(unsigned int irq);
struct irq_desc *irqp_desc_next(unsigned int *irq, unsigned int last);
void irqp_desc_unpin(struct irq_desc *desc);
bool irqp_desc_is_gone(struct irqp_line *line);
int irqp_attach(struct irq_desc *desc, const struct irqp_settings *set,
		struct netlink_ext_ack *extack);
int irqp_change(struct irqp_line *line, const struct irqp_settings *set,
		struct netlink_ext_ack *extack);
void irqp_detach(struct list_head *lines);
void irqp_settle_cpu(int cpu);

/* eligible.c */
const char *irqp_why_not(struct irq_desc *desc, irq_flow_handler_t flow,
			 const struct irqp_settings *set);
bool irqp_may_pause(struct irqp_line *line);
enum irqpace_masking irqp_masking_of(struct irq_desc *desc, bool level, bool flushed);

/* flow.c */
void irqp_flow(struct irq_desc *desc);

/* park.c */
void irqp_park(struct irqp_line *line);
void irqp_unmask(struct irqp_line *line);

/* pause.c: all under desc->lock */
void irqp_pause(struct irqp_line *line, u32 pause_ns);
void irqp_pause_for_thread(struct irqp_line *line);
void irqp_ask(struct irqp_line *line, bool worker);
void irqp_refresh(struct irqp_line *line);
void irqp_resume(struct irqp_line *line);
void irqp_wake_waiters(struct irq_desc *desc);

/* round.c */
bool irqp_round(struct irqp_line *line, enum pace_cause cause);
bool irqp_finish(struct irqp_line *line);

/* runner.c */
void irqp_runners_init(struct irqp_line *line);
struct task_struct *irqp_thread_create(struct irqp_line *line);
void irqp_runners_stop(struct irqp_line *line);

/* stats.c */
void irqp_stats_record(struct irqp_line *line, enum irqpace_hist kind, u64 ns);
void irqp_stats_switch(bool on);
void irqp_stats_prepare(struct irqp_line *line);
void irqp_stats_free(struct irqp_line *line);
void irqp_stats_sum(struct irqp_line *line, enum irqpace_hist kind, struct pace_hist *sum);
size_t irqp_stats_memory(struct irqp_line *line);
void irqp_fold_arrivals(struct irqp_line *line);

static inline void irqp_sample(struct irqp_line *line, enum irqpace_hist kind, u64 ns)
{
	if (irqp_stats_on())
		irqp_stats_record(line, kind, ns);
}

/* ident.c */
struct irqp_ident {
	unsigned int irq;
	bool busy;			/* device not known just now: its lock is taken */
	bool has_vector;
	u32 vector;
	char name[IRQP_NAME_MAX];	/* of the first action */
	char device[IRQP_NAME_MAX];	/* empty where not known */
	char driver[IRQP_NAME_MAX];
	char module[IRQP_NAME_MAX];	/* of the first handler */
	char chip[IRQP_NAME_MAX];
};

enum irqp_sel_kind { IRQP_SEL_IRQ, IRQP_SEL_NAME, IRQP_SEL_DEVICE, IRQP_SEL_DRIVER };

struct irqp_selector {
	enum irqp_sel_kind kind;
	bool has_vector;
	u32 vector;
	u32 irq;
	char value[IRQPACE_TEXT_MAX + 1];	/* IRQ: the name it had */
	char text[IRQPACE_TEXT_MAX + 1];
};

/* The numbers among which a selector's lines are; NULL is every line. */
static inline unsigned int irqp_first_of(const struct irqp_selector *sel)
{
	return sel && sel->kind == IRQP_SEL_IRQ ? sel->irq : 0;
}

static inline unsigned int irqp_last_of(const struct irqp_selector *sel)
{
	return sel && sel->kind == IRQP_SEL_IRQ ? sel->irq : UINT_MAX;
}

/* Each descriptor among them, pinned; the body unpins it. */
#define irqp_for_each_desc(desc, irq, sel)						\
	for ((irq) = irqp_first_of(sel);						\
	     ((desc) = irqp_desc_next(&(irq), irqp_last_of(sel))); (irq)++)

void irqp_name_of(struct irq_desc *desc, char *name, size_t size);
bool irqp_identify(struct irq_desc *desc, struct irqp_ident *id);
bool irqp_matches(struct irq_desc *desc, const struct irqp_ident *id,
		  const struct irqp_selector *sel);
void irqp_symbol(const void *addr, char *symbol, char *module, size_t size);

/* rules.c */
struct irqp_rule {
	struct list_head node;
	bool refused;		/* a line that matches could not be attached: said once */
	struct irqp_selector sel;
	struct irqp_settings set;
};

extern struct list_head irqp_rules;
int irqp_rule_set(struct irqp_selector *sel, const struct irqp_settings *set,
		  struct netlink_ext_ack *extack);
int irqp_rule_reset(struct irqp_selector *sel, struct netlink_ext_ack *extack);
void irqp_rules_drop(void);
void irqp_scan_soon(void);
void irqp_scan_start(void);
void irqp_scan_stop(void);
void irqp_hold(void);
void irqp_release(void);

/* events.c */
void irqp_event(enum irqpace_event event, unsigned int irq, const char *name,
		const char *fmt, ...) __printf(4, 5);
void irqp_event_later(struct irqp_line *line, enum irqpace_event event);
void irqp_events_send(struct irqp_line *line);
void irqp_events_exit(void);

/* netlink.c, netlink_get.c, netlink_set.c */
extern struct genl_family irqp_family;
extern bool irqp_family_registered;
int irqp_netlink_init(void);
void irqp_netlink_exit(void);
void irqp_refuse(struct netlink_ext_ack *extack, const char *fmt, ...) __printf(2, 3);
void irqp_refuse_line(struct netlink_ext_ack *extack, struct irq_desc *desc, const char *why);

/* notify.c */
int irqp_notify_init(void);
void irqp_notify_exit(void);

/* selftest.c */
int irqp_selftest(void);

#endif /* IRQPACE_KMOD_H */
