// SPDX-License-Identifier: GPL-2.0-only
#include "unit.h"

#include "../../lib/duration.h"

static void reads_every_unit(void **state)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} cases[] = {
		{ "0us", 0 },
		{ "1ns", 1 },
		{ "100us", 100000 },
		{ "1.5ms", 1500000 },
		{ "0.5us", 500 },
		{ "1.001us", 1001 },
		{ "1.0010us", 1001 },
		{ "007us", 7000 },
		{ "2s", 2000000000 },
		{ "0.000000001s", 1 },
		{ "18446744073709551615ns", UINT64_MAX },
	};

	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
		struct errmsg err = { 0 };
		uint64_t ns = 42;

		assert_int_equal(duration_parse(cases[i].text, "--delay", &ns, &err), 0);
		assert_int_equal(ns, cases[i].ns);
	}
}

static void refuses_with_a_sentence(void **state)
{
	static const struct {
		const char *text;
		const char *sentence;
	} cases[] = {
		{ "100", "--delay 100 has no unit: write 100us or 100ms" },
		{ "1.5", "--delay 1.5 has no unit: write 1.5us or 1.5ms" },
		{ "", "--delay  is not a time: write for example 50us or 1.5ms" },
		{ "us", "--delay us is not a time: write for example 50us or 1.5ms" },
		{ "-5us", "--delay -5us is not a time: write for example 50us or 1.5ms" },
		{ "5 us", "--delay 5 us is not a time: write for example 50us or 1.5ms" },
		{ ".5us", "--delay .5us is not a time: write for example 50us or 1.5ms" },
		{ "5.us", "--delay 5.us is not a time: write for example 50us or 1.5ms" },
		{ "1,5ms", "--delay 1,5ms is not a time: write for example 50us or 1.5ms" },
		{ "0x10us", "--delay 0x10us is not a time: write for example 50us or 1.5ms" },
		{ "5US", "--delay 5US is not a time: write for example 50us or 1.5ms" },
		{ "5m", "--delay 5m is not a time: write for example 50us or 1.5ms" },
		{ "0.0001us", "--delay 0.0001us is finer than a nanosecond" },
		{ "1.5ns", "--delay 1.5ns is finer than a nanosecond" },
		{ "99999999999999999999us", "--delay 99999999999999999999us is too large a time" },
		{ "18446744073709551616ns", "--delay 18446744073709551616ns is too large a time" },
		{ "18446744074s", "--delay 18446744074s is too large a time" },
		{ "18446744073.999999999s", "--delay 18446744073.999999999s is too large a time" },
	};

	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
		struct errmsg err = { 0 };
		uint64_t ns = 42;

		assert_int_equal(duration_parse(cases[i].text, "--delay", &ns, &err), -1);
		assert_string_equal(err.text, cases[i].sentence);
		assert_int_equal(err.status, EXIT_USAGE);
		assert_int_equal(ns, 42);
	}
}

static void bounds_are_allowed_and_never_clamped(void **state)
{
	static const struct {
		const char *text;
		int rc;
	} cases[] = {
		{ "1us", 0 }, { "1000ns", 0 }, { "10ms", 0 }, { "0.01s", 0 },
		{ "999ns", -1 }, { "0us", -1 }, { "10.000001ms", -1 }, { "1s", -1 },
	};

	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
		struct errmsg err = { 0 };
		uint64_t ns = 42;
		char sentence[80];

		assert_int_equal(duration_parse_range(cases[i].text, "--limit", 1000,
						      10000000, &ns, &err),
				 cases[i].rc);
		if (!cases[i].rc)
			continue;
		snprintf(sentence, sizeof(sentence),
			 "--limit %s is outside 1us to 10ms", cases[i].text);
		assert_string_equal(err.text, sentence);
		assert_int_equal(ns, 42);
	}
}

static void prints_the_shortest_exact_form(void **state)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} cases[] = {
		{ 0, "0us" }, { 1, "1ns" }, { 999, "999ns" }, { 1000, "1us" },
		{ 1234, "1.234us" }, { 100000, "100us" }, { 1500000, "1.5ms" },
		{ 10000000, "10ms" }, { 1000000000, "1s" }, { 1000000001, "1.000000001s" },
	};

	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
		char text[DURATION_BUF];
		struct errmsg err;
		uint64_t ns;

		assert_string_equal(duration_print(cases[i].ns, text, sizeof(text)),
				    cases[i].text);
		assert_int_equal(duration_parse(text, "", &ns, &err), 0);
		assert_int_equal(ns, cases[i].ns);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_every_unit),
		cmocka_unit_test(refuses_with_a_sentence),
		cmocka_unit_test(bounds_are_allowed_and_never_clamped),
		cmocka_unit_test(prints_the_shortest_exact_form),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
