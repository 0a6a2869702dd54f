// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "duration.h"

struct unit {
	const char *name;
	uint64_t ns;
	int digits;	/* decimals that are still whole nanoseconds */
};

/* Largest first: duration_print() takes the first that fits. */
static const struct unit units[] = {
	{ "s", 1000000000, 9 },
	{ "ms", 1000000, 6 },
	{ "us", 1000, 3 },
	{ "ns", 1, 0 },
};
#define N_UNITS (sizeof(units) / sizeof(units[0]))

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const struct unit *find_unit(const char *name)
{
	for (size_t i = 0; i < N_UNITS; i++)
		if (!strcmp(units[i].name, name))
			return &units[i];
	return NULL;
}

int duration_parse(const char *text, const char *what, uint64_t *ns,
		   struct errmsg *err)
{
	const char *p = text, *whole = text, *frac = NULL;
	const struct unit *unit;
	uint64_t value = 0;
	int n_frac = 0;

	while (is_digit(*p))
		p++;
	if (p == whole)
		goto malformed;
	if (*p == '.') {
		frac = ++p;
		while (is_digit(*p))
			p++;
		n_frac = (int)(p - frac);
		if (!n_frac)
			goto malformed;
	}
	if (!*p)
		return err_usage(err, "%s %s has no unit: write %sus or %sms",
				 what, text, text, text);
	unit = find_unit(p);
	if (!unit)
		goto malformed;

	for (const char *d = whole; is_digit(*d); d++)
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*d - '0'), &value))
			goto too_large;
	if (__builtin_mul_overflow(value, unit->ns, &value))
		goto too_large;

	uint64_t place = unit->ns;

	for (int i = 0; i < n_frac; i++) {
		uint64_t digit = (uint64_t)(frac[i] - '0');

		place /= 10;
		if (digit && i >= unit->digits)
			return err_usage(err,
					 "%s %s is finer than a nanosecond",
					 what, text);
		if (__builtin_add_overflow(value, digit * place, &value))
			goto too_large;
	}
	*ns = value;
	return 0;

too_large:
	return err_usage(err, "%s %s is too large a time", what, text);
malformed:
	return err_usage(err,
			 "%s %s is not a time: write for example 50us or 1.5ms",
			 what, text);
}

int duration_parse_range(const char *text, const char *what, uint64_t min_ns,
			 uint64_t max_ns, uint64_t *ns, struct errmsg *err)
{
	char min[DURATION_BUF], max[DURATION_BUF];
	uint64_t value;

	if (duration_parse(text, what, &value, err))
		return -1;
	if (value < min_ns || value > max_ns)
		return err_usage(err, "%s %s is outside %s to %s", what, text,
				 duration_print(min_ns, min, sizeof(min)),
				 duration_print(max_ns, max, sizeof(max)));
	*ns = value;
	return 0;
}

char *duration_print(uint64_t ns, char *buf, size_t size)
{
	const struct unit *unit = &units[N_UNITS - 1];
	char frac[16];
	size_t n;

	for (size_t i = 0; i < N_UNITS; i++) {
		if (ns >= units[i].ns) {
			unit = &units[i];
			break;
		}
	}
	if (!ns)
		unit = find_unit("us");
	snprintf(frac, sizeof(frac), "%0*" PRIu64, unit->digits, ns % unit->ns);
	n = strlen(frac);
	while (n && frac[n - 1] == '0')
		n--;
	frac[n] = '\0';
	snprintf(buf, size, "%" PRIu64 "%s%s%s", ns / unit->ns, n ? "." : "",
		 frac, unit->name);
	return buf;
}
