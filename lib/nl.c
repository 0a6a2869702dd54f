// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <libmnl/libmnl.h>
#include <linux/genetlink.h>

#include "nl_internal.h"
#include "nlattr.h"
#include "selector.h"
#include "xalloc.h"

#define DUMP_TRIES 5

/* Called for each message of an answer; -1 with ERR filled ends the exchange. */
typedef int (*answer_fn)(const struct nlmsghdr *nlh, void *data,
			 struct errmsg *err);

bool nl_module_loaded(void)
{
	return !access("/sys/module/irqpace", F_OK);
}

int nl_malformed(struct errmsg *err)
{
	return err_sys(err, EPROTO, "the irqpace module sent a message that this irqpace does not understand: do their versions differ?");
}

static int not_loaded(struct errmsg *err)
{
	return err_sys(err, ENOENT, "the irqpace module is not loaded: modprobe irqpace");
}

static int refused(const struct nlmsghdr *nlh, int error, struct errmsg *err)
{
	const char *sentence = nl_decode_extack(nlh);

	if (sentence)
		return err_sys(err, error, "%s", sentence);
	if (error == EPERM)
		return err_sys(err, error, "not permitted: changing how interrupts are handled needs root (CAP_SYS_ADMIN)");
	return err_sys(err, error, "the irqpace module refused: %s",
		       strerror(error));
}

static void start(struct nl *nl, uint16_t type, uint16_t flags, uint8_t cmd,
		  uint8_t version)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(nl->buf);
	struct genlmsghdr *genl;

	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | flags;
	nlh->nlmsg_seq = ++nl->seq;
	genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));
	genl->cmd = cmd;
	genl->version = version;
}

static struct nlmsghdr *start_cmd(struct nl *nl, uint8_t cmd, uint16_t flags)
{
	start(nl, nl->family, flags, cmd, IRQPACE_GENL_VERSION);
	return (struct nlmsghdr *)nl->buf;
}

/* The error number of an NLMSG_ERROR or NLMSG_DONE message, 0 for none. */
static int error_of(const struct nlmsghdr *nlh)
{
	int error;

	if (mnl_nlmsg_get_payload_len(nlh) < sizeof(error))
		return nlh->nlmsg_type == NLMSG_ERROR ? EPROTO : 0;
	memcpy(&error, mnl_nlmsg_get_payload(nlh), sizeof(error));
	return error < 0 ? -error : 0;
}

/*
 * Sends what start() and the caller laid into the buffer and hands every
 * answer on. 1: the kernel says that the dump was disturbed, ask again.
 */
static int exchange(struct nl *nl, answer_fn answer, void *data,
		    struct errmsg *err)
{
	const struct nlmsghdr *nlh = (const struct nlmsghdr *)nl->buf;
	bool disturbed = false;

	if (mnl_socket_sendto(nl->socket, nlh, nlh->nlmsg_len) < 0)
		return err_sys(err, errno, "cannot send to the kernel: %s",
			       strerror(errno));
	for (;;) {
		ssize_t got = mnl_socket_recvfrom(nl->socket, nl->buf,
						  sizeof(nl->buf));
		int left = (int)got;

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_sys(err, errno,
				       "no answer from the kernel: %s",
				       strerror(errno));
		for (nlh = (const struct nlmsghdr *)nl->buf;
		     mnl_nlmsg_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left)) {
			int error;

			if (nlh->nlmsg_seq != nl->seq)
				continue;
			disturbed |= nlh->nlmsg_flags & NLM_F_DUMP_INTR;
			switch (nlh->nlmsg_type) {
			case NLMSG_ERROR:
			case NLMSG_DONE:
				error = error_of(nlh);
				if (error)
					return refused(nlh, error, err);
				return disturbed;
			case NLMSG_NOOP:
				break;
			case NLMSG_OVERRUN:
				return nl_malformed(err);
			default:
				if (answer && answer(nlh, data, err))
					return -1;
			}
		}
	}
}

static int ask(struct nl *nl, answer_fn answer, void *data, struct errmsg *err)
{
	return exchange(nl, answer, data, err) ? -1 : 0;
}

struct family {
	uint16_t id;
	uint32_t group;
};

static void read_group(const struct nlattr *group, struct family *family)
{
	const struct nlattr *attr;
	char *name = NULL;
	uint32_t id = 0;

	nlattr_for_each_nested(attr, group) {
		if (mnl_attr_get_type(attr) == CTRL_ATTR_MCAST_GRP_NAME)
			nlattr_string(attr, &name);
		else if (mnl_attr_get_type(attr) == CTRL_ATTR_MCAST_GRP_ID)
			nlattr_u32(attr, &id);
	}
	if (name && !strcmp(name, IRQPACE_GENL_GROUP))
		family->group = id;
	free(name);
}

static int family_answer(const struct nlmsghdr *nlh, void *data,
			 struct errmsg *err)
{
	struct family *family = data;
	const struct nlattr *attr, *group;

