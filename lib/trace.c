// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bpf_program.h"
#include "monotonic.h"
#include "trace_internal.h"
#include "xalloc.h"

struct trace {
	struct trace_probe probe;
	struct trace_overhead overhead;
	uint64_t start_ns;
};

/*
 * fentry knows functions by their type (BTF), which those of some modules lack,
 * and it does not take every one; a kprobe does without. IRQPACE_KPROBE is for
 * tests: no fentry.
 */
static int start(struct trace *trace, const char *function, struct errmsg *err)
{
	int rc;

	for (bool kprobe = getenv("IRQPACE_KPROBE");; kprobe = true) {
		rc = trace_probe_load(&trace->probe, function, kprobe);
		if (!rc) {
			if (trace_measure(&trace->overhead, kprobe, err))
				return -1;
			rc = trace_probe_attach(&trace->probe, function);
		}
		if (!rc)
			return 0;
		trace_probe_unload(&trace->probe);
		if (kprobe || rc == -EPERM)
			break;
	}
	if (rc != -EPERM && rc != -EACCES && trace_function_traceable(NULL, function, err))
		return -1;
	return bpf_refused(err, rc, "the programs that trace a function");
}

int trace_open(struct trace **out, const char *function, struct errmsg *err)
{
	struct trace *trace;

	if (bpf_ready(err) || trace_function_check(NULL, function, err))
		return -1;
	trace = xcalloc(1, sizeof(*trace));
	if (start(trace, function, err)) {
		trace_close(trace);
		return -1;
	}
	trace->start_ns = monotonic_ns();
	*out = trace;
	return 0;
}

int trace_stop(struct trace *trace, struct trace_result *result, struct errmsg *err)
{
	int rc;

	memset(result, 0, sizeof(*result));
	result->time_ns = monotonic_ns() - trace->start_ns;
	trace_probe_detach(&trace->probe);
	rc = trace_probe_read(&trace->probe, result);
	result->method = trace->probe.kprobe ? "kprobe" : "fentry";
	result->overhead = trace->overhead;
	if (!rc)
		return 0;
	trace_result_free(result);
	return bpf_refused(err, rc, "reading what its programs saw");
}

void trace_close(struct trace *trace)
{
	trace_probe_unload(&trace->probe);
	free(trace);
}
