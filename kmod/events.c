// SPDX-License-Identifier: GPL-2.0-only
/* What happened to a line, told to who listens; never needed for correctness. */
#include <linux/slab.h>
#include <net/genetlink.h>

#include "irqpace.h"

static const char * const sentences[__IRQPACE_EVENT_MAX] = {
	[IRQPACE_EVENT_STARVED] = "its thread did not run in time, the hard interrupt took over",
	[IRQPACE_EVENT_FOREIGN] = "somebody else set its flow handler, it is native again",
	[IRQPACE_EVENT_INELIGIBLE] = "its owner changed and it can no longer pause, it runs natively",
	[IRQPACE_EVENT_SPURIOUS] = "no handler felt responsible in many rounds, arrivals go native for a while",
	[IRQPACE_EVENT_LIMIT] = "one call of its handlers took longer than the limit",
};

void irqp_event(enum irqpace_event event, unsigned int irq, const char *name,
		const char *fmt, ...)
{
	char text[160];
	struct sk_buff *skb;
	va_list args;
	void *head;

	/* The family is there from the end of init to the begin of exit. */
	if (!READ_ONCE(irqp_family_registered) ||
	    !genl_has_listeners(&irqp_family, &init_net, 0))
		return;
	va_start(args, fmt);
	vscnprintf(text, sizeof(text), fmt, args);
	va_end(args);

	skb = genlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL);
	if (!skb)
		return;
	head = genlmsg_put(skb, 0, 0, &irqp_family, 0, IRQPACE_CMD_EVENT);
	if (!head || nla_put_u32(skb, IRQPACE_A_EVENT, event) ||
	    nla_put_u32(skb, IRQPACE_A_IRQ, irq) ||
	    nla_put_string(skb, IRQPACE_A_NAME, name) ||
	    nla_put_string(skb, IRQPACE_A_TEXT, text)) {
		nlmsg_free(skb);
		return;
	}
	genlmsg_end(skb, head);
	genlmsg_multicast(&irqp_family, skb, 0, 0, GFP_KERNEL);
}

static void send_all(struct work_struct *work)
{
	struct irqp_line *line;

	mutex_lock(&irqp_mutex);
	list_for_each_entry(line, &irqp_lines, node)
		irqp_events_send(line);
	mutex_unlock(&irqp_mutex);
}

static DECLARE_WORK(events_work, send_all);

/* Under desc->lock, in any context. Once, until the scan allows it again. */
void irqp_event_later(struct irqp_line *line, enum irqpace_event event)
{
	lockdep_assert_held(&line->desc->lock);
	if (line->told & BIT(event))
		return;
	line->told |= BIT(event);
	set_bit(event, &line->events);
	queue_work(irqp_wq, &events_work);
}

/* Under irqp_mutex. */
void irqp_events_send(struct irqp_line *line)
{
	char name[IRQP_NAME_MAX];
	int event;

	if (!READ_ONCE(line->events))
		return;
	irqp_name_of(line->desc, name, sizeof(name));
	for (event = 1; event < __IRQPACE_EVENT_MAX; event++)
		if (test_and_clear_bit(event, &line->events))
			irqp_event(event, line->irq, name, "irq %u (%s): %s",
				   line->irq, name, sentences[event]);
}

void irqp_events_exit(void)
{
	cancel_work_sync(&events_work);
}
