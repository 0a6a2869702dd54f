// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ksyms.h"
#include "rootfs.h"
#include "xalloc.h"

/*
 * The file has some 200,000 lines "ffffffff81000000 T name", of a module with
 * "\t[module]" behind it. By hand, because scanf() takes a second for them on a
 * slow machine, and most lines are looked at for their address alone.
 */
static bool parse_address(const char *line, uint64_t *address, const char **rest)
{
	uint64_t value = 0;
	const char *p = line;

	for (;; p++) {
		unsigned int digit;

		if (*p >= '0' && *p <= '9')
			digit = (unsigned int)(*p - '0');
		else if (*p >= 'a' && *p <= 'f')
			digit = (unsigned int)(*p - 'a') + 10;
		else
			break;
		value = value << 4 | digit;
	}
	/* The address, a blank, the type, a blank, and at least one character. */
	if (p == line || p[0] != ' ' || !p[1] || p[2] != ' ' || !p[3] || p[3] == '\n')
		return false;
	*address = value;
	*rest = p + 3;
	return true;
}

static size_t name_length(const char *name)
{
	return strcspn(name, " \t\n");
}

/* NULL: the kernel itself */
static char *module_of(const char *name)
{
	const char *module = name + name_length(name);

	module += strspn(module, " \t");
	if (*module != '[')
		return NULL;
	module++;
	return xstrndup(module, strcspn(module, "]\n"));
}

static FILE *open_file(const char *sysroot, struct errmsg *err)
{
	char *path = root_path(sysroot, "/proc/kallsyms");
	FILE *file = fopen(path, "re");

	if (!file)
		err_sys(err, errno, "cannot read %s: %s", path, strerror(errno));
	free(path);
	return file;
}

struct best {
	struct ksym *sym;
	uint64_t symbol;	/* its address, 0: none so far */
	char *line;		/* that has it */
	size_t room;
};

static int by_address(const void *va, const void *vb)
{
	const struct best *a = va, *b = vb;

	return (a->sym->address > b->sym->address) - (a->sym->address < b->sym->address);
}

/* The first of the ascending N that is at or above ADDRESS. */
static size_t first_from(const struct best *best, size_t n, uint64_t address)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (best[middle].sym->address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * To the first asked address that the symbol can stand for; name_all() tells the
 * others. The better line is kept and the worse one's memory is read into next.
 */
static void offer(struct best *best, size_t n, uint64_t address, char **line, size_t *room)
{
	size_t i = first_from(best, n, address);
	struct best was;

	/* Of several symbols at one address the first one names it. */
	if (i == n || best[i].symbol >= address)
		return;
	was = best[i];
	best[i].symbol = address;
	best[i].line = *line;
	best[i].room = *room;
	*line = was.line;
	*room = was.room;
}

/* Whatever is below an address is below the next one as well. */
static void name_all(struct best *best, size_t n)
{
	const char *line = NULL, *name;
	uint64_t symbol = 0;

	for (size_t i = 0; i < n; i++) {
		struct ksym *sym = best[i].sym;

		if (best[i].symbol > symbol) {
			symbol = best[i].symbol;
			line = best[i].line;
		}
		if (!line || !parse_address(line, &symbol, &name))
			continue;
		sym->name = xstrndup(name, name_length(name));
		sym->module = module_of(name);
		sym->offset = sym->address - symbol;
	}
}

int ksyms_name(const char *sysroot, struct ksym *sym, size_t n, struct errmsg *err)
{
	FILE *file = open_file(sysroot, err);
	struct best *best;
	const char *name;
	uint64_t address;
	char *line = NULL;
	size_t room = 0;

	if (!file)
		return -1;
	best = xcalloc(n + 1, sizeof(*best));
	for (size_t i = 0; i < n; i++)
		best[i].sym = &sym[i];
	qsort(best, n, sizeof(*best), by_address);
	while (getline(&line, &room, file) > 0)
		if (parse_address(line, &address, &name) && address)
			offer(best, n, address, &line, &room);
	name_all(best, n);
	free(line);
	for (size_t i = 0; i < n; i++)
		free(best[i].line);
	free(best);
	fclose(file);
	return 0;
}

void ksyms_free(struct ksym *sym, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(sym[i].name);
		free(sym[i].module);
	}
}

int ksyms_find(const char *sysroot, const char *name, uint64_t *address, struct errmsg *err)
{
	FILE *file = open_file(sysroot, err);
	size_t room = 0, length = strlen(name);
	const char *this_name;
	uint64_t this_address;
	char *line = NULL;
	bool hidden = true;
	int found = 0;

	if (!file)
		return -1;
	while (getline(&line, &room, file) > 0) {
		if (!parse_address(line, &this_address, &this_name))
			continue;
		hidden = hidden && !this_address;
		if (name_length(this_name) != length || memcmp(this_name, name, length))
			continue;
		if (!found++)
			*address = this_address;
	}
	free(line);
	fclose(file);
	if (hidden)
		return err_fail(err, "the kernel hides its addresses: /proc/kallsyms shows them to root, unless kernel.kptr_restrict is 2");
	return found;
}
