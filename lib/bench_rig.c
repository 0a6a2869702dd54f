// SPDX-License-Identifier: GPL-2.0-only
/* Setting policies for the time of a bench, and reading what came of them. */
#include "bench_run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int bench_choice_parse(const char *spec, struct bench_choice *choice,
		       struct errmsg *err)
{
	static const struct {
		const char *bare;
		const char *full;
	} defaults[] = {
		{ "hybrid", "hybrid:limit=50us:window=1ms" },
		{ "moderate", "moderate:delay=100us" },
	};
	char *text = strdup(spec), *stats;
	int ret;

	choice->stats = -1;
	stats = strstr(text, ":stats=");
	if (stats) {
		if (!strcmp(stats, ":stats=on")) {
			choice->stats = 1;
		} else if (!strcmp(stats, ":stats=off")) {
			choice->stats = 0;
		} else {
			free(text);
			return err_usage(err, "\"%s\": stats=on or stats=off has to be its end",
					 spec);
		}
		*stats = 0;
	}
	for (size_t i = 0; i < 2; i++) {
		if (!strcmp(text, defaults[i].bare)) {
			free(text);
			text = strdup(defaults[i].full);
		}
	}
	ret = policy_parse_spec(text, &choice->policy, err);
	free(text);
	return ret;
}

static void put_us(json_t *obj, const char *key, uint64_t ns)
{
	if (!ns)
		return;
	if (ns % 1000)
		json_object_set_new(obj, key, json_real((double)ns / 1000.0));
	else
		json_object_set_new(obj, key, json_integer((json_int_t)(ns / 1000)));
}

json_t *bench_choice_params(const struct bench_choice *choice)
{
	const struct policy *p = &choice->policy;
	json_t *obj = json_object();

	put_us(obj, "delay_us", p->delay_ns);
	put_us(obj, "limit_us", p->limit_ns);
	put_us(obj, "window_us", p->window_ns);
	if (p->poll)
		json_object_set_new(obj, "poll", json_true());
	if (p->rounds)
		json_object_set_new(obj, "rounds", json_integer(p->rounds));
	if (p->mask != POLICY_MASK_DEFAULT)
		json_object_set_new(obj, "mask",
				    json_string(p->mask == IRQPACE_MASK_FLUSHED ?
						"flushed" : "posted"));
	if (p->mask_after)
		json_object_set_new(obj, "mask_after", json_integer(p->mask_after));
	if (p->shared)
		json_object_set_new(obj, "shared", json_true());
	if (choice->stats >= 0)
		json_object_set_new(obj, "statistics",
				    json_boolean(choice->stats));
	return obj;
}

/* Without the module only native can be measured, which needs nothing set. */
int bench_rig_open(struct bench_rig *rig, struct errmsg *err)
{
	struct nl_status status;

	memset(rig, 0, sizeof(*rig));
	if (!nl_module_loaded())
		return 0;
	if (nl_open(&rig->nl, err))
		return -1;
	if (nl_status(rig->nl, &status, err) ||
	    nl_rules(rig->nl, &rig->rules, err)) {
		nl_close(rig->nl);
		rig->nl = NULL;
		return -1;
	}
	rig->stats = status.stats;
	return 0;
}

void bench_rig_close(struct bench_rig *rig)
{
	nl_rules_free(&rig->rules);
	if (rig->nl)
		nl_close(rig->nl);
	rig->nl = NULL;
}

static int set_stats(struct bench_rig *rig, bool on, struct errmsg *err)
{
	struct nl_config config = { .have = NL_CONFIG_STATS, .stats = on };

	return nl_config(rig->nl, &config, err);
}

/* ENOENT: there was nothing to reset, which is as good. */
static int make_native(struct bench_rig *rig, const struct bench_device *dev,
		       struct errmsg *err)
{
	if (nl_reset(rig->nl, &dev->selector, err) && err->sys_errno != ENOENT)
		return -1;
	return 0;
}

/*
 * Native first, so that the counters and histograms of an attachment begin
 * with it, and so that a policy that refuses leaves nothing of the last one.
 */
int bench_rig_apply(struct bench_rig *rig, const struct bench_device *dev,
		    const struct bench_choice *choice, bool stats,
		    struct errmsg *err)
{
	if (!rig->nl || !dev->n_irqs)
		return 0;
	rig->dirty = true;
	if (make_native(rig, dev, err) || set_stats(rig, stats, err))
		return -1;
	if (choice->policy.kind == IRQPACE_POLICY_NATIVE)
		return 0;
	return nl_set(rig->nl, &dev->selector, &choice->policy, NULL, NULL, err);
}

static bool concerns(const struct nl_rule *rule, const struct bench_device *dev,
		     const struct lines *lines)
{
	for (size_t i = 0; i < dev->n_irqs; i++) {
		const struct line *line = lines_find(lines, dev->irqs[i]);

		if (line && selector_match(rule->selector, line))
			return true;
	}
	return false;
}

/*
 * Our rule goes, then those that decided about these lines are set again in
 * their order. Goes on after a failure: as much as possible is put back, and
 * the first reason is told.
 */
