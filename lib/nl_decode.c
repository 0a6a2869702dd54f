// SPDX-License-Identifier: GPL-2.0-only
/* From messages of the module to structures; nothing is trusted. */
#include <stdlib.h>
#include <string.h>

#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>

#include "nl.h"
#include "nlattr.h"
#include "selector.h"
#include "xalloc.h"

static bool has_header(const struct nlmsghdr *nlh)
{
	return mnl_nlmsg_get_payload_len(nlh) >= sizeof(struct genlmsghdr);
}

const char *nl_decode_extack(const struct nlmsghdr *nlh)
{
	size_t skip = sizeof(int), n = mnl_nlmsg_get_payload_len(nlh);
	const struct nlattr *attr;

	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS))
		return NULL;
	if (nlh->nlmsg_type == NLMSG_ERROR) {
		const struct nlmsgerr *e = mnl_nlmsg_get_payload(nlh);

		skip = sizeof(*e);
		if (n < skip)
			return NULL;
		/* Without NETLINK_CAP_ACK the whole request comes back first. */
		if (!(nlh->nlmsg_flags & NLM_F_CAPPED)) {
			if (e->msg.nlmsg_len < sizeof(e->msg) ||
			    e->msg.nlmsg_len - sizeof(e->msg) > n - skip)
				return NULL;
			skip += e->msg.nlmsg_len - sizeof(e->msg);
		}
	}
	if (n < skip)
		return NULL;
	nlattr_for_each(attr, nlh, skip) {
		const char *s = mnl_attr_get_payload(attr);
		size_t size = mnl_attr_get_payload_len(attr);

		if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_MSG && size > 1 &&
		    !s[size - 1])
			return s;
	}
	return NULL;
}

static int get_bool(const struct nlattr *attr, bool *value)
{
	uint8_t u8;

	if (nlattr_u8(attr, &u8))
		return -1;
	*value = u8;
	return 0;
}

static int get_u8(const struct nlattr *attr, int *value)
{
	uint8_t u8;

	if (nlattr_u8(attr, &u8))
		return -1;
	*value = u8;
	return 0;
}

int nl_decode_status(const struct nlmsghdr *nlh, struct nl_status *status)
{
	struct nl_status s = { 0 };
	const struct nlattr *attr;
	char *version = NULL;
	int bad = 0;

	if (!has_header(nlh))
		return -1;
	nlattr_for_each(attr, nlh, sizeof(struct genlmsghdr)) {
		switch (mnl_attr_get_type(attr)) {
		case IRQPACE_A_VERSION:
			bad |= nlattr_string(attr, &version);
			break;
		case IRQPACE_A_STATS:
			bad |= get_bool(attr, &s.stats);
			break;
		case IRQPACE_A_STARVE_NS:
			bad |= nlattr_u64(attr, &s.starve_ns);
			break;
		case IRQPACE_A_SPURIOUS_ROUNDS:
			bad |= nlattr_u32(attr, &s.spurious_rounds);
			break;
		case IRQPACE_A_SPURIOUS_NATIVE:
			bad |= nlattr_u32(attr, &s.spurious_native);
			break;
		case IRQPACE_A_BUDGET_NS:
			bad |= nlattr_u64(attr, &s.budget_ns);
			break;
		case IRQPACE_A_LINES:
			bad |= nlattr_u32(attr, &s.lines);
			break;
		case IRQPACE_A_RULES:
			bad |= nlattr_u32(attr, &s.rules);
			break;
		}
	}
	if (version)
		strncpy(s.version, version, sizeof(s.version) - 1);
	free(version);
	if (bad)
		return -1;
	*status = s;
	return 0;
}

static int decode_action(const struct nlattr *nest, struct nl_line *line)
{
	const struct nlattr *attr;
	struct nl_action *a;
	int bad = 0;

	line->action = xrealloc(line->action, line->n_actions + 1,
				sizeof(*line->action));
	a = &line->action[line->n_actions++];
	memset(a, 0, sizeof(*a));
	nlattr_for_each_nested(attr, nest) {
		switch (mnl_attr_get_type(attr)) {
		case IRQPACE_ACTION_NAME:
			bad |= nlattr_string(attr, &a->name);
			break;
		case IRQPACE_ACTION_HANDLER:
			bad |= nlattr_string(attr, &a->handler);
			break;
		case IRQPACE_ACTION_MODULE:
			bad |= nlattr_string(attr, &a->module);
			break;
		case IRQPACE_ACTION_DEVICE:
			bad |= nlattr_string(attr, &a->device);
			break;
		}
	}
	return bad;
}

static int decode_counters(const struct nlattr *nest, struct nl_line *line)
{
	const struct nlattr *attr;
	int bad = 0;

	line->has_counters = true;
	nlattr_for_each_nested(attr, nest) {
		uint16_t type = mnl_attr_get_type(attr);

		if (type >= IRQPACE_CNT_ARRIVALS && type <= IRQPACE_CNT_MAX)
			bad |= nlattr_u64(attr, &line->counter[type]);
	}
	return bad;
}

