/* SPDX-License-Identifier: GPL-2.0-only */
/* The --format of commands that print distributions. */
#ifndef IRQPACE_DIST_FORMAT_H
#define IRQPACE_DIST_FORMAT_H

enum format { TABLE, JSON, KSTATS, SVG };

/* By name, or die_usage(). */
enum format format_of(const char *name);

#endif
