// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "whole_file.h"
#include "xalloc.h"

/* Length of the folder in PATH, its slash included. */
static int folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (int)(slash + 1 - path) : 0;
}

static int cannot_write(const struct whole_file *file, int error, struct errmsg *err)
{
	return err_sys(err, error, "cannot write %s: %s", file->path, strerror(error));
}

int whole_file_begin(struct whole_file *file, const char *path, struct errmsg *err)
{
	int folder = folder_length(path), fd;
	struct stat st;

	file->path = path;
	if (!lstat(path, &st) && !S_ISREG(st.st_mode))
		return err_fail(err, "%s is not a regular file, and would be replaced by one", path);
	/* Hidden, and without the ending by which a reader would find it. */
	file->temporary = xasprintf("%.*s.%s.XXXXXX", folder, path, path + folder);
	fd = mkostemp(file->temporary, O_CLOEXEC);
	file->out = fd < 0 ? NULL : fdopen(fd, "w");
	if (!file->out) {
		free(file->temporary);
		return cannot_write(file, errno, err);
	}
	return 0;
}

/* After a power failure the name leads to the new file as well, or to the old. */
static void sync_folder(const char *path)
{
	int length = folder_length(path);
	char *folder = length ? xstrndup(path, (size_t)length) : xstrdup(".");
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0) {
		(void)fsync(fd);
		close(fd);
	}
	free(folder);
}

int whole_file_end(struct whole_file *file, struct errmsg *err)
{
	bool ok = !fflush(file->out) && !ferror(file->out) && !fsync(fileno(file->out)) &&
		  !fchmod(fileno(file->out), 0644);
	int error = errno;

	if (fclose(file->out) && ok) {
		ok = false;
		error = errno;
	}
	if (ok && rename(file->temporary, file->path)) {
		ok = false;
		error = errno;
	}
	if (!ok)
		unlink(file->temporary);
	free(file->temporary);
	if (!ok)
		return cannot_write(file, error, err);
	sync_folder(file->path);
	return 0;
}