	if (mnl_nlmsg_get_payload_len(nlh) < sizeof(struct genlmsghdr))
		return nl_malformed(err);
	nlattr_for_each(attr, nlh, sizeof(struct genlmsghdr)) {
		switch (mnl_attr_get_type(attr)) {
		case CTRL_ATTR_FAMILY_ID:
			if (mnl_attr_get_payload_len(attr) == sizeof(uint16_t))
				family->id = mnl_attr_get_u16(attr);
			break;
		case CTRL_ATTR_MCAST_GROUPS:
			nlattr_for_each_nested(group, attr)
				read_group(group, family);
			break;
		}
	}
	return 0;
}

static int find_family(struct nl *nl, struct errmsg *err)
{
	struct family family = { 0 };

	start(nl, GENL_ID_CTRL, 0, CTRL_CMD_GETFAMILY, 1);
	mnl_attr_put_strz((struct nlmsghdr *)nl->buf, CTRL_ATTR_FAMILY_NAME,
			  IRQPACE_GENL_NAME);
	if (ask(nl, family_answer, &family, err))
		return err->sys_errno == ENOENT ? not_loaded(err) : -1;
	if (!family.id)
		return nl_malformed(err);
	nl->family = family.id;
	nl->group = family.group;
	return 0;
}

int nl_open(struct nl **result, struct errmsg *err)
{
	struct nl *nl = xcalloc(1, sizeof(*nl));
	int on = 1;

	nl->socket = mnl_socket_open2(NETLINK_GENERIC, SOCK_CLOEXEC);
	if (!nl->socket || mnl_socket_bind(nl->socket, 0, MNL_SOCKET_AUTOPID) < 0) {
		err_sys(err, errno, "cannot open a netlink socket: %s",
			strerror(errno));
		goto fail;
	}
	/* Kernels without these two only tell less. */
	mnl_socket_setsockopt(nl->socket, NETLINK_EXT_ACK, &on, sizeof(on));
	mnl_socket_setsockopt(nl->socket, NETLINK_CAP_ACK, &on, sizeof(on));
	nl->seq = (uint32_t)time(NULL);
	if (find_family(nl, err))
		goto fail;
	*result = nl;
	return 0;
fail:
	nl_close(nl);
	return -1;
}

void nl_close(struct nl *nl)
{
	if (!nl)
		return;
	if (nl->socket)
		mnl_socket_close(nl->socket);
	free(nl);
}

static int status_answer(const struct nlmsghdr *nlh, void *data,
			 struct errmsg *err)
{
	return nl_decode_status(nlh, data) ? nl_malformed(err) : 0;
}

int nl_status(struct nl *nl, struct nl_status *status, struct errmsg *err)
{
	memset(status, 0, sizeof(*status));
	start_cmd(nl, IRQPACE_CMD_STATUS, 0);
	return ask(nl, status_answer, status, err);
}

int nl_config(struct nl *nl, const struct nl_config *c, struct errmsg *err)
{
	struct nlmsghdr *nlh = start_cmd(nl, IRQPACE_CMD_CONFIG, 0);

	if (c->have & NL_CONFIG_STATS)
		mnl_attr_put_u8(nlh, IRQPACE_A_STATS, c->stats);
	if (c->have & NL_CONFIG_STARVE)
		mnl_attr_put_u64(nlh, IRQPACE_A_STARVE_NS, c->starve_ns);
	if (c->have & NL_CONFIG_SPURIOUS_ROUNDS)
		mnl_attr_put_u32(nlh, IRQPACE_A_SPURIOUS_ROUNDS,
				 c->spurious_rounds);
	if (c->have & NL_CONFIG_SPURIOUS_NATIVE)
		mnl_attr_put_u32(nlh, IRQPACE_A_SPURIOUS_NATIVE,
				 c->spurious_native);
	if (c->have & NL_CONFIG_BUDGET)
		mnl_attr_put_u64(nlh, IRQPACE_A_BUDGET_NS, c->budget_ns);
	return ask(nl, NULL, NULL, err);
}

static int lines_answer(const struct nlmsghdr *nlh, void *data,
			struct errmsg *err)
{
	struct nl_lines *lines = data;
	struct nl_line line;

	if (nl_decode_line(nlh, &line))
		return nl_malformed(err);
	lines->line = xrealloc(lines->line, lines->n + 1, sizeof(line));
	lines->line[lines->n++] = line;
	return 0;
}

static int by_irq(const void *a, const void *b)
{
	const struct nl_line *x = a, *y = b;

	return x->irq < y->irq ? -1 : x->irq > y->irq;
}

int nl_lines(struct nl *nl, bool attached_only, struct nl_lines *lines,
	     struct errmsg *err)
{
	int rc = 1;

