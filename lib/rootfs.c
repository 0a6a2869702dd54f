// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rootfs.h"
#include "xalloc.h"

/* A per-CPU count of thousands of CPUs fits; a recorded tree may hold anything. */
#define FILE_MAX_BYTES (4U << 20)

static char *vpath(const char *root, const char *fmt, va_list ap)
{
	char *tail, *path;

	if (vasprintf(&tail, fmt, ap) < 0)
		xalloc_die();
	path = xasprintf("%s%s", root ? root : "", tail);
	free(tail);
	return path;
}

#define VPATH(path, root, fmt) do {		\
	va_list ap;				\
	va_start(ap, fmt);			\
	(path) = vpath((root), (fmt), ap);	\
	va_end(ap);				\
} while (0)

char *root_path(const char *root, const char *fmt, ...)
{
	char *path;

	VPATH(path, root, fmt);
	return path;
}

bool root_exists(const char *root, const char *fmt, ...)
{
	char *path;
	bool there;

	VPATH(path, root, fmt);
	there = !access(path, F_OK);
	free(path);
	return there;
}

static char *read_file(const char *path)
{
	/* O_NONBLOCK: a recorded tree may hold a FIFO where a file is meant. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	size_t size = 4096, n = 0;
	ssize_t got;
	char *text;

	if (fd < 0)
		return NULL;
	text = xrealloc(NULL, size, 1);
	for (;;) {
		got = read(fd, text + n, size - n - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		n += (size_t)got;
		if (size - n == 1) {
			if (size >= FILE_MAX_BYTES)
				break;
			size *= 2;
			text = xrealloc(text, size, 1);
		}
	}
	close(fd);
	if (n && text[n - 1] == '\n')
		n--;
	text[n] = '\0';
	if (got < 0 || !*text) {
		free(text);
		return NULL;
	}
	/* Thousands of these are kept, most of them a few bytes long. */
	return xrealloc(text, strlen(text) + 1, 1);
}

char *root_read(const char *root, const char *fmt, ...)
{
	char *path, *text;

	VPATH(path, root, fmt);
	text = read_file(path);
	free(path);
	return text;
}

long long root_read_number(const char *root, long long fallback,
			   const char *fmt, ...)
{
	long long value = fallback;
	char *path, *text, *end;

	VPATH(path, root, fmt);
	text = read_file(path);
	if (text) {
		errno = 0;
		value = strtoll(text, &end, 10);
		if (errno || end == text)
			value = fallback;
	}
	free(text);
	free(path);
	return value;
}

static char *read_link(const char *path)
{
	char target[PATH_MAX];
	ssize_t n = readlink(path, target, sizeof(target));

	return n > 0 && (size_t)n < sizeof(target) ?
	       xstrndup(target, (size_t)n) : NULL;
}

char *root_readlink(const char *root, const char *fmt, ...)
{
	char *path, *target;

	VPATH(path, root, fmt);
	target = read_link(path);
	free(path);
	return target;
}

char *root_link_name(const char *root, const char *fmt, ...)
{
	char *path, *target, *slash;

	VPATH(path, root, fmt);
	target = read_link(path);
	free(path);
	if (!target)
		return NULL;
	slash = strrchr(target, '/');
	if (slash)
		memmove(target, slash + 1, strlen(slash));
	return target;
}

static int by_version(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

void root_list(const char *root, struct names *names, const char *fmt, ...)
{
	struct dirent *entry;
	size_t room = 0;
	char *path;
	DIR *dir;

	names->name = NULL;
	names->n = 0;
	VPATH(path, root, fmt);
	dir = opendir(path);
	free(path);
	if (!dir)
		return;
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		if (names->n == room) {
			room = room ? 2 * room : 32;
			names->name = xrealloc(names->name, room,
					       sizeof(*names->name));
		}
		names->name[names->n++] = xstrdup(entry->d_name);
	}
	closedir(dir);
	if (names->n)
		qsort(names->name, names->n, sizeof(*names->name), by_version);
}

void names_free(struct names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->name[i]);
	free(names->name);
	names->name = NULL;
	names->n = 0;
}

bool parse_uint(const char *text, unsigned int *value)
{
	unsigned int n = 0;

	if (!*text)
		return false;
	for (; *text; text++) {
		if (*text < '0' || *text > '9' ||
		    __builtin_mul_overflow(n, 10U, &n) ||
		    __builtin_add_overflow(n, (unsigned int)(*text - '0'), &n))
			return false;
	}
	*value = n;
	return true;
}
