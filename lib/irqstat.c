// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bpf_program.h"
#include "irqstat.h"
#include "irqstat.skel.h"
#include "monotonic.h"
#include "nl.h"
#include "xalloc.h"

/* Each costs 1.7 KB of kernel memory. */
#define CELLS_PER_LINE	4
#define CELLS_MIN	4096
#define CELLS_MAX	32768

struct irqstat {
	struct irqstat_bpf *skel;
	size_t n_cpus;
	struct irqstat_cpu *cpu;	/* as wide as the kernel fills it */
};

/*
 * BTF tracepoints where the kernel has them, unless IRQPACE_RAW_TP is set (tests);
 * the module's own where it is loaded.
 */
static void choose(struct irqstat_bpf *skel, bool raw)
{
	struct bpf_program *prog;

	bpf_object__for_each_program(prog, skel->obj) {
		bool is_raw = !strncmp(bpf_program__section_name(prog), "raw_tp/", 7);

		bpf_program__set_autoload(prog, is_raw == raw);
	}
	bpf_program__set_autoload(skel->progs.round_raw, nl_module_loaded());
}

static int try_open(struct irqstat *stat, size_t lines, bool raw)
{
	size_t cells = lines * CELLS_PER_LINE;
	int rc;

	stat->skel = irqstat_bpf__open();
	if (!stat->skel)
		return -errno;
	choose(stat->skel, raw);
	cells = cells < CELLS_MIN ? CELLS_MIN : cells > CELLS_MAX ? CELLS_MAX : cells;
	stat->skel->rodata->n_cells = (uint32_t)cells;
	rc = bpf_map__set_max_entries(stat->skel->maps.cells, (uint32_t)cells);
	rc = rc ? rc : bpf_map__set_max_entries(stat->skel->maps.keys, (uint32_t)cells);
	rc = rc ? rc : irqstat_bpf__load(stat->skel);
	rc = rc ? rc : irqstat_bpf__attach(stat->skel);
	if (!rc)
		return 0;
	irqstat_bpf__destroy(stat->skel);
	stat->skel = NULL;
	return rc;
}

int irqstat_open(struct irqstat **out, size_t lines, struct errmsg *err)
{
	struct irqstat *stat;
	int rc, n_cpus;

	if (bpf_ready(err))
		return -1;
	n_cpus = libbpf_num_possible_cpus();
	if (n_cpus < 1)
		return err_fail(err, "cannot tell how many CPUs are possible");
	stat = xcalloc(1, sizeof(*stat));
	rc = getenv("IRQPACE_RAW_TP") ? -ESRCH : try_open(stat, lines, false);
	if (rc && rc != -EPERM && rc != -ENOMEM)
		rc = try_open(stat, lines, true);
	if (rc) {
		free(stat);
		return bpf_refused(err, rc, "the programs that time interrupts");
	}
	stat->n_cpus = (size_t)n_cpus;
	stat->cpu = xcalloc(stat->n_cpus, sizeof(*stat->cpu));
	*out = stat;
	return 0;
}

void irqstat_close(struct irqstat *stat)
{
	if (!stat)
		return;
	irqstat_bpf__destroy(stat->skel);
	free(stat->cpu);
	free(stat);
}

static void fill_entry(struct irqstat_entry *entry, const struct irqstat_cell *cell,
		       uint64_t epoch)
{
	const struct irqstat_peak *peak = &cell->peak[epoch & 1];

	entry->run = cell->run;
	entry->none_runs = cell->none_runs;
	entry->none_ns = cell->none_ns;
	if (peak->epoch == epoch) {
		entry->run_max_ns = peak->run_ns;
		entry->stay_max_ns = peak->stay_ns;
	}
	entry->run.max_ns = entry->run_max_ns;
}

/* Keys are never deleted, so a walk meets each one that was there at its start. */
static void read_cells(struct irqstat *stat, struct irqstat_sample *sample, uint64_t epoch)
{
	int keys = bpf_map__fd(stat->skel->maps.keys);
	int cells = bpf_map__fd(stat->skel->maps.cells);
	uint32_t number;
	struct irqstat_cell *cell = xcalloc(1, sizeof(*cell));
	struct irqstat_key key, *before = NULL;
	size_t room = 0;

	while (!bpf_map_get_next_key(keys, before, &key)) {
		before = &key;
		if (bpf_map_lookup_elem(keys, &key, &number) ||
		    bpf_map_lookup_elem(cells, &number, cell))
			continue;
		if (sample->n == room) {
			room = room ? 2 * room : 64;
			sample->entry = xrealloc(sample->entry, room, sizeof(*sample->entry));
		}
		memset(&sample->entry[sample->n], 0, sizeof(*sample->entry));
		sample->entry[sample->n].key = key;
		fill_entry(&sample->entry[sample->n++], cell, epoch);
	}
	free(cell);
	irqstat_sort(sample);
}

static void count_runs(struct irqstat_sample *sample)
{
	for (size_t i = 0; i < sample->n; i++) {
		const struct irqstat_entry *entry = &sample->entry[i];

		if (entry->key.handler != IRQSTAT_ROUND_THREAD && entry->key.cpu < sample->n_cpus)
			sample->cpu[entry->key.cpu].irq_runs +=
				pace_hist_count(&entry->run) + entry->none_runs;
	}
}

int irqstat_read(struct irqstat *stat, struct irqstat_sample *sample, struct errmsg *err)
{
	uint64_t epoch;
	uint32_t zero = 0;

	memset(sample, 0, sizeof(*sample));
	epoch = __atomic_fetch_add(&stat->skel->data->epoch, 1, __ATOMIC_SEQ_CST);
	sample->time_ns = monotonic_ns();
	if (bpf_map_lookup_elem(bpf_map__fd(stat->skel->maps.cpus), &zero, stat->cpu))
		return err_sys(err, errno, "cannot read what the programs saw: %s",
			       strerror(errno));
	sample->n_cpus = stat->n_cpus;
	sample->cpu = xcalloc(stat->n_cpus, sizeof(*sample->cpu));
	memcpy(sample->cpu, stat->cpu, stat->n_cpus * sizeof(*sample->cpu));
	read_cells(stat, sample, epoch);
	count_runs(sample);
	diskstats_read(NULL, &sample->disks);
	return 0;
}

void irqstat_free(struct irqstat_sample *sample)
{
	free(sample->entry);
	free(sample->cpu);
	diskstats_free(&sample->disks);
	memset(sample, 0, sizeof(*sample));
}
