// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "nlattr.h"
#include "xalloc.h"

static int fixed(const struct nlattr *attr, void *value, size_t size)
{
	if (mnl_attr_get_payload_len(attr) != size)
		return -1;
	memcpy(value, mnl_attr_get_payload(attr), size);
	return 0;
}

int nlattr_u8(const struct nlattr *attr, uint8_t *value)
{
	return fixed(attr, value, sizeof(*value));
}

int nlattr_u32(const struct nlattr *attr, uint32_t *value)
{
	return fixed(attr, value, sizeof(*value));
}

int nlattr_u64(const struct nlattr *attr, uint64_t *value)
{
	return fixed(attr, value, sizeof(*value));
}

int nlattr_string(const struct nlattr *attr, char **value)
{
	const char *s = mnl_attr_get_payload(attr);
	size_t size = mnl_attr_get_payload_len(attr);

	if (!size || s[size - 1])
		return -1;
	free(*value);
	*value = xstrdup(s);
	return 0;
}
