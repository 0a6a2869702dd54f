// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "locks.h"
#include "monotonic.h"

/* Without these a lock could be taken or released unseen. */
static const char *const needed[] = {
	"_raw_spin_lock", "_raw_spin_lock_irqsave", "_raw_spin_lock_irq",
	"_raw_spin_unlock", "_raw_spin_unlock_irqrestore", "_raw_spin_unlock_irq",
};

static bool is_needed(const char *function)
{
	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
		if (!strcmp(function, needed[i]))
			return true;
	return false;
}

int locks_choose_hooks(struct bpf_object *object, struct errmsg *err)
{
	struct btf *btf = btf__load_vmlinux_btf();
	bool waits = false, has_wait = false;
	struct bpf_program *prog;
	int rc = 0;

	if (!btf)
		return err_sys(err, errno, "cannot read the kernel's BTF: %s", strerror(errno));
	bpf_object__for_each_program(prog, object) {
		const char *section = bpf_program__section_name(prog);
		const char *function = strchr(section, '/') + 1;
		bool wait = strstr(function, "slowpath"), there;

		if (strncmp(section, "fe", 2) || !bpf_program__autoload(prog))
			continue;
		there = btf__find_by_name_kind(btf, function, BTF_KIND_FUNC) > 0;
		waits |= wait;
		has_wait |= wait && there;
		bpf_program__set_autoload(prog, there);
		if (!there && is_needed(function) && !rc)
			rc = err_fail(err, "this kernel has no function %s that could be attached to: its spin locks are inlined",
				      function);
	}
	if (waits && !has_wait && !rc)
		rc = err_fail(err, "this kernel has no function that waits for a spin lock: its spin locks are not queued ones");
	btf__free(btf);
	return rc;
}

double locks_probe_ns(int probe_fd)
{
	enum { ROUNDS = 5, READS = 200 };
	double best = 0;

	for (int round = 0; round < ROUNDS; round++) {
		double begin = monotonic_ns(), ns;
		uint64_t value;

		for (int i = 0; i < READS; i++)
			if (read(probe_fd, &value, sizeof(value)) >= 0)
				return 0;
		ns = (monotonic_ns() - begin) / READS;
		if (!round || ns < best)
			best = ns;
	}
	return best;
}
