// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bpf_program.h"
#include "ksyms.h"
#include "locks.h"
#include "locks_find.skel.h"
#include "xalloc.h"

#define WHAT "the programs that look for locks"
#define LAYOUT_TRIES	10

struct locks_finder {
	struct locks_find_bpf *skel;
	struct locks_layout layout;
	char *device[LOCKS_LINES];	/* of each line, NULL: not known */
	char *lines;			/* "irq 29 (ahci[0000:00:1f.2])", for sentences */
};

/*
 * The word in PROBE that holds a return address: the one behind an address in
 * the first bytes of the function, where the hook was called from. 0: none.
 */
static uint32_t caller_word(const struct locks_probe *probe)
{
	for (uint32_t i = 0; probe->seen && i + 1 < LOCKS_WORDS; i++)
		if (probe->word[i] > probe->function && probe->word[i] <= probe->function + 16)
			return i + 1;
	return 0;
}

/*
 * Newer kernels jump to the programs of an exit, so that no address in the
 * function is left. Then the caller itself is looked for, which is known here.
 */
static uint32_t known_caller_word(const struct locks_probe *probe, const char *caller)
{
	struct errmsg err;
	uint64_t address;

	if (ksyms_find(NULL, caller, &address, &err) != 1)
		return 0;
	for (uint32_t i = 0; probe->seen && i < LOCKS_WORDS; i++)
		if (probe->word[i] > address && probe->word[i] <= address + 512)
			return i;
	return 0;
}

/*
 * Of locks that our own system calls take: dup() takes one by spin_lock(), and a
 * read of an empty eventfd takes its own by spin_lock_irq(), looks and releases it.
 */
static int look_at_own_locks(struct locks_finder *finder, struct errmsg *err)
{
	volatile struct locks_find_bpf__bss *bss = finder->skel->bss;
	struct locks_layout *layout = &finder->layout;
	struct locks_probe at_entry, at_exit;
	uint64_t value;
	int fd;

	bss->own_pid = (uint32_t)getpid();
	fd = dup(layout->probe_fd);
	if (read(layout->probe_fd, &value, sizeof(value)) >= 0)
		return err_fail(err, "an empty eventfd could be read");
	bss->own_pid = 0;
	close(fd);
	at_entry = finder->skel->bss->at_entry;
	at_exit = finder->skel->bss->at_exit;
	layout->entry_word = caller_word(&at_entry);
	layout->exit_word = caller_word(&at_exit);
	if (!layout->exit_word)
		layout->exit_word = known_caller_word(&at_exit, "eventfd_read");
	layout->probe_lock = at_exit.lock;
	return 0;
}

/* An interrupt may come between, and its handler's locks be taken for ours. */
static int try_to_learn(struct locks_finder *finder, struct errmsg *err)
{
	const struct locks_layout *layout = &finder->layout;

	for (int i = 0; i < LAYOUT_TRIES; i++) {
		if (look_at_own_locks(finder, err))
			return -1;
		if (layout->entry_word && layout->exit_word)
			return 0;
	}
	return err_fail(err, "cannot tell where this kernel holds the caller of a lock function");
}

/* By these two hooks alone: each takes a while to attach and to detach. */
static int learn_layout(struct locks_finder *finder, struct errmsg *err)
{
	struct bpf_link *entry = bpf_program__attach(finder->skel->progs.lock);
	struct bpf_link *exit = entry ? bpf_program__attach(finder->skel->progs.lock_irq) : NULL;
	int rc;

	if (!exit)
		rc = bpf_refused(err, errno, WHAT);
	else
		rc = try_to_learn(finder, err);
	bpf_link__destroy(exit);
	bpf_link__destroy(entry);
	return rc;
}

static void take_lines(struct locks_finder *finder, struct line *const *line, size_t n)
{
	struct locks_find_bpf__bss *bss = finder->skel->bss;

	for (size_t i = 0; i < n; i++) {
		char *before = finder->lines;

		bss->lines[i].irq = line[i]->irq;
		finder->device[i] = line_device(line[i]) ? xstrdup(line_device(line[i])) : NULL;
		finder->lines = xasprintf("%s%sirq %u (%s)", before ? before : "",
					  before ? ", " : "", line[i]->irq,
					  line[i]->name ? line[i]->name : "");
		free(before);
	}
	bss->n_lines = (uint32_t)n;
}

/* The functions of all hooks in one object, loaded but attached to nothing. */
static int load(struct locks_finder *finder, struct errmsg *err)
{
	int rc;

	finder->skel = locks_find_bpf__open();
	if (!finder->skel)
		return bpf_refused(err, errno, WHAT);
	if (locks_choose_hooks(finder->skel->obj, err))
		return -1;
	rc = locks_find_bpf__load(finder->skel);
	return rc ? bpf_refused(err, rc, WHAT) : 0;
}

int locks_finder_open(struct locks_finder **out, struct line *const *line, size_t n,
		      struct errmsg *err)
{
	struct locks_finder *finder;

