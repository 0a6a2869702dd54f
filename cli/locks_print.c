// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/json.h"
#include "../lib/table.h"
#include "../lib/xalloc.h"
#include "locks.h"

char *locks_name(const struct locks_target *target)
{
	return target->name ? xstrdup(target->name) : xasprintf("0x%" PRIx64, target->address);
}

char *locks_place_name(const struct locks_report *report, size_t lock, size_t place)
{
	const struct ksym *sym = &report->place[lock * LOCKS_ROOM + place];

	if (!place)
		return xstrdup("(not told apart)");
	if (!sym->name)
		return xasprintf("0x%" PRIx64, sym->address);
	return xasprintf("%s+0x%" PRIx64 "%s%s%s", sym->name, sym->offset, sym->module ? " [" : "",
			 sym->module ? sym->module : "", sym->module ? "]" : "");
}

/* A handful of numbers: an insertion sort needs no lock beside the two indices. */
size_t locks_places(const struct locks_lock *lock, size_t order[LOCKS_ROOM])
{
	size_t n = 0;

	for (size_t i = 0; i < LOCKS_ROOM; i++) {
		size_t at = n;

		if (!lock->place[i].acquisitions)
			continue;
		for (; at && lock->place[order[at - 1]].acquisitions < lock->place[i].acquisitions; at--)
			order[at] = order[at - 1];
		order[at] = i;
		n++;
	}
	return n;
}

static double mean(uint64_t sum, uint64_t n)
{
	return n ? (double)sum / (double)n : 0;
}

#define COLUMNS 9

static char *us(double ns)
{
	return xasprintf("%.2f", ns / 1e3);
}

/* P99 is NULL for a place, which has no histogram of its own. */
static void row(struct table *table, const char *indent, const char *name,
		const struct locks_place *sum, const uint64_t *p99_ns)
{
	char *cell[COLUMNS] = {
		xasprintf("%s%s", indent, name),
		xasprintf("%" PRIu64, sum->acquisitions),
		xasprintf("%" PRIu64, sum->contended),
		us((double)sum->hold_ns),
		us(mean(sum->hold_ns, sum->timed)),
		us((double)sum->hold_max_ns),
		us((double)sum->wait_ns),
		us(mean(sum->wait_ns, sum->timed)),
		p99_ns ? us((double)*p99_ns) : NULL,
	};

	table_row(table, (const char *const *)cell);
	for (size_t i = 0; i < COLUMNS; i++)
		free(cell[i]);
}

static void lock_rows(struct table *table, const struct locks_report *report, size_t i)
{
	const struct locks_lock *lock = &report->result.lock[i];
	struct locks_place total = locks_total(lock);
	uint64_t p99_ns = locks_wait_p99_ns(lock);
	char *name = locks_name(&report->targets.target[i]);
	size_t order[LOCKS_ROOM], n = locks_places(lock, order);

	row(table, "", name, &total, &p99_ns);
	free(name);
	for (size_t k = 0; k < n; k++) {
		name = locks_place_name(report, i, order[k]);
		row(table, "  ", name, &lock->place[order[k]], NULL);
		free(name);
	}
}

static uint64_t lost(const struct locks_report *report)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < report->result.n; i++)
		sum += report->result.lock[i].lost;
	return sum;
}

static uint64_t untimed(const struct locks_report *report)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < report->result.n; i++) {
		struct locks_place total = locks_total(&report->result.lock[i]);

		sum += total.acquisitions - total.timed;
	}
	return sum;
}

static void notes(const struct locks_report *report)
{
	const struct locks_result *result = &report->result;
	const struct locks_cost *cost = &result->cost;

	printf("\nTimes in us, of %.2f s.", (double)result->time_ns / 1e9);
	if (cost->known && cost->pairs_per_s > 0)
		printf(" Own cost: %.1f %% of one CPU (%.0f locks/s of the whole machine at %.0f ns, %.0f ns where measured).",
		       100 * locks_cost_share(result), cost->pairs_per_s, cost->other_ns,
		       cost->measured_ns);
	else if (cost->known)
		printf(" Own cost: %.0f ns for each lock of the whole machine, %.0f ns where measured.",
		       cost->other_ns, cost->measured_ns);
	else
		printf(" The own cost cannot be told on this kernel.");
	if (cost->known)
		printf("\nA hold in which nothing is done reads %.2f us.", cost->floor_ns / 1e3);
	printf("\n");
	if (untimed(report) || lost(report))
		printf("Not timed, because the kernel left out a hook: %" PRIu64 " acquisitions seen at their end, %" PRIu64 " at their beginning.\n",
		       untimed(report), lost(report));
	if (result->missed)
		printf("Hooks left out for all locks of the machine: %" PRIu64 ".\n", result->missed);
	if (report->targets.left_out)
		printf("Not measured for lack of room: at least %zu locks that were taken less often.\n",
		       report->targets.left_out);
}

