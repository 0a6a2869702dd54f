// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "trace_internal.h"
#include "trace.skel.h"
#include "xalloc.h"

static struct bpf_program *first_program(const struct trace_probe *probe)
{
	return probe->kprobe ? probe->skel->progs.trace_kprobe : probe->skel->progs.trace_fentry;
}

static struct bpf_program *last_program(const struct trace_probe *probe)
{
	return probe->kprobe ? probe->skel->progs.trace_kretprobe :
			       probe->skel->progs.trace_fexit;
}

static int set_up(struct trace_probe *probe, const char *function)
{
	struct trace_bpf *skel = probe->skel;
	struct bpf_program *prog;
	int rc;

	bpf_object__for_each_program(prog, skel->obj)
		bpf_program__set_autoload(prog, false);
	bpf_program__set_autoload(first_program(probe), true);
	bpf_program__set_autoload(last_program(probe), true);
	rc = bpf_map__set_max_entries(skel->maps.cpus, (uint32_t)probe->n_cpus);
	if (rc || probe->kprobe)
		return rc;
	rc = bpf_program__set_attach_target(first_program(probe), 0, function);
	return rc ? rc : bpf_program__set_attach_target(last_program(probe), 0, function);
}

int trace_probe_load(struct trace_probe *probe, const char *function, bool kprobe)
{
	int n_cpus = libbpf_num_possible_cpus(), rc;

	if (n_cpus < 1)
		return n_cpus ? n_cpus : -EINVAL;
	*probe = (struct trace_probe){
		.skel = trace_bpf__open(),
		.kprobe = kprobe,
		.n_cpus = (size_t)n_cpus,
	};
	if (!probe->skel)
		return -errno;
	rc = set_up(probe, function);
	rc = rc ? rc : trace_bpf__load(probe->skel);
	if (rc)
		trace_probe_unload(probe);
	return rc;
}

static struct bpf_link *attach(const struct trace_probe *probe, struct bpf_program *prog,
			       const char *function)
{
	if (!probe->kprobe)
		return bpf_program__attach_trace(prog);
	return bpf_program__attach_kprobe(prog, prog == last_program(probe), function);
}

/*
 * Returns first: a call that began when only its beginning is seen would stay
 * under way for ever. Those that began earlier return unpaired, which counts
 * from TRACE_ON on.
 */
int trace_probe_attach(struct trace_probe *probe, const char *function)
{
	probe->end = attach(probe, last_program(probe), function);
	if (!probe->end)
		return -errno;
	probe->begin = attach(probe, first_program(probe), function);
	if (!probe->begin)
		return -errno;
	__atomic_store_n(&probe->skel->bss->phase, TRACE_ON, __ATOMIC_SEQ_CST);
	return 0;
}

/* bpf_link_info of a kprobe, as kernels from 6.7 on have it; the machine's header may not. */
struct kprobe_info {
	uint32_t type, id, prog_id, pad;
	uint32_t event, pad2;
	uint64_t name;
	uint32_t name_len, offset;
	uint64_t address;
	uint64_t missed;
};

/*
 * Calls that PROG was not run for, because it, or for kprobes another one of
 * their kind, ran on that CPU; or because too many are waited for to return.
 */
static uint64_t missed(struct trace_probe *probe, const struct bpf_program *prog,
		       const struct bpf_link *link)
{
	struct bpf_prog_info info = { 0 };
	struct kprobe_info kprobe = { 0 };
	uint32_t size = sizeof(info);

	if (bpf_obj_get_info_by_fd(bpf_program__fd(prog), &info, &size))
		probe->missed_known = false;
	if (!probe->kprobe)
		return info.recursion_misses;
	size = sizeof(kprobe);
	if (bpf_obj_get_info_by_fd(bpf_link__fd(link), &kprobe, &size) || size < sizeof(kprobe))
		probe->missed_known = false;
	return info.recursion_misses + kprobe.missed;
}

void trace_probe_detach(struct trace_probe *probe)
{
	__atomic_store_n(&probe->skel->bss->phase, TRACE_STOPPING, __ATOMIC_SEQ_CST);
	probe->missed_known = true;
	probe->missed_begin = missed(probe, first_program(probe), probe->begin);
	bpf_link__destroy(probe->begin);
	probe->missed_end = missed(probe, last_program(probe), probe->end);
	bpf_link__destroy(probe->end);
	probe->begin = probe->end = NULL;
}

void trace_probe_unload(struct trace_probe *probe)
{
	bpf_link__destroy(probe->begin);
	bpf_link__destroy(probe->end);
	trace_bpf__destroy(probe->skel);
	memset(probe, 0, sizeof(*probe));
}

int trace_probe_read(struct trace_probe *probe, struct trace_result *result)
{
	int fd = bpf_map__fd(probe->skel->maps.cpus);

	result->n_cpus = probe->n_cpus;
	result->cpu = xcalloc(probe->n_cpus, sizeof(*result->cpu));
	for (uint32_t id = 0; id < probe->n_cpus; id++) {
		struct trace_cpu *cpu = &result->cpu[id];

		if (bpf_map_lookup_elem(fd, &id, cpu))
			return -errno;
		result->begun += cpu->begun;
		result->no_return += cpu->no_return;
		result->no_place += cpu->no_place;
		result->unpaired += cpu->unpaired;
	}
	for (size_t i = 0; i < TRACE_PLACES; i++)
		result->running += !!probe->skel->bss->calls[i].frame;
	result->missed_begin = probe->missed_begin;
	result->missed_end = probe->missed_end;
	result->missed_known = probe->missed_known;
	return 0;
}

void trace_result_free(struct trace_result *result)
{
	free(result->cpu);
	memset(result, 0, sizeof(*result));
}
