// SPDX-License-Identifier: GPL-2.0-only
/* What tracing costs, on a function of the kernel's that does nothing. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bpf_program.h"
#include "trace_internal.h"
#include "trace.skel.h"
#include "monotonic.h"

#define EMPTY	"bpf_fentry_test1"
#define RUNS	501

static int by_value(const void *va, const void *vb)
{
	const uint64_t *a = va, *b = vb;

	return (*a > *b) - (*a < *b);
}

/*
 * The time of a run that calls the function once; negative: -errno. The lower
 * quartile, as whatever else the machine does makes a run longer, never shorter.
 */
static double run_ns(int fd)
{
	static uint64_t took[RUNS];
	LIBBPF_OPTS(bpf_test_run_opts, opts);

	for (size_t i = 0; i < RUNS; i++) {
		uint64_t start = monotonic_ns();

		if (bpf_prog_test_run_opts(fd, &opts))
			return -errno;
		took[i] = monotonic_ns() - start;
	}
	qsort(took, RUNS, sizeof(*took), by_value);
	return (double)took[RUNS / 4];
}

/* What the cell of the median has on average. */
static double median_ns(const struct dist *dist)
{
	uint64_t seen = 0;

	for (size_t i = 0; i < dist->n; i++) {
		seen += dist->slot[i].count;
		if (2 * seen > dist->samples)
			return (double)dist->slot[i].avg_ns;
	}
	return 0;
}

/* The program that is run, in an object of its own, so that it is there before and during. */
static struct trace_bpf *load_caller(void)
{
	struct trace_bpf *skel = trace_bpf__open();
	struct bpf_program *prog;

	if (!skel)
		return NULL;
	bpf_object__for_each_program(prog, skel->obj)
		bpf_program__set_autoload(prog, prog == skel->progs.trace_calls);
	if (trace_bpf__load(skel)) {
		trace_bpf__destroy(skel);
		return NULL;
	}
	return skel;
}

static int measure(struct trace_overhead *overhead, struct trace_probe *probe, int fd,
		   struct errmsg *err)
{
	struct trace_result result = { 0 };
	double plain_ns = run_ns(fd), traced_ns, after_ns;
	struct dist dist;
	int rc, ret = 0;

	if (plain_ns < 0 || trace_probe_attach(probe, EMPTY))
		return 0;
	traced_ns = run_ns(fd);
	trace_probe_detach(probe);
	after_ns = run_ns(fd);
	if (after_ns > 0 && after_ns < plain_ns)
		plain_ns = after_ns;
	rc = trace_probe_read(probe, &result);
	if (rc) {
		ret = bpf_refused(err, rc, "reading what its programs saw");
	} else {
		trace_dist(&dist, result.cpu, result.n_cpus, TRACE_DURATION, TRACE_BITS, "");
		if (dist.samples < RUNS) {
			ret = err_fail(err, "of %d calls of an empty function the programs paired %llu: they do not fit this kernel",
				       RUNS, (unsigned long long)dist.samples);
		} else {
			overhead->known = true;
			overhead->duration_ns = median_ns(&dist);
			overhead->call_ns = traced_ns - plain_ns;
			if (overhead->call_ns < overhead->duration_ns)
				overhead->call_ns = overhead->duration_ns;
		}
		dist_free(&dist);
	}
	trace_result_free(&result);
	return ret;
}

int trace_measure(struct trace_overhead *overhead, bool kprobe, struct errmsg *err)
{
	struct trace_bpf *caller = load_caller();
	struct trace_probe probe;
	int ret = 0;

	memset(overhead, 0, sizeof(*overhead));
	if (!caller)
		return 0;
	if (!trace_probe_load(&probe, EMPTY, kprobe)) {
		ret = measure(overhead, &probe, bpf_program__fd(caller->progs.trace_calls), err);
		trace_probe_unload(&probe);
	}
	trace_bpf__destroy(caller);
	return ret;
}
