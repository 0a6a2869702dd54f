// SPDX-License-Identifier: GPL-2.0-only
/* Messages as the module would send them, built by hand and decoded. */
#include "unit.h"

#include <errno.h>

#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>

#include "../../lib/nl.h"
#include "../../lib/selector.h"

static char buf[8192] __attribute__((aligned(8)));

static struct nlmsghdr *message(uint8_t cmd)
{
	struct nlmsghdr *nlh;
	struct genlmsghdr *genl;

	memset(buf, 0xaa, sizeof(buf));
	nlh = mnl_nlmsg_put_header(buf);
	nlh->nlmsg_type = 0x20;
	genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));
	genl->cmd = cmd;
	return nlh;
}

static struct nlmsghdr *line_message(void)
{
	struct nlmsghdr *nlh = message(IRQPACE_CMD_LINE_GET);
	const struct policy p = { .kind = IRQPACE_POLICY_HYBRID, .limit_ns = 50000,
				  .window_ns = 1000000, .mask = IRQPACE_MASK_POSTED };
	struct nlattr *nest;

	mnl_attr_put_u32(nlh, IRQPACE_A_IRQ, 25);
	mnl_attr_put_strz(nlh, IRQPACE_A_NAME, "nvme0q1");
	for (int i = 0; i < 2; i++) {
		nest = mnl_attr_nest_start(nlh, IRQPACE_A_ACTION);
		mnl_attr_put_strz(nlh, IRQPACE_ACTION_NAME, i ? "second" : "nvme0q1");
		mnl_attr_put_strz(nlh, IRQPACE_ACTION_HANDLER, "nvme_irq");
		if (i)
			mnl_attr_put_strz(nlh, IRQPACE_ACTION_MODULE, "nvme");
		mnl_attr_nest_end(nlh, nest);
	}
	mnl_attr_put_strz(nlh, IRQPACE_A_DEVICE, "0000:00:03.0");
	mnl_attr_put_strz(nlh, IRQPACE_A_DRIVER, "nvme");
	mnl_attr_put_u32(nlh, IRQPACE_A_VECTOR, 1);
	mnl_attr_put_strz(nlh, IRQPACE_A_CHIP, "PCI-MSIX-0000:00:03.0");
	mnl_attr_put_u8(nlh, IRQPACE_A_LEVEL, 0);
	mnl_attr_put(nlh, IRQPACE_A_ATTACHED, 0, NULL);
	mnl_attr_put_u8(nlh, IRQPACE_A_ATTACHABLE, 1);
	policy_put(nlh, &p);
	mnl_attr_put_u32(nlh, IRQPACE_A_STATE, IRQPACE_STATE_PAUSED);
	mnl_attr_put_u32(nlh, IRQPACE_A_MASKING, IRQPACE_MASKING_POSTED);
	mnl_attr_put_u32(nlh, IRQPACE_A_MEMORY, 4096);
	nest = mnl_attr_nest_start(nlh, IRQPACE_A_COUNTERS);
	/* Padding, as the kernel puts it before a u64, and a counter of the future. */
	mnl_attr_put(nlh, IRQPACE_CNT_PAD, 0, NULL);
	mnl_attr_put_u64(nlh, IRQPACE_CNT_ARRIVALS, UINT64_MAX);
	mnl_attr_put_u64(nlh, IRQPACE_CNT_PARKED, 7);
	mnl_attr_put_u64(nlh, IRQPACE_CNT_MAX + 1, 9);
	mnl_attr_nest_end(nlh, nest);
	mnl_attr_put_u32(nlh, IRQPACE_A_MAX + 1, 5);
	return nlh;
}

static void a_line_is_decoded(void **state)
{
	struct nl_line line;

	(void)state;
	assert_int_equal(nl_decode_line(line_message(), &line), 0);
	assert_int_equal(line.irq, 25);
	assert_string_equal(line.name, "nvme0q1");
	assert_int_equal(line.n_actions, 2);
	assert_string_equal(line.action[0].handler, "nvme_irq");
	assert_null(line.action[0].module);
	assert_string_equal(line.action[1].name, "second");
	assert_string_equal(line.action[1].module, "nvme");
	assert_null(line.action[1].device);
	assert_string_equal(line.device, "0000:00:03.0");
	assert_string_equal(line.driver, "nvme");
	assert_int_equal(line.vector, 1);
	assert_int_equal(line.level, 0);
	assert_true(line.attached);
	assert_int_equal(line.attachable, 1);
	assert_null(line.reason);
	assert_true(line.has_settings);
	assert_int_equal(line.settings.kind, IRQPACE_POLICY_HYBRID);
	assert_int_equal(line.settings.limit_ns, 50000);
	assert_string_equal(nl_state_name(line.state), "paused");
	assert_string_equal(nl_masking_name(line.masking), "posted");
	assert_true(line.counter[IRQPACE_CNT_ARRIVALS] == UINT64_MAX);
	assert_int_equal(line.counter[IRQPACE_CNT_PARKED], 7);
	assert_int_equal(line.memory_bytes, 4096);
	nl_line_free(&line);
}