	if (n > LOCKS_LINES)
		return err_fail(err, "%zu lines match, and the locks of at most %d can be looked for at a time",
				n, LOCKS_LINES);
	if (bpf_ready(err))
		return -1;
	finder = xcalloc(1, sizeof(*finder));
	finder->layout.probe_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (finder->layout.probe_fd < 0) {
		err_sys(err, errno, "cannot make an eventfd: %s", strerror(errno));
		goto failed;
	}
	finder->layout.plain_ns = locks_probe_ns(finder->layout.probe_fd);
	if (load(finder, err))
		goto failed;
	if (learn_layout(finder, err))
		goto failed;
	take_lines(finder, line, n);
	*out = finder;
	return 0;
failed:
	locks_finder_close(finder);
	return -1;
}

const struct locks_layout *locks_finder_layout(const struct locks_finder *finder)
{
	return &finder->layout;
}

int locks_finder_start(struct locks_finder *finder, struct errmsg *err)
{
	int rc = locks_find_bpf__attach(finder->skel);

	return rc ? bpf_refused(err, rc, WHAT) : 0;
}

static struct locks_target *target_of(struct locks_targets *targets, uint64_t address)
{
	for (size_t i = 0; i < targets->n; i++)
		if (targets->target[i].address == address)
			return &targets->target[i];
	targets->target = xrealloc(targets->target, targets->n + 1, sizeof(*targets->target));
	targets->target[targets->n] = (struct locks_target){ .address = address };
	return &targets->target[targets->n++];
}

/* Also those that a port takes nowhere but outside of handlers. */
static void add_ata(struct locks_finder *finder, struct locks_targets *targets)
{
	for (uint32_t i = 0; i < finder->skel->bss->n_lines; i++) {
		const struct locks_ata *ata = &finder->skel->bss->lines[i].ata;
		const char *device = finder->device[i] ? finder->device[i] : "";
		struct locks_target *target;

		if (!ata->host_lock)
			continue;
		target = target_of(targets, ata->host_lock);
		if (!target->name)
			target->name = xasprintf("host_lock %s", device);
		for (int port = 0; port < LOCKS_PORTS; port++) {
			if (!ata->port_lock[port] || ata->port_lock[port] == ata->host_lock)
				continue;
			target = target_of(targets, ata->port_lock[port]);
			if (!target->name)
				target->name = xasprintf("port_lock %d %s", port, device);
		}
	}
}

static int most_used(const void *va, const void *vb)
{
	const struct locks_target *a = va, *b = vb;

	if (!a->name != !b->name)
		return a->name ? -1 : 1;
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return (a->address > b->address) - (a->address < b->address);
}

static int add_found(struct locks_finder *finder, struct locks_targets *targets,
		     struct errmsg *err)
{
	int n_cpus = libbpf_num_possible_cpus(), rc;
	struct locks_cpu *cpu;
	uint32_t zero = 0;

	if (n_cpus < 1)
		return err_fail(err, "cannot tell how many CPUs are possible");
	cpu = xcalloc((size_t)n_cpus, sizeof(*cpu));
	rc = bpf_map_lookup_elem(bpf_map__fd(finder->skel->maps.cpus), &zero, cpu);
	for (int i = 0; i < n_cpus && !rc; i++) {
		targets->left_out += cpu[i].dropped > 0;
		for (size_t k = 0; k < LOCKS_FOUND; k++)
			if (cpu[i].found[k].address)
				target_of(targets, cpu[i].found[k].address)->count +=
					cpu[i].found[k].count;
	}
	free(cpu);
	return rc ? err_sys(err, errno, "cannot read what the programs saw: %s",
			    strerror(errno)) : 0;
}

int locks_finder_stop(struct locks_finder *finder, struct locks_targets *targets,
		      struct errmsg *err)
{
	uint64_t runs = 0;

	memset(targets, 0, sizeof(*targets));
	locks_find_bpf__detach(finder->skel);
	for (uint32_t i = 0; i < finder->skel->bss->n_lines; i++)
		runs += finder->skel->bss->lines[i].runs;
	if (!runs)
		return err_fail(err, "no handler of %s ran while its locks were looked for: give the device some work",
				finder->lines);
	if (add_found(finder, targets, err))
		return -1;
	add_ata(finder, targets);
	if (!targets->n)
		return err_fail(err, "the handlers of %s ran %" PRIu64 " times and took no spin lock",
				finder->lines, runs);
	qsort(targets->target, targets->n, sizeof(*targets->target), most_used);
	for (; targets->n > LOCKS_MAX; targets->left_out++)
		free(targets->target[--targets->n].name);
	return 0;
}

void locks_finder_close(struct locks_finder *finder)
{
	if (!finder)
		return;
	locks_find_bpf__destroy(finder->skel);
	for (size_t i = 0; i < LOCKS_LINES; i++)
		free(finder->device[i]);
	free(finder->lines);
	if (finder->layout.probe_fd >= 0)
		close(finder->layout.probe_fd);
	free(finder);
}

void locks_targets_free(struct locks_targets *targets)
{
	for (size_t i = 0; i < targets->n; i++)
		free(targets->target[i].name);
	free(targets->target);
	memset(targets, 0, sizeof(*targets));
}
