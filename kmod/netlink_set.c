// SPDX-License-Identifier: GPL-2.0-only
/* Messages that change something: every value is checked, none is clamped. */
#include <linux/capability.h>
#include <linux/string.h>

#include "irqpace.h"
#include "netlink.h"

#define STARVE_MIN_NS	1000000ULL
#define STARVE_MAX_NS	1000000000ULL
#define SPURIOUS_MAX	1000000U

static int refuse(struct genl_info *info, const char *why)
{
	irqp_refuse(info->extack, "%s", why);
	return -EINVAL;
}

/* GENL_ADMIN_PERM asks for CAP_NET_ADMIN only. */
static int may_change(struct sk_buff *skb, struct genl_info *info)
{
	if (netlink_capable(skb, CAP_SYS_ADMIN))
		return 0;
	irqp_refuse(info->extack, "changing an interrupt line needs CAP_SYS_ADMIN");
	return -EPERM;
}

static int parse_selector(struct genl_info *info, struct irqp_selector *sel)
{
	static const u8 kinds[] = {
		[IRQP_SEL_IRQ] = IRQPACE_SEL_IRQ, [IRQP_SEL_NAME] = IRQPACE_SEL_NAME,
		[IRQP_SEL_DEVICE] = IRQPACE_SEL_DEVICE, [IRQP_SEL_DRIVER] = IRQPACE_SEL_DRIVER,
	};
	struct nlattr *tb[IRQPACE_SEL_MAX + 1];
	int err, kind, given = 0;

	if (!info->attrs[IRQPACE_A_SELECTOR])
		return refuse(info, "a selector is missing");
	err = nla_parse_nested(tb, IRQPACE_SEL_MAX, info->attrs[IRQPACE_A_SELECTOR],
			       NULL, info->extack);
	if (err)
		return err;
	memset(sel, 0, sizeof(*sel));
	for (kind = 0; kind < ARRAY_SIZE(kinds); kind++) {
		if (!tb[kinds[kind]])
			continue;
		given++;
		sel->kind = kind;
		if (kind == IRQP_SEL_IRQ)
			sel->irq = nla_get_u32(tb[IRQPACE_SEL_IRQ]);
		else
			nla_strscpy(sel->value, tb[kinds[kind]], sizeof(sel->value));
	}
	if (given != 1)
		return refuse(info, "a selector names exactly one of irq, name, device, driver");
	if (sel->kind != IRQP_SEL_IRQ && !*sel->value)
		return refuse(info, "a selector must not be empty");
	if (tb[IRQPACE_SEL_VECTOR]) {
		if (sel->kind != IRQP_SEL_DEVICE && sel->kind != IRQP_SEL_DRIVER)
			return refuse(info, "a vector goes with a device or a driver");
		sel->has_vector = true;
		sel->vector = nla_get_u32(tb[IRQPACE_SEL_VECTOR]);
	}
	if (tb[IRQPACE_SEL_TEXT])
		nla_strscpy(sel->text, tb[IRQPACE_SEL_TEXT], sizeof(sel->text));
	else if (sel->kind == IRQP_SEL_IRQ)
		snprintf(sel->text, sizeof(sel->text), "%u", sel->irq);
	else
		strscpy(sel->text, sel->value, sizeof(sel->text));
	return 0;
}

/* A time within the common bounds; absent is allowed and leaves *ns at 0. */
static int parse_time(struct genl_info *info, struct nlattr *attr, const char *what, u32 *ns)
{
	u64 v;

	if (!attr)
		return 0;
	v = nla_get_u64(attr);
	if (v < IRQPACE_TIME_MIN_NS || v > IRQPACE_TIME_MAX_NS) {
		irqp_refuse(info->extack, "%s must lie between 1us and 10ms, not %llu ns", what, v);
		return -EINVAL;
	}
	*ns = v;
	return 0;
}

/* Which options each policy takes; bits are enum irqpace_settings_attr. */
static const u32 options[__IRQPACE_POLICY_MAX] = {
	[IRQPACE_POLICY_THREADED] = BIT(IRQPACE_SET_DELAY_NS),
	[IRQPACE_POLICY_HYBRID] = BIT(IRQPACE_SET_LIMIT_NS) | BIT(IRQPACE_SET_WINDOW_NS),
	[IRQPACE_POLICY_MODERATE] = BIT(IRQPACE_SET_DELAY_NS) | BIT(IRQPACE_SET_POLL) |
				    BIT(IRQPACE_SET_ROUNDS),
};

