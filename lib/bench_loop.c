// SPDX-License-Identifier: GPL-2.0-only
/*
 * The order of a bench. The policies of a block run next to each other, and
 * every second repeat runs them backwards: a drift that is steady over a block
 * (heat, a filling cache) then adds the same to each policy's sum.
 */
#include "bench_run.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

struct cell {
	struct bench_sample *samples;
	size_t len;
	const struct bench_choice *choice;
};

struct loop {
	const struct bench_plan *plan;
	struct bench_set *set;
	struct bench_rig rig;
	size_t done;
	size_t total;
	double started;
};

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static bool same_choice(const struct bench_choice *a,
			const struct bench_choice *b)
{
	return a->stats == b->stats && policy_equal(&a->policy, &b->policy);
}

/* A policy that is named twice is one row with samples from both places. */
static size_t cell_of(const struct bench_plan *plan, size_t choice)
{
	for (size_t i = 0; i < choice; i++)
		if (same_choice(&plan->choices[i], &plan->choices[choice]))
			return i;
	return choice;
}

static void tell(struct loop *l, const struct bench_row *row,
		 const struct bench_sample *sample)
{
	char name[160], rest[64] = "";
	double left;

	l->done++;
	if (l->plan->quiet)
		return;
	bench_row_name(row, name, sizeof(name));
	left = (now() - l->started) / (double)l->done *
	       (double)(l->total - l->done);
	/* A guest whose seconds are not ours cannot say how long it takes. */
	if (strcmp(l->plan->mode, "count"))
		snprintf(rest, sizeof(rest), " (about %.0f s left)", left);
	fprintf(stderr, "[%*zu/%zu] %s %s, %g job%s, %s: %.0f IOPS%s\n",
		l->total > 99 ? 3 : 2, l->done, l->total, row->device,
		row->workload, row->jobs, row->jobs == 1 ? "" : "s", name,
		sample->fio.iops, rest);
}

static struct bench_row *describe(const struct bench_plan *plan,
				  const struct bench_device *dev,
				  const char *workload, unsigned int jobs,
				  const struct bench_choice *choice)
{
	struct bench_row *row = bench_row_new();
	const char *policy = policy_name(choice->policy.kind);

	if (!row)
		return NULL;
	if (choice->policy.kind == IRQPACE_POLICY_NATIVE && plan->native_as)
		policy = plan->native_as;
	row->device = strdup(dev->label);
	row->lines = dev->lines ? strdup(dev->lines) : NULL;
	row->workload = strdup(workload);
	row->engine = strdup(plan->engine);
	row->bs = strdup(plan->bs);
	row->policy = strdup(policy);
	row->pass = plan->pass ? strdup(plan->pass) : NULL;
	row->jobs = jobs;
	row->iodepth = plan->iodepth;
	json_decref(row->params);
	row->params = bench_choice_params(choice);
	return row;
}

static int measure(struct loop *l, const struct bench_device *dev,
		   const struct bench_row *row,
		   const struct bench_choice *choice, int victim_cpu,
		   struct bench_sample *sample, struct errmsg *err)
{
	const struct bench_plan *plan = l->plan;
	bool stats = choice->stats < 0 ? plan->stats : choice->stats;
	struct bench_counts before, after;

	bench_sample_init(sample);
	if (bench_interrupted())
		return err_fail(err, "interrupted");
	if (bench_rig_apply(&l->rig, dev, choice, stats, err) ||
	    bench_counts_read(&l->rig, dev, &before, err) ||
	    bench_fio_run(plan, dev, row->workload, (unsigned int)row->jobs,
			  plan->ios, victim_cpu, sample, err) ||
	    bench_counts_read(&l->rig, dev, &after, err) ||
	    bench_counts_diff(&l->rig, dev, &before, &after, stats,
			      &sample->irq, err))
		return -1;
	if (!l->set->fio)
		l->set->fio = strdup(sample->fio.version);
	tell(l, row, sample);
	return 0;
}

