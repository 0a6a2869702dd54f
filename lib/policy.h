/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A policy with its options: read from the command line or from a compact
 * spec, printed for people, as JSON, and as netlink attributes.
 *
 * Both syntaxes go through the same two steps, so that they refuse the same
 * things with the same sentences:
 *
 *	struct policy_args args = { 0 };
 *	policy_args_add(&args, "delay", "100us", &err);   (for each option)
 *	policy_args_finish(&args, "moderate", &policy, &err);
 */
#ifndef IRQPACE_POLICY_H
#define IRQPACE_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../uapi/irqpace.h"
#include "errmsg.h"

struct nlmsghdr;
struct nlattr;
struct json;

#define POLICY_MASK_DEFAULT	(-1)

/* 0 means "not given" for every number; the module fills in its default. */
struct policy {
	enum irqpace_policy kind;
	uint64_t delay_ns;
	uint64_t limit_ns;
	uint64_t window_ns;
	bool poll;
	uint32_t rounds;
	int mask;		/* enum irqpace_mask or POLICY_MASK_DEFAULT */
	uint32_t mask_after;
	bool shared;
};

/* Options seen so far, in the order of policy_option_names[]. */
#define POLICY_N_OPTIONS 8
struct policy_args {
	bool given[POLICY_N_OPTIONS];
	const char *value[POLICY_N_OPTIONS];	/* borrowed from the caller */
};

/* "delay", "limit", "window", "poll", "rounds", "mask", "mask-after", "shared" */
extern const char *const policy_option_names[POLICY_N_OPTIONS];
/* Whether option I of policy_option_names[] takes a value. */
bool policy_option_has_value(int i);

/* NAME without dashes; VALUE is NULL for poll and shared. */
int policy_args_add(struct policy_args *args, const char *name,
		    const char *value, struct errmsg *err);
/*
 * KIND is native, hard, threaded, hybrid or moderate. Refuses an option of
 * another policy (and names the policies it belongs to), a missing one, and a
 * value outside its range.
 */
int policy_args_finish(const struct policy_args *args, const char *kind,
		       struct policy *policy, struct errmsg *err);

/*
 * The compact form, for lists: KIND[:OPTION[=VALUE]]..., for example
 * "moderate:delay=100us:poll:rounds=64", "hybrid:limit=50us:window=1ms", "hard".
 */
int policy_parse_spec(const char *spec, struct policy *policy,
		      struct errmsg *err);

/* "hard", "threaded", ... or NULL for a number that is no policy. */
const char *policy_name(uint32_t kind);
/* The kind for a name, -1 where there is none. */
int policy_kind(const char *name);

/* "moderate --delay 100us --poll --rounds 64": can be given to `set` again. */
char *policy_print(const struct policy *policy, char *buf, size_t size);
/* "moderate:delay=100us:poll:rounds=64": can be given to policy_parse_spec(). */
char *policy_print_spec(const struct policy *policy, char *buf, size_t size);
#define POLICY_BUF 160

/*
 * Writes {"limit_us":50,"window_us":1000} with member name KEY (NULL inside an
 * array or at the top). Members: delay_us, limit_us, window_us, poll, rounds,
 * mask, mask_after, shared; only those that are given.
 */
void policy_json(struct json *json, const char *key, const struct policy *policy);

/* Appends an IRQPACE_A_SETTINGS nest to a message. */
void policy_put(struct nlmsghdr *nlh, const struct policy *policy);
/* Reads one; -1 where an attribute has the wrong length. */
int policy_get(const struct nlattr *nest, struct policy *policy);

/* Without the options that have their default values: for people. */
struct policy policy_brief(const struct policy *policy);

bool policy_equal(const struct policy *a, const struct policy *b);

#endif
