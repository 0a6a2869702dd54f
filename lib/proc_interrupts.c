// SPDX-License-Identifier: GPL-2.0-only
/*
 * A row is "IRQ:", a count for each CPU of the header, the chip's name, its
 * own number of the line, the trigger, and the actions:
 *
 *	 24:  10  20  PCI-MSIX-0000:00:01.0   0-edge      nvme0q0
 *	 13:   1   2  GICv3  39 Level     DDOMAIN ISR, gdma
 *	 27:   7   0  intel-gpio   27  ELAN0732:00
 *
 * Chips and actions may hold blanks and colons, so the number with what marks
 * the trigger is looked for, and the chip and the actions are what stands at
 * its two sides.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "proc_interrupts.h"
#include "rootfs.h"
#include "xalloc.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static char *skip_blanks(char *p)
{
	while (is_blank(*p))
		p++;
	return p;
}

static char *skip_word(char *p)
{
	while (*p && !is_blank(*p))
		p++;
	return p;
}

static void trim_end(char *start, char *end)
{
	while (end > start && is_blank(end[-1]))
		end--;
	*end = '\0';
}

static char *copy_nonempty(const char *start, size_t n)
{
	return n ? xstrndup(start, n) : NULL;
}

/* Names are joined by ", "; one name may hold a comma or a blank. */
static void split_actions(char *text, struct line *line)
{
	char *next;

	trim_end(text, text + strlen(text));
	if (!*text)
		return;
	line->name = xstrdup(text);
	for (char *p = text; p; p = next) {
		next = strstr(p, ", ");
		if (next) {
			*next = '\0';
			next += 2;
		}
		line->actions = xrealloc(line->actions, line->n_actions + 1,
					 sizeof(*line->actions));
		line->actions[line->n_actions++] = xstrdup(p);
	}
}

/* "edge", "level" from the word after the number; the flow's name where it is one. */
static void set_trigger(struct line *line, const char *word, size_t n)
{
	if (n == 4 && !strncasecmp(word, "edge", n))
		line->type = xstrdup("edge");
	else if ((n == 5 && !strncasecmp(word, "level", n)) ||
		 (n == 7 && !strncmp(word, "fasteoi", n)))
		line->type = xstrdup("level");
}

/*
 * Reads "39-edge", "39 Level", "39 Level -fasteoi" or a bare "39" (then two
 * blanks or the end follow) at P, where a word begins. 6.1 prints the number as
 * an int, so that it may be negative. Returns where the actions begin, or NULL
 * where P is something else.
 */
static char *read_hwirq(char *p, struct line *line)
{
	char *digits = p + (*p == '-'), *end = digits, *word, *word_end;
	long long hwirq;

	while (is_digit(*end))
		end++;
	if (end == digits)
		return NULL;
	errno = 0;
	hwirq = strtoll(p, NULL, 10);
	if (errno)
		hwirq = -1;

	if (*end == '-') {
		word = end + 1;
		word_end = skip_word(word);
		if (word_end == word)
			return NULL;
		line->hwirq = hwirq;
		line->flow = xstrndup(word, (size_t)(word_end - word));
		set_trigger(line, word, (size_t)(word_end - word));
		return skip_blanks(word_end);
	}
	if (*end && !is_blank(*end))
		return NULL;
	word = skip_blanks(end);
	word_end = skip_word(word);
	if ((word_end - word == 4 && !strncmp(word, "Edge", 4)) ||
	    (word_end - word == 5 && !strncmp(word, "Level", 5))) {
		line->hwirq = hwirq;
		set_trigger(line, word, (size_t)(word_end - word));
		word = skip_blanks(word_end);
		if (*word == '-') {
			word_end = skip_word(word);
			line->flow = copy_nonempty(word + 1,
						   (size_t)(word_end - word - 1));
			word = skip_blanks(word_end);
		}
		return word;
	}
	if (*word && word - end < 2)
		return NULL;
	line->hwirq = hwirq;
	return word;
}