static void what_a_line_lacks_is_unknown(void **state)
{
	struct nlmsghdr *nlh = message(IRQPACE_CMD_LINE_GET);
	struct nl_line line;

	(void)state;
	assert_int_equal(nl_decode_line(nlh, &line), -1);	/* not even a number */
	mnl_attr_put_u32(nlh, IRQPACE_A_IRQ, 3);
	assert_int_equal(nl_decode_line(nlh, &line), 0);
	assert_null(line.name);
	assert_int_equal(line.vector, -1);
	assert_int_equal(line.level, -1);
	assert_int_equal(line.attachable, -1);
	assert_false(line.attached || line.has_settings || line.has_state ||
		     line.has_masking || line.has_counters);
	nl_line_free(&line);
}

/* Each attribute with a payload of another size, or a string without its end. */
static void wrong_lengths_are_refused(void **state)
{
	static const uint16_t types[] = {
		IRQPACE_A_NAME, IRQPACE_A_DEVICE, IRQPACE_A_DRIVER, IRQPACE_A_VECTOR,
		IRQPACE_A_CHIP, IRQPACE_A_LEVEL, IRQPACE_A_ATTACHABLE, IRQPACE_A_REASON,
		IRQPACE_A_STATE, IRQPACE_A_MASKING, IRQPACE_A_MEMORY, IRQPACE_A_UNRECORDED,
	};

	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(types); i++) {
		for (size_t size = 0; size <= 3; size += 3) {
			struct nlmsghdr *nlh = message(IRQPACE_CMD_LINE_GET);
			struct nl_line line;

			mnl_attr_put_u32(nlh, IRQPACE_A_IRQ, 3);
			mnl_attr_put(nlh, types[i], size, "abc");
			assert_int_equal(nl_decode_line(nlh, &line), -1);
		}
	}
}

/* Cut at every length, and with every byte changed: no reading outside. */
static void damaged_messages_do_no_harm(void **state)
{
	struct nlmsghdr *nlh = line_message();
	uint32_t whole = nlh->nlmsg_len;
	char *copy = malloc(whole);

	(void)state;
	memcpy(copy, nlh, whole);
	for (uint32_t len = sizeof(*nlh); len <= whole; len++) {
		/* A block of its own, so that the sanitizer sees its end. */
		struct nlmsghdr *cut = malloc(len);
		struct nl_line line;

		memcpy(cut, copy, len);
		cut->nlmsg_len = len;
		if (!nl_decode_line(cut, &line))
			nl_line_free(&line);
		free(cut);
	}
	for (uint32_t at = sizeof(*nlh); at < whole; at++) {
		for (int bit = 0; bit < 8; bit++) {
			struct nlmsghdr *bad = malloc(whole);
			struct nl_line line;

			memcpy(bad, copy, whole);
			((char *)bad)[at] ^= (char)(1 << bit);
			if (!nl_decode_line(bad, &line))
				nl_line_free(&line);
			free(bad);
		}
	}
	free(copy);
}

