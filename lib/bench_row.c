// SPDX-License-Identifier: GPL-2.0-only
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where each figure lies, in the row and in its JSON (group may be NULL). */
static const struct figure {
	const char *group;
	const char *key;
	size_t off;
} figures[] = {
#define FIGURE(group, key, member) { group, key, offsetof(struct bench_row, member) }
	FIGURE(NULL, "jobs", jobs),
	FIGURE(NULL, "iodepth", iodepth),
	FIGURE("iops", "min", iops_min),
	FIGURE("iops", "max", iops_max),
	FIGURE("iops", "mean", iops_mean),
	FIGURE(NULL, "bandwidth_mb_s", bandwidth_mb_s),
	FIGURE("latency_us", "mean", lat_mean_us),
	FIGURE("latency_us", "p50", lat_p50_us),
	FIGURE("latency_us", "p99", lat_p99_us),
	FIGURE("latency_us", "p999", lat_p999_us),
	FIGURE("cpu_percent", "usr", cpu_usr),
	FIGURE("cpu_percent", "sys", cpu_sys),
	FIGURE(NULL, "ios", ios),
	FIGURE(NULL, "runtime_ms", runtime_ms),
	FIGURE(NULL, "interrupts", interrupts),
	FIGURE(NULL, "interrupts_per_io", interrupts_per_io),
	FIGURE(NULL, "completions_per_interrupt", completions_per_interrupt),
	FIGURE(NULL, "handler_runs", handler_runs),
	FIGURE(NULL, "runs_per_io", runs_per_io),
	FIGURE(NULL, "rounds", rounds),
	FIGURE(NULL, "parked", parked),
	FIGURE(NULL, "starved", starved),
	FIGURE("residency_us", "p99", residency_p99_us),
	FIGURE("residency_us", "max", residency_max_us),
	FIGURE(NULL, "pause_mean_us", pause_mean_us),
	FIGURE("victim_us", "p999", victim_p999_us),
	FIGURE("victim_us", "max", victim_max_us),
	FIGURE(NULL, "interrupts_taken", taken),
	FIGURE(NULL, "taken_per_io", taken_per_io),
	FIGURE(NULL, "ratio_to_hard", ratio_to_hard),
	FIGURE(NULL, "ratio_to_native", ratio_to_native),
	FIGURE(NULL, "spread", spread),
#undef FIGURE
};

static const struct word {
	const char *key;
	size_t off;
	bool needed;
} words[] = {
	{ "device", offsetof(struct bench_row, device), true },
	{ "lines", offsetof(struct bench_row, lines), false },
	{ "workload", offsetof(struct bench_row, workload), true },
	{ "engine", offsetof(struct bench_row, engine), true },
	{ "bs", offsetof(struct bench_row, bs), false },
	{ "policy", offsetof(struct bench_row, policy), true },
	{ "pass", offsetof(struct bench_row, pass), false },
};

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

static double *figure(struct bench_row *row, size_t i)
{
	return (double *)((char *)row + figures[i].off);
}

static char **word(struct bench_row *row, size_t i)
{
	return (char **)((char *)row + words[i].off);
}

double bench_row_figure(const struct bench_row *row, const char *name)
{
	char full[64];

	for (size_t i = 0; i < ARRAY_LEN(figures); i++) {
		snprintf(full, sizeof(full), "%s%s%s",
			 figures[i].group ? figures[i].group : "",
			 figures[i].group ? "." : "", figures[i].key);
		if (!strcmp(full, name))
			return *(const double *)((const char *)row +
						 figures[i].off);
	}
	return NAN;
}

struct bench_row *bench_row_new(void)
{
	struct bench_row *row = calloc(1, sizeof(*row));

	if (!row)
		return NULL;
	row->params = json_object();
	for (size_t i = 0; i < ARRAY_LEN(figures); i++)
		*figure(row, i) = NAN;
	return row;
}

void bench_row_free(struct bench_row *row)
{
	if (!row)
		return;
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		free(*word(row, i));
	json_decref(row->params);
	free(row);
}

/*
 * Three decimals are finer than anything measured here, and keep 0.1 from
 * being written as 0.10000000000000001; counts stay whole.
 */
static json_t *number(double v)
{
	char buf[64];

	if (isnan(v) || isinf(v))
		return json_null();
	if (v == floor(v) && fabs(v) < 1e15)
		return json_integer((json_int_t)v);
	snprintf(buf, sizeof(buf), fabs(v) < 10 ? "%.5f" : "%.3f", v);
	return json_real(strtod(buf, NULL));
}

json_t *bench_row_to_json(const struct bench_row *crow)
{
	struct bench_row *row = (struct bench_row *)crow;
	json_t *obj = json_object(), *list;

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		const char *val = *word(row, i);

		json_object_set_new(obj, words[i].key,
				    val ? json_string(val) : json_null());
	}
	json_object_set(obj, "params", row->params);
	for (size_t i = 0; i < ARRAY_LEN(figures); i++) {
		json_t *at = obj;

		if (figures[i].group) {
			at = json_object_get(obj, figures[i].group);
			if (!at) {
				at = json_object();
				json_object_set_new(obj, figures[i].group, at);
			}
		}
		json_object_set_new(at, figures[i].key, number(*figure(row, i)));
	}
	list = json_array();
	for (size_t i = 0; i < row->points_len; i++) {
		json_t *pair = json_array();

		json_array_append_new(pair, number(row->points[i].percent));
		json_array_append_new(pair, number(row->points[i].us));
		json_array_append_new(list, pair);
	}
	json_object_set_new(obj, "latency_percentiles_us", list);
	list = json_array();
	for (size_t i = 0; i < row->passes_len; i++)
		json_array_append_new(list, number(row->passes[i]));
	json_object_set_new(obj, "iops_of_each_run", list);
	return obj;
}

