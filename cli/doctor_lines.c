// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "../lib/lines.h"
#include "../lib/xalloc.h"
#include "doctor.h"

#define EXAMPLES 3

enum kind { KIND_MSIX, KIND_MSI, KIND_EDGE, KIND_LEVEL, KIND_OTHER, N_KINDS };

static const struct {
	const char *name;
	const char *what;
} kinds[N_KINDS] = {
	[KIND_MSIX] = { "msi-x", "message-signalled with a mask for each vector; can be attached, a pause masks them" },
	[KIND_MSI] = { "msi", "message-signalled; can be attached, arrivals go on in a pause where the device has no mask bit" },
	[KIND_EDGE] = { "edge", "edge-triggered; can be attached, a pause parks what arrives and does not mask" },
	[KIND_LEVEL] = { "level", "level-triggered; can be attached, a pause masks them, shared ones are moderated with --shared only" },
	[KIND_OTHER] = { "other", "of an unknown kind; the module tells when it is loaded" },
};

struct tally {
	size_t n;
	char *names;		/* a few examples */
};

static void count(struct tally *tally, const struct line *line)
{
	char *old = tally->names;

	if (tally->n++ >= EXAMPLES)
		return;
	if (line->name)
		tally->names = xasprintf("%s%s%u (%s)", old ? old : "",
					 old ? ", " : "", line->irq, line->name);
	else
		tally->names = xasprintf("%s%s%u", old ? old : "",
					 old ? ", " : "", line->irq);
	free(old);
}

static const char *and_more(const struct tally *tally)
{
	return tally->n > EXAMPLES ? ", ..." : "";
}

static enum kind kind_of(const struct line *line)
{
	const char *chip = line->chip ? line->chip : "";

	if (strstr(chip, "MSIX") || strstr(chip, "MSI-X"))
		return KIND_MSIX;
	if (strstr(chip, "MSI"))
		return KIND_MSI;
	if (line->type && !strcmp(line->type, "edge"))
		return KIND_EDGE;
	if (line->type && !strcmp(line->type, "level"))
		return KIND_LEVEL;
	return KIND_OTHER;
}

/* Refused lines, one check for each reason. */
static void refused(const struct lines *lines, struct report *report)
{
	bool *told = xcalloc(lines->n, sizeof(*told));

	for (size_t i = 0; i < lines->n; i++) {
		const struct line *first = &lines->line[i];
		struct tally tally = { 0 };

		if (told[i] || first->attachable != LINE_NO)
			continue;
		for (size_t j = i; j < lines->n; j++) {
			const struct line *line = &lines->line[j];

			if (line->attachable != LINE_NO ||
			    strcmp(line->reason ? line->reason : "",
				   first->reason ? first->reason : ""))
				continue;
			told[j] = true;
			count(&tally, line);
		}
		report_add(report, "refused", VERDICT_WARN, NULL,
			   "%zu line%s cannot be attached (%s): %s%s", tally.n,
			   tally.n == 1 ? "" : "s",
			   first->reason ? first->reason : "no reason is known",
			   tally.names, and_more(&tally));
		free(tally.names);
	}
	free(told);
}

void doctor_lines(const char *sysroot, struct report *report)
{
	struct tally tally[N_KINDS] = { 0 };
	struct lines lines;
	struct errmsg err;

	if (lines_load(sysroot, &lines, &err)) {
		report_add(report, "lines", VERDICT_FAIL, NULL, "%s", err.text);
		return;
	}
	for (size_t i = 0; i < lines.n; i++)
		if (lines.line[i].attachable != LINE_NO)
			count(&tally[kind_of(&lines.line[i])], &lines.line[i]);
	for (int k = 0; k < N_KINDS; k++) {
		if (tally[k].n)
			report_add(report, kinds[k].name,
				   k == KIND_OTHER ? VERDICT_UNKNOWN : VERDICT_OK,
				   lines.merged ? NULL :
				   "the module looks closer when it is loaded: irqpace list",
				   "%zu line%s %s: %s%s", tally[k].n,
				   tally[k].n == 1 ? "" : "s", kinds[k].what,
				   tally[k].names, and_more(&tally[k]));
		free(tally[k].names);
	}
	refused(&lines, report);
	lines_free(&lines);
}
