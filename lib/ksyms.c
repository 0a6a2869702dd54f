// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ksyms.h"
#include "rootfs.h"
#include "xalloc.h"

/* One line: "ffffffff81000000 T name" and, of a module, "\t[module]". */
struct entry {
	uint64_t address;
	char name[512];
	char module[128];	/* "" for the kernel itself */
};

static bool parse(const char *line, struct entry *entry)
{
	char type;
	int n;

	entry->module[0] = '\0';
	n = sscanf(line, "%" SCNx64 " %c %511s [%127[^]]]", &entry->address, &type,
		   entry->name, entry->module);
	return n >= 3;
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
 * A symbol is nearer to all asked addresses above it than what they had, up to
 * the first that has a nearer one: those beyond have one at least as near.
 */
static void offer(struct best *best, size_t n, uint64_t address)
{
	for (size_t i = first_from(best, n, address); i < n; i++) {
		if (best[i].symbol >= address)
			break;
		best[i].symbol = address;
	}
}

/* Of several symbols at one address the first one names it. */
static void take_names(struct best *best, size_t n, const struct entry *entry)
{
	for (size_t i = first_from(best, n, entry->address); i < n; i++) {
		struct ksym *sym = best[i].sym;

		if (best[i].symbol != entry->address)
			break;
		if (sym->name)
			continue;
		sym->name = xstrdup(entry->name);
		sym->module = *entry->module ? xstrdup(entry->module) : NULL;
		sym->offset = sym->address - entry->address;
	}
}

/* Two passes: names are kept only of what the first has found to be nearest. */
int ksyms_name(const char *sysroot, struct ksym *sym, size_t n, struct errmsg *err)
{
	FILE *file = open_file(sysroot, err);
	struct best *best;
	struct entry entry;
	char *line = NULL;
	size_t room = 0;

	if (!file)
		return -1;
	best = xcalloc(n + 1, sizeof(*best));
	for (size_t i = 0; i < n; i++)
		best[i].sym = &sym[i];
	qsort(best, n, sizeof(*best), by_address);
	while (getline(&line, &room, file) > 0)
		if (parse(line, &entry) && entry.address)
			offer(best, n, entry.address);
	rewind(file);
	while (getline(&line, &room, file) > 0)
		if (parse(line, &entry) && entry.address)
			take_names(best, n, &entry);
	free(line);
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
	struct entry entry;
	char *line = NULL;
	bool hidden = true;
	size_t room = 0;
	int found = 0;

	if (!file)
		return -1;
	while (getline(&line, &room, file) > 0) {
		if (!parse(line, &entry))
			continue;
		hidden = hidden && !entry.address;
		if (strcmp(entry.name, name))
			continue;
		if (!found++)
			*address = entry.address;
	}
	free(line);
	fclose(file);
	if (hidden)
		return err_fail(err, "the kernel hides its addresses: /proc/kallsyms shows them to root, unless kernel.kptr_restrict is 2");
	return found;
}
