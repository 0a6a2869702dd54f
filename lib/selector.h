/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Selectors name lines. What the user writes:
 *
 *	25  nvme0q1  nvme0q*  nvme0  sda  0000:00:03.0  driver:nvme
 *	nvme0/3  0000:00:03.0/3  driver:nvme/1
 *
 * A word is tried in this order: number (an irq, never a vector), driver:NAME,
 * exact action name where no device of that name has lines, device, glob.
 * selector_find() turns it into the canonical form that the module matches
 * when a device comes back: devices become dev_name(), names become globs.
 */
#ifndef IRQPACE_SELECTOR_H
#define IRQPACE_SELECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../uapi/irqpace.h"
#include "errmsg.h"
#include "lines.h"

struct nlmsghdr;
struct nlattr;

enum selector_kind {
	SELECTOR_NONE,
	SELECTOR_IRQ,
	SELECTOR_NAME,
	SELECTOR_DEVICE,
	SELECTOR_DRIVER,
};

struct selector {
	enum selector_kind kind;
	uint32_t irq;
	char value[IRQPACE_TEXT_MAX + 1];	/* glob, dev_name() or driver */
	bool has_vector;
	uint32_t vector;
	char text[IRQPACE_TEXT_MAX + 1];	/* as the user wrote it */
};

struct selection {
	struct selector selector;	/* canonical */
	struct line **line;		/* borrowed from LINES, by irq */
	size_t n;
};

/*
 * Resolves TEXT against LINES. At least one line matches, or -1 with a
 * sentence that names the nearest selectors there are, or says that an irq
 * number and a vector index were mixed up.
 */
int selector_find(const char *text, const struct lines *lines,
		  const char *sysroot, struct selection *sel,
		  struct errmsg *err);
/* As selector_find(), and exactly one line, or -1 naming the candidates. */
int selector_find_one(const char *text, const struct lines *lines,
		      const char *sysroot, struct line **line,
		      struct errmsg *err);
void selection_free(struct selection *sel);

/* Whether a canonical selector matches a line (the module's rule, in C). */
bool selector_match(const struct selector *sel, const struct line *line);
/*
 * The name of the line's driver or its handler's module that DRIVER means, as
 * it is spelled there ('-' and '_' are alike); NULL where it is another.
 */
const char *selector_driver_of(const struct line *line, const char *driver);
#define SELECTOR_DRIVER_PREFIX "driver:"
/* "25", "nvme0q*", "0000:00:03.0/3", "driver:nvme": the canonical form. */
char *selector_print(const struct selector *sel, char *buf, size_t size);
#define SELECTOR_BUF 160

void selector_put(struct nlmsghdr *nlh, const struct selector *sel);
int selector_get(const struct nlattr *nest, struct selector *sel);

/* Edit distance, for "did you mean". */
unsigned int edit_distance(const char *a, const char *b);

#endif