int locks_print_table(const struct locks_report *report)
{
	static const struct table_column columns[COLUMNS] = {
		{ "LOCK", false, false }, { "ACQUISITIONS", true, false }, { "CONTENDED", true, false },
		{ "HOLD TOTAL", true, false }, { "HOLD MEAN", true, false }, { "HOLD MAX", true, false },
		{ "WAIT TOTAL", true, false }, { "WAIT MEAN", true, false }, { "WAIT P99", true, false },
	};
	struct table *table = table_new(columns, COLUMNS);
	int rc;

	for (size_t i = 0; i < report->result.n; i++)
		lock_rows(table, report, i);
	rc = table_print(table);
	table_free(table);
	notes(report);
	return rc;
}

static void sums(struct json *json, const struct locks_place *sum)
{
	jw_u64(json, "acquisitions", sum->acquisitions);
	jw_u64(json, "timed", sum->timed);
	jw_u64(json, "contended", sum->contended);
	jw_us(json, "hold_total_us", sum->hold_ns);
	jw_double(json, "hold_mean_us", mean(sum->hold_ns, sum->timed) / 1e3, 6);
	jw_us(json, "hold_max_us", sum->hold_max_ns);
	jw_us(json, "wait_total_us", sum->wait_ns);
	jw_double(json, "wait_mean_us", mean(sum->wait_ns, sum->timed) / 1e3, 6);
}

static void lock_json(struct json *json, const struct locks_report *report, size_t i)
{
	const struct locks_lock *lock = &report->result.lock[i];
	struct locks_place total = locks_total(lock);
	size_t order[LOCKS_ROOM], n = locks_places(lock, order);
	char *text = xasprintf("0x%" PRIx64, lock->address);

	jw_object(json, NULL);
	jw_string(json, "lock", report->targets.target[i].name);
	jw_string(json, "address", text);
	free(text);
	sums(json, &total);
	jw_us(json, "wait_p99_us", locks_wait_p99_ns(lock));
	jw_u64(json, "lost", lock->lost);
	jw_array(json, "places");
	for (size_t k = 0; k < n; k++) {
		text = locks_place_name(report, i, order[k]);
		jw_object(json, NULL);
		jw_string(json, "place", text);
		sums(json, &lock->place[order[k]]);
		jw_end_object(json);
		free(text);
	}
	jw_end_array(json);
	jw_end_object(json);
}

int locks_print_json(const struct locks_report *report)
{
	const struct locks_result *result = &report->result;
	const struct locks_cost *cost = &result->cost;
	struct json json;

	jw_init(&json, stdout);
	jw_object(&json, NULL);
	jw_double(&json, "seconds", (double)result->time_ns / 1e9, 6);
	jw_array(&json, "locks");
	for (size_t i = 0; i < result->n; i++)
		lock_json(&json, report, i);
	jw_end_array(&json);
	jw_u64(&json, "locks_left_out", report->targets.left_out);
	jw_u64(&json, "hooks_missed", result->missed);
	jw_object(&json, "cost");
	if (cost->known) {
		jw_double(&json, "other_lock_ns", cost->other_ns, 1);
		jw_double(&json, "measured_lock_ns", cost->measured_ns, 1);
		jw_double(&json, "empty_hold_ns", cost->floor_ns, 1);
	}
	if (cost->pairs_per_s > 0) {
		jw_double(&json, "machine_locks_per_s", cost->pairs_per_s, 0);
		if (cost->known)
			jw_double(&json, "percent_of_one_cpu", 100 * locks_cost_share(result), 2);
	}
	jw_end_object(&json);
	jw_end_object(&json);
	return jw_done(&json);
}

/* The columns of published tables; a name with a comma would need quotes and has none. */
int locks_print_csv(const struct locks_report *report)
{
	puts("lock,run,holdtime_total,waittime_total,acquisitions,holdtime_avg,waittime_avg");
	for (size_t i = 0; i < report->result.n; i++) {
		struct locks_place total = locks_total(&report->result.lock[i]);
		char *name = locks_name(&report->targets.target[i]);

		printf("%s,%u,%.3f,%.3f,%" PRIu64 ",%.9f,%.9f\n", name, report->run,
		       (double)total.hold_ns / 1e3, (double)total.wait_ns / 1e3,
		       total.acquisitions, mean(total.hold_ns, total.timed) / 1e3,
		       mean(total.wait_ns, total.timed) / 1e3);
		free(name);
	}
	return fflush(stdout) || ferror(stdout) ? -1 : 0;
}
