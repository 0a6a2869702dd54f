// SPDX-License-Identifier: GPL-2.0-only
/* Messages that only tell. */
#include <linux/slab.h>

#include "irqpace.h"
#include "netlink.h"

/* A line with a full set of attributes and a dozen sharers stays below this. */
#define LINE_SIZE 8192

struct sk_buff *irqp_reply_begin(struct genl_info *info, u8 cmd, size_t size, void **head)
{
	struct sk_buff *skb = genlmsg_new(size, GFP_KERNEL);

	if (!skb)
		return NULL;
	*head = genlmsg_put_reply(skb, info, &irqp_family, 0, cmd);
	if (*head)
		return skb;
	nlmsg_free(skb);
	return NULL;
}

static int put_u64(struct sk_buff *skb, int type, u64 value)
{
	return nla_put_u64_64bit(skb, type, value, IRQPACE_A_PAD);
}

int irqp_do_status(struct sk_buff *skb, struct genl_info *info)
{
	struct irqp_line *line;
	struct irqp_rule *rule;
	u32 lines = 0, rules = 0;
	void *head;

	mutex_lock(&irqp_mutex);
	list_for_each_entry(line, &irqp_lines, node)
		lines++;
	list_for_each_entry(rule, &irqp_rules, node)
		rules++;
	mutex_unlock(&irqp_mutex);

	skb = irqp_reply_begin(info, IRQPACE_CMD_STATUS, NLMSG_GOODSIZE, &head);
	if (!skb)
		return -ENOMEM;
	if (nla_put_string(skb, IRQPACE_A_VERSION, IRQP_VERSION) ||
	    nla_put_u8(skb, IRQPACE_A_STATS, static_key_enabled(&irqp_stats_key)) ||
	    put_u64(skb, IRQPACE_A_STARVE_NS, irqp_tunables.starve_ns) ||
	    put_u64(skb, IRQPACE_A_BUDGET_NS, irqp_tunables.budget_ns) ||
	    nla_put_u32(skb, IRQPACE_A_SPURIOUS_ROUNDS, irqp_tunables.spurious_rounds) ||
	    nla_put_u32(skb, IRQPACE_A_SPURIOUS_NATIVE, irqp_tunables.spurious_native) ||
	    nla_put_u32(skb, IRQPACE_A_LINES, lines) ||
	    nla_put_u32(skb, IRQPACE_A_RULES, rules)) {
		nlmsg_free(skb);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, head);
	return genlmsg_reply(skb, info);
}

static int put_settings(struct sk_buff *skb, const struct irqp_settings *set)
{
	static const u8 policies[] = {
		[PACE_HARD] = IRQPACE_POLICY_HARD, [PACE_THREADED] = IRQPACE_POLICY_THREADED,
		[PACE_HYBRID] = IRQPACE_POLICY_HYBRID, [PACE_MODERATE] = IRQPACE_POLICY_MODERATE,
	};
	const struct pace_config *p = &set->pace;
	struct nlattr *nest = nla_nest_start(skb, IRQPACE_A_SETTINGS);

	if (!nest || nla_put_u32(skb, IRQPACE_SET_POLICY,
				 set->native ? IRQPACE_POLICY_NATIVE : policies[p->policy]))
		return -EMSGSIZE;
	if (set->native)
		goto out;
	if ((p->delay_ns && nla_put_u64_64bit(skb, IRQPACE_SET_DELAY_NS, p->delay_ns,
					      IRQPACE_SET_PAD)) ||
	    (p->limit_ns && nla_put_u64_64bit(skb, IRQPACE_SET_LIMIT_NS, p->limit_ns,
					      IRQPACE_SET_PAD)) ||
	    (p->window_ns && nla_put_u64_64bit(skb, IRQPACE_SET_WINDOW_NS, p->window_ns,
					       IRQPACE_SET_PAD)) ||
	    (p->poll && (nla_put_flag(skb, IRQPACE_SET_POLL) ||
			 nla_put_u32(skb, IRQPACE_SET_ROUNDS, p->rounds))) ||
	    nla_put_u32(skb, IRQPACE_SET_MASK,
			set->flushed ? IRQPACE_MASK_FLUSHED : IRQPACE_MASK_POSTED) ||
	    nla_put_u32(skb, IRQPACE_SET_MASK_AFTER, set->mask_after) ||
	    (set->shared && nla_put_flag(skb, IRQPACE_SET_SHARED)))
		return -EMSGSIZE;
out:
	nla_nest_end(skb, nest);
	return 0;
}

