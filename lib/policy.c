// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <libmnl/libmnl.h>

#include "duration.h"
#include "json.h"
#include "nlattr.h"
#include "policy.h"

enum { OPT_DELAY, OPT_LIMIT, OPT_WINDOW, OPT_POLL, OPT_ROUNDS, OPT_MASK,
       OPT_MASK_AFTER, OPT_SHARED };

const char *const policy_option_names[POLICY_N_OPTIONS] = {
	[OPT_DELAY] = "delay",
	[OPT_LIMIT] = "limit",
	[OPT_WINDOW] = "window",
	[OPT_POLL] = "poll",
	[OPT_ROUNDS] = "rounds",
	[OPT_MASK] = "mask",
	[OPT_MASK_AFTER] = "mask-after",
	[OPT_SHARED] = "shared",
};

#define KIND(k)		(1U << IRQPACE_POLICY_##k)
#define KINDS_PACED	(KIND(HARD) | KIND(THREADED) | KIND(HYBRID) | KIND(MODERATE))

/* The policies an option belongs to. */
static const unsigned int option_kinds[POLICY_N_OPTIONS] = {
	[OPT_DELAY] = KIND(THREADED) | KIND(MODERATE),
	[OPT_LIMIT] = KIND(HYBRID),
	[OPT_WINDOW] = KIND(HYBRID),
	[OPT_POLL] = KIND(MODERATE),
	[OPT_ROUNDS] = KIND(MODERATE),
	[OPT_MASK] = KINDS_PACED,
	[OPT_MASK_AFTER] = KINDS_PACED,
	[OPT_SHARED] = KINDS_PACED,
};

static const char *const names[__IRQPACE_POLICY_MAX] = {
	[IRQPACE_POLICY_NATIVE] = "native",
	[IRQPACE_POLICY_HARD] = "hard",
	[IRQPACE_POLICY_THREADED] = "threaded",
	[IRQPACE_POLICY_HYBRID] = "hybrid",
	[IRQPACE_POLICY_MODERATE] = "moderate",
};

static const char *const mask_names[] = {
	[IRQPACE_MASK_POSTED] = "posted",
	[IRQPACE_MASK_FLUSHED] = "flushed",
};

const char *policy_name(uint32_t kind)
{
	return kind < __IRQPACE_POLICY_MAX ? names[kind] : NULL;
}

int policy_kind(const char *name)
{
	for (int i = 0; i < __IRQPACE_POLICY_MAX; i++)
		if (!strcmp(names[i], name))
			return i;
	return -1;
}

bool policy_option_has_value(int i)
{
	return i != OPT_POLL && i != OPT_SHARED;
}

int policy_args_add(struct policy_args *args, const char *name,
		    const char *value, struct errmsg *err)
{
	for (int i = 0; i < POLICY_N_OPTIONS; i++) {
		if (strcmp(policy_option_names[i], name))
			continue;
		if (policy_option_has_value(i) && !(value && *value))
			return err_usage(err, "--%s needs a value", name);
		if (!policy_option_has_value(i) && value)
			return err_usage(err, "--%s takes no value", name);
		args->given[i] = true;
		args->value[i] = value;
		return 0;
	}
	return err_usage(err, "a policy has no option --%s", name);
}

/* "threaded and moderate" */
static const char *kinds_text(unsigned int kinds, char *buf, size_t size)
{
	int left = __builtin_popcount(kinds);
	size_t n = 0;

	buf[0] = '\0';
	for (int i = 0; i < __IRQPACE_POLICY_MAX; i++) {
		if (!(kinds & 1U << i))
			continue;
		left--;
		n += (size_t)snprintf(buf + n, size - n, "%s%s", names[i],
				      left > 1 ? ", " : left ? " and " : "");
	}
	return buf;
}

