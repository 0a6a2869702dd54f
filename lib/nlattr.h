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

/* libmnl's own loops round a message's length up and may read its padding. */
#define nlattr_loop(attr, first, end) \
	for ((attr) = (const struct nlattr *)(first); \
	     mnl_attr_ok((attr), (int)((const char *)(end) - (const char *)(attr))); \
	     (attr) = mnl_attr_next(attr))

/* The attributes that follow a message's extra header of OFFSET bytes. */
#define nlattr_for_each(attr, nlh, offset) \
	nlattr_loop(attr, mnl_nlmsg_get_payload_offset(nlh, offset), \
		    (const char *)(nlh) + (nlh)->nlmsg_len)

/* The attributes inside a nest; one that overruns it ends the loop. */
#define nlattr_for_each_nested(attr, nest) \
	nlattr_loop(attr, mnl_attr_get_payload(nest), \
		    (const char *)mnl_attr_get_payload(nest) + \
		    mnl_attr_get_payload_len(nest))

#endif
