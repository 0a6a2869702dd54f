/* SPDX-License-Identifier: GPL-2.0-only */
/* Between the files that fill a struct line. */
#ifndef IRQPACE_LINES_INTERNAL_H
#define IRQPACE_LINES_INTERNAL_H

#include "lines.h"

/* Takes VALUE over; NULL leaves *OLD as it is. */
void line_replace(char **old, char *value);
void line_free_actions(struct line *line);
void line_free_devices(struct line *line);
/* Takes from sysfs the counts of lines that have none by now. */
void lines_fill_counts(const char *root, struct lines *lines);

#endif