static void status_is_decoded(void **state)
{
	struct nlmsghdr *nlh = message(IRQPACE_CMD_STATUS);
	struct nl_status status;
	char version[200];

	(void)state;
	memset(version, '9', sizeof(version) - 1);
	version[sizeof(version) - 1] = '\0';
	mnl_attr_put_strz(nlh, IRQPACE_A_VERSION, version);
	mnl_attr_put_u8(nlh, IRQPACE_A_STATS, 1);
	mnl_attr_put_u64(nlh, IRQPACE_A_STARVE_NS, 10000000);
	mnl_attr_put_u32(nlh, IRQPACE_A_SPURIOUS_ROUNDS, 100);
	mnl_attr_put_u32(nlh, IRQPACE_A_SPURIOUS_NATIVE, 101);
	mnl_attr_put_u64(nlh, IRQPACE_A_BUDGET_NS, 2000000);
	mnl_attr_put_u32(nlh, IRQPACE_A_LINES, 3);
	mnl_attr_put_u32(nlh, IRQPACE_A_RULES, 4);
	assert_int_equal(nl_decode_status(nlh, &status), 0);
	assert_int_equal(strlen(status.version), sizeof(status.version) - 1);
	assert_true(status.stats);
	assert_int_equal(status.starve_ns, 10000000);
	assert_int_equal(status.spurious_rounds, 100);
	assert_int_equal(status.spurious_native, 101);
	assert_int_equal(status.budget_ns, 2000000);
	assert_int_equal(status.lines, 3);
	assert_int_equal(status.rules, 4);
	mnl_attr_put_u32(nlh, IRQPACE_A_STATS, 1);
	assert_int_equal(nl_decode_status(nlh, &status), -1);
}

static void rules_are_decoded(void **state)
{
	const struct selector sel = { .kind = SELECTOR_DRIVER, .value = "nvme",
				      .has_vector = true, .vector = 2, .text = "driver:nvme/2" };
	const struct policy p = { .kind = IRQPACE_POLICY_MODERATE, .delay_ns = 100000,
				  .mask = POLICY_MASK_DEFAULT };
	struct nlmsghdr *nlh = message(IRQPACE_CMD_RULE_GET);
	struct nl_rules rules = { 0 };
	struct nl_rule rule;

	(void)state;
	policy_put(nlh, &p);
	assert_int_equal(nl_decode_rule(nlh, &rule), -1);	/* no selector */
	selector_put(nlh, &sel);
	assert_int_equal(nl_decode_rule(nlh, &rule), 0);
	assert_int_equal(rule.selector->kind, SELECTOR_DRIVER);
	assert_string_equal(rule.selector->value, "nvme");
	assert_int_equal(rule.selector->vector, 2);
	assert_true(policy_equal(&rule.policy, &p));
	rules.rule = malloc(sizeof(rule));
	rules.rule[0] = rule;
	rules.n = 1;
	nl_rules_free(&rules);
}

static void histograms_and_percentiles(void **state)
{
	static const struct irqpace_bucket buckets[] = {
		{ 1000, 1999, 90 }, { 2000, 3999, 9 }, { 8000, 15999, 1 },
	};
	struct nlmsghdr *nlh = message(IRQPACE_CMD_HIST_GET);
	struct nl_hist hist, empty = { 0 };

	(void)state;
	mnl_attr_put(nlh, IRQPACE_A_BUCKETS, sizeof(buckets), buckets);
	mnl_attr_put_u64(nlh, IRQPACE_A_SAMPLES, 100);
	mnl_attr_put_u64(nlh, IRQPACE_A_SUM_NS, 150000);
	mnl_attr_put_u64(nlh, IRQPACE_A_MAX_NS, 9000);
	assert_int_equal(nl_decode_hist(nlh, &hist), 0);
	assert_int_equal(hist.n, 3);
	assert_int_equal(nl_hist_percentile(&hist, 0), 1999);
	assert_int_equal(nl_hist_percentile(&hist, 50), 1999);
	assert_int_equal(nl_hist_percentile(&hist, 90), 1999);
	assert_int_equal(nl_hist_percentile(&hist, 91), 3999);
	assert_int_equal(nl_hist_percentile(&hist, 99), 3999);
	assert_int_equal(nl_hist_percentile(&hist, 99.9), 9000);
	assert_int_equal(nl_hist_percentile(&hist, 100), 9000);
	assert_true(nl_hist_mean_ns(&hist) == 1500);
	nl_hist_free(&hist);
	assert_int_equal(nl_hist_percentile(&empty, 99), 0);
	assert_true(nl_hist_mean_ns(&empty) == 0);

	nlh = message(IRQPACE_CMD_HIST_GET);
	mnl_attr_put(nlh, IRQPACE_A_BUCKETS, sizeof(buckets) - 1, buckets);
	assert_int_equal(nl_decode_hist(nlh, &hist), -1);
}

