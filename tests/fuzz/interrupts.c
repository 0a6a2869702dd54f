// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any bytes as a machine: /proc/interrupts, and behind a NUL each the list of
 * possible CPUs, line 24's counts and its actions as sysfs has them. What is
 * read must be in order and agree with a second, trivial reading of the text.
 */
#define _GNU_SOURCE
#include "fuzz.h"

#include <errno.h>
#include <limits.h>
#include <regex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../lib/lines.h"
#include "../../lib/rootfs.h"
#include "../../lib/xalloc.h"

#define SYSFS_IRQ 24	/* the line of the files below */

static const char *const files[] = {
	"/proc/interrupts", "/sys/devices/system/cpu/possible",
	"/sys/kernel/irq/24/per_cpu_count", "/sys/kernel/irq/24/actions",
};
#define N_FILES (sizeof(files) / sizeof(files[0]))

static char *root;
static int fds[N_FILES];
static regex_t label, cpu_name;

/* A tree that is made once; its files are links to memory. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *tmp = getenv("TMPDIR");

	(void)argc, (void)argv;
	root = xasprintf("%s/irqpace-fuzz.XXXXXX", tmp ? tmp : "/tmp");
	MUST(mkdtemp(root));
	for (size_t i = 0; i < N_FILES; i++) {
		char *path = root_path(root, "%s", files[i]), *target;

		for (char *p = path + strlen(root) + 1; (p = strchr(p, '/')); p++) {
			*p = '\0';
			MUST(!mkdir(path, 0700) || errno == EEXIST);
			*p = '/';
		}
		fds[i] = memfd_create("fuzz", 0);
		MUST(fds[i] >= 0);
		target = xasprintf("/proc/self/fd/%d", fds[i]);
		MUST(!symlink(target, path));
		free(target);
		free(path);
	}
	MUST(!regcomp(&label, "^[ \t]*([0-9]+):", REG_EXTENDED));
	MUST(!regcomp(&cpu_name, "^CPU[0-9]+$", REG_EXTENDED | REG_NOSUB));
	return 0;
}

static void fill(int fd, const char *text, size_t size)
{
	MUST(!ftruncate(fd, 0));
	MUST(pwrite(fd, text, size, 0) == (ssize_t)size);
}

/* The second reading. */
struct row {
	unsigned long irq;
	size_t n_counts;	/* words that are numbers, and one with a chip behind it */
	uint64_t sum;
};

static size_t count_cpus(char *header)
{
	char *save = NULL, *word = strtok_r(header, " \t", &save);
	size_t n = 0;

	for (; word; word = strtok_r(NULL, " \t", &save), n++) {
		errno = 0;
		if (regexec(&cpu_name, word, 0, NULL, 0) ||
		    strtoul(word + 3, NULL, 10) > UINT_MAX || errno)
			break;
	}
	return n;
}

static void add_count(struct row *row, const char *word)
{
	unsigned long long count;

	errno = 0;
	count = strtoull(word, NULL, 10);
	if (!errno && count != LINE_NO_COUNT)
		row->sum += count;
	row->n_counts++;
}

static bool read_row(char *text, size_t n_cpus, struct row *row)
{
	regmatch_t m[2];
	char *save = NULL, *word;

	memset(row, 0, sizeof(*row));
	if (regexec(&label, text, 2, m, 0))
		return false;
	errno = 0;
	row->irq = strtoul(text + m[1].rm_so, NULL, 10);
	if (errno || row->irq > UINT_MAX)
		return false;
	word = strtok_r(text + m[0].rm_eo, " \t", &save);
	for (; word && strspn(word, "0123456789") == strlen(word);
	     word = strtok_r(NULL, " \t", &save))
		add_count(row, word);
	if (word && row->n_counts + 1 == n_cpus) {
		char after = word[strspn(word, "0123456789")];

		if (after != *word &&
		    ((after >= 'a' && after <= 'z') || (after >= 'A' && after <= 'Z')))
			add_count(row, word);
	}
	return true;
}

static int by_irq(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return x->irq < y->irq ? -1 : x->irq > y->irq;
}

