/* SPDX-License-Identifier: GPL-2.0-only */
/* How many requests each disk has completed, from /proc/diskstats. */
#ifndef IRQPACE_DISKSTATS_H
#define IRQPACE_DISKSTATS_H

#include <stddef.h>
#include <stdint.h>

struct diskstat {
	char *name;		/* as in /sys/block: a '/' of the name is a '!' there */
	uint64_t completions;	/* reads, writes, discards and flushes */
};

struct diskstats {
	struct diskstat *disk;	/* in the file's order, whole disks only */
	size_t n;
};

/* Empty where the file cannot be read: a kernel may have no block layer. */
void diskstats_read(const char *sysroot, struct diskstats *stats);
/* Turns BEFORE into what NOW has more; a disk that is new, or was reset, has NOW's. */
void diskstats_difference(const struct diskstats *now, struct diskstats *before);
void diskstats_free(struct diskstats *stats);

#endif
