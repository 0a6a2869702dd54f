// SPDX-License-Identifier: GPL-2.0-only
/* Running fio, and cyclictest beside it. */
#define _GNU_SOURCE
#include "bench_run.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARGS_MAX	40

struct args {
	char *arg[ARGS_MAX + 1];
	size_t n;
};

static void add(struct args *args, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void add(struct args *args, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (args->n == ARGS_MAX || vasprintf(&args->arg[args->n], fmt, ap) < 0)
		abort();
	va_end(ap);
	args->arg[++args->n] = NULL;
}

static void args_free(struct args *args)
{
	for (size_t i = 0; i < args->n; i++)
		free(args->arg[i]);
}

static uint64_t block_bytes(const char *bs)
{
	char *end;
	uint64_t n = strtoull(bs, &end, 10);

	switch (tolower((unsigned char)*end)) {
	case 'k':
		return n << 10;
	case 'm':
		return n << 20;
	default:
		return n;
	}
}

/*
 * Every job does the same share of the I/Os. io_size lets fio go round a
 * device that is smaller than the run. Latency is from submission to
 * completion, so that a delay shows wherever it comes from; json+ has its
 * whole histogram. Short runs need short samples, or there is no min and max.
 */
static void fio_args(struct args *args, const struct bench_plan *plan,
		     const struct bench_device *dev, const char *workload,
		     unsigned int jobs, uint64_t ios)
{
	unsigned int sample_ms = 20;

	add(args, "fio");
	add(args, "--name=irqpace");
	add(args, "--filename=%s", dev->path);
	add(args, "--rw=%s", workload);
	add(args, "--bs=%s", plan->bs);
	add(args, "--ioengine=%s", plan->engine);
	add(args, "--iodepth=%u", plan->iodepth);
	add(args, "--direct=1");
	add(args, "--norandommap");
	add(args, "--randrepeat=1");
	add(args, "--numjobs=%u", jobs);
	add(args, "--group_reporting");
	if (strstr(workload, "read"))
		add(args, "--readonly");
	if (plan->hipri)
		add(args, "--hipri");
	if (ios) {
		uint64_t share = ios / jobs ? ios / jobs : 1;

		add(args, "--number_ios=%llu", (unsigned long long)share);
		add(args, "--io_size=%llu",
		    (unsigned long long)(share * block_bytes(plan->bs)));
	} else {
		add(args, "--time_based");
		add(args, "--runtime=%u", plan->runtime_s);
		sample_ms = plan->runtime_s >= 10 ? 500 : 100;
	}
	add(args, "--iopsavgtime=%u", sample_ms);
	add(args, "--lat_percentiles=1");
	add(args, "--clat_percentiles=0");
	add(args, "--eta=never");
	add(args, "--output-format=json+");
}

/* The first line of what a child complained about, without its own name. */
static void complaint(int fd, const char *who, char *buf, size_t size)
{
	char *text = bench_child_text(fd);
	const char *line = text ? text : "";

	if (!strncmp(line, who, strlen(who)) && line[strlen(who)] == ':')
		line += strlen(who) + 1;
	line += strspn(line, " \n");
	snprintf(buf, size, "%.*s", (int)strcspn(line, "\n"), line);
	free(text);
}

static int check_end(const struct bench_child *child, const char *who,
		     const char *package, struct errmsg *err)
{
	char why[300];

	if (bench_interrupted())
		return err_fail(err, "interrupted");
	if (bench_child_ok(child))
		return 0;
	if (WIFSIGNALED(child->status))
		return err_fail(err, "%s was ended by signal %d", who,
				WTERMSIG(child->status));
	if (WEXITSTATUS(child->status) == 127)
		return err_fail(err, "%s is not installed (Debian package %s)",
				who, package);
	complaint(child->err_fd, who, why, sizeof(why));
	return err_fail(err, "%s failed with status %d%s%s", who,
			WEXITSTATUS(child->status), why[0] ? ": " : "", why);
}

static int mark(const struct bench_plan *plan, struct errmsg *err)
{
	char *argv[] = { (char *)plan->marker, NULL };
	struct bench_child child;
	int ret;

	if (!plan->marker)
		return 0;
	if (bench_child_open(&child, err))
		return -1;
	ret = bench_child_start(&child, argv, err);
	if (!ret)
		ret = bench_child_wait(&child, err);
	if (!ret)
		ret = check_end(&child, plan->marker, "irqpace", err);
	bench_child_close(&child);
	return ret;
}

/*
 * Above the line's thread (priority 50), so that what it waits for is time in
 * hard interrupt context, the wait that no scheduling can help against.
 */
static int victim_start(struct bench_child *child, int cpu, struct errmsg *err)
{
	struct args args = { 0 };
	int ret;

	if (bench_child_open(child, err))
		return -1;
	add(&args, "cyclictest");
	add(&args, "-q");
	add(&args, "-m");
	add(&args, "-t1");
	add(&args, "-a%d", cpu);
	add(&args, "-p90");
	add(&args, "-i200");
	add(&args, "-h20000");
	add(&args, "--json=/dev/fd/%d", child->extra_fd);
	ret = bench_child_start(child, args.arg, err);
	args_free(&args);
	if (ret)
		bench_child_close(child);
	/* It locks its memory and sets its CPU up before it measures. */
	usleep(200000);
	return ret;
}

static int victim_end(struct bench_child *child, struct bench_sample *sample,
		      struct errmsg *err)
{
	char *text;
	int ret;

	bench_child_stop(child);
	if (bench_child_wait(child, err) ||
	    check_end(child, "cyclictest", "rt-tests", err))
		return -1;
	text = bench_child_text(child->extra_fd);
	ret = bench_victim_parse(text ? text : "", &sample->victim_p999_us,
				 &sample->victim_max_us, err);
	free(text);
	return ret;
}

static int fio_once(struct bench_child *child, char *const argv[],
		    const char *workload, struct bench_sample *sample,
		    struct errmsg *err)
{
	char *text;
	int ret;

	if (bench_child_start(child, argv, err) ||
	    bench_child_wait(child, err) ||
	    check_end(child, "fio", "fio", err))
		return -1;
	text = bench_child_text(child->out_fd);
	ret = bench_fio_parse(text ? text : "", workload, &sample->fio, err);
	free(text);
	return ret;
}

int bench_fio_run(const struct bench_plan *plan, const struct bench_device *dev,
		  const char *workload, unsigned int jobs, uint64_t ios,
		  int victim_cpu, struct bench_sample *sample,
		  struct errmsg *err)
{
	struct bench_child child, victim = { .pid = -1 };
	struct args args = { 0 };
	int ret;

	if (bench_child_open(&child, err))
		return -1;
	if (victim_cpu >= 0 && victim_start(&victim, victim_cpu, err)) {
		bench_child_close(&child);
		return -1;
	}
	fio_args(&args, plan, dev, workload, jobs, ios);
	ret = mark(plan, err);
	if (!ret)
		ret = fio_once(&child, args.arg, workload, sample, err);
	if (!ret)
		ret = mark(plan, err);
	if (victim_cpu >= 0) {
		struct errmsg later;

		if (victim_end(&victim, sample, ret ? &later : err))
			ret = -1;
		bench_child_close(&victim);
	}
	args_free(&args);
	bench_child_close(&child);
	return ret;
}
