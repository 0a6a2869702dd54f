// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bpf_program.h"
#include "locks.h"
#include "locks.skel.h"
#include "percentile.h"
#include "xalloc.h"
#include "monotonic.h"

#define WHAT "the programs that time locks"

struct locks {
	struct locks_bpf *skel;
	size_t n;
	uint64_t start_ns;
	struct locks_cost cost;
	int stats_fd;			/* while a sample is taken, else -1 */
	uint64_t sample_start_ns;
	uint64_t sample_runs;		/* of the releases when it began */
	uint64_t sampled_ns;		/* all samples so far ... */
	uint64_t sampled_pairs;		/* ... and what they saw */
};

/* Nothing is measured any more once its byte is 0. */
static void empty_table(struct locks *locks)
{
	for (size_t i = 0; i < LOCKS_TABLE; i++)
		__atomic_store_n(&locks->skel->bss->table[i], 0, __ATOMIC_RELEASE);
	locks->n = 0;
}

/* A lock's own fields are there before its byte leads to it. */
static void measure(struct locks *locks, uint64_t address)
{
	uint8_t *byte = &locks->skel->bss->table[LOCKS_SLOT(address)];
	struct locks_lock *lock = &locks->skel->bss->locks[++locks->n];

	lock->address = address;
	lock->next = *byte;
	__atomic_store_n(byte, (uint8_t)locks->n, __ATOMIC_RELEASE);
}

/* What a read of the probe takes with hooks on its lock's functions, and then on its lock. */
static void calibrate(struct locks *locks, const struct locks_layout *layout)
{
	double other, measured;
	struct locks_place total;
	struct locks_cost *cost = &locks->cost;

	if (!layout->probe_lock)
		return;
	other = locks_probe_ns(layout->probe_fd);
	measure(locks, layout->probe_lock);
	measured = locks_probe_ns(layout->probe_fd);
	empty_table(locks);
	total = locks_total(&locks->skel->bss->locks[1]);
	if (!total.timed)
		return;
	cost->floor_ns = (double)total.hold_ns / (double)total.timed;
	cost->other_ns = other > layout->plain_ns ? other - layout->plain_ns : 0;
	cost->measured_ns = measured > layout->plain_ns ? measured - layout->plain_ns : 0;
	cost->known = true;
}

int locks_open(struct locks **out, const struct locks_layout *layout, bool irq_safe,
	       struct errmsg *err)
{
	struct locks *locks = xcalloc(1, sizeof(*locks));
	struct locks_bpf *skel;
	int rc;

	locks->stats_fd = -1;
	skel = locks->skel = locks_bpf__open();
	if (!skel) {
		bpf_refused(err, errno, WHAT);
		goto failed;
	}
	skel->rodata->entry_word = layout->entry_word;
	skel->rodata->exit_word = layout->exit_word;
	bpf_program__set_autoload(irq_safe ? skel->progs.lock_exit : skel->progs.lock_entry,
				  false);
	if (locks_choose_hooks(skel->obj, err))
		goto failed;
	rc = locks_bpf__load(skel);
	rc = rc ? rc : locks_bpf__attach(skel);
	if (rc) {
		bpf_refused(err, rc, WHAT);
		goto failed;
	}
	calibrate(locks, layout);
	*out = locks;
	return 0;
failed:
	locks_close(locks);
	return -1;
}

void locks_start(struct locks *locks, const struct locks_targets *targets)
{
	memset(locks->skel->bss->locks, 0, sizeof(locks->skel->bss->locks));
	locks->start_ns = monotonic_ns();
	for (size_t i = 0; i < targets->n; i++)
		measure(locks, targets->target[i].address);
}

/* Runs of the hooks at releases, which the kernel counts while statistics are on. */
static uint64_t counted(struct locks *locks, bool missed)
{
	struct bpf_program *prog;
	uint64_t sum = 0;

	bpf_object__for_each_program(prog, locks->skel->obj) {
		struct bpf_prog_info info = { 0 };
		uint32_t size = sizeof(info);
		int fd = bpf_program__fd(prog);

		if (fd < 0 || bpf_obj_get_info_by_fd(fd, &info, &size))
			continue;
		if (missed)
			sum += info.recursion_misses;
		else if (!strncmp(bpf_program__name(prog), "unlock", 6))
			sum += info.run_cnt;
	}
	return sum;
}

void locks_sample_begins(struct locks *locks)
{
	locks->stats_fd = bpf_enable_stats(BPF_STATS_RUN_TIME);
	locks->sample_start_ns = monotonic_ns();
	locks->sample_runs = counted(locks, false);
}

void locks_sample_ends(struct locks *locks)
{
	if (locks->stats_fd < 0)
		return;
	locks->sampled_pairs += counted(locks, false) - locks->sample_runs;
	locks->sampled_ns += monotonic_ns() - locks->sample_start_ns;
	close(locks->stats_fd);
	locks->stats_fd = -1;
}

/* Detaching waits for hooks that run, so what is read then changes no more. */
void locks_stop(struct locks *locks, struct locks_result *result)
{
	size_t n = locks->n;

	memset(result, 0, sizeof(*result));
	locks_sample_ends(locks);
	result->time_ns = monotonic_ns() - locks->start_ns;
	empty_table(locks);
	result->missed = counted(locks, true);
	locks_bpf__detach(locks->skel);
	result->n = n;
	result->lock = xcalloc(n, sizeof(*result->lock));
	memcpy(result->lock, &locks->skel->bss->locks[1], n * sizeof(*result->lock));
	for (size_t i = 0; i < n; i++)
		result->lock[i].place[0].acquisitions += result->lock[i].lost;
	if (locks->sampled_ns)
		locks->cost.pairs_per_s = (double)locks->sampled_pairs * 1e9 /
					  (double)locks->sampled_ns;
	result->cost = locks->cost;
}

void locks_result_free(struct locks_result *result)
{
	free(result->lock);
	memset(result, 0, sizeof(*result));
}

void locks_close(struct locks *locks)
{
	if (!locks)
		return;
	locks_bpf__destroy(locks->skel);
	free(locks);
}

struct locks_place locks_total(const struct locks_lock *lock)
{
	struct locks_place total = { 0 };

	for (size_t i = 0; i < LOCKS_ROOM; i++) {
		const struct locks_place *place = &lock->place[i];

		total.acquisitions += place->acquisitions;
		total.timed += place->timed;
		total.contended += place->contended;
		total.hold_ns += place->hold_ns;
		total.wait_ns += place->wait_ns;
		if (place->hold_max_ns > total.hold_max_ns)
			total.hold_max_ns = place->hold_max_ns;
	}
	return total;
}

uint64_t locks_wait_p99_ns(const struct locks_lock *lock)
{
	struct locks_place total = locks_total(lock);
	struct pace_hist all = lock->wait;

	all.bucket[0] += total.timed - total.contended;
	return pace_hist_percentile_ns(&all, 990);
}

double locks_cost_share(const struct locks_result *result)
{
	const struct locks_cost *cost = &result->cost;
	double ours = 0, seconds = (double)result->time_ns / 1e9;

	for (size_t i = 0; i < result->n; i++)
		ours += (double)locks_total(&result->lock[i]).acquisitions;
	return (cost->pairs_per_s * cost->other_ns +
		ours / seconds * (cost->measured_ns - cost->other_ns)) / 1e9;
}
