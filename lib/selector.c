// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libmnl/libmnl.h>

#include "nearest.h"
#include "nlattr.h"
#include "rootfs.h"
#include "selector.h"
#include "xalloc.h"

#define DRIVER_PREFIX "driver:"

/* Driver and module names write the same thing with '-' or '_'. */
static bool same_name(const char *a, const char *b)
{
	for (; *a && *b; a++, b++) {
		char x = *a == '-' ? '_' : *a, y = *b == '-' ? '_' : *b;

		if (x != y)
			return false;
	}
	return *a == *b;
}

static bool match_name(const char *glob, const struct line *line)
{
	for (size_t i = 0; i < line->n_actions; i++)
		if (!fnmatch(glob, line->actions[i], 0))
			return true;
	return false;
}

static bool match_device(const struct selector *sel, const struct line *line)
{
	for (size_t i = 0; i < line->n_devices; i++) {
		const struct line_device *d = &line->devices[i];

		if (d->name && !strcmp(d->name, sel->value) &&
		    (!sel->has_vector || d->vector == (long)sel->vector))
			return true;
	}
	return false;
}

static bool match_driver(const struct selector *sel, const struct line *line)
{
	const struct nl_line *m = line->module;

	if (sel->has_vector && line_vector(line) != (long)sel->vector)
		return false;
	for (size_t i = 0; i < line->n_devices; i++)
		if (line->devices[i].driver &&
		    same_name(line->devices[i].driver, sel->value))
			return true;
	for (size_t i = 0; m && i < m->n_actions; i++)
		if (m->action[i].module &&
		    same_name(m->action[i].module, sel->value))
			return true;
	return false;
}

bool selector_match(const struct selector *sel, const struct line *line)
{
	switch (sel->kind) {
	case SELECTOR_IRQ:
		return line->irq == sel->irq;
	case SELECTOR_NAME:
		return match_name(sel->value, line);
	case SELECTOR_DEVICE:
		return match_device(sel, line);
	case SELECTOR_DRIVER:
		return match_driver(sel, line);
	case SELECTOR_NONE:
		break;
	}
	return false;
}

char *selector_print(const struct selector *sel, char *buf, size_t size)
{
	char vector[16] = "";

	if (sel->has_vector)
		snprintf(vector, sizeof(vector), "/%u", sel->vector);
	if (sel->kind == SELECTOR_IRQ)
		snprintf(buf, size, "%u", sel->irq);
	else
		snprintf(buf, size, "%s%s%s",
			 sel->kind == SELECTOR_DRIVER ? DRIVER_PREFIX : "",
			 sel->value, vector);
	return buf;
}

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

static int no_irq(const char *text, const struct lines *lines,
		  struct errmsg *err)
{
	char hints[512];
	unsigned int n;

	if (parse_uint(text, &n) && vector_hints(lines, n, hints, sizeof(hints)))
		return err_fail(err, "there is no irq %s; if vector %s of a device is meant, write %s",
				text, text, hints);
	return err_fail(err, "there is no irq %s: `irqpace list` shows the lines there are",
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
	sel->selector.kind = SELECTOR_DRIVER;
	if (!*base)
		return err_usage(err, "driver: needs a driver's name, for example driver:nvme");
	if (!set_value(&sel->selector, base))
		return err_fail(err, "no driver is called %s", base);
	select_lines(lines, sel);
	if (!sel->n) {
		char list[512];

		nearest_drivers(lines, base, list, sizeof(list));
		return err_fail(err, "no line belongs to driver %s%s%s", base,
				*list ? "; the nearest are " : "", list);
	}
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

/*
 * The module compares dev_name(); of a platform device it may know only the
 * action's name, and a rule by device would never match there.
 */
static void use_name_where_module_has_no_device(struct selection *sel)
{
	const struct nl_line *m = sel->n == 1 ? sel->line[0]->module : NULL;

	if (!m || sel->selector.kind != SELECTOR_DEVICE || m->device ||
	    !sel->line[0]->n_actions)
		return;
	for (size_t i = 0; i < m->n_actions; i++)
		if (m->action[i].device)
			return;
	if (set_literal(&sel->selector, sel->line[0]->actions[0])) {
		sel->selector.kind = SELECTOR_NAME;
		sel->selector.has_vector = false;
	}
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
			use_name_where_module_has_no_device(sel);
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
			rc = err_fail(err, "no interrupt line matches %s%s%s",
				      text, *list ? "; the nearest are " : "",
				      list);
		}
	}
	free(device);
	return rc;
}

