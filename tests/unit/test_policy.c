// SPDX-License-Identifier: GPL-2.0-only
#include "unit.h"

#include <libmnl/libmnl.h>

#include "../../lib/json.h"
#include "../../lib/policy.h"

static void specs_are_read_and_printed(void **state)
{
	static const struct {
		const char *spec;
		const char *shown;
		const char *json;
	} cases[] = {
		{ "native", "native", "{}" },
		{ "hard", "hard", "{}" },
		{ "threaded", "threaded", "{}" },
		{ "threaded:delay=200us", "threaded --delay 200us", "{\"delay_us\":200}" },
		{ "hybrid:limit=50us:window=1ms", "hybrid --limit 50us --window 1ms",
		  "{\"limit_us\":50,\"window_us\":1000}" },
		{ "moderate:delay=1.5us", "moderate --delay 1.5us", "{\"delay_us\":1.5}" },
		{ "moderate:delay=100us:poll:rounds=64",
		  "moderate --delay 100us --poll --rounds 64",
		  "{\"delay_us\":100,\"poll\":true,\"rounds\":64}" },
		{ "hard:mask=flushed:mask-after=1:shared",
		  "hard --mask flushed --mask-after 1 --shared",
		  "{\"mask\":\"flushed\",\"mask_after\":1,\"shared\":true}" },
	};

	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
		char text[POLICY_BUF], *out = NULL, expected[200];
		struct errmsg err;
		struct policy p;
		struct json json;
		size_t size;
		FILE *mem;

		assert_int_equal(policy_parse_spec(cases[i].spec, &p, &err), 0);
		assert_string_equal(policy_print_spec(&p, text, sizeof(text)),
				    cases[i].spec);
		assert_string_equal(policy_print(&p, text, sizeof(text)),
				    cases[i].shown);
		mem = open_memstream(&out, &size);
		jw_init(&json, mem);
		policy_json(&json, NULL, &p);
		jw_done(&json);
		fclose(mem);
		snprintf(expected, sizeof(expected), "%s\n", cases[i].json);
		assert_string_equal(out, expected);
		free(out);
	}
}

static void bad_specs_are_refused(void **state)
{
	static const struct {
		const char *spec;
		const char *sentence;
	} cases[] = {
		{ "", "there is no policy : choose hard, threaded, hybrid, moderate or native" },
		{ "adaptive", "there is no policy adaptive: choose hard, threaded, hybrid, moderate or native" },
		{ "hard:delay=5us", "--delay belongs to threaded and moderate, not to hard" },
		{ "hybrid:delay=5us:limit=5us:window=1ms", "--delay belongs to threaded and moderate, not to hybrid" },
		{ "threaded:limit=5us", "--limit belongs to hybrid, not to threaded" },
		{ "moderate:delay=5us:window=1ms", "--window belongs to hybrid, not to moderate" },
		{ "threaded:poll", "--poll belongs to moderate, not to threaded" },
		{ "hybrid:rounds=3", "--rounds belongs to moderate, not to hybrid" },
		{ "native:mask=posted", "--mask belongs to hard, threaded, hybrid and moderate, not to native" },
		{ "moderate", "moderate needs --delay, for example --delay 100us" },
		{ "hybrid:limit=5us", "hybrid needs --limit and --window, for example --limit 50us --window 1ms" },
		{ "hybrid:limit=1ms:window=1ms", "--limit 1ms is not smaller than --window 1ms" },
		{ "hybrid:limit=2ms:window=1ms", "--limit 2ms is not smaller than --window 1ms" },
		{ "moderate:delay=5us:rounds=3", "--rounds needs --poll" },
		{ "moderate:delay=20ms", "--delay 20ms is outside 1us to 10ms" },
		{ "hybrid:limit=999ns:window=1ms", "--limit 999ns is outside 1us to 10ms" },
		{ "hybrid:limit=5us:window=11ms", "--window 11ms is outside 1us to 10ms" },
		{ "moderate:delay=100", "--delay 100 has no unit: write 100us or 100ms" },
		{ "moderate:delay", "--delay needs a value" },
		{ "moderate:delay=", "--delay needs a value" },
		{ "moderate:delay=5us:poll=yes", "--poll takes no value" },
		{ "moderate:delay=5us:poll:rounds=0", "--rounds 0 is outside 1 to 1000000" },
		{ "moderate:delay=5us:poll:rounds=1000001", "--rounds 1000001 is outside 1 to 1000000" },
		{ "moderate:delay=5us:poll:rounds=99999999999999999999", "--rounds 99999999999999999999 is outside 1 to 1000000" },
		{ "moderate:delay=5us:poll:rounds=-1", "--rounds -1 is not a whole number" },
		{ "hard:mask=soft", "--mask soft is neither posted nor flushed" },
		{ "hard:mask-after=0", "--mask-after 0 is outside 1 to 1000000" },
		{ "hard:colour=red", "a policy has no option --colour" },
		{ "hard:", "a policy has no option --" },
	};

	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
		struct policy p = { .rounds = 77 };
		struct errmsg err = { 0 };

		assert_int_equal(policy_parse_spec(cases[i].spec, &p, &err), -1);
		assert_string_equal(err.text, cases[i].sentence);
		assert_int_equal(err.status, EXIT_USAGE);
		assert_int_equal(p.rounds, 77);
	}
}

