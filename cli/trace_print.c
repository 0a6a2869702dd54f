// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "../lib/json.h"
#include "../lib/xalloc.h"
#include "trace.h"

/* Durations and gaps of CPU; false where nothing began or ended there. */
static bool of_cpu(const struct trace_report *report, size_t cpu, struct dist *dist)
{
	static const char *const names[] = { "duration, CPU %zu", "gap, CPU %zu" };

	for (size_t i = 0; i < 2; i++) {
		char name[48];

		snprintf(name, sizeof(name), names[i], cpu);
		trace_dist(&dist[i], &report->result->cpu[cpu], 1, (enum trace_of)i, report->bits,
			   name);
	}
	if (dist[0].samples || dist[1].samples)
		return true;
	dist_free(&dist[0]);
	dist_free(&dist[1]);
	return false;
}

static int print_figures(const struct trace_report *report)
{
	size_t n = 2, n_cpus = report->per_cpu ? report->result->n_cpus : 0;
	struct dist *dist = xcalloc(2 * n_cpus + 2, sizeof(*dist));
	int ret;

	dist[0] = report->duration;
	dist[1] = report->gap;
	for (size_t cpu = 0; cpu < n_cpus; cpu++)
		if (of_cpu(report, cpu, &dist[n]))
			n += 2;
	ret = dist_print_figures(dist, n);
	for (size_t i = 2; i < n; i++)
		dist_free(&dist[i]);
	free(dist);
	return ret;
}

static int print_slots(const struct dist *dist)
{
	printf("\n%s\n", dist->name);
	return dist_print_slots(dist);
}

/* Without a number that is 0 there is nothing to say. */
static void say(uint64_t n, const char *what)
{
	if (n)
		printf("%" PRIu64 " %s\n", n, what);
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void print_losses(const struct trace_result *r)
{
	say(r->running, "calls had not returned at the end: not in the distributions");
	say(r->unpaired, "returns of calls that were not seen to begin: not in the distributions");
	say(r->no_return, "calls that were never seen to return: not in the distributions");
	say(r->no_place, "calls while too many were under way: not in the distributions");
	say(r->missed_begin, "beginnings that the kernel did not let be seen");
	say(r->missed_end, "returns that the kernel did not let be seen");
	say(smaller(r->missed_begin, r->missed_end),
	    "durations, at most, are of two calls taken for one");
	if (!r->missed_known)
		puts("this kernel does not tell what its kprobes miss");
}

static void print_overhead(const struct trace_overhead *overhead)
{
	if (!overhead->known)
		puts("tracing itself: not measured, as this kernel has no function for it");
	else
		printf("tracing itself: an empty function takes %.0f ns, which is in each duration; a call costs its caller %.0f ns\n",
		       overhead->duration_ns, overhead->call_ns);
}

int trace_print_table(const struct trace_report *report)
{
	const struct trace_result *r = report->result;

	if (print_figures(report) || print_slots(&report->duration) ||
	    (report->gap.samples && print_slots(&report->gap)))
		return -1;
	printf("\n%s for %.3f s by %s: %" PRIu64 " calls\n", report->function,
	       (double)r->time_ns / 1e9, r->method, r->begun + r->no_place);
	print_losses(r);
	print_overhead(&r->overhead);
	return ferror(stdout) ? -1 : 0;
}

static void write_counts(struct json *json, const struct trace_result *r)
{
	jw_u64(json, "calls", r->begun + r->no_place);
	jw_u64(json, "running", r->running);
	jw_u64(json, "unpaired", r->unpaired);
	jw_u64(json, "no_return", r->no_return);
	jw_u64(json, "no_place", r->no_place);
	jw_bool(json, "missed_known", r->missed_known);
	jw_u64(json, "missed_begin", r->missed_begin);
	jw_u64(json, "missed_end", r->missed_end);
	if (r->overhead.known) {
		jw_double(json, "empty_duration_ns", r->overhead.duration_ns, 1);
		jw_double(json, "call_cost_ns", r->overhead.call_ns, 1);
	} else {
		jw_null(json, "empty_duration_ns");
		jw_null(json, "call_cost_ns");
	}
}

static void write_cpus(struct json *json, const struct trace_report *report)
{
	struct dist dist[2];

	jw_array(json, "cpus");
	for (size_t cpu = 0; cpu < report->result->n_cpus; cpu++) {
		if (!of_cpu(report, cpu, dist))
			continue;
		jw_object(json, NULL);
		jw_u64(json, "cpu", cpu);
		jw_array(json, "distributions");
		dist_write_json(json, &dist[0]);
		dist_write_json(json, &dist[1]);
		jw_end_array(json);
		jw_end_object(json);
		dist_free(&dist[0]);
		dist_free(&dist[1]);
	}
	jw_end_array(json);
}

int trace_print_json(const struct trace_report *report)
{
	struct json json;

	jw_init(&json, stdout);
	jw_object(&json, NULL);
	jw_string(&json, "function", report->function);
	jw_string(&json, "method", report->result->method);
	jw_double(&json, "seconds", (double)report->result->time_ns / 1e9, 6);
	write_counts(&json, report->result);
	jw_array(&json, "distributions");
	dist_write_json(&json, &report->duration);
	dist_write_json(&json, &report->gap);
	jw_end_array(&json);
	if (report->per_cpu)
		write_cpus(&json, report);
	jw_end_object(&json);
	return jw_done(&json);
}
