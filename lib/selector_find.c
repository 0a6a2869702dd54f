// SPDX-License-Identifier: GPL-2.0-only
/* From what the user wrote to the lines that are there. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"
#include "rootfs.h"
#include "selector.h"
#include "xalloc.h"

static void select_lines(const struct lines *lines, struct selection *sel)
{
	sel->n = 0;
	for (size_t i = 0; i < lines->n; i++) {
		if (!selector_match(&sel->selector, &lines->line[i]))
			continue;
		sel->line = xrealloc(sel->line, sel->n + 1, sizeof(*sel->line));
		sel->line[sel->n++] = &lines->line[i];
	}
}

/* Whether it fits; what is longer cannot be a rule. */
static bool set_value(struct selector *sel, const char *value)
{
	if (strlen(value) >= sizeof(sel->value))
		return false;
	strcpy(sel->value, value);
	return true;
}

/*
 * A name that is meant literally, as a glob: "ahci[0000:..." holds a bracket.
 * A backslash would escape inside brackets too, so '?' stands for it.
 */
static bool set_literal(struct selector *sel, const char *name)
{
	size_t n = 0;

	for (; *name; name++) {
		bool special = strchr("*?[", *name) != NULL;

		if (n + (special ? 3 : 1) >= sizeof(sel->value))
			return false;
		if (special)
			sel->value[n++] = '[';
		sel->value[n++] = *name == '\\' ? '?' : *name;
		if (special)
			sel->value[n++] = ']';
	}
	sel->value[n] = '\0';
	return true;
}

static bool has_glob(const char *text)
{
	return strpbrk(text, "*?[") != NULL;
}

/* "0000:00:03.0/3 (nvme0q3)" for each line with this vector, a few of them. */
static size_t vector_hints(const struct lines *lines, unsigned int vector,
			   char *buf, size_t size)
{
	size_t found = 0, n = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < lines->n && found < 3; i++) {
		const struct line *line = &lines->line[i];

		if (line_vector(line) != (long)vector || !line_device(line) ||
		    n >= size)
			continue;
		n += (size_t)snprintf(buf + n, size - n, "%s%s/%u (%s, irq %u)",
				      found ? " or " : "", line_device(line),
				      vector, line->name ? line->name : "unused",
				      line->irq);
		found++;
	}
	return found;
}

/* "25/1": a number names one line already. */
static int irq_with_vector(const char *base, unsigned int vector,
			   struct errmsg *err)
{
	return err_usage(err, "%s is an irq number, which has no vectors: write %s alone, or a device, for example nvme0/%u",
			 base, base, vector);
}

static bool is_number(const char *text)
{
	return *text && strspn(text, "0123456789") == strlen(text);
}

static int no_irq(const char *text, const struct lines *lines,
		  struct errmsg *err)
{
	char hints[512];
	unsigned int n;

	if (parse_uint(text, &n) && vector_hints(lines, n, hints, sizeof(hints)))
		return err_fail(err, "there is no irq %s; if vector %s of a device is meant, write %s",
				text, text, hints);
	return err_fail(err, "there is no irq %s: irqpace list shows those there are",
			text);
}

static int find_irq(const char *text, const struct lines *lines,
		    struct selection *sel, struct errmsg *err)
{
	unsigned int irq;

	if (!parse_uint(text, &irq))
		return no_irq(text, lines, err);
	sel->selector.kind = SELECTOR_IRQ;
	sel->selector.irq = irq;
	select_lines(lines, sel);
	return sel->n ? 0 : no_irq(text, lines, err);
}

/* The device or driver is there; the vector is not. */
static int no_vector(const char *base, const struct lines *lines,
		     const struct selection *all, unsigned int vector,
		     struct errmsg *err)
{
	const struct line *irq = lines_find(lines, vector);
	long low = -1, high = -1;