static int put_counters(struct sk_buff *skb, const struct irqp_counters *n)
{
	/* Two CPUs that enter natively at once may both see one unhandled run. */
	u64 runs = n->arrivals - n->parked + n->rounds;
	u64 handled = runs > n->unhandled ? runs - n->unhandled : 0;
	const struct { u8 type; u64 value; } all[] = {
		{ IRQPACE_CNT_ARRIVALS, n->arrivals },
		{ IRQPACE_CNT_RUNS, runs },
		{ IRQPACE_CNT_HANDLED, handled },
		{ IRQPACE_CNT_UNHANDLED, n->unhandled },
		{ IRQPACE_CNT_PARKED, n->parked },
		{ IRQPACE_CNT_MASKED, n->masked },
		{ IRQPACE_CNT_ROUNDS, n->rounds },
		{ IRQPACE_CNT_PAUSES, n->pauses },
		{ IRQPACE_CNT_DEFERRED, n->deferred },
		{ IRQPACE_CNT_STARVED, n->starved },
		{ IRQPACE_CNT_OVERFLOWS, n->overflows },
	};
	struct nlattr *nest = nla_nest_start(skb, IRQPACE_A_COUNTERS);
	int i;

	if (!nest)
		return -EMSGSIZE;
	for (i = 0; i < ARRAY_SIZE(all); i++)
		if (nla_put_u64_64bit(skb, all[i].type, all[i].value, IRQPACE_CNT_PAD))
			return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/* Sharers are copied out under desc->lock and put afterwards. */
#define SHARERS_MAX 16

static int put_actions(struct sk_buff *skb, struct irq_desc *desc)
{
	struct sharer {
		irq_handler_t handler;
		char name[IRQP_NAME_MAX];
	} *sharers;
	char symbol[IRQP_NAME_MAX], module[IRQP_NAME_MAX];
	struct irqaction *action;
	struct nlattr *nest;
	int i, n = 0, err = 0;

	sharers = kcalloc(SHARERS_MAX, sizeof(*sharers), GFP_KERNEL);
	if (!sharers)
		return -ENOMEM;
	raw_spin_lock_irq(&desc->lock);
	for (action = desc->action; action && n < SHARERS_MAX; action = action->next, n++) {
		sharers[n].handler = action->handler;
		strscpy(sharers[n].name, action->name ?: "", IRQP_NAME_MAX);
	}
	raw_spin_unlock_irq(&desc->lock);

	for (i = 0; i < n && !err; i++) {
		irqp_symbol(sharers[i].handler, symbol, module, sizeof(symbol));
		nest = nla_nest_start(skb, IRQPACE_A_ACTION);
		if (!nest || nla_put_string(skb, IRQPACE_ACTION_NAME, sharers[i].name) ||
		    nla_put_string(skb, IRQPACE_ACTION_HANDLER, symbol) ||
		    (*module && nla_put_string(skb, IRQPACE_ACTION_MODULE, module)))
			err = -EMSGSIZE;
		else
			nla_nest_end(skb, nest);
	}
	kfree(sharers);
	return err;
}

static int put_attached(struct sk_buff *skb, struct irqp_line *line)
{
	struct irq_desc *desc = line->desc;
	struct irqp_settings set;
	struct irqp_counters n;
	enum irqpace_masking masking;
	enum irqp_state state;

	raw_spin_lock_irq(&desc->lock);
	irqp_fold_arrivals(line);
	n = line->n;
	set = line->set;
	masking = line->masking;
	state = line->state;
	raw_spin_unlock_irq(&desc->lock);

	if (nla_put_flag(skb, IRQPACE_A_ATTACHED) || put_settings(skb, &set) ||
	    nla_put_u32(skb, IRQPACE_A_STATE, state) ||
	    nla_put_u32(skb, IRQPACE_A_MASKING, masking) ||
	    nla_put_u32(skb, IRQPACE_A_MEMORY, irqp_stats_memory(line)) ||
	    put_u64(skb, IRQPACE_A_UNRECORDED, n.unrecorded))
		return -EMSGSIZE;
	return put_counters(skb, &n);
}

/* 1: nothing to tell, no action or filtered out. */
static int put_line(struct sk_buff *skb, struct irq_desc *desc, bool only_attached)
{
	static const struct irqp_settings pausing = {
		.pace.policy = PACE_MODERATE, .shared = true,
	};
	struct irqp_line *line;
	struct irqp_ident id;
	const char *why;
	bool level;
	int err;

	lockdep_assert_held(&irqp_mutex);
	line = irqp_line_find(desc);
	if ((only_attached && !line) || !irqp_identify(desc, &id))
		return 1;
	raw_spin_lock_irq(&desc->lock);
	why = irqp_why_not(desc, line ? line->native : desc->handle_irq, &pausing);
	level = irqd_is_level_type(&desc->irq_data);
	raw_spin_unlock_irq(&desc->lock);

	if (nla_put_u32(skb, IRQPACE_A_IRQ, id.irq) ||
	    nla_put_string(skb, IRQPACE_A_NAME, id.name) ||
	    (*id.device && nla_put_string(skb, IRQPACE_A_DEVICE, id.device)) ||
	    (*id.driver && nla_put_string(skb, IRQPACE_A_DRIVER, id.driver)) ||
	    (id.has_vector && nla_put_u32(skb, IRQPACE_A_VECTOR, id.vector)) ||
	    nla_put_string(skb, IRQPACE_A_CHIP, id.chip) ||
	    nla_put_u8(skb, IRQPACE_A_LEVEL, level) ||
	    nla_put_u8(skb, IRQPACE_A_ATTACHABLE, !why) ||
	    (why && nla_put_string(skb, IRQPACE_A_REASON, why)))
		return -EMSGSIZE;
	err = put_actions(skb, desc);
	if (!err && line)
		err = put_attached(skb, line);
	return err;
}

int irqp_do_line(struct sk_buff *skb, struct genl_info *info)
{
	struct irq_desc *desc;
	void *head;
	int err;
	u32 irq;

	if (!info->attrs[IRQPACE_A_IRQ]) {
		irqp_refuse(info->extack, "an irq number is missing");
		return -EINVAL;
	}
	irq = nla_get_u32(info->attrs[IRQPACE_A_IRQ]);
	desc = irqp_desc_pin(irq);
	if (!desc)
		goto unknown;
	skb = irqp_reply_begin(info, IRQPACE_CMD_LINE_GET, LINE_SIZE, &head);
	if (!skb) {
		irqp_desc_unpin(desc);
		return -ENOMEM;
	}
	mutex_lock(&irqp_mutex);
	err = put_line(skb, desc, false);
	mutex_unlock(&irqp_mutex);
	irqp_desc_unpin(desc);
	if (!err) {
		genlmsg_end(skb, head);
		return genlmsg_reply(skb, info);
	}
	nlmsg_free(skb);
	if (err < 0)
		return err;
unknown:
	irqp_refuse(info->extack, "irq %u does not exist or has no handler", irq);
	return -ENOENT;
}

/* cb->args[0] is the next number to look at. */
int irqp_dump_lines(struct sk_buff *skb, struct netlink_callback *cb)
{
	bool only_attached = irqp_compat_dump_attrs(cb)[IRQPACE_A_ATTACHED];
	unsigned int irq = cb->args[0];
	struct irq_desc *desc;
	void *head;
	int err = 0;

	mutex_lock(&irqp_mutex);
	for (; (desc = irqp_desc_next(&irq, UINT_MAX)); irq++) {
		head = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
				   &irqp_family, NLM_F_MULTI, IRQPACE_CMD_LINE_GET);
		err = head ? put_line(skb, desc, only_attached) : -EMSGSIZE;
		irqp_desc_unpin(desc);
		if (!err) {
			genlmsg_end(skb, head);
			continue;
		}
		if (head)
			genlmsg_cancel(skb, head);
		if (err < 0)
			break;
	}
	mutex_unlock(&irqp_mutex);
	cb->args[0] = irq;
	return skb->len ?: min(err, 0);
}

