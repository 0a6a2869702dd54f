/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Client of the module's generic netlink family (uapi/irqpace.h).
 *
 * Every call returns 0, or -1 with one sentence: the kernel's extended-ack
 * sentence where it gave one, "the irqpace module is not loaded ..." where the
 * family is missing (sys_errno ENOENT), a sentence about root for EPERM.
 */
#ifndef IRQPACE_NL_H
#define IRQPACE_NL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../uapi/irqpace.h"
#include "errmsg.h"
#include "policy.h"

struct selector;
struct nl;
struct nlmsghdr;

struct nl_status {
	char version[64];
	bool stats;
	uint64_t starve_ns;
	uint32_t spurious_rounds;
	uint32_t spurious_native;
	uint64_t budget_ns;
	uint32_t lines;
	uint32_t rules;
};

/* What CONFIG changes: a member counts where its bit is in HAVE. */
#define NL_CONFIG_STATS			(1U << 0)
#define NL_CONFIG_STARVE		(1U << 1)
#define NL_CONFIG_SPURIOUS_ROUNDS	(1U << 2)
#define NL_CONFIG_SPURIOUS_NATIVE	(1U << 3)
#define NL_CONFIG_BUDGET		(1U << 4)
struct nl_config {
	unsigned int have;
	bool stats;
	uint64_t starve_ns;
	uint32_t spurious_rounds;
	uint32_t spurious_native;
	uint64_t budget_ns;
};

struct nl_action {
	char *name;
	char *handler;
	char *module;		/* NULL: built in */
	char *device;		/* NULL: not known */
};

struct nl_line {
	uint32_t irq;
	char *name;
	struct nl_action *action;
	size_t n_actions;
	char *device;		/* strings are NULL where the module sent none */
	char *driver;
	long vector;		/* -1: none */
	char *chip;
	int level;		/* 1 level, 0 edge, -1 not told */
	bool attached;
	int attachable;		/* 1, 0, -1 not told */
	char *reason;
	bool has_settings;
	struct policy settings;
	bool has_state;
	uint32_t state;		/* enum irqpace_state */
	bool has_masking;
	uint32_t masking;	/* enum irqpace_masking */
	bool has_counters;
	uint64_t counter[IRQPACE_CNT_MAX + 1];	/* by enum irqpace_counter_attr */
	uint32_t memory_bytes;
	uint64_t unrecorded;	/* samples seen before there was memory for them */
};

struct nl_lines {
	struct nl_line *line;	/* sorted by irq */
	size_t n;
};

struct nl_rule {
	struct selector *selector;	/* allocated */
	struct policy policy;
};

struct nl_rules {
	struct nl_rule *rule;	/* oldest first */
	size_t n;
};

struct nl_hist {
	struct irqpace_bucket *bucket;	/* non-empty ones, ascending */
	size_t n;
	uint64_t samples;
	uint64_t sum_ns;
	uint64_t max_ns;
};

struct nl_event {
	uint32_t event;		/* enum irqpace_event */
	bool has_irq;
	uint32_t irq;
	char *name;
	char *text;
};

/* Whether /sys/module/irqpace is there: no message, no module auto-load. */
bool nl_module_loaded(void);

int nl_open(struct nl **nl, struct errmsg *err);
void nl_close(struct nl *nl);

int nl_status(struct nl *nl, struct nl_status *status, struct errmsg *err);
int nl_config(struct nl *nl, const struct nl_config *config, struct errmsg *err);
int nl_lines(struct nl *nl, bool attached_only, struct nl_lines *lines,
	     struct errmsg *err);
int nl_line(struct nl *nl, uint32_t irq, struct nl_line *line,
	    struct errmsg *err);
/* IRQS (malloced) and N tell the lines that were changed; may be NULL. */
int nl_set(struct nl *nl, const struct selector *sel,
	   const struct policy *policy, uint32_t **irqs, size_t *n,
	   struct errmsg *err);
/* SEL NULL: every rule goes, every line is native. */
int nl_reset(struct nl *nl, const struct selector *sel, struct errmsg *err);
int nl_rules(struct nl *nl, struct nl_rules *rules, struct errmsg *err);
int nl_hist(struct nl *nl, uint32_t irq, enum irqpace_hist which,
	    struct nl_hist *hist, struct errmsg *err);

/* Joins the multicast group; then nl_fd() may be polled. */
int nl_subscribe(struct nl *nl, struct errmsg *err);
int nl_fd(const struct nl *nl);
/*
 * Waits up to TIMEOUT_MS (-1: for ever). 1: an event, 0: none in time, -1.
 * Events the socket had no room for are told as one with event 0 and a text.
 */
int nl_next_event(struct nl *nl, int timeout_ms, struct nl_event *event,
		  struct errmsg *err);

void nl_line_free(struct nl_line *line);
void nl_lines_free(struct nl_lines *lines);
void nl_rules_free(struct nl_rules *rules);
void nl_hist_free(struct nl_hist *hist);
void nl_event_free(struct nl_event *event);

/*
 * The value below which PERCENT of the samples lie: the upper end of the
 * bucket, at most the exact maximum; 0 without samples.
 */
uint64_t nl_hist_percentile(const struct nl_hist *hist, double percent);
/* 0 without samples. */
double nl_hist_mean_ns(const struct nl_hist *hist);

/* "run", "residency", "pause", "wake", "park" */
const char *nl_hist_name(uint32_t which);
/* "active", "paused", "running" */
const char *nl_state_name(uint32_t state);
/* "none", "posted", "flushed", "level" */
const char *nl_masking_name(uint32_t masking);
/* "attached", "changed", ..., "lost" for 0 */
const char *nl_event_name(uint32_t event);
/* "arrivals", "runs", ... by enum irqpace_counter_attr */
const char *nl_counter_name(uint32_t counter);

/*
 * Decoders of one message, apart from the socket so that they can be tested.
 * Lengths and types are checked; an attribute of a newer kernel is skipped.
 */
int nl_decode_status(const struct nlmsghdr *nlh, struct nl_status *status);
int nl_decode_line(const struct nlmsghdr *nlh, struct nl_line *line);
int nl_decode_rule(const struct nlmsghdr *nlh, struct nl_rule *rule);
int nl_decode_hist(const struct nlmsghdr *nlh, struct nl_hist *hist);
int nl_decode_event(const struct nlmsghdr *nlh, struct nl_event *event);
/* The extended-ack sentence of an NLMSG_ERROR or NLMSG_DONE message, or NULL. */
const char *nl_decode_extack(const struct nlmsghdr *nlh);

#endif
