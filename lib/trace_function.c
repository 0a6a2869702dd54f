// SPDX-License-Identifier: GPL-2.0-only
/* What a function's name stands for in the kernel that runs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"
#include "rootfs.h"
#include "trace_internal.h"
#include "xalloc.h"

#define SYMBOLS	"/proc/kallsyms"

static const char *const functions_files[] = {
	"/sys/kernel/tracing/available_filter_functions",
	"/sys/kernel/debug/tracing/available_filter_functions",
};

struct found {
	size_t n;		/* functions of that name */
	size_t data;		/* other symbols of that name */
	char *variant;		/* "name.isra.0", as the compiler calls a changed one */
	char places[256];	/* "the kernel, nvme" */
};

static void add_place(struct found *found, const char *module)
{
	size_t n = strlen(found->places);

	snprintf(found->places + n, sizeof(found->places) - n, "%s%s", n ? ", " : "",
		 module ? module : "the kernel");
}

/* "ffffffff81000000 T name" and, of a module, "\t[module]". */
static void take_symbol(struct found *found, char *line, const char *function)
{
	char *save = NULL, *type, *name, *module;
	size_t len = strlen(function);

	strtok_r(line, " \t\n", &save);
	type = strtok_r(NULL, " \t\n", &save);
	name = type ? strtok_r(NULL, " \t\n", &save) : NULL;
	if (!name || strncmp(name, function, len))
		return;
	module = strtok_r(NULL, " \t\n[]", &save);
	if (name[len] == '.' && strchr("tT", *type) && !strstr(name, ".cold") && !found->variant)
		found->variant = xstrdup(name);
	if (name[len])
		return;
	if (!strchr("tTwW", *type)) {
		found->data++;
		return;
	}
	found->n++;
	add_place(found, module);
}

static FILE *open_functions(const char *sysroot)
{
	FILE *file = NULL;

	for (size_t i = 0; i < 2 && !file; i++) {
		char *path = root_path(sysroot, functions_files[i]);

		file = fopen(path, "re");
		free(path);
	}
	return file;
}

/* "; the nearest are ..." of those that ftrace knows; "" where it cannot be asked. */
static void nearest_functions(const char *sysroot, const char *function, char *list, size_t size)
{
	FILE *file = open_functions(sysroot);
	struct nearest *near = nearest_begin(function);
	char *line = NULL;
	size_t room = 0;

	while (file && getline(&line, &room, file) > 0) {
		line[strcspn(line, " \t\n")] = '\0';
		nearest_offer(near, line);
	}
	nearest_end(near, list, size);
	free(line);
	if (file)
		fclose(file);
}

static int no_such(const char *sysroot, const char *function, const struct found *found,
		   struct errmsg *err)
{
	char list[512];

	if (found->data)
		return err_fail(err, "%s is data, not a function", function);
	if (found->variant)
		return err_fail(err, "the compiler has changed %s, and what is left of it is called %s: trace that, or what calls it",
				function, found->variant);
	nearest_functions(sysroot, function, list, sizeof(list));
	return err_fail(err, "there is no function %s: it is inlined where it is called, or its module is not loaded%s",
			function, list);
}

int trace_function_check(const char *sysroot, const char *function, struct errmsg *err)
{
	struct found found = { 0 };
	char *path = root_path(sysroot, SYMBOLS), *line = NULL;
	FILE *file = fopen(path, "re");
	size_t room = 0;
	int ret = 0;

	free(path);
	if (!file)
		return err_sys(err, errno, "cannot read " SYMBOLS ": %s", strerror(errno));
	while (getline(&line, &room, file) > 0)
		take_symbol(&found, line, function);
	fclose(file);
	free(line);
	if (!found.n)
		ret = no_such(sysroot, function, &found, err);
	else if (found.n > 1)
		ret = err_fail(err, "%zu functions are called %s (in %s), and they cannot be told apart",
			       found.n, function, found.places);
	free(found.variant);
	return ret;
}

int trace_function_traceable(const char *sysroot, const char *function, struct errmsg *err)
{
	FILE *file = open_functions(sysroot);
	size_t room = 0, len = strlen(function);
	char *line = NULL, list[512];
	bool known = !file;

	while (!known && getline(&line, &room, file) > 0)
		known = !strncmp(line, function, len) && strchr(" \t\n", line[len]);
	free(line);
	if (file)
		fclose(file);
	if (known)
		return 0;
	nearest_functions(sysroot, function, list, sizeof(list));
	return err_fail(err, "the kernel does not let %s be traced: it is needed for tracing itself, or begins too early%s",
			function, list);
}