	for (size_t i = 0; i < all->n; i++) {
		long v = line_vector(all->line[i]);

		if (v < 0)
			continue;
		if (low < 0 || v < low)
			low = v;
		if (v > high)
			high = v;
		if (all->line[i] == irq)
			return err_fail(err, "%s has no vector %u; %u is an irq number, its vector is %ld: write %s/%ld or %u",
					base, vector, vector, v, base, v, vector);
	}
	if (low < 0)
		return err_fail(err, "%s has no vectors: write %s alone", base,
				base);
	return err_fail(err, "%s has no vector %u: its vectors are %ld to %ld",
			base, vector, low, high);
}

/* Narrows what SEL found to one vector. */
static int narrow(const char *base, const struct lines *lines,
		  struct selection *sel, unsigned int vector,
		  struct errmsg *err)
{
	struct selection all = *sel;
	int rc = 0;

	sel->selector.has_vector = true;
	sel->selector.vector = vector;
	sel->line = NULL;
	select_lines(lines, sel);
	if (!sel->n)
		rc = no_vector(base, lines, &all, vector, err);
	free(all.line);
	return rc;
}

static int find_driver(const char *base, const struct lines *lines,
		       struct selection *sel, struct errmsg *err)
{
	const char *spelled;
	char list[512];

	sel->selector.kind = SELECTOR_DRIVER;
	if (!*base)
		return err_usage(err, "driver: needs the name of a driver, for example driver:nvme");
	if (set_value(&sel->selector, base))
		select_lines(lines, sel);
	if (!sel->n) {
		nearest_drivers(lines, base, list, sizeof(list));
		return err_fail(err, "no line belongs to driver %s%s", base,
				list);
	}
	/* The module compares letter by letter. */
	spelled = selector_driver_of(sel->line[0], base);
	if (spelled)
		set_value(&sel->selector, spelled);
	return 0;
}

static bool is_listed_device(const struct lines *lines, const char *name)
{
	for (size_t i = 0; i < lines->n; i++)
		for (size_t d = 0; d < lines->line[i].n_devices; d++)
			if (lines->line[i].devices[d].name &&
			    !strcmp(lines->line[i].devices[d].name, name))
				return true;
	return false;
}

/* The device's own name; NULL where BASE names none. Malloced. */
static char *device_name(const char *base, const struct lines *lines,
			 const char *sysroot)
{
	return is_listed_device(lines, base) ? xstrdup(base) :
	       device_resolve(sysroot, base);
}

/* Whether DEVICE has lines; they are in SEL then. */
static bool find_device(const char *device, const struct lines *lines,
			struct selection *sel)
{
	if (!set_value(&sel->selector, device))
		return false;
	sel->selector.kind = SELECTOR_DEVICE;
	select_lines(lines, sel);
	return sel->n > 0;
}

static bool find_exact_name(const char *text, const struct lines *lines,
			    struct selection *sel)
{
	if (!set_literal(&sel->selector, text))
		return false;
	sel->selector.kind = SELECTOR_NAME;
	select_lines(lines, sel);
	return sel->n > 0;
}

/* Whether the module would match the line by this device. */
static bool module_knows(const struct line *line, const char *device)
{
	const struct nl_line *m = line->module;

	return !m || (m->device && !strcmp(m->device, device));
}

/*
 * Of a platform device, or of the second sharer of a pin, the module knows only
 * the names of the actions: a rule by device would never match there. The
 * name is taken instead where it means the same lines, or the number.
 */
static int make_known(const char *text, const struct lines *lines,
		      struct selection *sel, struct errmsg *err)
{
	char device[IRQPACE_TEXT_MAX + 1];
	struct line *first = sel->line[0];
	bool known = true;
	size_t n = sel->n;

	strcpy(device, sel->selector.value);
	for (size_t i = 0; i < n; i++)
		known &= module_knows(sel->line[i], device);
	if (known)
		return 0;
	sel->selector.has_vector = false;
	if (find_exact_name(text, lines, sel) && sel->n == n)
		return 0;
	if (n > 1)
		return err_fail(err, "the module does not know device %s: choose its lines by number, for example %u",
				device, first->irq);
	sel->selector.value[0] = '\0';
	sel->selector.kind = SELECTOR_IRQ;
	sel->selector.irq = first->irq;
	select_lines(lines, sel);
	return 0;
}

