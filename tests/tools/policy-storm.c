// SPDX-License-Identifier: GPL-2.0-only
/*
 * policy-storm CHANGES SEED PAUSE_US IRQ...: that many changes of random lines
 * to random policies and parameters, up to PAUSE_US apart, then every line back
 * to native. The same seed makes the same changes. Exits 1 at the first change
 * that the module refuses.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/nl.h"
#include "lib/selector.h"

static uint64_t state;

/* splitmix64: any seed will do, zero included. */
static uint32_t below(uint32_t n)
{
	uint64_t z = (state += 0x9e3779b97f4a7c15ULL);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return (uint32_t)((z ^ (z >> 31)) >> 32) % n;
}

static uint64_t some_ns(uint64_t longest_ns)
{
	return IRQPACE_TIME_MIN_NS + below((uint32_t)(longest_ns - IRQPACE_TIME_MIN_NS));
}

static struct policy some_policy(void)
{
	struct policy p = {
		.kind = IRQPACE_POLICY_HARD + below(4),
		.mask = (int)below(2),
		.mask_after = 1 + below(4),
		.shared = true,
	};

	switch (p.kind) {
	case IRQPACE_POLICY_THREADED:
		if (below(2))
			p.delay_ns = some_ns(1000000);
		break;
	case IRQPACE_POLICY_HYBRID:
		p.limit_ns = some_ns(100000);
		p.window_ns = p.limit_ns + some_ns(2000000);
		break;
	case IRQPACE_POLICY_MODERATE:
		p.delay_ns = some_ns(1000000);
		p.poll = below(2);
		if (p.poll)
			p.rounds = 1 + below(100);
		break;
	default:
		break;
	}
	return p;
}

static int change(struct nl *nl, uint32_t irq, struct errmsg *err)
{
	struct selector sel = { .kind = SELECTOR_IRQ, .irq = irq };
	struct policy p;
	uint32_t *irqs = NULL;
	size_t n;
	int ret;

	snprintf(sel.text, sizeof(sel.text), "%" PRIu32, irq);
	if (!below(8))
		return nl_reset(nl, &sel, err);
	p = some_policy();
	ret = nl_set(nl, &sel, &p, &irqs, &n, err);
	free(irqs);
	return ret;
}

static void nap(uint32_t pause_us)
{
	struct timespec t = { .tv_nsec = 1000L * below(pause_us + 1) };

	nanosleep(&t, NULL);
}

int main(int argc, char **argv)
{
	struct errmsg err = { 0 };
	struct nl_lines left;
	struct nl *nl;
	unsigned long changes, i;
	uint32_t pause_us, irq;

	if (argc < 5) {
		fprintf(stderr, "usage: policy-storm CHANGES SEED PAUSE_US IRQ...\n");
		return 2;
	}
	changes = strtoul(argv[1], NULL, 0);
	state = strtoull(argv[2], NULL, 0);
	pause_us = (uint32_t)strtoul(argv[3], NULL, 0);
	if (nl_open(&nl, &err))
		goto fail;
	for (i = 0; i < changes; i++) {
		irq = (uint32_t)strtoul(argv[4 + below((uint32_t)argc - 4)], NULL, 0);
		if (change(nl, irq, &err)) {
			fprintf(stderr, "policy-storm: change %lu, irq %" PRIu32 ": ", i, irq);
			goto fail;
		}
		nap(pause_us);
		if ((i + 1) % 10000 == 0)
			printf("%lu changes\n", i + 1), fflush(stdout);
	}
	if (nl_reset(nl, NULL, &err) || nl_lines(nl, true, &left, &err))
		goto fail;
	if (left.n) {
		fprintf(stderr, "policy-storm: %zu lines are still attached\n", left.n);
		return 1;
	}
	nl_lines_free(&left);
	nl_close(nl);
	printf("%lu changes done\n", changes);
	return 0;

fail:
	fprintf(stderr, "%s\n", err.text);
	return 1;
}
