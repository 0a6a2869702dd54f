/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's symbols, as /proc/kallsyms tells them to root. */
#ifndef IRQPACE_KSYMS_H
#define IRQPACE_KSYMS_H

#include <stddef.h>
#include <stdint.h>

#include "errmsg.h"

struct ksym {
	uint64_t address;	/* what is asked for */
	char *name;		/* the symbol at or next below it; NULL: none, or hidden */
	char *module;		/* NULL: the kernel itself */
	uint64_t offset;	/* of address in the symbol */
};

/*
 * One pass over the file names all of them. -1 where it cannot be read; where
 * the kernel hides addresses (kptr_restrict) the names stay NULL.
 */
int ksyms_name(const char *sysroot, struct ksym *sym, size_t n, struct errmsg *err);
void ksyms_free(struct ksym *sym, size_t n);

/*
 * How many symbols are called NAME, the first one's address in ADDRESS; 0 where
 * there is none, -1 where the file cannot be read or hides addresses.
 */
int ksyms_find(const char *sysroot, const char *name, uint64_t *address, struct errmsg *err);

#endif
