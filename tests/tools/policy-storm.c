// SPDX-License-Identifier: GPL-2.0-only
/*
 * policy-storm CHANGES SECONDS SEED PAUSE_US IRQ...: changes random lines to
 * random policies and parameters, up to PAUSE_US apart, until either is reached;
 * then every line back to native. The same seed makes the same changes. Exits 1
 * at the first change that the module refuses. A change that does not come back
 * within STUCK_S is named, with what each CPU does in the kernel's log.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/nl.h"
#include "lib/selector.h"

#define STUCK_S 30

static uint64_t state;

/* What is under way, for the alarm; and how long each kind of change took. */
static unsigned long done;
static volatile uint32_t at_irq;
static struct {
	unsigned long n;
	uint64_t sum_ns, max_ns;
} took[__IRQPACE_POLICY_MAX];

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

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void stuck(int sig)
{
	char text[96];
	int n = snprintf(text, sizeof(text), "policy-storm: change %lu, irq %" PRIu32
			 ": not back after %d s\n", done, at_irq, STUCK_S);
	int fd = open("/proc/sysrq-trigger", O_WRONLY);

	(void)sig;
	(void)!write(STDERR_FILENO, text, (size_t)n);
	(void)!write(fd, "l", 1);
	(void)!write(fd, "w", 1);
	close(fd);
}

static int change(struct nl *nl, uint32_t irq, struct errmsg *err)
{
	struct selector sel = { .kind = SELECTOR_IRQ, .irq = irq };
	struct policy p = { 0 };
	uint32_t *irqs = NULL;
	uint64_t ns;
	size_t n;
	int ret;

	snprintf(sel.text, sizeof(sel.text), "%" PRIu32, irq);
	if (below(8))
		p = some_policy();
	at_irq = irq;
	alarm(STUCK_S);
	ns = now_ns();
	if (p.kind == IRQPACE_POLICY_NATIVE)
		ret = nl_reset(nl, &sel, err);
	else
		ret = nl_set(nl, &sel, &p, &irqs, &n, err);
	ns = now_ns() - ns;
	alarm(0);
	free(irqs);
	took[p.kind].n++;
	took[p.kind].sum_ns += ns;
	if (took[p.kind].max_ns < ns)
		took[p.kind].max_ns = ns;
	return ret;
}

static void tell(double seconds)
{
	size_t k;

	printf("%lu changes in %.0f s\n", done, seconds);
	for (k = 0; k < __IRQPACE_POLICY_MAX; k++)
		if (took[k].n)
			printf("%s: %lu, mean %.2f ms, worst %.1f ms\n", policy_name(k), took[k].n,
			       (double)took[k].sum_ns / 1e6 / (double)took[k].n,
			       (double)took[k].max_ns / 1e6);
	fflush(stdout);
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
	unsigned long changes;
	uint64_t start_ns, end_ns;
	uint32_t pause_us, irq;

	if (argc < 6) {
		fprintf(stderr, "usage: policy-storm CHANGES SECONDS SEED PAUSE_US IRQ...\n");
		return 2;
	}
	changes = strtoul(argv[1], NULL, 0);
	state = strtoull(argv[3], NULL, 0);
	pause_us = (uint32_t)strtoul(argv[4], NULL, 0);
	if (nl_open(&nl, &err))
		goto fail;
	/* Else most of a change is waiting for a CPU that fio has. */
	if (sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = 40 }))
		perror("policy-storm: sched_setscheduler");
	signal(SIGALRM, stuck);
	start_ns = now_ns();
	end_ns = start_ns + strtoull(argv[2], NULL, 0) * 1000000000;
	for (done = 0; done < changes && now_ns() < end_ns; done++) {
		irq = (uint32_t)strtoul(argv[5 + below((uint32_t)argc - 5)], NULL, 0);
		if (change(nl, irq, &err)) {
			fprintf(stderr, "policy-storm: change %lu, irq %" PRIu32 ": ", done, irq);
			goto fail;
		}
		nap(pause_us);
		if (done && done % 5000 == 0)
			tell((double)(now_ns() - start_ns) / 1e9);
	}
	if (nl_reset(nl, NULL, &err) || nl_lines(nl, true, &left, &err))
		goto fail;
	if (left.n) {
		fprintf(stderr, "policy-storm: %zu lines are still attached\n", left.n);
		return 1;
	}
	nl_lines_free(&left);
	nl_close(nl);
	tell((double)(now_ns() - start_ns) / 1e9);
	return 0;

fail:
	fprintf(stderr, "%s\n", err.text);
	return 1;
}