static int take_lists(struct bench_row *row, const json_t *obj,
		      struct errmsg *err)
{
	const json_t *list = json_object_get(obj, "latency_percentiles_us");
	size_t i;
	json_t *val;

	if (list && !json_is_array(list))
		return err_fail(err, "\"latency_percentiles_us\" is no array");
	json_array_foreach(list, i, val) {
		const json_t *percent = json_array_get(val, 0);
		const json_t *us = json_array_get(val, 1);

		if (i >= BENCH_POINTS_MAX || !json_is_number(percent) ||
		    !json_is_number(us))
			return err_fail(err, "\"latency_percentiles_us\" is no list of pairs");
		row->points[i] = (struct bench_point){
			json_number_value(percent), json_number_value(us) };
		row->points_len++;
	}
	list = json_object_get(obj, "iops_of_each_run");
	if (list && !json_is_array(list))
		return err_fail(err, "\"iops_of_each_run\" is no array");
	json_array_foreach(list, i, val) {
		if (i >= BENCH_PASSES_MAX || !json_is_number(val))
			return err_fail(err, "\"iops_of_each_run\" is no list of numbers");
		row->passes[row->passes_len++] = json_number_value(val);
	}
	return 0;
}

struct bench_row *bench_row_from_json(const json_t *obj, struct errmsg *err)
{
	struct bench_row *row = bench_row_new();
	const json_t *val;

	if (!row) {
		err_fail(err, "out of memory");
		return NULL;
	}
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		val = json_object_get(obj, words[i].key);
		if (json_is_string(val)) {
			*word(row, i) = strdup(json_string_value(val));
		} else if (words[i].needed || (val && !json_is_null(val))) {
			err_fail(err, "\"%s\" is %s", words[i].key,
				 val ? "no text" : "missing");
			goto bad;
		}
	}
	val = json_object_get(obj, "params");
	if (json_is_object(val)) {
		json_decref(row->params);
		row->params = json_deep_copy(val);
	}
	for (size_t i = 0; i < ARRAY_LEN(figures); i++) {
		const json_t *at = obj;

		if (figures[i].group)
			at = json_object_get(obj, figures[i].group);
		val = json_object_get(at, figures[i].key);
		if (json_is_number(val)) {
			*figure(row, i) = json_number_value(val);
		} else if (val && !json_is_null(val)) {
			err_fail(err, "\"%s\" is neither a number nor null",
				 figures[i].key);
			goto bad;
		}
	}
	if (isnan(row->jobs) || isnan(row->iodepth)) {
		err_fail(err, "\"jobs\" or \"iodepth\" is missing");
		goto bad;
	}
	if (take_lists(row, obj, err))
		goto bad;
	return row;
bad:
	bench_row_free(row);
	return NULL;
}

static bool same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

bool bench_same_block(const struct bench_row *a, const struct bench_row *b)
{
	return same(a->device, b->device) && same(a->workload, b->workload) &&
	       same(a->engine, b->engine) && same(a->bs, b->bs) &&
	       same(a->pass, b->pass) && a->jobs == b->jobs &&
	       a->iodepth == b->iodepth;
}

bool bench_is_policy(const struct bench_row *row, const char *policy)
{
	return same(row->policy, policy);
}

static double param(const struct bench_row *row, const char *key)
{
	const json_t *val = json_object_get(row->params, key);

	return json_is_number(val) ? json_number_value(val) : NAN;
}

static void put_us(struct bench_text *text, const char *before, double us)
{
	if (isnan(us))
		return;
	if (us >= 1000 && fmod(us, 1000) == 0)
		bench_printf(text, "%s%gms", before, us / 1000);
	else
		bench_printf(text, "%s%gus", before, us);
}

void bench_row_label(const struct bench_row *row, char *top, char *bottom,
		     size_t size)
{
	const json_t *mask = json_object_get(row->params, "mask");
	const json_t *stats = json_object_get(row->params, "statistics");
	struct bench_text text = { 0 };

	snprintf(top, size, "%s", row->policy);
	bench_printf(&text, "%s", "");
	put_us(&text, "", param(row, "delay_us"));
	put_us(&text, "", param(row, "limit_us"));
	put_us(&text, "/", param(row, "window_us"));
	if (json_is_true(json_object_get(row->params, "poll")))
		bench_printf(&text, " poll");
	if (!isnan(param(row, "rounds")))
		bench_printf(&text, " r%g", param(row, "rounds"));
	if (json_is_string(mask))
		bench_printf(&text, " %s", json_string_value(mask));
	if (!isnan(param(row, "mask_after")))
		bench_printf(&text, " k%g", param(row, "mask_after"));
	if (json_is_boolean(stats))
		bench_printf(&text, " stats %s",
			     json_is_true(stats) ? "on" : "off");
	snprintf(bottom, size, "%s", text.buf + (text.buf[0] == ' '));
	free(text.buf);
}

void bench_row_name(const struct bench_row *row, char *buf, size_t size)
{
	char top[64], bottom[64];

	bench_row_label(row, top, bottom, sizeof(top));
	snprintf(buf, size, "%s%s%s", top, bottom[0] ? " " : "", bottom);
}
