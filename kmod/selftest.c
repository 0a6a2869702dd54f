// SPDX-License-Identifier: GPL-2.0-only
/*
 * Before anything registers: the core's worked examples, and whether the
 * running kernel keeps its private bits and counters where this module was
 * built to find them. The second part drives the kernel's own edge flow on an
 * interrupt number of ours with no hardware behind it.
 */
#include <linux/irq.h>

#include "irqpace.h"

static void nothing(struct irq_data *d)
{
}

static int retrigger(struct irq_data *d)
{
	return 1;
}

static struct irq_chip chip = {
	.name = "irqpace-selftest",
	.irq_ack = nothing,
	.irq_mask = nothing,
	.irq_unmask = nothing,
	.irq_retrigger = retrigger,
};

static irqreturn_t count(int irq, void *runs)
{
	(*(unsigned int *)runs)++;
	return IRQ_HANDLED;
}

static void arrive(unsigned int irq)
{
	unsigned long flags;

	local_irq_save(flags);
	generic_handle_irq(irq);
	local_irq_restore(flags);
}

static u64 counted(struct irq_desc *desc)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += irqp_compat_counted(desc, cpu);
	return sum;
}

/* NULL, or what was not as expected. */
static const char *check_kernel(unsigned int irq, struct irq_desc *desc, unsigned int *runs)
{
	u64 before;

	disable_irq(irq);
	arrive(irq);
	if (!(irqp_istate(desc) & IRQP_ISTATE_PENDING))
		return "a disabled line's arrival does not set PENDING";
	enable_irq(irq);
	if (irqp_istate(desc) & IRQP_ISTATE_PENDING)
		return "enable_irq() does not clear PENDING";
	if (!(irqp_istate(desc) & IRQP_ISTATE_REPLAY))
		return "a resend does not set REPLAY";
	before = counted(desc);
	arrive(irq);
	if (irqp_istate(desc) & (IRQP_ISTATE_REPLAY | IRQP_ISTATE_WAITING))
		return "an arrival does not clear REPLAY";
	if (*runs != 1)
		return "the handler did not run once";
	if (counted(desc) != before + 1 || desc->tot_count != 1)
		return "an arrival is not counted where expected";
	return NULL;
}

static int selftest_kernel(void)
{
	unsigned int runs = 0;
	const char *why;
	int irq, err;

	irq = irq_alloc_desc(NUMA_NO_NODE);
	if (irq < 0)
		return irq;
	irq_set_chip_and_handler(irq, &chip, handle_edge_irq);
	irq_clear_status_flags(irq, IRQ_NOREQUEST | IRQ_NOPROBE);
	err = request_irq(irq, count, 0, "irqpace-selftest", &runs);
	if (err)
		goto out;
	why = check_kernel(irq, irq_data_to_desc(irq_get_irq_data(irq)), &runs);
	if (why) {
		pr_err("this kernel is not what the module was built for: %s\n", why);
		err = -ENOEXEC;
	}
	free_irq(irq, &runs);
out:
	irq_free_desc(irq);
	return err;
}

int __init irqp_selftest(void)
{
	u32 step = pace_selftest();

	if (step) {
		pr_err("self-test of the policy core failed at step %u\n", step);
		return -ENOEXEC;
	}
	return selftest_kernel();
}
