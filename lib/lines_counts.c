// SPDX-License-Identifier: GPL-2.0-only
/* Counts of interrupts: what sysfs has of them, sums, and two readings apart. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lines_internal.h"
#include "rootfs.h"
#include "xalloc.h"

/*
 * What a line may raise on one CPU between two readings: a million a second for
 * more than four minutes. A count that falls by more than a wrap of this size
 * explains began anew.
 */
#define WRAP_MAX	(1U << 28)

uint64_t line_total(const struct lines *lines, const struct line *line)
{
	uint64_t total = 0;

	for (size_t i = 0; i < lines->n_cpus; i++)
		if (line->counts[i] != LINE_NO_COUNT)
			total += line->counts[i];
	return total;
}

/* The place of CPU in a list such as "0-3,6-7", -1 where it is not in it. */
static long place_in(const char *list, unsigned int cpu)
{
	unsigned long place = 0, first, last;
	char *end;

	for (;; list = end + 1) {
		first = last = strtoul(list, &end, 10);
		if (end == list)
			return -1;
		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		if (cpu >= first && cpu <= last)
			return (long)(place + cpu - first);
		if (*end != ',' || last < first)
			return -1;
		place += last - first + 1;
	}
}

/* Older kernels cut the list at the end of a page, in the midst of a number. */
static bool is_cut(size_t length)
{
	return length % 4096 == 4095;
}

/* The n-th number of the comma list belongs to the n-th possible CPU, PLACE[column]. */
static void fill_line(const char *root, const struct lines *lines, const long *place,
		      struct line *line)
{
	char *text = root_read(root, "/sys/kernel/irq/%u/per_cpu_count", line->irq);
	char *rest = text, *one;
	uint64_t *count = NULL;
	bool cut = text && is_cut(strlen(text));
	long n = 0, room = 0;

	for (; (one = strsep(&rest, ",")); n++) {
		char *end;

		if (n == room) {
			room = room ? 2 * room : 16;
			count = xrealloc(count, (size_t)room, sizeof(*count));
		}
		errno = 0;
		count[n] = strtoull(one, &end, 10);
		if (errno || end == one || *end || (!rest && cut))
			count[n] = LINE_NO_COUNT;
	}
	for (size_t i = 0; i < lines->n_cpus; i++)
		if (place[i] >= 0 && place[i] < n)
			line->counts[i] = count[place[i]];
	free(count);
	free(text);
}

bool line_has_count(const struct lines *lines, const struct line *line)
{
	for (size_t i = 0; i < lines->n_cpus; i++)
		if (line->counts[i] != LINE_NO_COUNT)
			return true;
	return false;
}

void lines_fill_counts(const char *root, struct lines *lines)
{
	char *possible = root_read(root, "/sys/devices/system/cpu/possible");
	long *place = xcalloc(lines->n_cpus, sizeof(*place));

	for (size_t i = 0; i < lines->n_cpus; i++)
		place[i] = possible ? place_in(possible, lines->cpus[i]) :
				      (long)lines->cpus[i];
	for (size_t i = 0; i < lines->n; i++)
		if (!line_has_count(lines, &lines->line[i]))
			fill_line(root, lines, place, &lines->line[i]);
	free(place);
	free(possible);
}

static bool is_wrap(uint64_t before, uint64_t after)
{
	return before <= UINT32_MAX && (uint32_t)(after - before) < WRAP_MAX;
}

uint64_t line_count_delta(uint64_t before, uint64_t after)
{
	if (before == LINE_NO_COUNT || after == LINE_NO_COUNT)
		return 0;
	if (after >= before)
		return after - before;
	return is_wrap(before, after) ? (uint32_t)(after - before) : 0;
}

void lines_pair_init(struct lines_pair *pair, const struct lines *before,
		     const struct lines *after)
{
	size_t b = 0;

	pair->before = before;
	pair->after = after;
	pair->column = xcalloc(after->n_cpus, sizeof(*pair->column));
	for (size_t i = 0; i < after->n_cpus; i++) {
		size_t tries = 0;

		/* Mostly the next one: both headers ascend. */
		while (tries < before->n_cpus && before->cpus[b] != after->cpus[i]) {
			b = (b + 1) % before->n_cpus;
			tries++;
		}
		pair->column[i] = tries < before->n_cpus ? (long)b : -1;
	}
}

void lines_pair_free(struct lines_pair *pair)
{
	free(pair->column);
	memset(pair, 0, sizeof(*pair));
}

static bool same_name(const struct line *a, const struct line *b)
{
	return a->name && b->name ? !strcmp(a->name, b->name) : a->name == b->name;
}

bool lines_pair_delta(const struct lines_pair *pair, const struct line *line, uint64_t *delta)
{
	const struct line *old = lines_find(pair->before, line->irq);
	size_t n = pair->after->n_cpus;
	bool same = old && same_name(old, line);

	for (size_t i = 0; same && i < n; i++) {
		uint64_t before = pair->column[i] < 0 ? LINE_NO_COUNT :
				  old->counts[pair->column[i]];
		uint64_t after = line->counts[i];

		delta[i] = line_count_delta(before, after);
		if (before != LINE_NO_COUNT && after < before && !is_wrap(before, after))
			same = false;
	}
	if (!same)
		memset(delta, 0, n * sizeof(*delta));
	return same;
}