int selector_find(const char *text, const struct lines *lines,
		  const char *sysroot, struct selection *sel,
		  struct errmsg *err)
{
	bool driver = !strncmp(text, DRIVER_PREFIX, strlen(DRIVER_PREFIX));
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
	if (strspn(text, "0123456789") == strlen(text)) {
		rc = find_irq(text, lines, sel, err);
	} else {
		base = xstrdup(text);
		slash = strrchr(base, '/');
		if (slash && slash > base && parse_uint(slash + 1, &vector)) {
			has_vector = true;
			*slash = '\0';
		}
		if (driver) {
			rc = find_driver(base + strlen(DRIVER_PREFIX), lines,
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

void selector_put(struct nlmsghdr *nlh, const struct selector *sel)
{
	struct nlattr *nest = mnl_attr_nest_start(nlh, IRQPACE_A_SELECTOR);

	switch (sel->kind) {
	case SELECTOR_IRQ:
		mnl_attr_put_u32(nlh, IRQPACE_SEL_IRQ, sel->irq);
		break;
	case SELECTOR_NAME:
		mnl_attr_put_strz(nlh, IRQPACE_SEL_NAME, sel->value);
		break;
	case SELECTOR_DEVICE:
		mnl_attr_put_strz(nlh, IRQPACE_SEL_DEVICE, sel->value);
		break;
	case SELECTOR_DRIVER:
		mnl_attr_put_strz(nlh, IRQPACE_SEL_DRIVER, sel->value);
		break;
	case SELECTOR_NONE:
		break;
	}
	if (sel->has_vector)
		mnl_attr_put_u32(nlh, IRQPACE_SEL_VECTOR, sel->vector);
	mnl_attr_put_strz(nlh, IRQPACE_SEL_TEXT, sel->text);
	mnl_attr_nest_end(nlh, nest);
}

static int get_text(const struct nlattr *attr, char *buf, size_t size)
{
	char *text = NULL;
	int rc = nlattr_string(attr, &text);

	if (!rc && strlen(text) >= size)
		rc = -1;
	if (!rc)
		strcpy(buf, text);
	free(text);
	return rc;
}

int selector_get(const struct nlattr *nest, struct selector *selector)
{
	struct selector sel = { 0 };
	const struct nlattr *attr;
	int bad = 0;

	nlattr_for_each_nested(attr, nest) {
		switch (mnl_attr_get_type(attr)) {
		case IRQPACE_SEL_IRQ:
			sel.kind = SELECTOR_IRQ;
			bad |= nlattr_u32(attr, &sel.irq);
			break;
		case IRQPACE_SEL_NAME:
			sel.kind = SELECTOR_NAME;
			bad |= get_text(attr, sel.value, sizeof(sel.value));
			break;
		case IRQPACE_SEL_DEVICE:
			sel.kind = SELECTOR_DEVICE;
			bad |= get_text(attr, sel.value, sizeof(sel.value));
			break;
		case IRQPACE_SEL_DRIVER:
			sel.kind = SELECTOR_DRIVER;
			bad |= get_text(attr, sel.value, sizeof(sel.value));
			break;
		case IRQPACE_SEL_VECTOR:
			sel.has_vector = true;
			bad |= nlattr_u32(attr, &sel.vector);
			break;
		case IRQPACE_SEL_TEXT:
			bad |= get_text(attr, sel.text, sizeof(sel.text));
			break;
		}
	}
	if (bad)
		return -1;
	*selector = sel;
	return 0;
}
