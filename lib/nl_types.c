// SPDX-License-Identifier: GPL-2.0-only
/* What the netlink client hands out: names of numbers, percentiles, freeing. */
#include <stdlib.h>
#include <string.h>

#include "nl.h"
#include "percentile.h"

#define NAME_OF(names, i) \
	((i) < sizeof(names) / sizeof(names[0]) && names[i] ? names[i] : "unknown")

const char *nl_hist_name(uint32_t which)
{
	static const char *const names[] = {
		[IRQPACE_HIST_RUN] = "run",
		[IRQPACE_HIST_RESIDENCY] = "residency",
		[IRQPACE_HIST_PAUSE] = "pause",
		[IRQPACE_HIST_WAKE] = "wake",
		[IRQPACE_HIST_PARK] = "park",
	};

	return NAME_OF(names, which);
}

const char *nl_state_name(uint32_t state)
{
	static const char *const names[] = {
		[IRQPACE_STATE_ACTIVE] = "active",
		[IRQPACE_STATE_PAUSED] = "paused",
		[IRQPACE_STATE_RUNNING] = "running",
	};

	return NAME_OF(names, state);
}

const char *nl_masking_name(uint32_t masking)
{
	static const char *const names[] = {
		[IRQPACE_MASKING_NONE] = "none",
		[IRQPACE_MASKING_POSTED] = "posted",
		[IRQPACE_MASKING_FLUSHED] = "flushed",
		[IRQPACE_MASKING_LEVEL] = "level",
	};

	return NAME_OF(names, masking);
}

const char *nl_event_name(uint32_t event)
{
	static const char *const names[] = {
		[IRQPACE_EVENT_UNSPEC] = "lost",
		[IRQPACE_EVENT_ATTACHED] = "attached",
		[IRQPACE_EVENT_CHANGED] = "changed",
		[IRQPACE_EVENT_GONE] = "gone",
		[IRQPACE_EVENT_STARVED] = "starved",
		[IRQPACE_EVENT_REFUSED] = "refused",
		[IRQPACE_EVENT_FOREIGN] = "foreign",
		[IRQPACE_EVENT_INELIGIBLE] = "ineligible",
		[IRQPACE_EVENT_SPURIOUS] = "spurious",
		[IRQPACE_EVENT_LIMIT] = "limit",
	};

	return NAME_OF(names, event);
}

const char *nl_counter_name(uint32_t counter)
{
	static const char *const names[] = {
		[IRQPACE_CNT_ARRIVALS] = "arrivals",
		[IRQPACE_CNT_RUNS] = "runs",
		[IRQPACE_CNT_HANDLED] = "handled",
		[IRQPACE_CNT_UNHANDLED] = "unhandled",
		[IRQPACE_CNT_PARKED] = "parked",
		[IRQPACE_CNT_MASKED] = "masked",
		[IRQPACE_CNT_ROUNDS] = "rounds",
		[IRQPACE_CNT_PAUSES] = "pauses",
		[IRQPACE_CNT_DEFERRED] = "deferred",
		[IRQPACE_CNT_STARVED] = "starved",
		[IRQPACE_CNT_OVERFLOWS] = "overflows",
	};

	return NAME_OF(names, counter);
}

/* The smallest rank that covers PERCENT of the samples decides. */
uint64_t nl_hist_percentile(const struct nl_hist *hist, double percent)
{
	uint64_t total = 0, seen = 0, rank;

	for (size_t i = 0; i < hist->n; i++)
		total += hist->bucket[i].count;
	rank = percentile_rank(total, percent);
	for (size_t i = 0; i < hist->n; i++) {
		seen += hist->bucket[i].count;
		if (seen >= rank)
			return i + 1 == hist->n ||
			       hist->bucket[i].high_ns > hist->max_ns ?
			       hist->max_ns : hist->bucket[i].high_ns;
	}
	return total ? hist->max_ns : 0;
}

double nl_hist_mean_ns(const struct nl_hist *hist)
{
	return hist->samples ? (double)hist->sum_ns / (double)hist->samples : 0;
}

void nl_line_free(struct nl_line *line)
{
	for (size_t i = 0; i < line->n_actions; i++) {
		free(line->action[i].name);
		free(line->action[i].handler);
		free(line->action[i].module);
		free(line->action[i].device);
	}
	free(line->action);
	free(line->name);
	free(line->device);
	free(line->driver);
	free(line->chip);
	free(line->reason);
	memset(line, 0, sizeof(*line));
}

void nl_lines_free(struct nl_lines *lines)
{
	for (size_t i = 0; i < lines->n; i++)
		nl_line_free(&lines->line[i]);
	free(lines->line);
	memset(lines, 0, sizeof(*lines));
}

void nl_rules_free(struct nl_rules *rules)
{
	for (size_t i = 0; i < rules->n; i++)
		free(rules->rule[i].selector);
	free(rules->rule);
	memset(rules, 0, sizeof(*rules));
}

void nl_hist_free(struct nl_hist *hist)
{
	free(hist->bucket);
	memset(hist, 0, sizeof(*hist));
}

void nl_event_free(struct nl_event *event)
{
	free(event->name);
	free(event->text);
	memset(event, 0, sizeof(*event));
}
