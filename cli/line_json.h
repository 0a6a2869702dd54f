/* SPDX-License-Identifier: GPL-2.0-only */
/* One line as JSON, the same members in every command. */
#ifndef IRQPACE_LINE_JSON_H
#define IRQPACE_LINE_JSON_H

#include "../lib/json.h"
#include "../lib/lines.h"

/*
 * The members of a line, without the braces. For an attached line the
 * module's own follow: settings, state, masking, counters, memory_bytes, unrecorded.
 */
void line_json(struct json *json, const struct lines *lines,
	       const struct line *line);

/* "native", "hard", ... or NULL where it cannot be known. */
const char *line_policy(const struct lines *lines, const struct line *line);

#endif
