/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A streaming JSON writer. Listings may hold thousands of lines times
 * thousands of CPUs, so nothing is built up in memory first.
 *
 * KEY is the member's name inside an object and NULL inside an array or at the
 * top. Strings are made valid UTF-8 (a bad byte becomes U+FFFD), a NULL string
 * becomes null. Output is compact, one line, ended by jw_done().
 *
 * The prefix is jw_ because libjansson, which the bench reads with, has
 * json_string() and others.
 */
#ifndef IRQPACE_JSON_H
#define IRQPACE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
	FILE *out;
	bool comma;
};

void jw_init(struct json *json, FILE *out);
void jw_object(struct json *json, const char *key);
void jw_end_object(struct json *json);
void jw_array(struct json *json, const char *key);
void jw_end_array(struct json *json);
void jw_string(struct json *json, const char *key, const char *value);
void jw_u64(struct json *json, const char *key, uint64_t value);
void jw_i64(struct json *json, const char *key, int64_t value);
/* Up to DIGITS decimals, no trailing zeros; NaN and infinity become null. */
void jw_double(struct json *json, const char *key, double value, int digits);
/* Nanoseconds as a number of microseconds, exact (1500 -> 1.5). */
void jw_us(struct json *json, const char *key, uint64_t ns);
void jw_bool(struct json *json, const char *key, bool value);
void jw_null(struct json *json, const char *key);
/* Ends the line and flushes; -1 where anything could not be written. */
int jw_done(struct json *json);

#endif
