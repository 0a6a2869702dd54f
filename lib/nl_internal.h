/* SPDX-License-Identifier: GPL-2.0-only */
/* The connection itself, for the files that use its socket. */
#ifndef IRQPACE_NL_INTERNAL_H
#define IRQPACE_NL_INTERNAL_H

#include "nl.h"

struct mnl_socket;

/* A dump's part may be as large as the kernel likes to make it. */
#define BUFFER_BYTES (64 * 1024)

struct nl {
	struct mnl_socket *socket;
	uint32_t seq;
	uint16_t family;
	uint32_t group;
	char buf[BUFFER_BYTES] __attribute__((aligned(8)));
	size_t pending;		/* events received, not yet handed out */
	const struct nlmsghdr *next;
};

/* -1, with a sentence about an answer that cannot be read. */
int nl_malformed(struct errmsg *err);

#endif