static void events_are_decoded(void **state)
{
	struct nlmsghdr *nlh = message(IRQPACE_CMD_EVENT);
	struct nl_event event;

	(void)state;
	mnl_attr_put_strz(nlh, IRQPACE_A_TEXT, "irq 25 is gone");
	assert_int_equal(nl_decode_event(nlh, &event), -1);	/* of no kind */
	mnl_attr_put_u32(nlh, IRQPACE_A_EVENT, IRQPACE_EVENT_GONE);
	mnl_attr_put_u32(nlh, IRQPACE_A_IRQ, 25);
	assert_int_equal(nl_decode_event(nlh, &event), 0);
	assert_string_equal(nl_event_name(event.event), "gone");
	assert_true(event.has_irq);
	assert_int_equal(event.irq, 25);
	assert_null(event.name);
	assert_string_equal(event.text, "irq 25 is gone");
	nl_event_free(&event);
}

/* The kernel's answer to a bad request, with and without the request in it. */
static struct nlmsghdr *error_message(uint16_t type, bool capped, const char *text)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	const char request[8] = "request";
	struct nlmsgerr *e;
	int *done;

	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = NLM_F_ACK_TLVS | (capped ? NLM_F_CAPPED : 0);
	if (type == NLMSG_DONE) {
		done = mnl_nlmsg_put_extra_header(nlh, sizeof(*done));
		*done = -EINVAL;
	} else {
		e = mnl_nlmsg_put_extra_header(nlh, sizeof(*e));
		e->error = -EINVAL;
		e->msg.nlmsg_len = sizeof(e->msg) + sizeof(request);
		if (!capped)
			memcpy(mnl_nlmsg_put_extra_header(nlh, sizeof(request)),
			       request, sizeof(request));
	}
	if (text)
		mnl_attr_put_strz(nlh, NLMSGERR_ATTR_MSG, text);
	return nlh;
}

static void the_kernels_sentence_is_found(void **state)
{
	struct nlmsghdr *nlh;

	(void)state;
	assert_string_equal(nl_decode_extack(error_message(NLMSG_ERROR, true, "a")), "a");
	assert_string_equal(nl_decode_extack(error_message(NLMSG_ERROR, false, "b")), "b");
	assert_string_equal(nl_decode_extack(error_message(NLMSG_DONE, true, "c")), "c");
	assert_null(nl_decode_extack(error_message(NLMSG_ERROR, true, NULL)));
	assert_null(nl_decode_extack(error_message(NLMSG_ERROR, true, "")));

	nlh = error_message(NLMSG_ERROR, true, "d");
	nlh->nlmsg_flags = 0;
	assert_null(nl_decode_extack(nlh));
	/* A request longer than the message that quotes it. */
	nlh = error_message(NLMSG_ERROR, false, "e");
	((struct nlmsgerr *)mnl_nlmsg_get_payload(nlh))->msg.nlmsg_len = 60000;
	assert_null(nl_decode_extack(nlh));
	((struct nlmsgerr *)mnl_nlmsg_get_payload(nlh))->msg.nlmsg_len = 3;
	assert_null(nl_decode_extack(nlh));
	nlh->nlmsg_len = sizeof(*nlh) + 2;
	assert_null(nl_decode_extack(nlh));
}

static void every_number_has_a_name(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < __IRQPACE_HIST_MAX; i++)
		assert_string_not_equal(nl_hist_name(i), "unknown");
	for (uint32_t i = 0; i < __IRQPACE_EVENT_MAX; i++)
		assert_string_not_equal(nl_event_name(i), "unknown");
	for (uint32_t i = IRQPACE_CNT_ARRIVALS; i <= IRQPACE_CNT_MAX; i++)
		assert_string_not_equal(nl_counter_name(i), "unknown");
	assert_string_equal(nl_counter_name(IRQPACE_CNT_PAD), "unknown");
	assert_string_equal(nl_state_name(99), "unknown");
	assert_string_equal(nl_masking_name(99), "unknown");
	assert_string_equal(nl_event_name(99), "unknown");
	assert_string_equal(nl_hist_name(99), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_decoded),
		cmocka_unit_test(what_a_line_lacks_is_unknown),
		cmocka_unit_test(wrong_lengths_are_refused),
		cmocka_unit_test(damaged_messages_do_no_harm),
		cmocka_unit_test(status_is_decoded),
		cmocka_unit_test(rules_are_decoded),
		cmocka_unit_test(histograms_and_percentiles),
		cmocka_unit_test(events_are_decoded),
		cmocka_unit_test(the_kernels_sentence_is_found),
		cmocka_unit_test(every_number_has_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
