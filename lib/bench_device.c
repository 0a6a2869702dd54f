// SPDX-License-Identifier: GPL-2.0-only
/* Which device is meant, who uses it, and by which lines its I/O completes. */
#define _GNU_SOURCE
#include "bench_run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define FOUND_MAX	24

/* One word of a file below SYSROOT; -1 where there is none. */
static int read_word(char *buf, size_t size, const char *fmt, const char *root,
		     const char *a, const char *b)
{
	char path[PATH_MAX];
	FILE *in;
	int ret = -1;

	snprintf(path, sizeof(path), fmt, root, a, b);
	in = fopen(path, "r");
	if (!in)
		return -1;
	if (fgets(buf, (int)size, in)) {
		buf[strcspn(buf, "\n")] = 0;
		ret = 0;
	}
	fclose(in);
	return ret;
}

static int check_holders(const char *root, const char *name, const char *part,
			 struct errmsg *err)
{
	char path[PATH_MAX];
	const struct dirent *ent;
	DIR *dir;
	int ret = 0;

	snprintf(path, sizeof(path), "%s/sys/class/block/%s/%s%sholders", root,
		 name, part, part[0] ? "/" : "");
	dir = opendir(path);
	if (!dir)
		return 0;
	while (!ret && (ent = readdir(dir)))
		if (ent->d_name[0] != '.')
			ret = err_fail(err, "%s is part of %s, so nothing is written to it",
				       part[0] ? part : name, ent->d_name);
	closedir(dir);
	return ret;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int check_mounts(const char *root, const char *name, const char *dev,
			struct errmsg *err)
{
	char path[PATH_MAX], line[4096];
	FILE *in;
	int ret = 0;

	snprintf(path, sizeof(path), "%s/proc/self/mountinfo", root);
	in = fopen(path, "r");
	if (!in)
		return err_sys(err, errno, "%s: %s", path, strerror(errno));
	while (!ret && fgets(line, sizeof(line), in)) {
		char devno[32], where[1024], source[1024] = "";
		const char *rest = strstr(line, " - ");

		if (sscanf(line, "%*s %*s %31s %*s %1023s", devno, where) != 2)
			continue;
		/* Some file systems (btrfs) carry a device number of their own. */
		if (rest)
			sscanf(rest, " - %*s %1023s", source);
		if (!strcmp(devno, dev) ||
		    (!strncmp(source, "/dev/", 5) &&
		     !strcmp(base_name(source), name)))
			ret = err_fail(err, "%s is mounted on %s, so nothing is written to it",
				       name, where);
	}
	fclose(in);
	return ret;
}

static int check_swaps(const char *root, const char *name, struct errmsg *err)
{
	char path[PATH_MAX], line[1024], file[512];
	FILE *in;
	int ret = 0;

	snprintf(path, sizeof(path), "%s/proc/swaps", root);
	in = fopen(path, "r");
	if (!in)
		return 0;	/* a kernel without swap */
	while (!ret && fgets(line, sizeof(line), in))
		if (sscanf(line, "%511s", file) == 1 &&
		    !strcmp(base_name(file), name))
			ret = err_fail(err, "%s is swap space, so nothing is written to it",
				       name);
	fclose(in);
	return ret;
}

static int check_one(const char *root, const char *name, const char *part,
		     struct errmsg *err)
{
	const char *self = part[0] ? part : name;
	char dev[64];

	if (read_word(dev, sizeof(dev), part[0] ?
		      "%s/sys/class/block/%s/%s/dev" :
		      "%s/sys/class/block/%s%s/dev", root, name, part))
		return err_fail(err, "%s is not a block device that this kernel knows",
				self);
	if (check_holders(root, name, part, err) ||
	    check_mounts(root, self, dev, err) || check_swaps(root, self, err))
		return -1;
	return 0;
}

int bench_disk_unused(const char *sysroot, const char *name,
		      struct errmsg *err)
{
	const char *root = sysroot ? sysroot : "";
	char path[PATH_MAX], word[32];
	const struct dirent *ent;
	DIR *dir;
	int ret = check_one(root, name, "", err);

