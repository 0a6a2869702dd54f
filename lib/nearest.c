// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"
#include "rootfs.h"
#include "selector.h"
#include "xalloc.h"

#define SHOWN 3
#define NAME_MAX_LETTERS 127	/* longer names are not compared */

struct candidate {
	char name[NAME_MAX_LETTERS + 1];
	unsigned int distance;	/* in thousandths of the longer name */
};

struct nearest {
	const char *text;
	struct candidate best[SHOWN];
	size_t n;
};

unsigned int edit_distance(const char *a, const char *b)
{
	size_t n = strlen(b);
	unsigned int *row = xcalloc(n + 1, sizeof(*row)), result;

	for (size_t j = 0; j <= n; j++)
		row[j] = (unsigned int)j;
	for (size_t i = 0; a[i]; i++) {
		unsigned int corner = row[0];

		row[0] = (unsigned int)i + 1;
		for (size_t j = 0; j < n; j++) {
			unsigned int change = corner +
				(tolower((unsigned char)a[i]) !=
				 tolower((unsigned char)b[j]));
			unsigned int drop = row[j + 1] + 1, add = row[j] + 1;

			corner = row[j + 1];
			row[j + 1] = change < drop ? change : drop;
			if (add < row[j + 1])
				row[j + 1] = add;
		}
	}
	result = row[n];
	free(row);
	return result;
}

/* Equal distances keep the order in which they were offered. */
static void offer(struct nearest *near, const char *name)
{
	unsigned int distance;
	size_t at, length;

	if (!name || !*name || strlen(name) > NAME_MAX_LETTERS)
		return;
	for (size_t i = 0; i < near->n; i++)
		if (!strcmp(near->best[i].name, name))
			return;
	length = strlen(name) > strlen(near->text) ? strlen(name) :
						   strlen(near->text);
	distance = 1000 * edit_distance(near->text, name) /
		   (unsigned int)length;
	for (at = near->n; at && distance < near->best[at - 1].distance; at--)
		;
	if (at == SHOWN)
		return;
	if (near->n < SHOWN)
		near->n++;
	memmove(&near->best[at + 1], &near->best[at],
		(near->n - 1 - at) * sizeof(near->best[0]));
	strcpy(near->best[at].name, name);
	near->best[at].distance = distance;
}

static void print(const struct nearest *near, char *list, size_t size)
{
	size_t n = 0;

	list[0] = '\0';
	for (size_t i = 0; i < near->n && n < size; i++)
		n += (size_t)snprintf(list + n, size - n, "%s%s",
				      !i ? near->n > 1 ? "; the nearest are " :
							 "; the nearest is " :
				      i + 1 < near->n ? ", " : " and ",
				      near->best[i].name);
}

/* Only names that would match: those whose device has lines. */
static void offer_class(struct nearest *near, const struct lines *lines,
			const char *sysroot, const char *dir)
{
	struct names names;

	root_list(sysroot, &names, "%s", dir);
	for (size_t i = 0; i < names.n; i++) {
		char *device = device_resolve(sysroot, names.name[i]);
		bool has_line = false;

		for (size_t l = 0; device && !has_line && l < lines->n; l++)
			for (size_t d = 0; d < lines->line[l].n_devices; d++)
				has_line |= lines->line[l].devices[d].name &&
					!strcmp(lines->line[l].devices[d].name,
						device);
		if (has_line)
			offer(near, names.name[i]);
		free(device);
	}
	names_free(&names);
}

void nearest_selectors(const struct lines *lines, const char *sysroot,
		       const char *text, char *list, size_t size)
{
	struct nearest near = { .text = text };

	offer_class(&near, lines, sysroot, "/sys/class/nvme");
	offer_class(&near, lines, sysroot, "/sys/block");
	offer_class(&near, lines, sysroot, "/sys/class/net");
	for (size_t i = 0; i < lines->n; i++) {
		const struct line *line = &lines->line[i];

		for (size_t a = 0; a < line->n_actions; a++)
			offer(&near, line->actions[a]);
		for (size_t d = 0; d < line->n_devices; d++) {
			char driver[NAME_MAX_LETTERS + 1];

			offer(&near, line->devices[d].name);
			if (!line->devices[d].driver)
				continue;
			snprintf(driver, sizeof(driver), "driver:%s",
				 line->devices[d].driver);
			offer(&near, driver);
		}
	}
	print(&near, list, size);
}

void nearest_drivers(const struct lines *lines, const char *text, char *list,
		     size_t size)
{
	struct nearest near = { .text = text };

	for (size_t i = 0; i < lines->n; i++)
		for (size_t d = 0; d < lines->line[i].n_devices; d++)
			offer(&near, lines->line[i].devices[d].driver);
	print(&near, list, size);
}

struct nearest *nearest_begin(const char *text)
{
	struct nearest *near = xcalloc(1, sizeof(*near));

	near->text = text;
	return near;
}

void nearest_offer(struct nearest *near, const char *name)
{
	offer(near, name);
}

void nearest_end(struct nearest *near, char *list, size_t size)
{
	print(near, list, size);
	free(near);
}
