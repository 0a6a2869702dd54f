/* SPDX-License-Identifier: GPL-2.0-only */
/* A root of a test's own, for files that are read below a prefix. */
#ifndef IRQPACE_TESTS_ROOT_H
#define IRQPACE_TESTS_ROOT_H

#include "unit.h"

#include <sys/stat.h>

#include "../../lib/xalloc.h"

static char root[32];

static inline int make_root(void **state)
{
	(void)state;
	strcpy(root, "/tmp/irqpace-unit.XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static inline int remove_root(void **state)
{
	char *command = xasprintf("rm -rf '%s'", root);
	int rc = system(command);

	(void)state;
	free(command);
	return rc;
}

/* PATH begins with a slash; its folders are made. */
static inline void write_file(const char *path, const char *text)
{
	char *full = xasprintf("%s%s", root, path);
	FILE *out;

	for (char *p = full + strlen(root) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(full, 0700);
		*p = '/';
	}
	out = fopen(full, "w");
	assert_non_null(out);
	fputs(text, out);
	assert_int_equal(fclose(out), 0);
	free(full);
}

#endif