static void check_line(const struct lines *lines, const struct line *line)
{
	char *joined = xstrdup("");

	MUST(line->counts);
	MUST(!line->chip || *line->chip);
	MUST(!line->flow || *line->flow);
	MUST(!line->type || !strcmp(line->type, "edge") || !strcmp(line->type, "level"));
	MUST(!line->name == !line->n_actions);
	MUST((line->attachable == LINE_NO) == !!line->reason);
	for (size_t i = 0; i < line->n_actions; i++) {
		char *more = xasprintf("%s%s%s", joined, i ? ", " : "", line->actions[i]);

		free(joined);
		joined = more;
	}
	MUST(!line->name || !strcmp(joined, line->name));
	free(joined);
	MUST(lines_find(lines, line->irq) == line);
}

/* ROWS are sorted; of two with one number either may have been taken. */
static void check_rows(const struct lines *lines, const struct row *rows, size_t n)
{
	size_t l = 0;

	for (size_t r = 0; r < n; r++) {
		const struct row *row = &rows[r];
		const struct line *line;
		bool twice = (r && row->irq == row[-1].irq) ||
			     (r + 1 < n && row->irq == row[1].irq);

		if (r && row->irq == row[-1].irq)
			continue;
		/* Line 24 is there by sysfs as well. */
		if (l < lines->n && lines->line[l].irq == SYSFS_IRQ && row->irq > SYSFS_IRQ)
			l++;
		MUST(l < lines->n);
		line = &lines->line[l++];
		MUST(line->irq == row->irq);
		if (twice || line->irq == SYSFS_IRQ)
			continue;
		MUST(line_total(lines, line) == (row->n_counts == lines->n_cpus ? row->sum : 0));
		MUST(row->n_counts == lines->n_cpus || !line_has_count(lines, line));
	}
	if (l < lines->n && lines->line[l].irq == SYSFS_IRQ)
		l++;
	MUST(l == lines->n);
}

/* A machine where nothing happened since. */
static void check_same(const struct lines *lines)
{
	uint64_t *delta = xcalloc(lines->n_cpus, sizeof(*delta));
	struct lines_pair pair;

	lines_pair_init(&pair, lines, lines);
	for (size_t i = 0; i < lines->n; i++) {
		bool same = lines_pair_delta(&pair, &lines->line[i], delta);

		for (size_t c = 0; c < lines->n_cpus; c++) {
			/* A CPU that the header names twice is compared with its first column. */
			if (lines->cpus[pair.column[c]] != lines->cpus[c])
				MUST(0);
			if ((size_t)pair.column[c] == c)
				MUST(!delta[c]);
		}
		MUST(same || lines->n_cpus > 1);
	}
	lines_pair_free(&pair);
	free(delta);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = xcalloc(size + 1, 1), *part = text, *rest, *row;
	struct row *rows = xcalloc(size + 1, sizeof(*rows));
	struct errmsg err = { 0 };
	struct lines lines;
	size_t n_cpus, n = 0;

	if (size)
		memcpy(text, data, size);
	for (size_t i = 0; i < N_FILES; i++) {
		size_t length = part < text + size ? strlen(part) : 0;

		fill(fds[i], part, length);
		part += part + length < text + size ? length + 1 : length;
	}
	rest = text;
	row = strsep(&rest, "\n");
	n_cpus = count_cpus(row);
	while ((row = strsep(&rest, "\n")))
		n += read_row(row, n_cpus, &rows[n]);
	qsort(rows, n, sizeof(*rows), by_irq);

	if (lines_read(root, &lines, &err)) {
		MUST(!n_cpus && err.text[0]);
	} else {
		MUST(n_cpus && lines.n_cpus == n_cpus);
		for (size_t i = 0; i < lines.n; i++) {
			MUST(!i || lines.line[i - 1].irq < lines.line[i].irq);
			check_line(&lines, &lines.line[i]);
		}
		check_rows(&lines, rows, n);
		check_same(&lines);
		lines_free(&lines);
	}
	free(rows);
	free(text);
	return 0;
}
