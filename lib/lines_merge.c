// SPDX-License-Identifier: GPL-2.0-only
/* What the module says of the lines, laid over what the files say. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lines_internal.h"
#include "xalloc.h"

static void add_device(struct line *line, const char *name, const char *driver,
		       long vector)
{
	struct line_device *d;

	for (size_t i = 0; name && i < line->n_devices; i++)
		if (line->devices[i].name &&
		    !strcmp(line->devices[i].name, name))
			return;
	line->devices = xrealloc(line->devices, line->n_devices + 1,
				 sizeof(*line->devices));
	d = &line->devices[line->n_devices++];
	d->name = name ? xstrdup(name) : NULL;
	d->driver = driver ? xstrdup(driver) : NULL;
	d->vector = vector;
}

/* The module's device comes first; what sysfs knows of it fills the gaps. */
static void merge_devices(struct line *line, const struct nl_line *m)
{
	struct line old = *line;

	if (!m->device && !(m->driver && !line->n_devices))
		return;
	line->devices = NULL;
	line->n_devices = 0;
	add_device(line, m->device, m->driver, m->vector);
	for (size_t i = 0; i < old.n_devices; i++) {
		const struct line_device *d = &old.devices[i];

		if (!m->device || !d->name || strcmp(d->name, m->device))
			continue;
		if (!line->devices[0].driver && d->driver)
			line->devices[0].driver = xstrdup(d->driver);
		if (line->devices[0].vector < 0)
			line->devices[0].vector = d->vector;
	}
	for (size_t i = 0; i < old.n_devices; i++)
		add_device(line, old.devices[i].name, old.devices[i].driver,
			   old.devices[i].vector);
	for (size_t i = 0; i < m->n_actions; i++)
		if (m->action[i].device)
			add_device(line, m->action[i].device, NULL, -1);
	line_free_devices(&old);
}

/* The module looks at the descriptor itself; what it does not tell stays. */
static void merge_line(struct line *line, const struct nl_line *m)
{
	line->module = m;
	if (m->n_actions) {
		line_free_actions(line);
		line->actions = xcalloc(m->n_actions, sizeof(*line->actions));
		for (size_t i = 0; i < m->n_actions; i++) {
			const char *name = m->action[i].name;
			char *joined = line->name;

			line->actions[line->n_actions++] =
				xstrdup(name ? name : "");
			line->name = xasprintf("%s%s%s", joined ? joined : "",
					       joined ? ", " : "",
					       name ? name : "");
			free(joined);
		}
	}
	merge_devices(line, m);
	if (m->chip)
		line_replace(&line->chip, xstrdup(m->chip));
	if (m->level >= 0)
		line_replace(&line->type, xstrdup(m->level ? "level" : "edge"));
	if (m->attachable >= 0) {
		line->attachable = m->attachable ? LINE_YES : LINE_NO;
		free(line->reason);
		line->reason = !m->attachable && m->reason ?
			       xstrdup(m->reason) : NULL;
	}
}

void lines_merge(struct lines *lines, struct nl_lines *nl_lines)
{
	lines->merged = xcalloc(1, sizeof(*lines->merged));
	*lines->merged = *nl_lines;
	memset(nl_lines, 0, sizeof(*nl_lines));
	for (size_t i = 0; i < lines->merged->n; i++) {
		struct line *line = lines_find(lines, lines->merged->line[i].irq);

		if (line)
			merge_line(line, &lines->merged->line[i]);
	}
}

int lines_load(const char *sysroot, struct lines *lines, struct errmsg *err)
{
	struct nl_lines answer = { 0 };
	struct nl *nl;
	int rc;

	if (lines_read(sysroot, lines, err))
		return -1;
	if ((sysroot && *sysroot) || !lines->module_loaded)
		return 0;
	rc = nl_open(&nl, err);
	if (!rc) {
		rc = nl_lines(nl, false, &answer, err);
		nl_close(nl);
	}
	/* Loaded, yet not reachable from here: another network namespace. */
	if (rc && err->sys_errno == ENOENT)
		return 0;
	if (rc) {
		lines_free(lines);
		return -1;
	}
	lines_merge(lines, &answer);
	return 0;
}

int lines_load_names(struct lines *lines, struct errmsg *err)
{
	if (lines_load(NULL, lines, err))
		return -1;
	for (size_t i = 0; i < lines->n; i++) {
		free(lines->line[i].counts);
		lines->line[i].counts = NULL;
	}
	return 0;
}