	memset(lines, 0, sizeof(*lines));
	for (int try = 0; rc > 0 && try < DUMP_TRIES; try++) {
		struct nlmsghdr *nlh = start_cmd(nl, IRQPACE_CMD_LINE_GET,
						 NLM_F_DUMP);

		if (attached_only)
			mnl_attr_put(nlh, IRQPACE_A_ATTACHED, 0, NULL);
		nl_lines_free(lines);
		rc = exchange(nl, lines_answer, lines, err);
	}
	if (rc) {
		nl_lines_free(lines);
		return rc < 0 ? -1 :
		       err_sys(err, EAGAIN, "the interrupt lines changed while they were read, try again");
	}
	if (lines->n)
		qsort(lines->line, lines->n, sizeof(*lines->line), by_irq);
	return 0;
}

int nl_line(struct nl *nl, uint32_t irq, struct nl_line *line,
	    struct errmsg *err)
{
	struct nl_lines lines = { 0 };
	struct nlmsghdr *nlh = start_cmd(nl, IRQPACE_CMD_LINE_GET, 0);

	mnl_attr_put_u32(nlh, IRQPACE_A_IRQ, irq);
	if (ask(nl, lines_answer, &lines, err)) {
		nl_lines_free(&lines);
		return -1;
	}
	if (lines.n != 1) {
		nl_lines_free(&lines);
		return nl_malformed(err);
	}
	*line = lines.line[0];
	free(lines.line);
	return 0;
}

struct irqs {
	uint32_t *irq;
	size_t n;
};

static int irqs_answer(const struct nlmsghdr *nlh, void *data,
		       struct errmsg *err)
{
	struct irqs *irqs = data;
	const struct nlattr *attr;
	uint32_t irq;

	if (mnl_nlmsg_get_payload_len(nlh) < sizeof(struct genlmsghdr))
		return nl_malformed(err);
	nlattr_for_each(attr, nlh, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) != IRQPACE_A_IRQ)
			continue;
		if (nlattr_u32(attr, &irq))
			return nl_malformed(err);
		irqs->irq = xrealloc(irqs->irq, irqs->n + 1,
				     sizeof(*irqs->irq));
		irqs->irq[irqs->n++] = irq;
	}
	return 0;
}

int nl_set(struct nl *nl, const struct selector *sel,
	   const struct policy *policy, uint32_t **irq, size_t *n,
	   struct errmsg *err)
{
	struct nlmsghdr *nlh = start_cmd(nl, IRQPACE_CMD_SET, 0);
	struct irqs irqs = { 0 };

	selector_put(nlh, sel);
	policy_put(nlh, policy);
	if (ask(nl, irqs_answer, &irqs, err)) {
		free(irqs.irq);
		return -1;
	}
	if (irq && n) {
		*irq = irqs.irq;
		*n = irqs.n;
	} else {
		free(irqs.irq);
	}
	return 0;
}

int nl_reset(struct nl *nl, const struct selector *sel, struct errmsg *err)
{
	struct nlmsghdr *nlh = start_cmd(nl, IRQPACE_CMD_RESET, 0);

	if (sel)
		selector_put(nlh, sel);
	else
		mnl_attr_put(nlh, IRQPACE_A_ALL, 0, NULL);
	return ask(nl, NULL, NULL, err);
}

static int rules_answer(const struct nlmsghdr *nlh, void *data,
			struct errmsg *err)
{
	struct nl_rules *rules = data;
	struct nl_rule rule;

	if (nl_decode_rule(nlh, &rule))
		return nl_malformed(err);
	rules->rule = xrealloc(rules->rule, rules->n + 1, sizeof(rule));
	rules->rule[rules->n++] = rule;
	return 0;
}

int nl_rules(struct nl *nl, struct nl_rules *rules, struct errmsg *err)
{
	int rc = 1;

	memset(rules, 0, sizeof(*rules));
	for (int try = 0; rc > 0 && try < DUMP_TRIES; try++) {
		start_cmd(nl, IRQPACE_CMD_RULE_GET, NLM_F_DUMP);
		nl_rules_free(rules);
		rc = exchange(nl, rules_answer, rules, err);
	}
	if (rc)
		nl_rules_free(rules);
	return rc > 0 ? err_sys(err, EAGAIN, "the rules changed while they were read, try again") : rc;
}

static int hist_answer(const struct nlmsghdr *nlh, void *data,
		       struct errmsg *err)
{
	nl_hist_free(data);
	return nl_decode_hist(nlh, data) ? nl_malformed(err) : 0;
}

int nl_hist(struct nl *nl, uint32_t irq, enum irqpace_hist which,
	    struct nl_hist *hist, struct errmsg *err)
{
	struct nlmsghdr *nlh = start_cmd(nl, IRQPACE_CMD_HIST_GET, 0);

	memset(hist, 0, sizeof(*hist));
	mnl_attr_put_u32(nlh, IRQPACE_A_IRQ, irq);
	mnl_attr_put_u32(nlh, IRQPACE_A_HIST, which);
	if (ask(nl, hist_answer, hist, err)) {
		nl_hist_free(hist);
		return -1;
	}
	return 0;
}
