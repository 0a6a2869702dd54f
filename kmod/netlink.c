// SPDX-License-Identifier: GPL-2.0-only
/* The generic netlink family: what each message may carry, and refusals. */
#include <net/genetlink.h>

#include "irqpace.h"
#include "netlink.h"

/*
 * A sentence must live until the acknowledgement was sent, which is after the
 * handler returned. Sixteen refusals at the same time would have to be under
 * way before one is overwritten; the worst is then a wrong sentence.
 */
#define SENTENCES	16
#define SENTENCE_MAX	240

static char sentences[SENTENCES][SENTENCE_MAX];
static atomic_t next_sentence;

void irqp_refuse(struct netlink_ext_ack *extack, const char *fmt, ...)
{
	char *text = sentences[(unsigned int)atomic_inc_return(&next_sentence) % SENTENCES];
	va_list args;

	if (!extack)
		return;
	va_start(args, fmt);
	vscnprintf(text, SENTENCE_MAX, fmt, args);
	va_end(args);
	extack->_msg = text;
}

/* Names every sharer of the line: a line is changed as a whole. */
void irqp_refuse_line(struct netlink_ext_ack *extack, struct irq_desc *desc, const char *why)
{
	char names[120];
	struct irqaction *action;
	size_t used = 0;

	names[0] = '\0';
	raw_spin_lock_irq(&desc->lock);
	for (action = desc->action; action; action = action->next)
		used += scnprintf(names + used, sizeof(names) - used, "%s%s",
				  used ? ", " : "", action->name ?: "?");
	raw_spin_unlock_irq(&desc->lock);
	irqp_refuse(extack, "irq %u (%s) %s", irq_desc_get_irq(desc), names, why);
}

static const struct nla_policy selector_policy[IRQPACE_SEL_MAX + 1] = {
	[IRQPACE_SEL_IRQ] = { .type = NLA_U32 },
	[IRQPACE_SEL_NAME] = { .type = NLA_NUL_STRING, .len = IRQPACE_TEXT_MAX },
	[IRQPACE_SEL_DEVICE] = { .type = NLA_NUL_STRING, .len = IRQPACE_TEXT_MAX },
	[IRQPACE_SEL_DRIVER] = { .type = NLA_NUL_STRING, .len = IRQPACE_TEXT_MAX },
	[IRQPACE_SEL_VECTOR] = { .type = NLA_U32 },
	[IRQPACE_SEL_TEXT] = { .type = NLA_NUL_STRING, .len = IRQPACE_TEXT_MAX },
};

static const struct nla_policy settings_policy[IRQPACE_SET_MAX + 1] = {
	[IRQPACE_SET_PAD] = { .type = NLA_FLAG },
	[IRQPACE_SET_POLICY] = { .type = NLA_U32 },
	[IRQPACE_SET_DELAY_NS] = { .type = NLA_U64 },
	[IRQPACE_SET_LIMIT_NS] = { .type = NLA_U64 },
	[IRQPACE_SET_WINDOW_NS] = { .type = NLA_U64 },
	[IRQPACE_SET_POLL] = { .type = NLA_FLAG },
	[IRQPACE_SET_ROUNDS] = { .type = NLA_U32 },
	[IRQPACE_SET_MASK] = { .type = NLA_U32 },
	[IRQPACE_SET_MASK_AFTER] = { .type = NLA_U32 },
	[IRQPACE_SET_SHARED] = { .type = NLA_FLAG },
};

static const struct nla_policy policy[IRQPACE_A_MAX + 1] = {
	[IRQPACE_A_PAD] = { .type = NLA_FLAG },
	[IRQPACE_A_IRQ] = { .type = NLA_U32 },
	[IRQPACE_A_ATTACHED] = { .type = NLA_FLAG },
	[IRQPACE_A_SETTINGS] = NLA_POLICY_NESTED(settings_policy),
	[IRQPACE_A_SELECTOR] = NLA_POLICY_NESTED(selector_policy),
	[IRQPACE_A_ALL] = { .type = NLA_FLAG },
	[IRQPACE_A_STATS] = { .type = NLA_U8 },
	[IRQPACE_A_STARVE_NS] = { .type = NLA_U64 },
	[IRQPACE_A_SPURIOUS_ROUNDS] = { .type = NLA_U32 },
	[IRQPACE_A_SPURIOUS_NATIVE] = { .type = NLA_U32 },
	[IRQPACE_A_BUDGET_NS] = { .type = NLA_U64 },
	[IRQPACE_A_HIST] = { .type = NLA_U32 },
};

static const struct genl_ops ops[] = {
	{ .cmd = IRQPACE_CMD_STATUS, .doit = irqp_do_status },
	{ .cmd = IRQPACE_CMD_CONFIG, .doit = irqp_do_config },
	{ .cmd = IRQPACE_CMD_LINE_GET, .doit = irqp_do_line, .dumpit = irqp_dump_lines },
	{ .cmd = IRQPACE_CMD_SET, .doit = irqp_do_set },
	{ .cmd = IRQPACE_CMD_RESET, .doit = irqp_do_reset },
	{ .cmd = IRQPACE_CMD_RULE_GET, .dumpit = irqp_dump_rules },
	{ .cmd = IRQPACE_CMD_HIST_GET, .doit = irqp_do_hist },
};

static const struct genl_multicast_group groups[] = {
	{ .name = IRQPACE_GENL_GROUP },
};

struct genl_family irqp_family __ro_after_init = {
	.name = IRQPACE_GENL_NAME,
	.version = IRQPACE_GENL_VERSION,
	.maxattr = IRQPACE_A_MAX,
	.policy = policy,
	.module = THIS_MODULE,
	.ops = ops,
	.n_ops = ARRAY_SIZE(ops),
	.mcgrps = groups,
	.n_mcgrps = ARRAY_SIZE(groups),
};

bool irqp_family_registered;

int __init irqp_netlink_init(void)
{
	int err = genl_register_family(&irqp_family);

	WRITE_ONCE(irqp_family_registered, !err);
	return err;
}

void irqp_netlink_exit(void)
{
	/* Events are sent under irqp_mutex: none is on its way after this. */
	mutex_lock(&irqp_mutex);
	WRITE_ONCE(irqp_family_registered, false);
	mutex_unlock(&irqp_mutex);
	genl_unregister_family(&irqp_family);
}
