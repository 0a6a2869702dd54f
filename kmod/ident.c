// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a line is called: its actions, its device and driver, its handlers'
 * symbols. Process context; the descriptor is pinned by the caller. While
 * desc->lock is held and an action is there, its driver has not freed the line,
 * so names that hang on the action or on the message's device are alive.
 */
#include <linux/device.h>
#include <linux/glob.h>
#include <linux/msi.h>
#include <linux/pci.h>
#include <linux/string.h>

#include "irqpace.h"

static void copy_name(char *to, const char *from, size_t size)
{
	strscpy(to, from ?: "", size);
}

void irqp_name_of(struct irq_desc *desc, char *name, size_t size)
{
	raw_spin_lock_irq(&desc->lock);
	copy_name(name, desc->action ? desc->action->name : NULL, size);
	raw_spin_unlock_irq(&desc->lock);
}

/* "nvme_irq" and "nvme" from the address; module is empty for built-in code. */
void irqp_symbol(const void *addr, char *symbol, char *module, size_t size)
{
	char text[2 * IRQP_NAME_MAX];
	char *bracket;

	snprintf(text, sizeof(text), "%ps", addr);
	bracket = strstr(text, " [");
	*module = 0;
	if (bracket) {
		*bracket = 0;
		copy_name(module, bracket + 2, size);
		module[strcspn(module, "]")] = 0;
	}
	copy_name(symbol, text, size);
}

#ifdef CONFIG_PCI
/* A PCI device that signals by this pin; lines with messages know their own. */
static void pin_device(unsigned int irq, struct irqp_ident *id)
{
	struct pci_dev *pdev = NULL;

	while ((pdev = pci_get_device(PCI_ANY_ID, PCI_ANY_ID, pdev))) {
		if (pdev->irq != irq || pdev->msi_enabled || pdev->msix_enabled)
			continue;
		/* The lock keeps the driver; who holds it is seen by the next scan. */
		if (!device_trylock(&pdev->dev)) {
			id->busy = true;
			continue;
		}
		if (pdev->dev.driver) {
			copy_name(id->device, dev_name(&pdev->dev), sizeof(id->device));
			copy_name(id->driver, pdev->dev.driver->name, sizeof(id->driver));
		}
		device_unlock(&pdev->dev);
		if (*id->driver) {
			pci_dev_put(pdev);
			return;
		}
	}
}
#else
static void pin_device(unsigned int irq, struct irqp_ident *id)
{
}
#endif

/* False: no action, nothing to call it by. */
bool irqp_identify(struct irq_desc *desc, struct irqp_ident *id)
{
	irq_handler_t handler = NULL;
	struct msi_desc *msi;
	char symbol[IRQP_NAME_MAX];

	memset(id, 0, sizeof(*id));
	id->irq = irq_desc_get_irq(desc);

	raw_spin_lock_irq(&desc->lock);
	if (desc->action) {
		handler = desc->action->handler;
		copy_name(id->name, desc->action->name, sizeof(id->name));
		copy_name(id->chip, desc->irq_data.chip ? desc->irq_data.chip->name : NULL,
			  sizeof(id->chip));
		msi = irq_data_get_msi_desc(&desc->irq_data);
		if (msi && msi->dev) {
			copy_name(id->device, dev_name(msi->dev), sizeof(id->device));
			if (msi->dev->driver)
				copy_name(id->driver, msi->dev->driver->name, sizeof(id->driver));
			id->vector = msi->msi_index;
			id->has_vector = true;
		}
	}
	raw_spin_unlock_irq(&desc->lock);
	if (!handler)
		return false;

	if (!*id->device)
		pin_device(id->irq, id);
	irqp_symbol(handler, symbol, id->module, sizeof(symbol));
	if (!*id->driver)
		copy_name(id->driver, id->module, sizeof(id->driver));
	return true;
}

static bool any_action_matches(struct irq_desc *desc, const char *glob)
{
	struct irqaction *action;
	bool found = false;

	raw_spin_lock_irq(&desc->lock);
	for (action = desc->action; action && !found; action = action->next)
		found = action->name && glob_match(glob, action->name);
	raw_spin_unlock_irq(&desc->lock);
	return found;
}

bool irqp_matches(struct irq_desc *desc, const struct irqp_ident *id,
		  const struct irqp_selector *sel)
{
	if (sel->has_vector && !(id->has_vector && id->vector == sel->vector))
		return false;
	switch (sel->kind) {
	case IRQP_SEL_IRQ:
		return id->irq == sel->irq && (!*sel->value || !strcmp(id->name, sel->value));
	case IRQP_SEL_NAME:
		return any_action_matches(desc, sel->value);
	case IRQP_SEL_DEVICE:
		return !strcmp(id->device, sel->value);
	case IRQP_SEL_DRIVER:
		return !strcmp(id->driver, sel->value) || !strcmp(id->module, sel->value);
	}
	return false;
}
