// SPDX-License-Identifier: GPL-2.0-only
/*
 * top-sim [--lines N] [--cpus N] [--interval S] [--count N] [--no-module]
 *
 * The live view of a machine that is made up: its samples go through the same
 * arithmetic, view, model and drawing as those of BPF. Line 16 + K is called
 * "simK" and takes the K-th part of the time, so that the order is known; the last
 * line refuses every policy. Says at its end, on stderr, what it cost.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "../../lib/top_screen.h"
#include "../../lib/xalloc.h"

#define FIRST_IRQ	16
#define HANDLER		0x1000

struct sim {
	size_t n_lines, n_cpus;
	bool module_loaded;
	uint64_t round;
	struct lines lines;
	struct handler_names names;
	struct irqstat_sample sample;
	struct modstat module;
	struct policy policy[5];	/* of the first lines */
};

static void make_lines(struct sim *sim)
{
	struct lines *lines = &sim->lines;

	lines->n = sim->n_lines;
	lines->line = xcalloc(lines->n, sizeof(*lines->line));
	lines->n_cpus = sim->n_cpus;
	lines->cpus = xcalloc(lines->n_cpus, sizeof(*lines->cpus));
	for (size_t c = 0; c < lines->n_cpus; c++)
		lines->cpus[c] = (unsigned int)c;
	for (size_t i = 0; i < lines->n; i++) {
		struct line *line = &lines->line[i];

		line->irq = (unsigned int)(FIRST_IRQ + i);
		line->name = xasprintf("sim%zu", i);
		line->n_actions = 1;
		line->actions = xcalloc(1, sizeof(*line->actions));
		line->actions[0] = xstrdup(line->name);
		line->counts = xcalloc(lines->n_cpus, sizeof(*line->counts));
	}
	sim->names.sym = xcalloc(1, sizeof(*sim->names.sym));
	sim->names.n = 1;
	sim->names.sym[0] = (struct ksym){ .address = HANDLER, .name = xstrdup("sim_irq") };
}

/* Sums of ROUND updates. In each, line K runs K + 1 times, for 8 ms / (K + 1) in all. */
static void make_sample(const struct sim *sim, struct irqstat_sample *sample)
{
	struct timespec now;

	memset(sample, 0, sizeof(*sample));
	clock_gettime(CLOCK_MONOTONIC, &now);
	sample->time_ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	sample->n = sim->n_lines;
	sample->entry = xcalloc(sample->n, sizeof(*sample->entry));
	for (size_t i = 0; i < sample->n; i++) {
		struct irqstat_entry *entry = &sample->entry[i];
		uint64_t runs = sim->round * (i + 1);
		uint64_t ns = 8000000 / ((i + 1) * (i + 1));

		entry->key.irq = (uint32_t)(FIRST_IRQ + i);
		entry->key.handler = HANDLER;
		entry->key.cpu = (uint32_t)(i % sim->n_cpus);
		entry->run.bucket[pace_hist_index(ns)] = runs;
		entry->run.sum_ns = runs * ns;
		entry->run_max_ns = ns;
		/* Not in the order of the share: the one in the middle is the longest. */
		entry->stay_max_ns = 1000 + 1000 * (i < sample->n / 2 ? i : sample->n - 1 - i);
	}
	sample->n_cpus = sim->n_cpus;
	sample->cpu = xcalloc(sample->n_cpus, sizeof(*sample->cpu));
	for (size_t c = 0; c < sample->n_cpus; c++) {
		sample->cpu[c].irq_ns = sim->round * 1000000 * (c % 50);
		sample->cpu[c].softirq_ns = sim->round * 500000 * (c % 30);
	}
}

static void make_module(struct sim *sim)
{
	size_t n = 0;

	free(sim->module.line);
	sim->module.line = xcalloc(5, sizeof(*sim->module.line));
	for (size_t i = 0; i < 5 && i < sim->n_lines; i++)
		if (sim->policy[i].kind != IRQPACE_POLICY_NATIVE)
			sim->module.line[n++] = (struct modstat_line){
				.irq = (uint32_t)(FIRST_IRQ + i), .policy = sim->policy[i],
				.state = IRQPACE_STATE_PAUSED,
			};
	sim->module.n = n;
}

static int read_sim(void *data, struct top_model *model, struct errmsg *err)
{
	struct irqstat_sample now;
	struct sim *sim = data;
	struct stat_view view;

	(void)err;
	sim->round++;
	make_sample(sim, &now);
	irqstat_difference(&now, &sim->sample);
	stat_view_make(&view, &sim->sample, &sim->lines, NULL, &sim->names, NULL, false);
	make_module(sim);
	top_model_make(model, &view, &sim->lines, sim->module_loaded ? &sim->module : NULL);
	stat_view_free(&view);
	irqstat_free(&sim->sample);
	sim->sample = now;
	return 0;
}

static int set_sim(void *data, struct top_ui *ui, struct errmsg *err)
{
	struct sim *sim = data;
	char policy[POLICY_BUF];

	if (ui->selected_irq - FIRST_IRQ >= 5)
		return err_fail(err, "irq %u (sim%u) is a timer; timers stay as they are",
				ui->selected_irq, ui->selected_irq - FIRST_IRQ);
	sim->policy[ui->selected_irq - FIRST_IRQ] = ui->policy;
	snprintf(ui->message, sizeof(ui->message), "%u: %s", ui->selected_irq,
		 policy_print(&ui->policy, policy, sizeof(policy)));
	return 0;
}

static void say_cost(const struct timespec *began)
{
	struct timespec now;
	struct rusage use;
	double cpu, took;

	clock_gettime(CLOCK_MONOTONIC, &now);
	getrusage(RUSAGE_SELF, &use);
	cpu = (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
	      (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6;
	took = (double)(now.tv_sec - began->tv_sec) + (double)(now.tv_nsec - began->tv_nsec) / 1e9;
	fprintf(stderr, "%.3f s of CPU in %.3f s: %.2f %%, %ld KiB resident\n", cpu, took,
		100 * cpu / took, use.ru_maxrss);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "lines", required_argument, NULL, 'l' },
		{ "cpus", required_argument, NULL, 'c' },
		{ "interval", required_argument, NULL, 'd' },
		{ "count", required_argument, NULL, 'n' },
		{ "no-module", no_argument, NULL, 'm' },
		{ 0 },
	};
	struct sim sim = { .n_lines = 200, .n_cpus = 4, .module_loaded = true };
	struct top_source source = { .data = &sim, .read = read_sim, .set = set_sim };
	double interval = 1;
	uint64_t count = 0;
	struct timespec began;
	struct errmsg err;
	int c, rc;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case 'l': sim.n_lines = strtoul(optarg, NULL, 10); break;
		case 'c': sim.n_cpus = strtoul(optarg, NULL, 10); break;
		case 'd': interval = strtod(optarg, NULL); break;
		case 'n': count = strtoul(optarg, NULL, 10); break;
		case 'm': sim.module_loaded = false; break;
		default: return 2;
		}
	}
	if (!sim.n_lines || !sim.n_cpus)
		return 2;
	make_lines(&sim);
	make_sample(&sim, &sim.sample);
	clock_gettime(CLOCK_MONOTONIC, &began);
	rc = top_screen(&source, TOP_SHARE, (uint64_t)(interval * 1e9), count, &err);
	if (rc)
		fprintf(stderr, "%s\n", err.text);
	else
		say_cost(&began);
	irqstat_free(&sim.sample);
	free(sim.module.line);
	handler_names_free(&sim.names);
	lines_free(&sim.lines);
	return rc ? 1 : 0;
}