#define EVERY_POLICY (BIT(IRQPACE_SET_PAD) | BIT(IRQPACE_SET_POLICY) | BIT(IRQPACE_SET_MASK) | \
		      BIT(IRQPACE_SET_MASK_AFTER) | BIT(IRQPACE_SET_SHARED))

static int check_options(struct genl_info *info, struct nlattr **tb, u32 policy)
{
	int a;

	for (a = 1; a <= IRQPACE_SET_MAX; a++)
		if (tb[a] && !((options[policy] | EVERY_POLICY) & BIT(a)))
			return refuse(info, "an option of another policy was given");
	if (policy == IRQPACE_POLICY_MODERATE && !tb[IRQPACE_SET_DELAY_NS])
		return refuse(info, "moderate needs a delay");
	if (policy == IRQPACE_POLICY_HYBRID &&
	    (!tb[IRQPACE_SET_LIMIT_NS] || !tb[IRQPACE_SET_WINDOW_NS]))
		return refuse(info, "hybrid needs a limit and a window");
	if (tb[IRQPACE_SET_ROUNDS] && !tb[IRQPACE_SET_POLL])
		return refuse(info, "rounds go with poll");
	return 0;
}

static int parse_counts(struct genl_info *info, struct nlattr **tb, struct irqp_settings *set)
{
	u32 mask = IRQPACE_MASK_POSTED;

	set->pace.rounds = IRQPACE_ROUNDS_DEFAULT;
	set->mask_after = IRQPACE_MASK_AFTER_DEFAULT;
	if (tb[IRQPACE_SET_ROUNDS])
		set->pace.rounds = nla_get_u32(tb[IRQPACE_SET_ROUNDS]);
	if (tb[IRQPACE_SET_MASK_AFTER])
		set->mask_after = nla_get_u32(tb[IRQPACE_SET_MASK_AFTER]);
	if (tb[IRQPACE_SET_MASK])
		mask = nla_get_u32(tb[IRQPACE_SET_MASK]);
	if (!set->pace.rounds || set->pace.rounds > IRQPACE_ROUNDS_MAX)
		return refuse(info, "rounds must lie between 1 and 1000000");
	if (!set->mask_after || set->mask_after > IRQPACE_MASK_AFTER_MAX)
		return refuse(info, "mask-after must lie between 1 and 1000000");
	if (mask > IRQPACE_MASK_FLUSHED)
		return refuse(info, "mask is posted or flushed");
	set->flushed = mask == IRQPACE_MASK_FLUSHED;
	return 0;
}

static int parse_settings(struct genl_info *info, struct irqp_settings *set)
{
	static const u8 policies[__IRQPACE_POLICY_MAX] = {
		[IRQPACE_POLICY_HARD] = PACE_HARD,
		[IRQPACE_POLICY_THREADED] = PACE_THREADED,
		[IRQPACE_POLICY_HYBRID] = PACE_HYBRID,
		[IRQPACE_POLICY_MODERATE] = PACE_MODERATE,
	};
	struct nlattr *tb[IRQPACE_SET_MAX + 1];
	u32 policy;
	int err;

	if (!info->attrs[IRQPACE_A_SETTINGS])
		return refuse(info, "settings are missing");
	err = nla_parse_nested(tb, IRQPACE_SET_MAX, info->attrs[IRQPACE_A_SETTINGS],
			       NULL, info->extack);
	if (err)
		return err;
	policy = tb[IRQPACE_SET_POLICY] ? nla_get_u32(tb[IRQPACE_SET_POLICY]) : 0;
	if (policy == IRQPACE_POLICY_NATIVE || policy >= __IRQPACE_POLICY_MAX)
		return refuse(info, "the policy is one of hard, threaded, hybrid, moderate; native is a reset");

	memset(set, 0, sizeof(*set));
	set->pace.policy = policies[policy];
	set->pace.poll = tb[IRQPACE_SET_POLL];
	set->shared = tb[IRQPACE_SET_SHARED];
	set->pace.spurious_rounds = irqp_tunables.spurious_rounds;
	set->pace.spurious_native = irqp_tunables.spurious_native;
	err = check_options(info, tb, policy);
	if (!err)
		err = parse_time(info, tb[IRQPACE_SET_DELAY_NS], "the delay", &set->pace.delay_ns);
	if (!err)
		err = parse_time(info, tb[IRQPACE_SET_LIMIT_NS], "the limit", &set->pace.limit_ns);
	if (!err)
		err = parse_time(info, tb[IRQPACE_SET_WINDOW_NS], "the window",
				 &set->pace.window_ns);
	if (!err)
		err = parse_counts(info, tb, set);
	if (!err && policy == IRQPACE_POLICY_HYBRID && set->pace.limit_ns >= set->pace.window_ns)
		err = refuse(info, "the limit must be smaller than the window");
	return err;
}

