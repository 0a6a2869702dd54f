// SPDX-License-Identifier: GPL-2.0-only
/*
 * Results against bounds. A bound is one line:
 *
 *	DEVICE POLICY METRIC OP FACTOR [METRIC POLICY]
 *
 * for example "nvme hybrid:limit=50us:window=1ms iops.mean >= 0.99 iops.mean
 * native": at least 0.99 of what native has on that device.
 */
#include "bench.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bound {
	char device[64];
	char policy[128];
	char metric[64];
	char op[4];
	double factor;
	char base_metric[64];
	char base_policy[128];
};

static void put_time(struct bench_text *text, const struct bench_row *row,
		     const char *key, const char *name)
{
	const json_t *val = json_object_get(row->params, key);
	double us = json_is_number(val) ? json_number_value(val) : NAN;

	if (isnan(us))
		return;
	if (us >= 1000 && fmod(us, 1000) == 0)
		bench_printf(text, ":%s=%gms", name, us / 1000);
	else
		bench_printf(text, ":%s=%gus", name, us);
}

/* The policy as --policies takes it. */
static char *spec_of(const struct bench_row *row)
{
	const json_t *stats = json_object_get(row->params, "statistics");
	const json_t *mask = json_object_get(row->params, "mask");
	struct bench_text text = { 0 };

	bench_printf(&text, "%s", row->policy);
	put_time(&text, row, "delay_us", "delay");
	put_time(&text, row, "limit_us", "limit");
	put_time(&text, row, "window_us", "window");
	if (json_is_true(json_object_get(row->params, "poll")))
		bench_printf(&text, ":poll");
	if (json_is_string(mask))
		bench_printf(&text, ":mask=%s", json_string_value(mask));
	if (json_is_boolean(stats))
		bench_printf(&text, ":stats=%s", json_is_true(stats) ? "on" : "off");
	return text.buf;
}

static double find(const struct bench_set *set, const char *device,
		   const char *policy, const char *metric)
{
	for (size_t i = 0; i < set->len; i++) {
		const struct bench_row *row = set->rows[i];
		char *spec = spec_of(row);
		bool is = !strcmp(row->device, device) && !strcmp(spec, policy);
		double v = is ? bench_row_figure(row, metric) : NAN;

		free(spec);
		if (!isnan(v))
			return v;
	}
	return NAN;
}

static int parse(const char *line, struct bound *b)
{
	char more[2];
	int n = sscanf(line, "%63s %127s %63s %3s %lf %63s %127s %1s", b->device,
		       b->policy, b->metric, b->op, &b->factor, b->base_metric,
		       b->base_policy, more);

	if ((n != 5 && n != 7) || (strcmp(b->op, ">=") && strcmp(b->op, "<=")))
		return -1;
	if (n == 5)
		b->base_metric[0] = b->base_policy[0] = 0;
	return 0;
}

/* 1: holds, 0: does not. Each prints the measured figure and its bound. */
static int check(const struct bench_set *set, const struct bound *b,
		 double slack, FILE *out)
{
	double got = find(set, b->device, b->policy, b->metric);
	bool least = b->op[0] == '>';
	double base = 1, limit;
	char name[320];

	snprintf(name, sizeof(name), "%s %s %s %s %g%s%s", b->device, b->policy,
		 b->metric, b->op, b->factor, b->base_policy[0] ? " of " : "",
		 b->base_policy);
	if (b->base_policy[0])
		base = find(set, b->device, b->base_policy, b->base_metric);
	if (isnan(got) || isnan(base) || base == 0) {
		fprintf(out, "not ok %s: %s of %s was not measured\n", name,
			isnan(got) ? b->metric : b->base_metric,
			isnan(got) ? b->policy : b->base_policy);
		return 0;
	}
	limit = b->factor * (least ? 1 - slack : 1 + slack);
	if (least ? got / base >= limit : got / base <= limit) {
		fprintf(out, "ok %s: %.4f\n", name, got / base);
		return 1;
	}
	fprintf(out, "not ok %s: %.4f (with slack the bound is %.4f)\n", name,
		got / base, limit);
	return 0;
}

int bench_bounds(const struct bench_set *set, const char *file, double slack,
		 FILE *out, size_t *failed, struct errmsg *err)
{
	FILE *in = fopen(file, "r");
	struct bound *list = NULL;
	size_t n = 0, number = 0;
	char line[512];
	int ret = 0;

	*failed = 0;
	if (!in)
		return err_sys(err, errno, "%s: %s", file, strerror(errno));
	while (!ret && fgets(line, sizeof(line), in)) {
		struct bound bound;

		number++;
		line[strcspn(line, "#\n")] = 0;
		if (!line[strspn(line, " \t")])
			continue;
		if (parse(line, &bound)) {
			ret = err_fail(err, "%s, line %zu: no bound (DEVICE POLICY METRIC >= or <= FACTOR [METRIC POLICY])",
				       file, number);
			break;
		}
		list = realloc(list, (n + 1) * sizeof(*list));
		if (!list)
			abort();
		list[n++] = bound;
	}
	fclose(in);
	if (!ret && !n)
		ret = err_fail(err, "%s holds no bound", file);
	for (size_t i = 0; i < n && !ret; i++)
		*failed += !check(set, &list[i], slack, out);
	free(list);
	return ret;
}
