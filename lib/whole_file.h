/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file that others read at any time: written under another name in the same
 * folder, and renamed when all of it is on the disk. They see the old one or the
 * new one, never a part.
 */
#ifndef IRQPACE_WHOLE_FILE_H
#define IRQPACE_WHOLE_FILE_H

#include <stdio.h>

#include "errmsg.h"

struct whole_file {
	FILE *out;
	const char *path;	/* the caller's, which has to live as long */
	char *temporary;
};

/* What is there already has to be a regular file: a device or a link stays. */
int whole_file_begin(struct whole_file *file, const char *path, struct errmsg *err);
/* Mode 0644. Where this fails, what was there before is there still. */
int whole_file_end(struct whole_file *file, struct errmsg *err);

#endif
