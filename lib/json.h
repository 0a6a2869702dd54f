/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A streaming JSON writer. Listings may hold thousands of lines times
 * thousands of CPUs, so nothing is built up in memory first.
 *
 * KEY is the member's name inside an object and NULL inside an array or at the
 * top. Strings are made valid UTF-8 (a bad byte becomes U+FFFD), a NULL string
 * becomes null. Output is compact, one line, ended by json_done().
 */
#ifndef IRQPACE_JSON_H
#define IRQPACE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/*
 * libjansson, which the bench links for reading, has functions of these names;
 * ours get others at link time.
 */
#define json_object	json_write_object
#define json_array	json_write_array
#define json_string	json_write_string
#define json_null	json_write_null

struct json {
	FILE *out;
	bool comma;
};

void json_init(struct json *json, FILE *out);
void json_object(struct json *json, const char *key);
void json_end_object(struct json *json);
void json_array(struct json *json, const char *key);
void json_end_array(struct json *json);
void json_string(struct json *json, const char *key, const char *value);
void json_u64(struct json *json, const char *key, uint64_t value);
void json_i64(struct json *json, const char *key, int64_t value);
/* Up to DIGITS decimals, no trailing zeros; NaN and infinity become null. */
void json_double(struct json *json, const char *key, double value, int digits);
/* Nanoseconds as a number of microseconds, exact (1500 -> 1.5). */
void json_us(struct json *json, const char *key, uint64_t ns);
void json_bool(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);
/* Ends the line and flushes; -1 where anything could not be written. */
int json_done(struct json *json);

#endif
