/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading attributes without trusting their lengths. Each reader returns -1
 * and leaves its result alone where the payload has another size.
 */
#ifndef IRQPACE_NLATTR_H
#define IRQPACE_NLATTR_H

#include <libmnl/libmnl.h>
#include <stdint.h>

int nlattr_u8(const struct nlattr *attr, uint8_t *value);
int nlattr_u32(const struct nlattr *attr, uint32_t *value);
/* Also where the value is not aligned. */
int nlattr_u64(const struct nlattr *attr, uint64_t *value);
/* A malloced copy; replaces (frees) what *VALUE held. The NUL must be there. */
int nlattr_string(const struct nlattr *attr, char **value);

/* mnl_attr_for_each_nested() for a const nest; an attribute that overruns it ends the loop. */
#define nlattr_for_each_nested(attr, nest) \
	for ((attr) = mnl_attr_get_payload(nest); \
	     mnl_attr_ok((attr), (int)((const char *)mnl_attr_get_payload(nest) + \
				       mnl_attr_get_payload_len(nest) - \
				       (const char *)(attr))); \
	     (attr) = mnl_attr_next(attr))

#endif