	snprintf(path, sizeof(path), "%s/sys/class/block/%s", root, name);
	dir = opendir(path);
	if (!dir)
		return ret;
	while (!ret && (ent = readdir(dir)))
		if (ent->d_name[0] != '.' &&
		    !read_word(word, sizeof(word),
			       "%s/sys/class/block/%s/%s/partition", root, name,
			       ent->d_name))
			ret = check_one(root, name, ent->d_name, err);
	closedir(dir);
	return ret;
}

static char *sysfs_name(const struct stat *st, bool *part)
{
	char path[PATH_MAX], real[PATH_MAX];

	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u",
		 major(st->st_rdev), minor(st->st_rdev));
	if (!realpath(path, real))
		return NULL;
	snprintf(path, sizeof(path), "%.4000s/partition", real);
	*part = !access(path, F_OK);
	return strdup(real);
}

/* What follows the last @ is a selector, unless the name has the @ itself. */
static int find_file(struct bench_device *dev, struct stat *st)
{
	char *at = strrchr(dev->path, '@');

	if (!stat(dev->path, st))
		return 0;
	if (!at)
		return -1;
	dev->by = strdup(at + 1);
	*at = 0;
	return stat(dev->path, st);
}

int bench_device_open(struct bench_device *dev, const char *spec,
		      struct errmsg *err)
{
	const char *eq = strchr(spec, '=');
	struct stat st;
	bool part = false;
	char *real;
	int fd;

	memset(dev, 0, sizeof(*dev));
	dev->hold_fd = -1;
	dev->path = strdup(eq ? eq + 1 : spec);
	if (find_file(dev, &st))
		return err_sys(err, errno, "%s: %s", dev->path, strerror(errno));
	if (!S_ISBLK(st.st_mode))
		return err_fail(err, "%s is not a block device", dev->path);
	/* fio opens its file with commas and colons as separators. */
	if (strpbrk(dev->path, ":,"))
		return err_fail(err, "%s: fio takes no \":\" or \",\" in a name; use another link to the device",
				dev->path);
	fd = open(dev->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return err_sys(err, errno, "%s cannot be read: %s", dev->path,
			       strerror(errno));
	close(fd);
	real = sysfs_name(&st, &part);
	if (!real)
		return err_fail(err, "%s is not in /sys/dev/block", dev->path);
	dev->name = strdup(base_name(real));
	if (part)
		*strrchr(real, '/') = 0;
	dev->disk = strdup(base_name(real));
	free(real);
	dev->label = eq ? strndup(spec, (size_t)(eq - spec)) :
			  strdup(dev->name);
	return 0;
}

int bench_device_claim(struct bench_device *dev, struct errmsg *err)
{
	if (bench_disk_unused(NULL, dev->name, err))
		return -1;
	dev->hold_fd = open(dev->path, O_RDONLY | O_EXCL | O_CLOEXEC);
	if (dev->hold_fd >= 0)
		return 0;
	if (errno == EBUSY)
		return err_fail(err, "%s is in use (somebody has it open exclusively), so nothing is written to it",
				dev->path);
	return err_sys(err, errno, "%s: %s", dev->path, strerror(errno));
}

static void describe(struct bench_device *dev, const struct selection *sel)
{
	struct bench_text text = { 0 };

	for (size_t i = 0; i < sel->n && i < FOUND_MAX; i++) {
		const struct line *line = sel->line[i];

		bench_printf(&text, "%sirq %u%s%s%s", i ? ", " : "", line->irq,
			     line->name ? " (" : "",
			     line->name ? line->name : "",
			     line->name ? ")" : "");
	}
	if (sel->n > FOUND_MAX)
		bench_printf(&text, " and %zu more", sel->n - FOUND_MAX);
	dev->lines = text.buf;
}

int bench_device_find_lines(struct bench_device *dev,
			    const struct lines *lines, struct errmsg *err)
{
	struct selection sel = { 0 };
	char *by = dev->by ? strdup(dev->by) : device_resolve(NULL, dev->disk);

	/* loop, ram, dm, md: their interrupts are other devices'. */
	if (!by)
		return 0;
	if (selector_find(by, lines, NULL, &sel, err)) {
		free(by);
		return -1;
	}
	free(by);
	dev->selector = sel.selector;
	dev->irqs = calloc(sel.n, sizeof(*dev->irqs));
	if (!dev->irqs)
		return err_fail(err, "out of memory");
	for (size_t i = 0; i < sel.n; i++)
		dev->irqs[i] = sel.line[i]->irq;
	dev->n_irqs = sel.n;
	describe(dev, &sel);
	selection_free(&sel);
	return 0;
}

void bench_device_close(struct bench_device *dev)
{
	if (dev->hold_fd >= 0)
		close(dev->hold_fd);
	free(dev->label);
	free(dev->path);
	free(dev->name);
	free(dev->disk);
	free(dev->by);
	free(dev->irqs);
	free(dev->lines);
}
