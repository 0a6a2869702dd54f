// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdio.h>

#include "errmsg.h"

static void fill(struct errmsg *err, int status, int sys_errno, const char *fmt,
		 va_list ap)
{
	err->status = status;
	err->sys_errno = sys_errno;
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	/* A sentence stays one line whatever name was quoted in it. */
	for (char *p = err->text; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = '?';
}

int err_usage(struct errmsg *err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fill(err, EXIT_USAGE, 0, fmt, ap);
	va_end(ap);
	return -1;
}

int err_fail(struct errmsg *err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fill(err, EXIT_FAIL, 0, fmt, ap);
	va_end(ap);
	return -1;
}

int err_sys(struct errmsg *err, int sys_errno, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fill(err, EXIT_FAIL, sys_errno, fmt, ap);
	va_end(ap);
	return -1;
}
