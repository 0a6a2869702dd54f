// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "modstat.h"
#include "xalloc.h"

static int read_hists(struct nl *nl, struct modstat_line *line, struct errmsg *err)
{
	line->hist = xcalloc(__IRQPACE_HIST_MAX, sizeof(*line->hist));
	for (unsigned int i = 0; i < __IRQPACE_HIST_MAX; i++) {
		struct pace_hist *to = &line->hist[i];
		struct nl_hist hist;

		memset(&hist, 0, sizeof(hist));
		/* Nothing recorded, or detached since: that is an empty one. */
		if (nl_hist(nl, line->irq, (enum irqpace_hist)i, &hist, err)) {
			if (err->sys_errno != ENOENT && err->sys_errno != ENODATA)
				return -1;
			continue;
		}
		/* The module's buckets are those of core/hist.h. */
		for (size_t b = 0; b < hist.n; b++)
			to->bucket[pace_hist_index(hist.bucket[b].low_ns)] += hist.bucket[b].count;
		to->sum_ns = hist.sum_ns;
		to->max_ns = hist.max_ns;
		nl_hist_free(&hist);
	}
	return 0;
}

int modstat_read(struct nl *nl, bool hists, struct modstat *stat, struct errmsg *err)
{
	struct nl_lines lines;
	int rc = 0;

	memset(stat, 0, sizeof(*stat));
	if (nl_lines(nl, true, &lines, err))
		return -1;
	stat->line = xcalloc(lines.n + 1, sizeof(*stat->line));
	for (size_t i = 0; i < lines.n && !rc; i++) {
		struct modstat_line *to = &stat->line[stat->n++];

		to->irq = lines.line[i].irq;
		to->state = lines.line[i].state;
		to->policy = lines.line[i].settings;
		memcpy(to->counter, lines.line[i].counter, sizeof(to->counter));
		rc = hists ? read_hists(nl, to, err) : 0;
	}
	nl_lines_free(&lines);
	if (rc)
		modstat_free(stat);
	return rc;
}

void modstat_free(struct modstat *stat)
{
	for (size_t i = 0; i < stat->n; i++)
		free(stat->line[i].hist);
	free(stat->line);
	memset(stat, 0, sizeof(*stat));
}

/* HIST becomes what NOW has more; as NOW is where it has fallen. */
static void subtract_hist(const struct pace_hist *now, struct pace_hist *hist)
{
	struct pace_hist old = *hist;

	*hist = *now;
	for (size_t i = 0; i < PACE_HIST_BUCKETS; i++)
		if (now->bucket[i] < old.bucket[i])
			return;
	for (size_t i = 0; i < PACE_HIST_BUCKETS; i++)
		hist->bucket[i] -= old.bucket[i];
	hist->sum_ns -= old.sum_ns;
}

static void subtract_counters(const struct modstat_line *now, struct modstat_line *line)
{
	struct modstat_line old = *line;

	memcpy(line->counter, now->counter, sizeof(line->counter));
	for (size_t i = 0; i <= IRQPACE_CNT_MAX; i++)
		if (now->counter[i] < old.counter[i])
			return;
	for (size_t i = 0; i <= IRQPACE_CNT_MAX; i++)
		line->counter[i] -= old.counter[i];
}

static void copy_hists(const struct modstat_line *from, struct modstat_line *to)
{
	if (!from->hist)
		return;
	to->hist = xcalloc(__IRQPACE_HIST_MAX, sizeof(*to->hist));
	memcpy(to->hist, from->hist, __IRQPACE_HIST_MAX * sizeof(*to->hist));
}

void modstat_difference(const struct modstat *now, struct modstat *before)
{
	struct modstat result = { .line = xcalloc(now->n + 1, sizeof(*result.line)), .n = now->n };

	for (size_t i = 0; i < now->n; i++) {
		const struct modstat_line *line = &now->line[i];
		const struct modstat_line *old = modstat_find(before, line->irq);
		struct modstat_line *to = &result.line[i];

		*to = *line;
		copy_hists(line, to);
		if (!old)
			continue;
		memcpy(to->counter, old->counter, sizeof(to->counter));
		subtract_counters(line, to);
		for (size_t h = 0; to->hist && old->hist && h < __IRQPACE_HIST_MAX; h++) {
			to->hist[h] = old->hist[h];
			subtract_hist(&line->hist[h], &to->hist[h]);
		}
	}
	modstat_free(before);
	*before = result;
}

const struct modstat_line *modstat_find(const struct modstat *stat, uint32_t irq)
{
	size_t low = 0, high = stat->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (stat->line[middle].irq < irq)
			low = middle + 1;
		else
			high = middle;
	}
	return low < stat->n && stat->line[low].irq == irq ? &stat->line[low] : NULL;
}