static void an_overlong_spec_is_refused(void **state)
{
	char spec[1000];
	struct errmsg err;
	struct policy p;

	(void)state;
	memset(spec, 'x', sizeof(spec) - 1);
	spec[sizeof(spec) - 1] = '\0';
	assert_int_equal(policy_parse_spec(spec, &p, &err), -1);
	assert_string_equal(err.text, "a policy of 999 letters is too long");
}

static void defaults_are_not_shown_to_people(void **state)
{
	char text[POLICY_BUF];
	struct policy full, brief;
	struct errmsg err;

	(void)state;
	assert_int_equal(policy_parse_spec("moderate:delay=5us:poll:rounds=1000:mask=posted:mask-after=2",
					   &full, &err), 0);
	brief = policy_brief(&full);
	assert_string_equal(policy_print_spec(&brief, text, sizeof(text)),
			    "moderate:delay=5us:poll");
	assert_int_equal(policy_parse_spec("moderate:delay=5us:poll:rounds=999:mask=flushed:mask-after=1",
					   &full, &err), 0);
	brief = policy_brief(&full);
	assert_true(policy_equal(&brief, &full));
}

static void every_name_is_a_kind(void **state)
{
	(void)state;
	for (uint32_t k = 0; k < __IRQPACE_POLICY_MAX; k++)
		assert_int_equal(policy_kind(policy_name(k)), k);
	assert_null(policy_name(__IRQPACE_POLICY_MAX));
	assert_int_equal(policy_kind("Hard"), -1);
}

static void attributes_make_the_round_trip(void **state)
{
	static const char *const specs[] = {
		"native", "hard", "threaded:delay=200us", "hybrid:limit=50us:window=1ms",
		"moderate:delay=1.5us:poll:rounds=64:mask=flushed:mask-after=9:shared",
		"hard:mask=posted",
	};

	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(specs); i++) {
		char buf[512] __attribute__((aligned(8)));
		struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
		struct policy sent, got;
		struct errmsg err;

		assert_int_equal(policy_parse_spec(specs[i], &sent, &err), 0);
		policy_put(nlh, &sent);
		assert_int_equal(policy_get(mnl_nlmsg_get_payload(nlh), &got), 0);
		assert_true(policy_equal(&sent, &got));
	}
}

static void a_wrong_length_is_refused(void **state)
{
	char buf[512] __attribute__((aligned(8)));
	struct policy got = { .rounds = 77 };
	struct nlmsghdr *nlh;
	struct nlattr *nest;

	(void)state;
	for (uint16_t type = IRQPACE_SET_POLICY; type <= IRQPACE_SET_MAX; type++) {
		if (type == IRQPACE_SET_POLL || type == IRQPACE_SET_SHARED)
			continue;
		nlh = mnl_nlmsg_put_header(buf);
		nest = mnl_attr_nest_start(nlh, IRQPACE_A_SETTINGS);
		mnl_attr_put_u16(nlh, type, 1);
		mnl_attr_nest_end(nlh, nest);
		assert_int_equal(policy_get(nest, &got), -1);
		assert_int_equal(got.rounds, 77);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(specs_are_read_and_printed),
		cmocka_unit_test(bad_specs_are_refused),
		cmocka_unit_test(an_overlong_spec_is_refused),
		cmocka_unit_test(defaults_are_not_shown_to_people),
		cmocka_unit_test(every_name_is_a_kind),
		cmocka_unit_test(attributes_make_the_round_trip),
		cmocka_unit_test(a_wrong_length_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
