// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diskstats.h"
#include "rootfs.h"
#include "xalloc.h"

/*
 * "259 0 nvme0n1" and then numbers: reads, writes (the fifth), since 4.18 discards
 * (the twelfth), since 5.5 flushes (the sixteenth) completed are among them.
 */
static bool parse(char *line, struct diskstat *disk)
{
	static const int completed[] = { 1, 5, 12, 16 };
	char *rest = line, *word, *end;
	size_t next = 0;

	for (int i = -2; (word = strsep(&rest, " \n")) != NULL;) {
		if (!*word)
			continue;
		if (i == 0)
			disk->name = word;
		if (next < 4 && i == completed[next]) {
			disk->completions += strtoull(word, &end, 10);
			if (*end)
				return false;
			next++;
		}
		i++;
	}
	/* At least reads and writes. */
	return next >= 2;
}

static bool is_whole(const char *sysroot, char *name)
{
	for (char *p = name; *p; p++)
		if (*p == '/')
			*p = '!';
	return root_exists(sysroot, "/sys/block/%s", name);
}

void diskstats_read(const char *sysroot, struct diskstats *stats)
{
	char *path = root_path(sysroot, "/proc/diskstats");
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;

	free(path);
	memset(stats, 0, sizeof(*stats));
	while (file && getline(&line, &room, file) > 0) {
		struct diskstat disk = { 0 };

		if (!parse(line, &disk) || !is_whole(sysroot, disk.name))
			continue;
		disk.name = xstrdup(disk.name);
		stats->disk = xrealloc(stats->disk, stats->n + 1, sizeof(*stats->disk));
		stats->disk[stats->n++] = disk;
	}
	free(line);
	if (file)
		fclose(file);
}

static const struct diskstat *find(const struct diskstats *stats, const char *name)
{
	for (size_t i = 0; i < stats->n; i++)
		if (!strcmp(stats->disk[i].name, name))
			return &stats->disk[i];
	return NULL;
}

void diskstats_difference(const struct diskstats *now, struct diskstats *before)
{
	struct diskstats result = { .disk = xcalloc(now->n + 1, sizeof(*result.disk)), .n = now->n };

	for (size_t i = 0; i < now->n; i++) {
		const struct diskstat *old = find(before, now->disk[i].name);

		result.disk[i].name = xstrdup(now->disk[i].name);
		result.disk[i].completions = now->disk[i].completions;
		if (old && old->completions <= now->disk[i].completions)
			result.disk[i].completions -= old->completions;
	}
	diskstats_free(before);
	*before = result;
}

void diskstats_free(struct diskstats *stats)
{
	for (size_t i = 0; i < stats->n; i++)
		free(stats->disk[i].name);
	free(stats->disk);
	memset(stats, 0, sizeof(*stats));
}