void proc_interrupts_tail(char *tail, struct line *line)
{
	char *start = skip_blanks(tail), *p, *actions;

	if (!*start)
		return;
	for (p = skip_blanks(skip_word(start)); *p;
	     p = skip_blanks(skip_word(p))) {
		actions = read_hwirq(p, line);
		if (actions) {
			trim_end(start, p);
			line->chip = xstrdup(start);
			split_actions(actions, line);
			return;
		}
	}
	/* No number: a chip without a domain, "XT-PIC  -edge  timer". */
	p = skip_word(start);
	line->chip = xstrndup(start, (size_t)(p - start));
	p = skip_blanks(p);
	if (*p == '-') {
		char *end = skip_word(p);

		line->flow = copy_nonempty(p + 1, (size_t)(end - p - 1));
		set_trigger(line, p + 1, (size_t)(end - p - 1));
		p = skip_blanks(end);
	}
	split_actions(p, line);
}

static int read_header(char *text, const char *path, struct lines *lines,
		       struct errmsg *err)
{
	size_t room = 0;
	char *p, *end;

	for (p = skip_blanks(text); *p; p = skip_blanks(end)) {
		unsigned int cpu;
		char saved;
		bool ok;

		end = skip_word(p);
		saved = *end;
		*end = '\0';
		ok = !strncmp(p, "CPU", 3) && parse_uint(p + 3, &cpu);
		*end = saved;
		if (!ok)
			break;
		if (lines->n_cpus == room) {
			room = room ? 2 * room : 16;
			lines->cpus = xrealloc(lines->cpus, room,
					       sizeof(*lines->cpus));
		}
		lines->cpus[lines->n_cpus++] = cpu;
	}
	if (!lines->n_cpus)
		return err_fail(err, "%s does not begin with a row of CPUs",
				path);
	return 0;
}

/* A count that does not fit 64 bits is none. */
static uint64_t read_count(const char *p)
{
	uint64_t n = 0;

	for (; is_digit(*p); p++)
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(*p - '0'), &n))
			return LINE_NO_COUNT;
	return n;
}

/*
 * Returns what stands behind the counts. A row that was printed while a CPU came
 * or went has fewer or more of them than the header has names; which is whose
 * cannot be told then, and none is taken. Some 6.13 kernels print a GPIO chip
 * right behind the last count ("30gpio").
 */
static char *read_counts(char *p, const struct lines *lines, uint64_t *counts)
{
	size_t n = 0;

	for (;; n++) {
		char *start = skip_blanks(p), *end = start;

		while (is_digit(*end))
			end++;
		if (end == start || (*end && !is_blank(*end) &&
				     !(isalpha((unsigned char)*end) &&
				       n + 1 == lines->n_cpus)))
			break;
		if (n < lines->n_cpus)
			counts[n] = read_count(start);
		p = end;
	}
	if (n != lines->n_cpus)
		for (size_t i = 0; i < lines->n_cpus; i++)
			counts[i] = LINE_NO_COUNT;
	return p;
}

static void read_row(char *row, struct lines *lines, size_t *room)
{
	char *p = skip_blanks(row), *colon = strchr(p, ':');
	struct line *line;
	unsigned int irq;

	if (!colon)
		return;
	*colon = '\0';
	if (!parse_uint(p, &irq))
		return;
	if (lines->n == *room) {
		*room = *room ? 2 * *room : 64;
		lines->line = xrealloc(lines->line, *room, sizeof(*lines->line));
	}
	line = &lines->line[lines->n++];
	memset(line, 0, sizeof(*line));
	line->irq = irq;
	line->hwirq = -1;
	line->attachable = LINE_UNKNOWN;
	line->counts = xcalloc(lines->n_cpus, sizeof(*line->counts));
	proc_interrupts_tail(read_counts(colon + 1, lines, line->counts), line);
}

int proc_interrupts_read(FILE *in, const char *path, struct lines *lines,
			 struct errmsg *err)
{
	size_t size = 0, room = lines->n;
	char *text = NULL;
	bool header = false;
	ssize_t n;
	int rc = 0;

	while ((n = getline(&text, &size, in)) >= 0) {
		if (n && text[n - 1] == '\n')
			text[n - 1] = '\0';
		if (!header) {
			rc = read_header(text, path, lines, err);
			if (rc)
				break;
			header = true;
			continue;
		}
		read_row(text, lines, &room);
	}
	if (!rc && ferror(in))
		rc = err_sys(err, errno, "cannot read %s: %s", path,
			     strerror(errno));
	else if (!rc && !header)
		rc = err_fail(err, "%s is empty", path);
	free(text);
	return rc;
}