static int block(struct loop *l, const struct bench_device *dev,
		 const char *workload, unsigned int jobs, int victim_cpu,
		 struct errmsg *err)
{
	const struct bench_plan *plan = l->plan;
	size_t n = plan->n_choices;
	struct cell *cells = calloc(n, sizeof(*cells));
	struct bench_row **rows = calloc(n, sizeof(*rows));
	int ret = cells && rows ? 0 : err_fail(err, "out of memory");

	for (size_t i = 0; i < n && !ret; i++) {
		cells[i].samples = calloc(n * plan->repeat,
					  sizeof(*cells[i].samples));
		rows[i] = describe(plan, dev, workload, jobs, &plan->choices[i]);
		if (!cells[i].samples || !rows[i])
			ret = err_fail(err, "out of memory");
	}
	for (unsigned int rep = 0; rep < plan->repeat && !ret; rep++) {
		for (size_t k = 0; k < n && !ret; k++) {
			size_t i = cell_of(plan, rep % 2 ? n - 1 - k : k);

			ret = measure(l, dev, rows[i], &plan->choices[i],
				      victim_cpu,
				      &cells[i].samples[cells[i].len], err);
			cells[i].len++;
		}
	}
	for (size_t i = 0; i < n && !ret; i++) {
		if (!cells[i].len)
			continue;
		ret = bench_row_fill(rows[i], cells[i].samples, cells[i].len, err);
		if (!ret && bench_set_add(l->set, rows[i]))
			ret = err_fail(err, "out of memory");
		if (!ret)
			rows[i] = NULL;
	}
	for (size_t i = 0; cells && i < n; i++) {
		for (size_t k = 0; k < cells[i].len; k++)
			bench_sample_free(&cells[i].samples[k]);
		free(cells[i].samples);
		if (rows)
			bench_row_free(rows[i]);
	}
	free(cells);
	free(rows);
	return ret;
}

/*
 * A few I/Os before anything is set: fio and the device work, and the counts
 * show by which CPU its interrupts come.
 */
static int try_out(const struct bench_plan *plan,
		   const struct bench_device *dev, struct errmsg *err)
{
	struct bench_plan few = *plan;
	struct bench_sample sample;
	struct errmsg why = { 0 };

	few.marker = NULL;
	bench_sample_init(&sample);
	if (!bench_fio_run(&few, dev, plan->workloads[0], 1, 512, -1, &sample,
			   &why)) {
		bench_sample_free(&sample);
		return 0;
	}
	/* Too short for a rate, which is nothing to complain about here. */
	if (why.sys_errno == ERANGE)
		return 0;
	*err = why;
	return -1;
}

static int all_blocks(struct loop *l, struct errmsg *err)
{
	const struct bench_plan *plan = l->plan;

	for (size_t d = 0; d < plan->n_devs; d++) {
		const struct bench_device *dev = &plan->devs[d];
		int cpu = -1;

		if (try_out(plan, dev, err))
			return -1;
		if (plan->victim) {
			cpu = bench_busiest_cpu(dev);
			if (cpu < 0)
				return err_fail(err, "%s has no interrupt line, so there is no CPU for --victim",
						dev->path);
		}
		for (size_t w = 0; w < plan->n_workloads; w++)
			for (size_t j = 0; j < plan->n_jobs; j++)
				if (block(l, dev, plan->workloads[w],
					  plan->jobs[j], cpu, err))
					return -1;
	}
	return 0;
}

int bench_run(const struct bench_plan *plan, struct bench_set *set,
	      struct errmsg *err)
{
	struct loop l = { .plan = plan, .set = set, .started = now() };
	struct errmsg later = { 0 };
	struct utsname uts;
	int ret;

	l.total = plan->n_devs * plan->n_workloads * plan->n_jobs *
		  plan->n_choices * plan->repeat;
	if (!set->kernel && !uname(&uts))
		set->kernel = strdup(uts.release);
	if (bench_rig_open(&l.rig, err))
		return -1;
	bench_catch_signals();
	ret = all_blocks(&l, err);
	if (bench_rig_restore(&l.rig, plan->devs, plan->n_devs, &later)) {
		if (!ret)
			*err = later;
		else
			snprintf(err->text + strlen(err->text),
				 sizeof(err->text) - strlen(err->text), "; %.500s",
				 later.text);
		ret = -1;
	}
	bench_rig_close(&l.rig);
	return ret;
}
