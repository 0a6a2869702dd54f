// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pci.h"
#include "rootfs.h"
#include "xalloc.h"

/* One device and one of its lines. */
struct member {
	unsigned int irq;
	const char *address;
	char *driver;
	long order;	/* place among the device's message-signalled lines, -1: INTx */
};

struct members {
	struct member *member;
	size_t n;
	size_t room;
};

static bool hex_run(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isxdigit((unsigned char)p[i]))
			return false;
	return true;
}

size_t pci_address_length(const char *text)
{
	size_t domain = 0;

	while (domain < 8 && isxdigit((unsigned char)text[domain]))
		domain++;
	if (domain < 4 || text[domain] != ':')
		return 0;
	text += domain + 1;
	if (!hex_run(text, 2) || text[2] != ':' || !hex_run(text + 3, 2) ||
	    text[5] != '.' || text[6] < '0' || text[6] > '7' ||
	    isxdigit((unsigned char)text[7]))
		return 0;
	return domain + 8;
}

/*
 * The kernel numbers the lines of a device's own MSI domain by their index
 * (chip "PCI-MSIX-0000:00:03.0", since 6.2), and those of a shared domain by
 * index | device << 11 | domain << 27 (chip "PCI-MSI", 6.1; printed as an int).
 */
long pci_vector(const char *address, const char *chip, long long hwirq)
{
	unsigned int domain, bus, device, function;

	if (hwirq == -1 ||
	    sscanf(address, "%x:%x:%x.%x", &domain, &bus, &device, &function) != 4)
		return -1;
	if (chip && strstr(chip, address))
		return hwirq >= 0 && hwirq < 2048 ? (long)hwirq : -1;
	if (((unsigned long long)hwirq >> 11 & 0xffff) ==
	    (bus << 8 | device << 3 | function))
		return (long)(hwirq & 0x7ff);
	return -1;
}

static struct member *add(struct members *all, unsigned int irq,
			  const char *address, const char *driver, long order)
{
	struct member *m;

	if (all->n == all->room) {
		all->room = all->room ? 2 * all->room : 64;
		all->member = xrealloc(all->member, all->room,
				       sizeof(*all->member));
	}
	m = &all->member[all->n++];
	m->irq = irq;
	m->address = address;
	m->driver = driver ? xstrdup(driver) : NULL;
	m->order = order;
	return m;
}

char *pci_driver(const char *root, const char *address)
{
	char *driver = root_link_name(root, "/sys/bus/pci/devices/%s/driver",
				      address);
	char *uevent, *line, *rest;

	if (driver)
		return driver;
	/* A recording may have lost its links; the text says the same. */
	uevent = rest = root_read(root, "/sys/bus/pci/devices/%s/uevent", address);
	while (!driver && (line = strsep(&rest, "\n")))
		if (!strncmp(line, "DRIVER=", 7) && line[7])
			driver = xstrdup(line + 7);
	free(uevent);
	return driver;
}

static void read_device(const char *root, const char *address,
			struct members *all)
{
	char *driver = pci_driver(root, address);
	struct names msi;
	unsigned int irq;
	long order = 0;
	long long intx;

	root_list(root, &msi, "/sys/bus/pci/devices/%s/msi_irqs", address);
	for (size_t i = 0; i < msi.n; i++)
		if (parse_uint(msi.name[i], &irq))
			add(all, irq, address, driver, order++);
	names_free(&msi);
	/* With messages in use the pin's number in `irq` means nothing. */
	intx = root_read_number(root, 0, "/sys/bus/pci/devices/%s/irq", address);
	if (!order && driver && intx > 0 && intx <= INT32_MAX)
		add(all, (unsigned int)intx, address, driver, -1);
	free(driver);
}

static int by_irq(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->irq != y->irq)
		return x->irq < y->irq ? -1 : 1;
	return strcmp(x->address, y->address);
}

/* "ehci-pci" drives the action "ehci_hcd:usb2": compare the first word. */
static bool same_first_word(const char *action, const char *driver)
{
	size_t n = strcspn(driver, "-_");

	return n >= 3 && !strncasecmp(action, driver, n) &&
	       !isalnum((unsigned char)action[n]);
}

static bool same_driver(const char *action, const char *driver)
{
	for (; *driver; action++, driver++)
		if (*action != *driver &&
		    !(strchr("-_", *action) && strchr("-_", *driver)))
			return false;
	return true;
}

/* Whether one of the line's actions is this device's, by what its name says. */
static bool named_by_action(const char *root, const struct line *line,
			    const struct member *m)
{
	for (size_t i = 0; i < line->n_actions; i++) {
		const char *action = line->actions[i];

		if (strstr(action, m->address) ||
		    same_driver(action, m->driver) ||
		    same_first_word(action, m->driver))
			return true;
		if (!strchr(action, '/') &&
		    root_exists(root, "/sys/bus/pci/devices/%s/net/%s",
				m->address, action))
			return true;
	}
	return false;
}

static void take(struct line *line, const struct member *m)
{
	struct line_device *d;

	line->devices = xrealloc(line->devices, line->n_devices + 1,
				 sizeof(*line->devices));
	d = &line->devices[line->n_devices++];
	d->name = xstrdup(m->address);
	d->driver = m->driver ? xstrdup(m->driver) : NULL;
	d->vector = -1;
	if (m->order >= 0) {
		d->vector = pci_vector(m->address, line->chip, line->hwirq);
		if (d->vector < 0)
			d->vector = m->order;
	}
}

/*
 * Several functions are wired to one pin, and each says so in its `irq` whether
 * its driver uses the pin or not. The actions' names tell which do.
 */
static void assign(const char *root, struct line *line,
		   const struct member *m, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (m[i].order >= 0) {
			take(line, &m[i]);
			return;
		}
	}
	if (!line->n_actions)
		return;
	for (size_t i = 0; i < n; i++)
		if (named_by_action(root, line, &m[i]))
			take(line, &m[i]);
	if (!line->n_devices && n <= line->n_actions)
		for (size_t i = 0; i < n; i++)
			take(line, &m[i]);
}

void pci_read(const char *root, struct lines *lines)
{
	struct members all = { 0 };
	struct names devices;
	size_t first = 0, end;

	root_list(root, &devices, "/sys/bus/pci/devices");
	for (size_t i = 0; i < devices.n; i++)
		if (pci_address_length(devices.name[i]) ==
		    strlen(devices.name[i]))
			read_device(root, devices.name[i], &all);
	if (all.n)
		qsort(all.member, all.n, sizeof(*all.member), by_irq);
	for (; first < all.n; first = end) {
		struct line *line = lines_find(lines, all.member[first].irq);

		for (end = first + 1; end < all.n &&
		     all.member[end].irq == all.member[first].irq; end++)
			;
		if (line)
			assign(root, line, &all.member[first], end - first);
	}
	for (size_t i = 0; i < all.n; i++)
		free(all.member[i].driver);
	free(all.member);
	names_free(&devices);
}