static int parse_count(const char *text, const char *what, uint32_t max,
		       uint32_t *value, struct errmsg *err)
{
	unsigned long n;

	if (!*text || strspn(text, "0123456789") != strlen(text))
		return err_usage(err, "%s %s is not a whole number", what, text);
	n = strlen(text) > 10 ? max + 1UL : strtoul(text, NULL, 10);
	if (n < 1 || n > max)
		return err_usage(err, "%s %s is outside 1 to %u", what, text,
				 max);
	*value = (uint32_t)n;
	return 0;
}

static int parse_values(const struct policy_args *args, struct policy *p,
			struct errmsg *err)
{
	static const struct {
		int option;
		const char *what;
		size_t offset;
	} times[] = {
		{ OPT_DELAY, "--delay", offsetof(struct policy, delay_ns) },
		{ OPT_LIMIT, "--limit", offsetof(struct policy, limit_ns) },
		{ OPT_WINDOW, "--window", offsetof(struct policy, window_ns) },
	};

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		uint64_t *ns = (uint64_t *)((char *)p + times[i].offset);

		if (args->given[times[i].option] &&
		    duration_parse_range(args->value[times[i].option],
					 times[i].what, IRQPACE_TIME_MIN_NS,
					 IRQPACE_TIME_MAX_NS, ns, err))
			return -1;
	}
	p->poll = args->given[OPT_POLL];
	p->shared = args->given[OPT_SHARED];
	if (args->given[OPT_ROUNDS] &&
	    parse_count(args->value[OPT_ROUNDS], "--rounds", IRQPACE_ROUNDS_MAX,
			&p->rounds, err))
		return -1;
	if (args->given[OPT_MASK_AFTER] &&
	    parse_count(args->value[OPT_MASK_AFTER], "--mask-after",
			IRQPACE_MASK_AFTER_MAX, &p->mask_after, err))
		return -1;
	if (args->given[OPT_MASK]) {
		const char *mask = args->value[OPT_MASK];

		if (!strcmp(mask, mask_names[IRQPACE_MASK_POSTED]))
			p->mask = IRQPACE_MASK_POSTED;
		else if (!strcmp(mask, mask_names[IRQPACE_MASK_FLUSHED]))
			p->mask = IRQPACE_MASK_FLUSHED;
		else
			return err_usage(err,
					 "--mask %s is neither posted nor flushed",
					 mask);
	}
	return 0;
}

/* What a policy cannot do without, and how its options go together. */
static int check_complete(const struct policy_args *args,
			  const struct policy *p, struct errmsg *err)
{
	char limit[DURATION_BUF], window[DURATION_BUF];

	if (p->kind == IRQPACE_POLICY_MODERATE && !args->given[OPT_DELAY])
		return err_usage(err, "moderate needs --delay, for example --delay 100us");
	if (p->kind == IRQPACE_POLICY_HYBRID &&
	    !(args->given[OPT_LIMIT] && args->given[OPT_WINDOW]))
		return err_usage(err, "hybrid needs --limit and --window, for example --limit 50us --window 1ms");
	if (p->kind == IRQPACE_POLICY_HYBRID && p->limit_ns >= p->window_ns)
		return err_usage(err, "--limit %s is not smaller than --window %s",
				 duration_print(p->limit_ns, limit, sizeof(limit)),
				 duration_print(p->window_ns, window, sizeof(window)));
	if (args->given[OPT_ROUNDS] && !p->poll)
		return err_usage(err, "--rounds needs --poll");
	return 0;
}

int policy_args_finish(const struct policy_args *args, const char *kind,
		       struct policy *policy, struct errmsg *err)
{
	struct policy p = { .mask = POLICY_MASK_DEFAULT };
	int k = policy_kind(kind);
	char kinds[80];

	if (k < 0)
		return err_usage(err, "there is no policy %s: choose hard, threaded, hybrid, moderate or native",
				 kind);
	p.kind = (enum irqpace_policy)k;
	for (int i = 0; i < POLICY_N_OPTIONS; i++)
		if (args->given[i] && !(option_kinds[i] & 1U << k))
			return err_usage(err, "--%s belongs to %s, not to %s",
					 policy_option_names[i],
					 kinds_text(option_kinds[i], kinds,
						    sizeof(kinds)), kind);
	if (parse_values(args, &p, err) || check_complete(args, &p, err))
		return -1;
	*policy = p;
	return 0;
}

