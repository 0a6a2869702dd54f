// SPDX-License-Identifier: GPL-2.0-only
/* From the names people use (sda, nvme0, eth0) to the device that interrupts. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "pci.h"
#include "rootfs.h"
#include "xalloc.h"

/* Where a name may stand, and under it a link into /sys/devices. */
static const char *const places[] = {
	"/sys/block/%s",
	"/sys/block/%s/device",
	"/sys/class/block/%s",
	"/sys/class/nvme/%s/device",
	"/sys/class/nvme/%s",
	"/sys/class/net/%s/device",
	"/sys/class/net/%s",
	"/sys/class/scsi_host/%s",
	"/sys/class/ata_port/%s",
	"/sys/class/sound/%s",
	"/sys/class/drm/%s",
	"/sys/class/infiniband/%s",
	"/sys/class/ieee80211/%s",
	"/sys/class/tty/%s",
	"/sys/bus/virtio/devices/%s",
	"/sys/bus/scsi/devices/%s",
	"/sys/bus/usb/devices/%s",
};
#define N_PLACES (sizeof(places) / sizeof(places[0]))

/* The last part of a path that is a PCI function or a platform device. */
static char *last_device(const char *root, const char *path)
{
	const char *end = path + strlen(path);

	while (end > path) {
		const char *start = end;
		size_t n;

		while (start > path && start[-1] != '/')
			start--;
		n = (size_t)(end - start);
		if (n && pci_address_length(start) == n)
			return xstrndup(start, n);
		if (n && *start != '.' &&
		    root_exists(root, "/sys/bus/platform/devices/%.*s", (int)n,
				start))
			return xstrndup(start, n);
		end = start > path ? start - 1 : path;
	}
	return NULL;
}

static char *follow(const char *root, const char *place)
{
	char *target = root_readlink(root, "%s", place);
	char *found = target ? last_device(root, target) : NULL;
	char *path, *real;

	free(target);
	if (found)
		return found;
	path = root_path(root, "%s", place);
	real = realpath(path, NULL);
	found = real ? last_device(root, real) : NULL;
	free(real);
	free(path);
	return found;
}

/*
 * A multipath disk (nvme0n1) hangs below a virtual subsystem; its controllers
 * are the subsystem's neighbours. Only one controller is an answer.
 */
static char *subsystem_controller(const char *root, const char *name)
{
	struct names names;
	char *found = NULL;
	size_t controllers = 0;

	root_list(root, &names, "/sys/block/%s/device", name);
	for (size_t i = 0; i < names.n; i++) {
		const char *c = names.name[i];

		if (strncmp(c, "nvme", 4) || !isdigit((unsigned char)c[4]) ||
		    strspn(c + 4, "0123456789") != strlen(c + 4))
			continue;
		if (controllers++)
			break;
		found = device_resolve(root, c);
	}
	names_free(&names);
	if (controllers > 1) {
		free(found);
		found = NULL;
	}
	return found;
}

static char *pci_name(const char *root, const char *name)
{
	char *address = xasprintf("%s", name);

	if (!pci_address_length(address)) {
		free(address);
		address = xasprintf("0000:%s", name);
	}
	for (char *p = address; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	if (pci_address_length(address) == strlen(address) &&
	    root_exists(root, "/sys/bus/pci/devices/%s", address))
		return address;
	free(address);
	return NULL;
}

char *device_resolve(const char *sysroot, const char *name)
{
	char *found;

	if (!strncmp(name, "/dev/", 5))
		name += 5;
	if (!*name || *name == '.' || strchr(name, '/'))
		return NULL;
	found = pci_name(sysroot, name);
	for (size_t i = 0; !found && i < N_PLACES; i++) {
		size_t n = (size_t)(strchr(places[i], '%') - places[i]);
		char *place = xasprintf("%.*s%s%s", (int)n, places[i], name,
					places[i] + n + 2);

		if (root_exists(sysroot, "%s", place) ||
		    (found = root_readlink(sysroot, "%s", place))) {
			free(found);
			found = follow(sysroot, place);
		}
		free(place);
	}
	if (!found)
		found = subsystem_controller(sysroot, name);
	if (!found && root_exists(sysroot, "/sys/bus/platform/devices/%s", name))
		found = xstrdup(name);
	return found;
}
