// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "json.h"
#include "utf8.h"

void jw_init(struct json *json, FILE *out)
{
	json->out = out;
	json->comma = false;
}

static void quoted(FILE *out, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	fputc('"', out);
	while (*p) {
		int n = utf8_length(p);

		if (!n) {
			fputs("\\ufffd", out);
			p++;
			continue;
		}
		if (*p == '"' || *p == '\\')
			fprintf(out, "\\%c", *p);
		else if (*p == '\n')
			fputs("\\n", out);
		else if (*p == '\t')
			fputs("\\t", out);
		else if (*p < 0x20)
			fprintf(out, "\\u%04x", *p);
		else
			fwrite(p, 1, (size_t)n, out);
		p += n;
	}
	fputc('"', out);
}

static void member(struct json *json, const char *key)
{
	if (json->comma)
		fputc(',', json->out);
	if (key) {
		quoted(json->out, key);
		fputc(':', json->out);
	}
	json->comma = true;
}

static void open_with(struct json *json, const char *key, char bracket)
{
	member(json, key);
	fputc(bracket, json->out);
	json->comma = false;
}

static void close_with(struct json *json, char bracket)
{
	fputc(bracket, json->out);
	json->comma = true;
}

void jw_object(struct json *json, const char *key)
{
	open_with(json, key, '{');
}

void jw_end_object(struct json *json)
{
	close_with(json, '}');
}

void jw_array(struct json *json, const char *key)
{
	open_with(json, key, '[');
}

void jw_end_array(struct json *json)
{
	close_with(json, ']');
}

void jw_string(struct json *json, const char *key, const char *value)
{
	if (!value) {
		jw_null(json, key);
		return;
	}
	member(json, key);
	quoted(json->out, value);
}

void jw_u64(struct json *json, const char *key, uint64_t value)
{
	member(json, key);
	fprintf(json->out, "%" PRIu64, value);
}

void jw_i64(struct json *json, const char *key, int64_t value)
{
	member(json, key);
	fprintf(json->out, "%" PRId64, value);
}

static void decimal(struct json *json, char *text)
{
	size_t n = strlen(text);

	if (strchr(text, '.')) {
		while (text[n - 1] == '0')
			n--;
		if (text[n - 1] == '.')
			n--;
		text[n] = '\0';
	}
	fputs(strcmp(text, "-0") ? text : "0", json->out);
}

void jw_double(struct json *json, const char *key, double value, int digits)
{
	char text[400];

	if (!isfinite(value)) {
		jw_null(json, key);
		return;
	}
	member(json, key);
	snprintf(text, sizeof(text), "%.*f", digits, value);
	decimal(json, text);
}

void jw_us(struct json *json, const char *key, uint64_t ns)
{
	char text[48];

	member(json, key);
	snprintf(text, sizeof(text), "%" PRIu64 ".%03" PRIu64, ns / 1000,
		 ns % 1000);
	decimal(json, text);
}

void jw_bool(struct json *json, const char *key, bool value)
{
	member(json, key);
	fputs(value ? "true" : "false", json->out);
}

void jw_null(struct json *json, const char *key)
{
	member(json, key);
	fputs("null", json->out);
}

int jw_done(struct json *json)
{
	json->comma = false;
	fputc('\n', json->out);
	return fflush(json->out) || ferror(json->out) ? -1 : 0;
}