static int find_word(const char *text, char *base, bool has_vector,
		     unsigned int vector, const struct lines *lines,
		     const char *sysroot, struct selection *sel,
		     struct errmsg *err)
{
	char *device = device_name(base, lines, sysroot);
	char list[512];
	int rc = 0;

	if (device && find_device(device, lines, sel)) {
		if (has_vector)
			rc = narrow(base, lines, sel, vector, err);
		if (!rc)
			rc = make_known(text, lines, sel, err);
	} else if (find_exact_name(text, lines, sel)) {
		;
	} else if (device) {
		rc = err_fail(err, "%s%s%s%s has no interrupt line", base,
			      strcmp(base, device) ? " (" : "",
			      strcmp(base, device) ? device : "",
			      strcmp(base, device) ? ")" : "");
	} else {
		sel->selector.kind = SELECTOR_NAME;
		if (has_glob(text) && set_value(&sel->selector, text))
			select_lines(lines, sel);
		if (!sel->n) {
			nearest_selectors(lines, sysroot, text, list,
					  sizeof(list));
			rc = err_fail(err, "no interrupt line matches %s%s",
				      text, list);
		}
	}
	free(device);
	return rc;
}

int selector_find(const char *text, const struct lines *lines,
		  const char *sysroot, struct selection *sel,
		  struct errmsg *err)
{
	bool driver = !strncmp(text, SELECTOR_DRIVER_PREFIX, strlen(SELECTOR_DRIVER_PREFIX));
	bool has_vector = false;
	unsigned int vector = 0;
	char *base, *slash;
	int rc;

	memset(sel, 0, sizeof(*sel));
	if (!*text)
		return err_usage(err, "an empty selector names no line");
	if (strlen(text) > IRQPACE_TEXT_MAX)
		return err_usage(err, "a selector of %zu letters is too long: at most %d",
				 strlen(text), IRQPACE_TEXT_MAX);
	strcpy(sel->selector.text, text);
	if (is_number(text)) {
		rc = find_irq(text, lines, sel, err);
	} else {
		base = xstrdup(text);
		slash = strrchr(base, '/');
		if (slash && slash > base && parse_uint(slash + 1, &vector)) {
			has_vector = true;
			*slash = '\0';
		}
		if (has_vector && is_number(base)) {
			rc = irq_with_vector(base, vector, err);
		} else if (driver) {
			rc = find_driver(base + strlen(SELECTOR_DRIVER_PREFIX), lines,
					 sel, err);
			if (!rc && has_vector)
				rc = narrow(base, lines, sel, vector, err);
		} else {
			rc = find_word(text, base, has_vector, vector, lines,
				       sysroot, sel, err);
		}
		free(base);
	}
	if (rc)
		selection_free(sel);
	return rc;
}

int selector_find_one(const char *text, const struct lines *lines,
		      const char *sysroot, struct line **line,
		      struct errmsg *err)
{
	char list[512];
	struct selection sel;
	size_t n = 0, i;
	int rc = 0;

	if (selector_find(text, lines, sysroot, &sel, err))
		return -1;
	*line = sel.line[0];
	if (sel.n > 1) {
		for (i = 0; i < sel.n && i < 6 && n < sizeof(list); i++)
			n += (size_t)snprintf(list + n, sizeof(list) - n,
					      "%s%u (%s)", i ? ", " : "",
					      sel.line[i]->irq,
					      sel.line[i]->name ?
					      sel.line[i]->name : "unused");
		if (i < sel.n && n < sizeof(list))
			snprintf(list + n, sizeof(list) - n, " and %zu more",
				 sel.n - i);
		rc = err_fail(err, "%s names %zu lines where one is needed: choose one of %s",
			      text, sel.n, list);
	}
	selection_free(&sel);
	return rc;
}

void selection_free(struct selection *sel)
{
	free(sel->line);
	sel->line = NULL;
	sel->n = 0;
}
