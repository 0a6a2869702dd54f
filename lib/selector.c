// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libmnl/libmnl.h>

#include "nlattr.h"
#include "selector.h"
#include "xalloc.h"

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

const char *selector_driver_of(const struct line *line, const char *driver)
{
	const struct nl_line *m = line->module;

	for (size_t i = 0; i < line->n_devices; i++)
		if (line->devices[i].driver &&
		    same_name(line->devices[i].driver, driver))
			return line->devices[i].driver;
	for (size_t i = 0; m && i < m->n_actions; i++)
		if (m->action[i].module &&
		    same_name(m->action[i].module, driver))
			return m->action[i].module;
	return NULL;
}

static bool match_driver(const struct selector *sel, const struct line *line)
{
	if (sel->has_vector && line_vector(line) != (long)sel->vector)
		return false;
	return selector_driver_of(line, sel->value);
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
			 sel->kind == SELECTOR_DRIVER ? SELECTOR_DRIVER_PREFIX : "",
			 sel->value, vector);
	return buf;
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
