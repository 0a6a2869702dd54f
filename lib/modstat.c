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

static void hist_since(struct pace_hist *now, const struct pace_hist *before)
{
	for (size_t i = 0; i < PACE_HIST_BUCKETS; i++)
		if (now->bucket[i] < before->bucket[i])
			return;
	for (size_t i = 0; i < PACE_HIST_BUCKETS; i++)
		now->bucket[i] -= before->bucket[i];
	now->sum_ns -= before->sum_ns;
}

static void line_since(struct modstat_line *now, const struct modstat_line *before)
{
	for (size_t i = 0; i <= IRQPACE_CNT_MAX; i++)
		if (now->counter[i] < before->counter[i])
			return;
	for (size_t i = 0; i <= IRQPACE_CNT_MAX; i++)
		now->counter[i] -= before->counter[i];
	for (size_t i = 0; now->hist && before->hist && i < __IRQPACE_HIST_MAX; i++)
		hist_since(&now->hist[i], &before->hist[i]);
}

void modstat_since(struct modstat *now, const struct modstat *before)
{
	for (size_t i = 0; i < now->n; i++) {
		const struct modstat_line *old = modstat_find(before, now->line[i].irq);

		if (old)
			line_since(&now->line[i], old);
	}
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
