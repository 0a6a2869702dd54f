// SPDX-License-Identifier: GPL-2.0-only
/* Which lines may be attached, which may pause, and how they are masked. */
#include <linux/msi.h>
#include <linux/pci.h>
#include <linux/string.h>

#include "irqpace.h"

/* Posted MSI: one vector for many devices, where a retrigger is lost. */
static bool behind_posted_msi(struct irq_data *d)
{
#ifdef CONFIG_IRQ_DOMAIN_HIERARCHY
	for (; d; d = d->parent_data)
		if (d->chip && d->chip->name && !strcmp(d->chip->name, "INTEL-IR-POST"))
			return true;
#endif
	return false;
}

/* The part of the check that a new owner of the line can change. */
static const char *actions_why_not(struct irq_desc *desc, irq_flow_handler_t flow,
				   const struct irqp_settings *set)
{
	struct irqaction *action;

	for (action = desc->action; action; action = action->next) {
		if (action->flags & __IRQF_TIMER)
			return "is a timer; timers stay as they are";
		if (action->flags & IRQF_PERCPU)
			return "is a per-CPU interrupt; choose a device's line";
		if (set->pace.policy == PACE_HARD)
			continue;
		if (action->thread || action->thread_fn)
			return "has its own thread (its driver's, threadirqs or PREEMPT_RT); only 'hard' can be set, for measuring";
		/* Ending a pause early runs the handlers in process context. */
		if (action->flags & IRQF_NO_THREAD)
			return "must not run outside of the hard interrupt (IRQF_NO_THREAD); use 'hard'";
	}
	if (set->pace.policy == PACE_MODERATE && flow != handle_edge_irq &&
	    desc->action->next && !set->shared)
		return "is a shared level line: every sharer would wait for the delay; add --shared to accept that";
	return NULL;
}

static const char *chip_why_not(struct irq_desc *desc, irq_flow_handler_t flow)
{
	struct irq_data *d = &desc->irq_data;
	struct irq_chip *chip = d->chip;

	if (!chip)
		return "has no interrupt controller";
	if (chip->irq_bus_lock)
		return "sits behind a slow bus, where masking sleeps; choose its parent line";
	if (chip->flags & (IRQCHIP_EOI_THREADED | IRQCHIP_EOI_IF_HANDLED))
		return "has a controller that ends interrupts in its own way; leave it native";
	if (irqp_compat_resends_in_progress(d))
		return "has a controller that resends while in progress; leave it native";
	if (flow == handle_edge_irq && !chip->irq_ack)
		return "has a controller without acknowledge; leave it native";
	if (flow == handle_fasteoi_irq && (!chip->irq_eoi || !chip->irq_mask || !chip->irq_unmask))
		return "is a level line that cannot be masked; leave it native";
	if (flow == handle_level_irq && (!chip->irq_mask || !chip->irq_unmask))
		return "is a level line that cannot be masked; leave it native";
	if (behind_posted_msi(d))
		return "uses posted MSI, where a retrigger is lost; boot without intremap=posted_msi";
	return NULL;
}

/*
 * NULL, or the rest of a sentence that begins with the line. Under desc->lock.
 * flow is the kernel's own flow handler, also where ours stands in for it.
 */
const char *irqp_why_not(struct irq_desc *desc, irq_flow_handler_t flow,
			 const struct irqp_settings *set)
{
	unsigned int status = desc->status_use_accessors;
	const char *why;

	lockdep_assert_held(&desc->lock);
	/* First of all: only an action keeps the chip and the parents' data. */
	if (!desc->action)
		return "has no handler; load its driver first";
	if (status & (IRQ_PER_CPU | IRQ_PER_CPU_DEVID))
		return "is a per-CPU interrupt; choose a device's line";
	if (status & IRQ_NESTED_THREAD)
		return "is nested in another line's thread; choose the parent line";
	if (status & IRQ_IS_POLLED)
		return "is polled by the kernel because its hardware misbehaves";
	if (irqp_istate(desc) & IRQP_ISTATE_NMI)
		return "is an NMI; leave it native";
	if (flow != handle_edge_irq && flow != handle_fasteoi_irq && flow != handle_level_irq)
		return "has a flow handler other than edge, fasteoi or level (chained or special); choose the line behind it";
	if (irqd_is_forwarded_to_vcpu(&desc->irq_data))
		return "is forwarded to a virtual machine; set it inside the guest";
	why = chip_why_not(desc, flow);
	if (!why)
		why = actions_why_not(desc, flow, set);
	if (why)
		return why;
	if (set->pace.policy != PACE_HARD && (status & IRQ_NOTHREAD))
		return "must not run outside of the hard interrupt (it demultiplexes other lines); use 'hard'";
	return NULL;
}

/* Asked each time the line would pause, or would stay paused. */
bool irqp_may_pause(struct irqp_line *line)
{
	struct irq_desc *desc = line->desc;
	struct irq_data *d = &desc->irq_data;

	lockdep_assert_held(&desc->lock);
	if (!line->hooked || line->forbid || desc->handle_irq != irqp_flow)
		return false;
	if (!desc->action || irqd_irq_disabled(d) || irqd_irq_inprogress(d) ||
	    irqd_is_wakeup_armed(d))
		return false;
	/* synchronize_irq() is waiting: the pause would keep it. */
	if (waitqueue_active(&desc->wait_for_threads))
		return false;
	if (this_cpu_read(irqp_cpu.native_only))
		return false;
	/* A line that moves to other CPUs takes its rounds along. */
	if (irqd_is_setaffinity_pending(d) ||
	    !cpumask_test_cpu(smp_processor_id(), irqp_cpus_of(d)))
		return false;
	if (actions_why_not(desc, line->native, &line->set)) {
		irqp_event_later(line, IRQPACE_EVENT_INELIGIBLE);
		return false;
	}
	return true;
}

/*
 * An edge line is masked only where the mask latches what comes meanwhile:
 * MSI-X and MSI with a mask bit have a pending bit for that, an IO-APIC pin
 * has not. The test controller says by its name that it latches.
 */
enum irqpace_masking irqp_masking_of(struct irq_desc *desc, bool level, bool flushed)
{
	const char *chip = desc->irq_data.chip->name ?: "";

	if (level)
		return IRQPACE_MASKING_LEVEL;
#ifdef CONFIG_PCI_MSI
	if (strstarts(chip, "PCI-MSI") || strstarts(chip, "IR-PCI-MSI")) {
		struct msi_desc *msi = irq_data_get_msi_desc(&desc->irq_data);

		if (!msi || !msi->pci.msi_attrib.can_mask || msi->pci.msi_attrib.is_virtual)
			return IRQPACE_MASKING_NONE;
		if (!flushed && msi->pci.msi_attrib.is_msix && irqp_compat_is_pci_msix(chip))
			return IRQPACE_MASKING_POSTED;
		return IRQPACE_MASKING_FLUSHED;
	}
#endif
	if (strstarts(chip, "irqpace-synth-latch"))
		return IRQPACE_MASKING_FLUSHED;
	return IRQPACE_MASKING_NONE;
}