int irqp_do_set(struct sk_buff *skb, struct genl_info *info)
{
	struct irqp_settings set;
	struct irqp_selector sel;
	struct irqp_ident id;
	struct irq_desc *desc;
	unsigned int irq;
	int err, found;
	void *head;

	err = may_change(skb, info);
	if (!err)
		err = parse_selector(info, &sel);
	if (!err)
		err = parse_settings(info, &set);
	if (err)
		return err;
	found = irqp_rule_set(&sel, &set, info->extack);
	if (found < 0)
		return found;

	skb = irqp_reply_begin(info, IRQPACE_CMD_SET, found * nla_total_size(4), &head);
	if (!skb)
		return -ENOMEM;
	irqp_for_each_desc(desc, irq, &sel) {
		/* Room for what matched a moment ago; a line more is only not named. */
		if (irqp_identify(desc, &id) && irqp_matches(desc, &id, &sel))
			err = nla_put_u32(skb, IRQPACE_A_IRQ, irq);
		irqp_desc_unpin(desc);
		if (err)
			break;
	}
	genlmsg_end(skb, head);
	return genlmsg_reply(skb, info);
}

int irqp_do_reset(struct sk_buff *skb, struct genl_info *info)
{
	struct irqp_selector sel;
	int err = may_change(skb, info);

	if (err)
		return err;
	if (info->attrs[IRQPACE_A_ALL]) {
		irqp_rules_drop();
		return 0;
	}
	err = parse_selector(info, &sel);
	if (err)
		return err;
	return irqp_rule_reset(&sel, info->extack);
}

int irqp_do_config(struct sk_buff *skb, struct genl_info *info)
{
	struct irqp_tunables t = irqp_tunables;
	struct nlattr **a = info->attrs;
	int err = may_change(skb, info);

	if (err)
		return err;
	if (a[IRQPACE_A_STARVE_NS])
		t.starve_ns = nla_get_u64(a[IRQPACE_A_STARVE_NS]);
	if (a[IRQPACE_A_SPURIOUS_ROUNDS])
		t.spurious_rounds = nla_get_u32(a[IRQPACE_A_SPURIOUS_ROUNDS]);
	if (a[IRQPACE_A_SPURIOUS_NATIVE])
		t.spurious_native = nla_get_u32(a[IRQPACE_A_SPURIOUS_NATIVE]);
	if (t.starve_ns < STARVE_MIN_NS || t.starve_ns > STARVE_MAX_NS)
		return refuse(info, "the starvation limit must lie between 1ms and 1s");
	if (!t.spurious_rounds || t.spurious_rounds > SPURIOUS_MAX ||
	    !t.spurious_native || t.spurious_native > SPURIOUS_MAX)
		return refuse(info, "spurious rounds and arrivals must lie between 1 and 1000000");
	if (a[IRQPACE_A_BUDGET_NS]) {
		u64 budget_ns = nla_get_u64(a[IRQPACE_A_BUDGET_NS]);

		if (budget_ns < IRQPACE_TIME_MIN_NS || budget_ns > IRQPACE_TIME_MAX_NS)
			return refuse(info, "the budget must lie between 1us and 10ms");
		t.budget_ns = budget_ns;
	}
	if (a[IRQPACE_A_STATS] && nla_get_u8(a[IRQPACE_A_STATS]) > 1)
		return refuse(info, "statistics are 0 (off) or 1 (on)");

	irqp_tunables = t;
	if (a[IRQPACE_A_STATS])
		irqp_stats_switch(nla_get_u8(a[IRQPACE_A_STATS]));
	return 0;
}
