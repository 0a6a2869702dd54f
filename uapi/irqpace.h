/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * irqpace: the generic netlink contract between the module and its clients.
 *
 * Family "irqpace", version 1, multicast group "events". A line is one Linux
 * interrupt number. A rule is a selector with settings; it is kept in the
 * module and applied to every line that matches, now and when a device comes
 * back with new numbers. For each line the last matching rule decides; no
 * matching rule, or one with policy NATIVE, means that the line is native
 * (not attached at all).
 *
 * Every refusal carries an extended-ack sentence (NLMSGERR_ATTR_MSG), in which
 * the line and the way out are named. SET is all or nothing. Times are in
 * nanoseconds. Integers are in host order, strings end in NUL, u64 attributes
 * may be preceded by IRQPACE_A_PAD (or the nest's own PAD).
 *
 * STATUS    do            anyone  the module's own state and limits
 * CONFIG    do            admin   change those of STATS, STARVE_NS,
 *                                 SPURIOUS_ROUNDS, SPURIOUS_NATIVE, BUDGET_NS
 *                                 that are given
 * LINE_GET  do (IRQ)      anyone  one line that has a handler
 *           dump          anyone  all of them; with flag ATTACHED only those
 *                                 that are attached
 * SET       do            admin   SELECTOR + SETTINGS: add or replace a rule;
 *                                 the reply has one IRQ for each line changed
 * RESET     do            admin   SELECTOR: those lines become native; or flag
 *                                 ALL: every rule goes, every line is native
 * RULE_GET  dump          anyone  the rules, oldest first
 * HIST_GET  do            anyone  IRQ + HIST: one histogram, all CPUs added up
 * EVENT     multicast     anyone  EVENT, IRQ, NAME, TEXT (one sentence)
 *
 * "admin" is CAP_SYS_ADMIN in the initial user namespace.
 *
 * Errors: EINVAL (a value outside its range, an option of another policy),
 * ENOENT (no line matches, nothing to reset), EOPNOTSUPP (a line cannot be
 * attached; the sentence says why), EPERM, ENOMEM, EBUSY (suspending or
 * shutting down).
 */
#ifndef _UAPI_IRQPACE_H
#define _UAPI_IRQPACE_H

#include <linux/types.h>

#define IRQPACE_GENL_NAME	"irqpace"
#define IRQPACE_GENL_VERSION	1
#define IRQPACE_GENL_GROUP	"events"

/* Bounds of limit, window and delay (both ends allowed). */
#define IRQPACE_TIME_MIN_NS	1000ULL
#define IRQPACE_TIME_MAX_NS	10000000ULL
#define IRQPACE_ROUNDS_MAX	1000000U
#define IRQPACE_MASK_AFTER_MAX	1000000U
#define IRQPACE_ROUNDS_DEFAULT	1000U
#define IRQPACE_MASK_AFTER_DEFAULT 2U
#define IRQPACE_TEXT_MAX	127	/* longest selector string, without NUL */

enum irqpace_cmd {
	IRQPACE_CMD_UNSPEC,
	IRQPACE_CMD_STATUS,
	IRQPACE_CMD_CONFIG,
	IRQPACE_CMD_LINE_GET,
	IRQPACE_CMD_SET,
	IRQPACE_CMD_RESET,
	IRQPACE_CMD_RULE_GET,
	IRQPACE_CMD_HIST_GET,
	IRQPACE_CMD_EVENT,
	__IRQPACE_CMD_MAX,
};
#define IRQPACE_CMD_MAX (__IRQPACE_CMD_MAX - 1)

enum irqpace_policy {
	IRQPACE_POLICY_NATIVE,		/* not attached */
	IRQPACE_POLICY_HARD,		/* in the hard interrupt, as the kernel does */
	IRQPACE_POLICY_THREADED,	/* in the line's thread; DELAY_NS optional */
	IRQPACE_POLICY_HYBRID,		/* hard for LIMIT_NS in each WINDOW_NS */
	IRQPACE_POLICY_MODERATE,	/* a pause of DELAY_NS after each run */
	__IRQPACE_POLICY_MAX,
};

enum irqpace_mask {
	IRQPACE_MASK_POSTED,	/* write the mask bit, do not read it back */
	IRQPACE_MASK_FLUSHED,	/* the chip's own mask, which reads back */
};

/* How a line is masked while it pauses (IRQPACE_A_MASKING). */
enum irqpace_masking {
	IRQPACE_MASKING_NONE,	/* cannot be: arrivals go on and are parked */
	IRQPACE_MASKING_POSTED,
	IRQPACE_MASKING_FLUSHED,
	IRQPACE_MASKING_LEVEL,	/* a level line: masked at the first arrival */
};

enum irqpace_state {
	IRQPACE_STATE_ACTIVE,
	IRQPACE_STATE_PAUSED,
	IRQPACE_STATE_RUNNING,	/* a round is being made */
};

enum irqpace_hist {
	IRQPACE_HIST_RUN,	/* duration of one run of the handlers */
	IRQPACE_HIST_RESIDENCY,	/* one stay in hard interrupt context */
	IRQPACE_HIST_PAUSE,	/* from pausing to the round that ends it */
	IRQPACE_HIST_WAKE,	/* from waking the thread to its round */
	IRQPACE_HIST_PARK,	/* cost of parking one arrival */
	__IRQPACE_HIST_MAX,
};

enum irqpace_event {
	IRQPACE_EVENT_UNSPEC,
	IRQPACE_EVENT_ATTACHED,	/* by the scan, when a device came back */
	IRQPACE_EVENT_CHANGED,	/* by SET: the line follows the new rule */
	IRQPACE_EVENT_GONE,	/* the line has no descriptor any more */
	IRQPACE_EVENT_STARVED,	/* the thread did not run in time */
	IRQPACE_EVENT_REFUSED,	/* a rule matches, the line cannot be attached */
	IRQPACE_EVENT_FOREIGN,	/* somebody else set the flow handler */
	IRQPACE_EVENT_INELIGIBLE,/* the line changed and can no longer pause */
	IRQPACE_EVENT_SPURIOUS,	/* no round was handled: native for a while */
	IRQPACE_EVENT_LIMIT,	/* one handler call took longer than hybrid's limit */
	__IRQPACE_EVENT_MAX,
};

/* Top-level attributes. */
enum irqpace_attr {
	IRQPACE_A_UNSPEC,
	IRQPACE_A_PAD,
	IRQPACE_A_IRQ,		/* u32; several in SET's reply */
	IRQPACE_A_NAME,		/* string: the first action's name */
	IRQPACE_A_ACTION,	/* nest of irqpace_action_attr, one for each sharer */
	IRQPACE_A_DEVICE,	/* string: dev_name(), absent where not known */
	IRQPACE_A_DRIVER,	/* string: driver bound to it, or the handler's module */
	IRQPACE_A_VECTOR,	/* u32: the device's own index, absent where none */
	IRQPACE_A_CHIP,		/* string */
	IRQPACE_A_LEVEL,	/* u8: 1 level, 0 edge */
	IRQPACE_A_ATTACHED,	/* flag */
	IRQPACE_A_ATTACHABLE,	/* u8 */
	IRQPACE_A_REASON,	/* string: why it is not attachable */
	IRQPACE_A_SETTINGS,	/* nest of irqpace_settings_attr */
	IRQPACE_A_STATE,	/* u32 enum irqpace_state */
	IRQPACE_A_MASKING,	/* u32 enum irqpace_masking */
	IRQPACE_A_COUNTERS,	/* nest of irqpace_counter_attr */
	IRQPACE_A_SELECTOR,	/* nest of irqpace_selector_attr */
	IRQPACE_A_ALL,		/* flag, RESET */
	IRQPACE_A_VERSION,	/* string, STATUS */
	IRQPACE_A_STATS,	/* u8: histograms on or off */
	IRQPACE_A_STARVE_NS,	/* u64: the hard interrupt overtakes after that; 1 ms to 1 s */
	IRQPACE_A_SPURIOUS_ROUNDS,/* u32, for rules set from now on: unhandled rounds in a row ... */
	IRQPACE_A_SPURIOUS_NATIVE,/* u32: ... send so many arrivals native */
	IRQPACE_A_BUDGET_NS,	/* u64: a CPU's timer rounds at one go; then a worker */
	IRQPACE_A_LINES,	/* u32: attached lines, STATUS */
	IRQPACE_A_RULES,	/* u32: rules, STATUS */
	IRQPACE_A_HIST,		/* u32 enum irqpace_hist */
	IRQPACE_A_BUCKETS,	/* array of struct irqpace_bucket, non-empty ones */
	IRQPACE_A_SAMPLES,	/* u64 */
	IRQPACE_A_SUM_NS,	/* u64 */
	IRQPACE_A_MAX_NS,	/* u64: exact */
	IRQPACE_A_UNRECORDED,	/* u64: samples seen before memory was there */
	IRQPACE_A_EVENT,	/* u32 enum irqpace_event */
	IRQPACE_A_TEXT,		/* string: one sentence */
	IRQPACE_A_MEMORY,	/* u32 bytes this line costs, its thread left out */
	__IRQPACE_A_MAX,
};
#define IRQPACE_A_MAX (__IRQPACE_A_MAX - 1)

enum irqpace_action_attr {
	IRQPACE_ACTION_UNSPEC,
	IRQPACE_ACTION_NAME,	/* string */
	IRQPACE_ACTION_HANDLER,	/* string: symbol, without offset */
	IRQPACE_ACTION_MODULE,	/* string: absent for built-in code */
	IRQPACE_ACTION_DEVICE,	/* string: absent where not known */
	__IRQPACE_ACTION_MAX,
};
#define IRQPACE_ACTION_MAX (__IRQPACE_ACTION_MAX - 1)

/* Exactly one of IRQ, NAME, DEVICE, DRIVER; VECTOR with DEVICE or DRIVER. */
enum irqpace_selector_attr {
	IRQPACE_SEL_UNSPEC,
	IRQPACE_SEL_IRQ,	/* u32; the rule holds while the line keeps its name */
	IRQPACE_SEL_NAME,	/* string: glob (* ? [a-z]) on any action's name */
	IRQPACE_SEL_DEVICE,	/* string: dev_name(), e.g. 0000:00:03.0 */
	IRQPACE_SEL_DRIVER,	/* string: driver name, or the handler's module */
	IRQPACE_SEL_VECTOR,	/* u32 */
	IRQPACE_SEL_TEXT,	/* string: as the user wrote it; only shown */
	__IRQPACE_SEL_MAX,
};
#define IRQPACE_SEL_MAX (__IRQPACE_SEL_MAX - 1)

enum irqpace_settings_attr {
	IRQPACE_SET_UNSPEC,
	IRQPACE_SET_PAD,
	IRQPACE_SET_POLICY,	/* u32 enum irqpace_policy */
	IRQPACE_SET_DELAY_NS,	/* u64: moderate; threaded (optional) */
	IRQPACE_SET_LIMIT_NS,	/* u64: hybrid, smaller than the window */
	IRQPACE_SET_WINDOW_NS,	/* u64: hybrid */
	IRQPACE_SET_POLL,	/* flag: moderate */
	IRQPACE_SET_ROUNDS,	/* u32: moderate with POLL; 1 to ROUNDS_MAX */
	IRQPACE_SET_MASK,	/* u32 enum irqpace_mask */
	IRQPACE_SET_MASK_AFTER,	/* u32: mask with the k-th arrival of a pause */
	IRQPACE_SET_SHARED,	/* flag: a shared level line may be moderated */
	__IRQPACE_SET_MAX,
};
#define IRQPACE_SET_MAX (__IRQPACE_SET_MAX - 1)

/* All u64, since the line was attached. */
enum irqpace_counter_attr {
	IRQPACE_CNT_UNSPEC,
	IRQPACE_CNT_PAD,
	IRQPACE_CNT_ARRIVALS,	/* the kernel's own count, parked ones included */
	IRQPACE_CNT_RUNS,	/* native runs and rounds that called the handlers */
	IRQPACE_CNT_HANDLED,
	IRQPACE_CNT_UNHANDLED,	/* every handler said IRQ_NONE */
	IRQPACE_CNT_PARKED,	/* arrivals acknowledged and remembered */
	IRQPACE_CNT_MASKED,	/* times the line was masked by a park */
	IRQPACE_CNT_ROUNDS,	/* runs made by timer, thread or worker */
	IRQPACE_CNT_PAUSES,	/* times the line left ACTIVE */
	IRQPACE_CNT_DEFERRED,	/* arrivals sent to the thread before any run */
	IRQPACE_CNT_STARVED,	/* rounds taken over from a thread that did not run */
	IRQPACE_CNT_OVERFLOWS,	/* rounds sent to a worker: the budget was used up */
	__IRQPACE_CNT_MAX,
};
#define IRQPACE_CNT_MAX (__IRQPACE_CNT_MAX - 1)

/* Values v with low_ns <= v <= high_ns; the last bucket also takes larger ones. */
struct irqpace_bucket {
	__u64 low_ns;
	__u64 high_ns;
	__u64 count;
};

#endif /* _UAPI_IRQPACE_H */
