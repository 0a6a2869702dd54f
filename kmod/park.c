// SPDX-License-Identifier: GPL-2.0-only
/* Acknowledging and masking an arrival that is not run now; under desc->lock. */
#include <linux/msi.h>
#include <linux/pci.h>

#include "irqpace.h"
#include "trace.h"

/*
 * The mask bit without the read-back: a message that is already on its way is
 * parked, which harms nobody. What keeps shutdown and restore right is that
 * every write of a message ends in a read.
 */
static void mask_posted(struct irq_data *d)
{
	struct msi_desc *msi = irq_data_get_msi_desc(d);
	void __iomem *entry = msi->pci.mask_base +
			      msi->msi_index * PCI_MSIX_ENTRY_SIZE;

	msi->pci.msix_ctrl |= PCI_MSIX_ENTRY_CTRL_MASKBIT;
	writel(msi->pci.msix_ctrl, entry + PCI_MSIX_ENTRY_VECTOR_CTRL);
}

static void mask(struct irqp_line *line, struct irq_desc *desc)
{
	struct irq_data *d = &desc->irq_data;

	if (irqd_irq_masked(d))
		return;
	if (line->masking == IRQPACE_MASKING_POSTED)
		mask_posted(d);
	else
		d->chip->irq_mask(d);
	irqp_irqd_set(desc, IRQD_IRQ_MASKED);
	line->n.masked++;
}

/* Only where the kernel itself would: the predicate of cond_unmask_irq(). */
void irqp_unmask(struct irqp_line *line)
{
	struct irq_desc *desc = line->desc;
	struct irq_data *d = &desc->irq_data;

	lockdep_assert_held(&desc->lock);
	if (!desc->action || irqd_irq_disabled(d) || !irqd_irq_masked(d) || desc->threads_oneshot)
		return;
	d->chip->irq_unmask(d);
	irqp_irqd_clear(desc, IRQD_IRQ_MASKED);
}

/* What mask_ack_irq() does; a PIC has no acknowledge of its own. */
static bool mask_and_acknowledge(struct irqp_line *line, struct irq_desc *desc)
{
	struct irq_data *d = &desc->irq_data;

	if (line->native != handle_level_irq || !d->chip->irq_mask_ack)
		return false;
	line->n.masked += !irqd_irq_masked(d);
	d->chip->irq_mask_ack(d);
	irqp_irqd_set(desc, IRQD_IRQ_MASKED);
	return true;
}

static void acknowledge(struct irqp_line *line, struct irq_data *d)
{
	if (line->native == handle_fasteoi_irq)
		d->chip->irq_eoi(d);
	else if (d->chip->irq_ack)
		d->chip->irq_ack(d);
}

void irqp_park(struct irqp_line *line)
{
	struct irq_desc *desc = line->desc;
	u64 start_ns = irqp_stats_on() ? irqp_now_ns() : 0;

	lockdep_assert_held(&desc->lock);
	irqp_istate(desc) &= ~(IRQP_ISTATE_REPLAY | IRQP_ISTATE_WAITING);
	irqp_compat_count(desc);

	/* A new owner does not inherit what came for the old one. */
	if (line->owner != desc->action) {
		if (!desc->action || !(desc->action->flags & IRQF_SHARED))
			line->parked = 0;
		line->owner = desc->action;
	}
	line->parked++;
	line->n.parked++;
	if (!mask_and_acknowledge(line, desc)) {
		/* A level line would come again at once; an edge line may not at all. */
		if (line->level || (line->masking != IRQPACE_MASKING_NONE &&
				    line->parked >= line->set.mask_after))
			mask(line, desc);
		acknowledge(line, &desc->irq_data);
	}

	trace_irqpace_park(line->irq, line->parked, irqd_irq_masked(&desc->irq_data));
	if (start_ns)
		irqp_sample(line, IRQPACE_HIST_PARK, irqp_now_ns() - start_ns);
}