int bench_rig_restore(struct bench_rig *rig, const struct bench_device *devs,
		      size_t n, struct errmsg *err)
{
	struct lines lines = { 0 };
	struct errmsg why = { 0 };
	int ret = 0;

	if (!rig->nl || !rig->dirty)
		return 0;
	rig->dirty = false;
	for (size_t i = 0; i < n; i++)
		if (devs[i].n_irqs && make_native(rig, &devs[i], &why))
			ret = -1;
	if (rig->rules.n && lines_load(NULL, &lines, &why))
		ret = -1;
	for (size_t r = 0; r < rig->rules.n && !ret; r++) {
		const struct nl_rule *rule = &rig->rules.rule[r];
		bool ours = false;

		for (size_t i = 0; i < n && !ours; i++)
			ours = concerns(rule, &devs[i], &lines);
		if (ours && nl_set(rig->nl, rule->selector, &rule->policy, NULL,
				   NULL, &why))
			ret = -1;
	}
	lines_free(&lines);
	if (set_stats(rig, rig->stats, &why))
		ret = -1;
	if (ret)
		err_fail(err, "what was set before could not be put back (%.700s); see irqpace list",
			 why.text);
	return ret;
}

/* Counts by irq number: a line that is gone makes the sum unknown. */
static int read_interrupts(const struct bench_device *dev, double *sum,
			   struct errmsg *err)
{
	struct lines lines;

	*sum = NAN;
	if (!dev->n_irqs)
		return 0;
	if (lines_read(NULL, &lines, err))
		return -1;
	*sum = 0;
	for (size_t i = 0; i < dev->n_irqs; i++) {
		const struct line *line = lines_find(&lines, dev->irqs[i]);

		*sum += line ? (double)line_total(&lines, line) : NAN;
	}
	lines_free(&lines);
	return 0;
}

int bench_counts_read(struct bench_rig *rig, const struct bench_device *dev,
		      struct bench_counts *counts, struct errmsg *err)
{
	memset(counts, 0, sizeof(*counts));
	if (read_interrupts(dev, &counts->interrupts, err))
		return -1;
	for (size_t i = 0; rig->nl && i < dev->n_irqs; i++) {
		struct nl_line line = { 0 };

		if (nl_line(rig->nl, dev->irqs[i], &line, err)) {
			/* A vector that nobody handles at the moment. */
			if (err->sys_errno == ENOENT)
				continue;
			return -1;
		}
		counts->attached |= line.attached;
		for (int c = 0; line.has_counters && c <= IRQPACE_CNT_MAX; c++)
			counts->counter[c] += (double)line.counter[c];
		nl_line_free(&line);
	}
	return 0;
}

static int add_residency(struct bench_rig *rig, uint32_t irq,
			 struct bench_irq *out, struct errmsg *err)
{
	struct nl_hist hist = { 0 };
	int ret = 0;

	if (nl_hist(rig->nl, irq, IRQPACE_HIST_RESIDENCY, &hist, err))
		return -1;
	for (size_t i = 0; i < hist.n && !ret; i++)
		ret = bench_hist_add(&out->residency, hist.bucket[i].low_ns,
				     hist.bucket[i].high_ns,
				     hist.bucket[i].count);
	if (hist.samples)
		out->residency_max_us = fmax(out->residency_max_us,
					     (double)hist.max_ns / 1000.0);
	nl_hist_free(&hist);
	return ret ? err_fail(err, "out of memory") : 0;
}

static int add_pause(struct bench_rig *rig, uint32_t irq, double *sum,
		     double *samples, struct errmsg *err)
{
	struct nl_hist hist = { 0 };

	if (nl_hist(rig->nl, irq, IRQPACE_HIST_PAUSE, &hist, err))
		return -1;
	*sum += (double)hist.sum_ns;
	*samples += (double)hist.samples;
	nl_hist_free(&hist);
	return 0;
}

int bench_counts_diff(struct bench_rig *rig, const struct bench_device *dev,
		      const struct bench_counts *before,
		      const struct bench_counts *after, bool stats,
		      struct bench_irq *irq, struct errmsg *err)
{
	double pauses = 0, pause_ns = 0;

	bench_irq_init(irq);
	irq->interrupts = after->interrupts - before->interrupts;
	/* A count that fell is another line's by now. */
	if (irq->interrupts < 0)
		irq->interrupts = NAN;
	if (!before->attached)
		return 0;
	if (!after->attached)
		return err_fail(err, "%s's lines lost their policy during the run; see irqpace list",
				dev->path);
#define DELTA(which) \
	(after->counter[IRQPACE_CNT_##which] - before->counter[IRQPACE_CNT_##which])
	irq->handler_runs = DELTA(RUNS);
	irq->rounds = DELTA(ROUNDS);
	irq->parked = DELTA(PARKED);
	irq->starved = DELTA(STARVED);
#undef DELTA
	for (size_t i = 0; stats && i < dev->n_irqs; i++)
		if (add_residency(rig, dev->irqs[i], irq, err) ||
		    add_pause(rig, dev->irqs[i], &pause_ns, &pauses, err))
			return -1;
	if (pauses)
		irq->pause_mean_us = pause_ns / pauses / 1000.0;
	return 0;
}

int bench_busiest_cpu(const struct bench_device *dev)
{
	struct lines lines;
	struct errmsg err;
	uint64_t most = 0;
	int cpu = -1;

	if (!dev->n_irqs || lines_read(NULL, &lines, &err))
		return -1;
	for (size_t i = 0; i < dev->n_irqs; i++) {
		const struct line *line = lines_find(&lines, dev->irqs[i]);

		for (size_t c = 0; line && line->counts && c < lines.n_cpus; c++) {
			if (line->counts[c] == LINE_NO_COUNT ||
			    line->counts[c] <= most)
				continue;
			most = line->counts[c];
			cpu = (int)lines.cpus[c];
		}
	}
	lines_free(&lines);
	return cpu;
}
