/* SPDX-License-Identifier: GPL-2.0-only */
/* Small files and directories of /proc and /sys below a root prefix. */
#ifndef IRQPACE_ROOTFS_H
#define IRQPACE_ROOTFS_H

#include <stdbool.h>
#include <stddef.h>

/* ROOT (NULL: "") and a path that begins with a slash; malloced. */
char *root_path(const char *root, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
bool root_exists(const char *root, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* The file without its last newline; NULL where it cannot be read or is empty. */
char *root_read(const char *root, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* A number in a file; FALLBACK where there is none. */
long long root_read_number(const char *root, long long fallback,
			   const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* What a symbolic link says, not followed; NULL where it is none. */
char *root_readlink(const char *root, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* The last part of what a symbolic link says. */
char *root_link_name(const char *root, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* A directory's entries without the hidden ones, sorted; empty where there is none. */
struct names {
	char **name;
	size_t n;
};
void root_list(const char *root, struct names *names, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void names_free(struct names *names);

/* A whole decimal number that fits an unsigned int; false otherwise. */
bool parse_uint(const char *text, unsigned int *value);

#endif
