// SPDX-License-Identifier: GPL-2.0-only
#include "bench.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * fio writes warnings to standard output before its JSON; the first line that
 * begins with a brace is where it starts.
 */
static const char *json_start(const char *text)
{
	while (text && *text) {
		if (*text == '{')
			return text;
		text = strchr(text, '\n');
		if (text)
			text++;
	}
	return NULL;
}

static json_t *load(const char *who, const char *text, struct errmsg *err)
{
	const char *start = json_start(text);
	json_error_t jerr;
	json_t *root;

	if (!start) {
		err_fail(err, "%s wrote no JSON", who);
		return NULL;
	}
	root = json_loads(start, JSON_DISABLE_EOF_CHECK, &jerr);
	if (!root)
		err_fail(err, "%s wrote JSON that cannot be read: %s", who,
			   jerr.text);
	return root;
}

static double number(const json_t *obj, const char *key)
{
	const json_t *val = json_object_get(obj, key);

	return json_is_number(val) ? json_number_value(val) : NAN;
}

static int take_bins(const json_t *lat, struct bench_hist *hist,
		     struct errmsg *err)
{
	json_t *bins = json_object_get(lat, "bins");
	const char *key;
	json_t *val;

	if (!json_is_object(bins))
		return 0;
	json_object_foreach(bins, key, val) {
		char *end;
		unsigned long long ns;

		errno = 0;
		ns = strtoull(key, &end, 10);
		if (errno || end == key || *end || !json_is_integer(val) ||
		    json_integer_value(val) < 0)
			return err_fail(err, "fio's latency bins hold \"%s\"", key);
		if (bench_hist_add(hist, ns, ns,
				   (uint64_t)json_integer_value(val)))
			return err_fail(err, "out of memory");
	}
	return 0;
}

/*
 * fio names percentiles "99.900000", for completion or for total latency,
 * whichever it was asked for.
 */
static double own_percentile(const json_t *dir, const char *which)
{
	static const char * const kinds[] = { "lat_ns", "clat_ns" };

	for (size_t i = 0; i < 2; i++) {
		const json_t *kind = json_object_get(dir, kinds[i]);
		double ns = number(json_object_get(kind, "percentile"), which);

		if (!isnan(ns))
			return ns / 1000.0;
	}
	return NAN;
}

static int take_dir(const json_t *job, const char *name, struct bench_fio *fio,
		    struct errmsg *err)
{
	const json_t *dir = json_object_get(job, name);
	const json_t *lat;
	double bytes, samples;

	if (!json_is_object(dir))
		return err_fail(err, "fio's result has no part for %s", name);
	fio->ios = number(dir, "total_ios");
	if (isnan(fio->ios) || fio->ios <= 0)
		return err_fail(err, "fio did no %s", name);
	fio->iops = number(dir, "iops");
	fio->runtime_ms = number(dir, "runtime");
	if (isnan(fio->iops) || fio->iops <= 0 || isnan(fio->runtime_ms) ||
	    fio->runtime_ms <= 0)
		return err_sys(err, ERANGE,
			       "fio's run was too short to give a rate; ask for more with --ios or --runtime");
	bytes = number(dir, "bw_bytes");
	if (isnan(bytes))
		bytes = number(dir, "bw") * 1024.0;
	fio->bandwidth_mb_s = bytes / 1e6;

	/* Without samples fio says 0 for both. */
	samples = number(dir, "iops_samples");
	if (samples > 0) {
		fio->iops_min = number(dir, "iops_min");
		fio->iops_max = number(dir, "iops_max");
	}

	lat = json_object_get(dir, "lat_ns");
	fio->lat_mean_us = number(lat, "mean") / 1000.0;
	fio->p50_us = own_percentile(dir, "50.000000");
	if (fio->ios * 0.01 >= BENCH_TAIL_MIN)
		fio->p99_us = own_percentile(dir, "99.000000");
	if (fio->ios * 0.001 >= BENCH_TAIL_MIN)
		fio->p999_us = own_percentile(dir, "99.900000");
	return take_bins(lat, &fio->lat, err);
}

static void init(struct bench_fio *fio)
{
	memset(fio, 0, sizeof(*fio));
	fio->iops = fio->iops_min = fio->iops_max = NAN;
	fio->bandwidth_mb_s = fio->lat_mean_us = NAN;
	fio->usr = fio->sys = fio->ios = fio->runtime_ms = NAN;
	fio->p50_us = fio->p99_us = fio->p999_us = NAN;
}

int bench_fio_parse(const char *text, const char *workload,
		    struct bench_fio *fio, struct errmsg *err)
{
	const json_t *jobs, *job;
	json_t *root;
	double error;
	int ret = -1;

	init(fio);
	root = load("fio", text, err);
	if (!root)
		return -1;
	jobs = json_object_get(root, "jobs");
	if (!json_is_array(jobs) || json_array_size(jobs) != 1) {
		err_fail(err, "fio's result has %zu groups of jobs instead of one",
			   json_array_size(jobs));
		goto out;
	}
	job = json_array_get(jobs, 0);
	error = number(job, "error");
	if (error != 0) {
		if (isnan(error))
			err_fail(err, "fio's result does not say whether it failed");
		else
			err_fail(err, "fio failed: %s", strerror((int)error));
		goto out;
	}
	snprintf(fio->version, sizeof(fio->version), "%s",
		 json_string_value(json_object_get(root, "fio version")) ?: "");
	fio->usr = number(job, "usr_cpu");
	fio->sys = number(job, "sys_cpu");
	ret = take_dir(job, strstr(workload, "write") ? "write" : "read", fio,
		       err);
out:
	json_decref(root);
	if (ret)
		bench_fio_free(fio);
	return ret;
}

void bench_fio_free(struct bench_fio *fio)
{
	bench_hist_free(&fio->lat);
}

int bench_victim_parse(const char *text, double *p999_us, double *max_us,
		       struct errmsg *err)
{
	json_t *root = load("cyclictest", text, err);
	struct bench_hist hist = { 0 };
	const json_t *thread;
	json_t *bins, *val;
	const char *key;
	int ret = -1;

	*p999_us = *max_us = NAN;
	if (!root)
		return -1;
	thread = json_object_get(json_object_get(root, "thread"), "0");
	bins = json_object_get(thread, "histogram");
	if (!json_is_object(bins)) {
		err_fail(err, "cyclictest's result has no histogram");
		goto out;
	}
	json_object_foreach(bins, key, val) {
		uint64_t us = strtoull(key, NULL, 10);

		if (bench_hist_add(&hist, us * 1000, us * 1000,
				   (uint64_t)json_integer_value(val))) {
			err_fail(err, "out of memory");
			goto out;
		}
	}
	*p999_us = bench_hist_percentile_us(&hist, 99.9);
	*max_us = number(thread, "max");
	ret = 0;
out:
	bench_hist_free(&hist);
	json_decref(root);
	return ret;
}
