/* SPDX-License-Identifier: GPL-2.0-only */
/* Which PCI device raises which line, by PCI sysfs. */
#ifndef IRQPACE_PCI_H
#define IRQPACE_PCI_H

#include "lines.h"

/* Fills devices (name, driver, vector) of every line that PCI sysfs knows. */
void pci_read(const char *root, struct lines *lines);

/* The bound driver's name, malloced; NULL where there is none. */
char *pci_driver(const char *root, const char *address);
/* Length of the PCI address ("0000:00:03.0") at TEXT, 0 where there is none. */
size_t pci_address_length(const char *text);
/* The index of a message-signalled line within its device, -1 where the hwirq does not tell. */
long pci_vector(const char *address, const char *chip, long long hwirq);

#endif