static int decode_line_attr(const struct nlattr *attr, struct nl_line *line,
			    bool *has_irq)
{
	uint32_t u32;

	switch (mnl_attr_get_type(attr)) {
	case IRQPACE_A_IRQ:
		*has_irq = true;
		return nlattr_u32(attr, &line->irq);
	case IRQPACE_A_NAME:
		return nlattr_string(attr, &line->name);
	case IRQPACE_A_ACTION:
		return decode_action(attr, line);
	case IRQPACE_A_DEVICE:
		return nlattr_string(attr, &line->device);
	case IRQPACE_A_DRIVER:
		return nlattr_string(attr, &line->driver);
	case IRQPACE_A_VECTOR:
		if (nlattr_u32(attr, &u32))
			return -1;
		line->vector = (long)u32;
		return 0;
	case IRQPACE_A_CHIP:
		return nlattr_string(attr, &line->chip);
	case IRQPACE_A_LEVEL:
		return get_u8(attr, &line->level);
	case IRQPACE_A_ATTACHED:
		line->attached = true;
		return 0;
	case IRQPACE_A_ATTACHABLE:
		return get_u8(attr, &line->attachable);
	case IRQPACE_A_REASON:
		return nlattr_string(attr, &line->reason);
	case IRQPACE_A_SETTINGS:
		line->has_settings = true;
		return policy_get(attr, &line->settings);
	case IRQPACE_A_STATE:
		line->has_state = true;
		return nlattr_u32(attr, &line->state);
	case IRQPACE_A_MASKING:
		line->has_masking = true;
		return nlattr_u32(attr, &line->masking);
	case IRQPACE_A_COUNTERS:
		return decode_counters(attr, line);
	case IRQPACE_A_UNRECORDED:
		return nlattr_u64(attr, &line->unrecorded);
	case IRQPACE_A_MEMORY:
		return nlattr_u32(attr, &line->memory_bytes);
	}
	return 0;
}

int nl_decode_line(const struct nlmsghdr *nlh, struct nl_line *line)
{
	struct nl_line l = { .vector = -1, .level = -1, .attachable = -1,
			     .settings = { .mask = POLICY_MASK_DEFAULT } };
	const struct nlattr *attr;
	bool has_irq = false;
	int bad = 0;

	if (!has_header(nlh))
		return -1;
	nlattr_for_each(attr, nlh, sizeof(struct genlmsghdr))
		bad |= decode_line_attr(attr, &l, &has_irq);
	if (bad || !has_irq) {
		nl_line_free(&l);
		return -1;
	}
	*line = l;
	return 0;
}

int nl_decode_rule(const struct nlmsghdr *nlh, struct nl_rule *rule)
{
	struct nl_rule r = { .policy = { .mask = POLICY_MASK_DEFAULT } };
	const struct nlattr *attr;
	bool has_selector = false;
	int bad = 0;

	if (!has_header(nlh))
		return -1;
	r.selector = xcalloc(1, sizeof(*r.selector));
	nlattr_for_each(attr, nlh, sizeof(struct genlmsghdr)) {
		switch (mnl_attr_get_type(attr)) {
		case IRQPACE_A_SELECTOR:
			has_selector = true;
			bad |= selector_get(attr, r.selector);
			break;
		case IRQPACE_A_SETTINGS:
			bad |= policy_get(attr, &r.policy);
			break;
		}
	}
	if (bad || !has_selector) {
		free(r.selector);
		return -1;
	}
	*rule = r;
	return 0;
}

static int decode_buckets(const struct nlattr *attr, struct nl_hist *hist)
{
	size_t size = mnl_attr_get_payload_len(attr);

	if (size % sizeof(struct irqpace_bucket))
		return -1;
	free(hist->bucket);
	hist->n = size / sizeof(struct irqpace_bucket);
	hist->bucket = xcalloc(hist->n, sizeof(*hist->bucket));
	if (hist->n)
		memcpy(hist->bucket, mnl_attr_get_payload(attr), size);
	return 0;
}

int nl_decode_hist(const struct nlmsghdr *nlh, struct nl_hist *hist)
{
	struct nl_hist h = { 0 };
	const struct nlattr *attr;
	int bad = 0;

	if (!has_header(nlh))
		return -1;
	nlattr_for_each(attr, nlh, sizeof(struct genlmsghdr)) {
		switch (mnl_attr_get_type(attr)) {
		case IRQPACE_A_BUCKETS:
			bad |= decode_buckets(attr, &h);
			break;
		case IRQPACE_A_SAMPLES:
			bad |= nlattr_u64(attr, &h.samples);
			break;
		case IRQPACE_A_SUM_NS:
			bad |= nlattr_u64(attr, &h.sum_ns);
			break;
		case IRQPACE_A_MAX_NS:
			bad |= nlattr_u64(attr, &h.max_ns);
			break;
		}
	}
	if (bad) {
		nl_hist_free(&h);
		return -1;
	}
	*hist = h;
	return 0;
}

int nl_decode_event(const struct nlmsghdr *nlh, struct nl_event *event)
{
	struct nl_event e = { 0 };
	const struct nlattr *attr;
	int bad = 0;

	if (!has_header(nlh))
		return -1;
	nlattr_for_each(attr, nlh, sizeof(struct genlmsghdr)) {
		switch (mnl_attr_get_type(attr)) {
		case IRQPACE_A_EVENT:
			bad |= nlattr_u32(attr, &e.event);
			break;
		case IRQPACE_A_IRQ:
			e.has_irq = true;
			bad |= nlattr_u32(attr, &e.irq);
			break;
		case IRQPACE_A_NAME:
			bad |= nlattr_string(attr, &e.name);
			break;
		case IRQPACE_A_TEXT:
			bad |= nlattr_string(attr, &e.text);
			break;
		}
	}
	if (bad || !e.event) {
		nl_event_free(&e);
		return -1;
	}
	*event = e;
	return 0;
}