static int put_rule(struct sk_buff *skb, const struct irqp_rule *rule)
{
	static const u8 kinds[] = {
		[IRQP_SEL_NAME] = IRQPACE_SEL_NAME, [IRQP_SEL_DEVICE] = IRQPACE_SEL_DEVICE,
		[IRQP_SEL_DRIVER] = IRQPACE_SEL_DRIVER,
	};
	const struct irqp_selector *sel = &rule->sel;
	struct nlattr *nest = nla_nest_start(skb, IRQPACE_A_SELECTOR);
	int err;

	if (!nest)
		return -EMSGSIZE;
	if (sel->kind == IRQP_SEL_IRQ)
		err = nla_put_u32(skb, IRQPACE_SEL_IRQ, sel->irq);
	else
		err = nla_put_string(skb, kinds[sel->kind], sel->value);
	if (!err && sel->has_vector)
		err = nla_put_u32(skb, IRQPACE_SEL_VECTOR, sel->vector);
	if (!err)
		err = nla_put_string(skb, IRQPACE_SEL_TEXT, sel->text);
	if (err)
		return err;
	nla_nest_end(skb, nest);
	return put_settings(skb, &rule->set);
}

/* cb->args[0] is how many were told; a rule set meanwhile is told at the end. */
int irqp_dump_rules(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct irqp_rule *rule;
	long n = 0;
	void *head;

	mutex_lock(&irqp_mutex);
	list_for_each_entry(rule, &irqp_rules, node) {
		if (n < cb->args[0]) {
			n++;
			continue;
		}
		head = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
				   &irqp_family, NLM_F_MULTI, IRQPACE_CMD_RULE_GET);
		if (!head)
			break;
		if (put_rule(skb, rule)) {
			genlmsg_cancel(skb, head);
			break;
		}
		genlmsg_end(skb, head);
		n++;
	}
	mutex_unlock(&irqp_mutex);
	cb->args[0] = n;
	return skb->len;
}

