// SPDX-License-Identifier: GPL-2.0-only
#include "unit.h"

#include <math.h>

#include <jansson.h>

#include "../../lib/json.h"

struct out {
	struct json json;
	FILE *mem;
	char *text;
	size_t size;
};

static void start(struct out *out)
{
	out->mem = open_memstream(&out->text, &out->size);
	jw_init(&out->json, out->mem);
}

static void expect(struct out *out, const char *text)
{
	assert_int_equal(jw_done(&out->json), 0);
	fclose(out->mem);
	assert_string_equal(out->text, text);
	free(out->text);
}

static void values_and_nesting(void **state)
{
	struct out out;

	(void)state;
	start(&out);
	jw_object(&out.json, NULL);
	jw_string(&out.json, "a", "x");
	jw_string(&out.json, "b", NULL);
	jw_array(&out.json, "c");
	jw_u64(&out.json, NULL, UINT64_MAX);
	jw_i64(&out.json, NULL, INT64_MIN);
	jw_object(&out.json, NULL);
	jw_end_object(&out.json);
	jw_array(&out.json, NULL);
	jw_end_array(&out.json);
	jw_end_array(&out.json);
	jw_bool(&out.json, "d", true);
	jw_bool(&out.json, "e", false);
	jw_end_object(&out.json);
	expect(&out, "{\"a\":\"x\",\"b\":null,\"c\":[18446744073709551615,"
		     "-9223372036854775808,{},[]],\"d\":true,\"e\":false}\n");
}

static void numbers_are_short_and_finite(void **state)
{
	struct out out;

	(void)state;
	start(&out);
	jw_array(&out.json, NULL);
	jw_double(&out.json, NULL, 1.5, 3);
	jw_double(&out.json, NULL, 100, 3);
	jw_double(&out.json, NULL, 0.0004, 3);
	jw_double(&out.json, NULL, -0.0004, 3);
	jw_double(&out.json, NULL, 1200, 0);
	jw_double(&out.json, NULL, NAN, 3);
	jw_double(&out.json, NULL, INFINITY, 3);
	jw_us(&out.json, NULL, 1500);
	jw_us(&out.json, NULL, 100000);
	jw_us(&out.json, NULL, 1);
	jw_us(&out.json, NULL, UINT64_MAX);
	jw_end_array(&out.json);
	expect(&out, "[1.5,100,0,0,1200,null,null,1.5,100,0.001,18446744073709551.615]\n");
}

static void strings_are_always_valid(void **state)
{
	static const struct {
		const char *in;
		const char *out;
	} cases[] = {
		{ "q\"b\\s/", "\"q\\\"b\\\\s/\"\n" },
		{ "\n\t\r\x01\x7f", "\"\\n\\t\\u000d\\u0001\x7f\"\n" },
		{ "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"\n" },
		{ "a\xff" "b", "\"a\\ufffdb\"\n" },
		{ "\xc3", "\"\\ufffd\"\n" },
		{ "\xc0\x80", "\"\\ufffd\\ufffd\"\n" },
		{ "\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"\n" },
		{ "\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"\n" },
		{ "\xe2\x82", "\"\\ufffd\\ufffd\"\n" },
	};

	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
		struct out out;

		start(&out);
		jw_string(&out.json, NULL, cases[i].in);
		expect(&out, cases[i].out);
	}
}

/* Every byte value, alone and between letters, is read back by another library. */
static void another_reader_agrees(void **state)
{
	(void)state;
	for (int byte = 1; byte < 256; byte++) {
		char in[4] = { 'a', (char)byte, 'b', '\0' };
		struct out out;
		json_t *root;

		start(&out);
		jw_array(&out.json, NULL);
		jw_string(&out.json, NULL, in);
		jw_end_array(&out.json);
		jw_done(&out.json);
		fclose(out.mem);
		root = json_loads(out.text, 0, NULL);
		assert_non_null(root);
		if (byte < 128)
			assert_string_equal(json_string_value(json_array_get(root, 0)), in);
		json_decref(root);
		free(out.text);
	}
}

static void a_full_device_is_noticed(void **state)
{
	FILE *full = fopen("/dev/full", "w");
	struct json json;

	(void)state;
	if (!full)
		skip();
	jw_init(&json, full);
	jw_string(&json, NULL, "x");
	assert_int_equal(jw_done(&json), -1);
	fclose(full);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_and_nesting),
		cmocka_unit_test(numbers_are_short_and_finite),
		cmocka_unit_test(strings_are_always_valid),
		cmocka_unit_test(another_reader_agrees),
		cmocka_unit_test(a_full_device_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
