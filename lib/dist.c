// SPDX-License-Identifier: GPL-2.0-only
#include "dist.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "percentile.h"
#include "xalloc.h"

/* What is left of the last slot when the next one is read. */
struct reader {
	const char *file;
	unsigned long line;
	double p;
};

void dist_add(struct dist *dist, const struct dist_slot *slot)
{
	/* Room for the next power of two, whenever one is full. */
	if (!(dist->n & (dist->n - 1)))
		dist->slot = xrealloc(dist->slot, dist->n ? 2 * dist->n : 1, sizeof(*slot));
	dist->slot[dist->n++] = *slot;
	dist->samples += slot->count;
	dist->sum_ns += (double)slot->count * (double)slot->avg_ns;
}

/* Digits only: strtoull() would take a sign and blanks. */
static int whole(const char *word, uint64_t *value)
{
	char *end;

	if (word[0] < '0' || word[0] > '9')
		return -1;
	errno = 0;
	*value = strtoull(word, &end, 10);
	return errno || *end ? -1 : 0;
}

static int part(const char *word, double *value)
{
	char *end;

	if (word[0] < '0' || word[0] > '9')
		return -1;
	*value = strtod(word, &end);
	return *end || !isfinite(*value) || *value > 1 ? -1 : 0;
}

static int take_line(struct dist *dist, struct reader *r, char *text, struct errmsg *err)
{
	static const char *const keys[] = { "count", "avg", "p", "n" };
	struct dist_slot slot = { 0 };
	char *word[8], *save = NULL, *w;
	size_t n = 0;
	uint64_t sum;
	double p;

	for (w = strtok_r(text, " \t\r\n", &save); w; w = strtok_r(NULL, " \t\r\n", &save)) {
		if (n < 8)
			word[n] = w;
		n++;
	}
	if (!n || word[0][0] == '#')
		return 0;
	for (size_t i = 0; i < 4; i++)
		if (n != 8 || strcmp(word[2 * i], keys[i]))
			return err_fail(err, "%s:%lu: not a slot: \"count N avg NS p PART n SUM\" is expected",
					r->file, r->line);
	if (whole(word[1], &slot.count) || !slot.count)
		return err_fail(err, "%s:%lu: count is a number from 1, not \"%.40s\"", r->file,
				r->line, word[1]);
	if (whole(word[3], &slot.avg_ns))
		return err_fail(err, "%s:%lu: avg is a number of ns, not \"%.40s\"", r->file,
				r->line, word[3]);
	if (part(word[5], &p) || p < r->p)
		return err_fail(err, "%s:%lu: p is a part of 1 that never falls, not \"%.40s\"",
				r->file, r->line, word[5]);
	if (dist->n && slot.avg_ns < dist->slot[dist->n - 1].avg_ns)
		return err_fail(err, "%s:%lu: avg %" PRIu64 " is less than that of the slot before",
				r->file, r->line, slot.avg_ns);
	if (whole(word[7], &sum) || sum < slot.count || sum - slot.count != dist->samples)
		return err_fail(err, "%s:%lu: n is \"%.40s\", but %" PRIu64 " samples came before and this slot has %" PRIu64,
				r->file, r->line, word[7], dist->samples, slot.count);
	r->p = p;
	slot.low_ns = slot.high_ns = slot.avg_ns;
	dist_add(dist, &slot);
	return 0;
}

int dist_read(struct dist *dist, FILE *in, const char *file, struct errmsg *err)
{
	struct reader r = { .file = file };
	char *text = NULL;
	size_t size = 0;
	ssize_t len;
	int ret = 0;

	memset(dist, 0, sizeof(*dist));
	while (!ret && (len = getline(&text, &size, in)) >= 0) {
		r.line++;
		if (strlen(text) != (size_t)len)
			ret = err_fail(err, "%s:%lu: not a text file", file, r.line);
		else
			ret = take_line(dist, &r, text, err);
	}
	free(text);
	if (!ret && ferror(in))
		ret = err_sys(err, errno, "%s: %s", file, strerror(errno));
	else if (!ret && !dist->n)
		ret = err_fail(err, "%s holds no slot", file);
	if (ret) {
		dist_free(dist);
		return -1;
	}
	dist->name = xstrdup(file);
	dist->max_ns = dist->slot[dist->n - 1].high_ns;
	return 0;
}

int dist_load(struct dist *dist, const char *file, struct errmsg *err)
{
	FILE *in = fopen(file, "re");
	int ret;

	if (!in)
		return err_sys(err, errno, "%s: %s", file, strerror(errno));
	ret = dist_read(dist, in, file, err);
	fclose(in);
	return ret;
}

void dist_from_hist(struct dist *dist, const struct nl_hist *hist, const char *name)
{
	memset(dist, 0, sizeof(*dist));
	dist->name = xstrdup(name);
	for (size_t i = 0; i < hist->n; i++) {
		const struct irqpace_bucket *b = &hist->bucket[i];
		struct dist_slot slot = {
			.low_ns = b->low_ns,
			.high_ns = b->high_ns > hist->max_ns ? hist->max_ns : b->high_ns,
			.count = b->count,
		};

		if (slot.high_ns < slot.low_ns)
			slot.high_ns = slot.low_ns;
		slot.avg_ns = slot.low_ns + (slot.high_ns - slot.low_ns) / 2;
		if (slot.count)
			dist_add(dist, &slot);
	}
	/* Both are exact there. */
	dist->sum_ns = (double)hist->sum_ns;
	dist->max_ns = hist->max_ns;
}

void dist_free(struct dist *dist)
{
	free(dist->name);
	free(dist->slot);
	memset(dist, 0, sizeof(*dist));
}

double dist_mean_ns(const struct dist *dist)
{
	return dist->samples ? dist->sum_ns / (double)dist->samples : 0;
}

uint64_t dist_percentile_ns(const struct dist *dist, double percent)
{
	uint64_t seen = 0, rank = percentile_rank(dist->samples, percent);

	for (size_t i = 0; i < dist->n; i++) {
		seen += dist->slot[i].count;
		if (seen >= rank)
			return dist->slot[i].high_ns;
	}
	return dist->max_ns;
}