static int put_hist(struct sk_buff *skb, u32 irq, u32 kind, const struct pace_hist *h)
{
	struct irqpace_bucket *buckets;
	struct nlattr *attr;
	u32 i, n = 0;

	for (i = 0; i < PACE_HIST_BUCKETS; i++)
		n += !!h->bucket[i];
	if (nla_put_u32(skb, IRQPACE_A_IRQ, irq) || nla_put_u32(skb, IRQPACE_A_HIST, kind) ||
	    put_u64(skb, IRQPACE_A_SAMPLES, pace_hist_count(h)) ||
	    put_u64(skb, IRQPACE_A_SUM_NS, h->sum_ns) ||
	    put_u64(skb, IRQPACE_A_MAX_NS, h->max_ns))
		return -EMSGSIZE;
	attr = nla_reserve(skb, IRQPACE_A_BUCKETS, n * sizeof(*buckets));
	if (!attr)
		return -EMSGSIZE;
	buckets = nla_data(attr);
	for (i = 0; i < PACE_HIST_BUCKETS; i++)
		if (h->bucket[i])
			*buckets++ = (struct irqpace_bucket){
				.low_ns = pace_hist_low_ns(i),
				.high_ns = pace_hist_high_ns(i),
				.count = h->bucket[i],
			};
	return 0;
}

int irqp_do_hist(struct sk_buff *skb, struct genl_info *info)
{
	struct irqp_line *line = NULL;
	struct irq_desc *desc;
	struct pace_hist *sum;
	void *head;
	u32 irq, kind;
	int err;

	if (!info->attrs[IRQPACE_A_IRQ] || !info->attrs[IRQPACE_A_HIST]) {
		irqp_refuse(info->extack, "an irq number or a histogram's kind is missing");
		return -EINVAL;
	}
	irq = nla_get_u32(info->attrs[IRQPACE_A_IRQ]);
	kind = nla_get_u32(info->attrs[IRQPACE_A_HIST]);
	if (kind >= __IRQPACE_HIST_MAX) {
		irqp_refuse(info->extack, "there is no histogram number %u", kind);
		return -EINVAL;
	}
	sum = kmalloc(sizeof(*sum), GFP_KERNEL);
	if (!sum)
		return -ENOMEM;
	mutex_lock(&irqp_mutex);
	desc = irqp_desc_pin(irq);
	if (desc) {
		line = irqp_line_find(desc);
		if (line)
			irqp_stats_sum(line, kind, sum);
		irqp_desc_unpin(desc);
	}
	mutex_unlock(&irqp_mutex);
	if (!line) {
		irqp_refuse(info->extack, "irq %u is native: set a policy first, 'hard' to measure only", irq);
		err = -ENOENT;
		goto out;
	}
	err = -ENOMEM;
	skb = irqp_reply_begin(info, IRQPACE_CMD_HIST_GET,
			       256 + PACE_HIST_BUCKETS * sizeof(struct irqpace_bucket), &head);
	if (!skb)
		goto out;
	err = put_hist(skb, irq, kind, sum);
	if (err) {
		nlmsg_free(skb);
		goto out;
	}
	genlmsg_end(skb, head);
	err = genlmsg_reply(skb, info);
out:
	kfree(sum);
	return err;
}
