// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "cli.h"
#include "dist_format.h"

enum format format_of(const char *name)
{
	static const char *const names[] = { "table", "json", "kstats", "svg" };

	for (size_t i = 0; i < 4; i++)
		if (!strcmp(name, names[i]))
			return (enum format)i;
	die_usage("--format is table, json, kstats or svg, not %s", name);
}