int policy_parse_spec(const char *spec, struct policy *policy,
		      struct errmsg *err)
{
	struct policy_args args = { 0 };
	char copy[256];
	char *rest = copy, *kind, *word;

	if (strlen(spec) >= sizeof(copy))
		return err_usage(err, "a policy of %zu letters is too long",
				 strlen(spec));
	strcpy(copy, spec);
	kind = strsep(&rest, ":");
	while ((word = strsep(&rest, ":"))) {
		char *value = strchr(word, '=');

		if (value)
			*value++ = '\0';
		if (policy_args_add(&args, word, value, err))
			return -1;
	}
	return policy_args_finish(&args, kind, policy, err);
}

struct text {
	char *buf;
	size_t size;
	size_t n;
	bool spec;
};

static void add(struct text *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void add(struct text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(t->buf + t->n, t->size - t->n, fmt, ap);
	va_end(ap);
	t->n += (size_t)n;
	if (t->n >= t->size)
		t->n = t->size - 1;
}

static void add_option(struct text *t, int option, const char *value)
{
	add(t, t->spec ? ":%s" : " --%s", policy_option_names[option]);
	if (value)
		add(t, t->spec ? "=%s" : " %s", value);
}

static void add_time(struct text *t, int option, uint64_t ns)
{
	char value[DURATION_BUF];

	if (ns)
		add_option(t, option, duration_print(ns, value, sizeof(value)));
}

static void add_count(struct text *t, int option, uint32_t n)
{
	char value[16];

	if (!n)
		return;
	snprintf(value, sizeof(value), "%" PRIu32, n);
	add_option(t, option, value);
}

static char *print(const struct policy *p, char *buf, size_t size, bool spec)
{
	struct text t = { buf, size, 0, spec };
	const char *name = policy_name(p->kind);

	if (!size)
		return buf;
	add(&t, "%s", name ? name : "unknown");
	add_time(&t, OPT_DELAY, p->delay_ns);
	add_time(&t, OPT_LIMIT, p->limit_ns);
	add_time(&t, OPT_WINDOW, p->window_ns);
	if (p->poll)
		add_option(&t, OPT_POLL, NULL);
	add_count(&t, OPT_ROUNDS, p->rounds);
	if (p->mask == IRQPACE_MASK_POSTED || p->mask == IRQPACE_MASK_FLUSHED)
		add_option(&t, OPT_MASK, mask_names[p->mask]);
	add_count(&t, OPT_MASK_AFTER, p->mask_after);
	if (p->shared)
		add_option(&t, OPT_SHARED, NULL);
	return buf;
}

char *policy_print(const struct policy *policy, char *buf, size_t size)
{
	return print(policy, buf, size, false);
}

char *policy_print_spec(const struct policy *policy, char *buf, size_t size)
{
	return print(policy, buf, size, true);
}

void policy_json(struct json *json, const char *key, const struct policy *p)
{
	jw_object(json, key);
	if (p->delay_ns)
		jw_us(json, "delay_us", p->delay_ns);
	if (p->limit_ns)
		jw_us(json, "limit_us", p->limit_ns);
	if (p->window_ns)
		jw_us(json, "window_us", p->window_ns);
	if (p->poll)
		jw_bool(json, "poll", true);
	if (p->rounds)
		jw_u64(json, "rounds", p->rounds);
	if (p->mask == IRQPACE_MASK_POSTED || p->mask == IRQPACE_MASK_FLUSHED)
		jw_string(json, "mask", mask_names[p->mask]);
	if (p->mask_after)
		jw_u64(json, "mask_after", p->mask_after);
	if (p->shared)
		jw_bool(json, "shared", true);
	jw_end_object(json);
}

void policy_put(struct nlmsghdr *nlh, const struct policy *p)
{
	struct nlattr *nest = mnl_attr_nest_start(nlh, IRQPACE_A_SETTINGS);

	mnl_attr_put_u32(nlh, IRQPACE_SET_POLICY, p->kind);
	if (p->delay_ns)
		mnl_attr_put_u64(nlh, IRQPACE_SET_DELAY_NS, p->delay_ns);
	if (p->limit_ns)
		mnl_attr_put_u64(nlh, IRQPACE_SET_LIMIT_NS, p->limit_ns);
	if (p->window_ns)
		mnl_attr_put_u64(nlh, IRQPACE_SET_WINDOW_NS, p->window_ns);
	if (p->poll)
		mnl_attr_put(nlh, IRQPACE_SET_POLL, 0, NULL);
	if (p->rounds)
		mnl_attr_put_u32(nlh, IRQPACE_SET_ROUNDS, p->rounds);
	if (p->mask != POLICY_MASK_DEFAULT)
		mnl_attr_put_u32(nlh, IRQPACE_SET_MASK, (uint32_t)p->mask);
	if (p->mask_after)
		mnl_attr_put_u32(nlh, IRQPACE_SET_MASK_AFTER, p->mask_after);
	if (p->shared)
		mnl_attr_put(nlh, IRQPACE_SET_SHARED, 0, NULL);
	mnl_attr_nest_end(nlh, nest);
}

int policy_get(const struct nlattr *nest, struct policy *policy)
{
	struct policy p = { .mask = POLICY_MASK_DEFAULT };
	const struct nlattr *attr;
	uint32_t u32;
	int bad = 0;

	nlattr_for_each_nested(attr, nest) {
		switch (mnl_attr_get_type(attr)) {
		case IRQPACE_SET_POLICY:
			bad |= nlattr_u32(attr, &u32);
			if (!bad)
				p.kind = (enum irqpace_policy)u32;
			break;
		case IRQPACE_SET_DELAY_NS:
			bad |= nlattr_u64(attr, &p.delay_ns);
			break;
		case IRQPACE_SET_LIMIT_NS:
			bad |= nlattr_u64(attr, &p.limit_ns);
			break;
		case IRQPACE_SET_WINDOW_NS:
			bad |= nlattr_u64(attr, &p.window_ns);
			break;
		case IRQPACE_SET_POLL:
			p.poll = true;
			break;
		case IRQPACE_SET_ROUNDS:
			bad |= nlattr_u32(attr, &p.rounds);
			break;
		case IRQPACE_SET_MASK:
			bad |= nlattr_u32(attr, &u32);
			if (!bad)
				p.mask = u32 == IRQPACE_MASK_FLUSHED ?
					 IRQPACE_MASK_FLUSHED :
					 IRQPACE_MASK_POSTED;
			break;
		case IRQPACE_SET_MASK_AFTER:
			bad |= nlattr_u32(attr, &p.mask_after);
			break;
		case IRQPACE_SET_SHARED:
			p.shared = true;
			break;
		}
	}
	if (bad)
		return -1;
	*policy = p;
	return 0;
}

struct policy policy_brief(const struct policy *policy)
{
	struct policy p = *policy;

	if (p.mask == IRQPACE_MASK_POSTED)
		p.mask = POLICY_MASK_DEFAULT;
	if (p.mask_after == IRQPACE_MASK_AFTER_DEFAULT)
		p.mask_after = 0;
	if (p.rounds == IRQPACE_ROUNDS_DEFAULT)
		p.rounds = 0;
	return p;
}

bool policy_equal(const struct policy *a, const struct policy *b)
{
	return a->kind == b->kind && a->delay_ns == b->delay_ns &&
	       a->limit_ns == b->limit_ns && a->window_ns == b->window_ns &&
	       a->poll == b->poll && a->rounds == b->rounds &&
	       a->mask == b->mask && a->mask_after == b->mask_after &&
	       a->shared == b->shared;
}
