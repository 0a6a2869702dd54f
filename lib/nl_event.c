// SPDX-License-Identifier: GPL-2.0-only
/* The module's multicast group. */
#include <errno.h>
#include <poll.h>
#include <string.h>

#include <libmnl/libmnl.h>

#include "nl_internal.h"
#include "xalloc.h"

int nl_subscribe(struct nl *nl, struct errmsg *err)
{
	if (!nl->group)
		return nl_malformed(err);
	if (mnl_socket_setsockopt(nl->socket, NETLINK_ADD_MEMBERSHIP,
				  &nl->group, sizeof(nl->group)) < 0)
		return err_sys(err, errno, "cannot listen to the module's events: %s",
			       strerror(errno));
	return 0;
}

int nl_fd(const struct nl *nl)
{
	return mnl_socket_get_fd(nl->socket);
}

static int lost(struct nl_event *event)
{
	event->text = xstrdup("events came faster than they could be read, some are lost");
	return 1;
}

int nl_next_event(struct nl *nl, int timeout_ms, struct nl_event *event,
		  struct errmsg *err)
{
	struct pollfd pfd = { .fd = nl_fd(nl), .events = POLLIN };
	int left = (int)nl->pending, rc;
	ssize_t got;

	memset(event, 0, sizeof(*event));
	for (;;) {
		while (nl->next && mnl_nlmsg_ok(nl->next, left)) {
			const struct nlmsghdr *nlh = nl->next;

			nl->next = mnl_nlmsg_next(nlh, &left);
			nl->pending = left > 0 ? (size_t)left : 0;
			if (nlh->nlmsg_type != nl->family)
				continue;
			return nl_decode_event(nlh, event) ?
			       nl_malformed(err) : 1;
		}
		nl->next = NULL;
		rc = poll(&pfd, 1, timeout_ms);
		if (!rc || (rc < 0 && errno == EINTR))
			return 0;
		if (rc < 0)
			return err_sys(err, errno, "cannot wait for events: %s",
				       strerror(errno));
		got = mnl_socket_recvfrom(nl->socket, nl->buf, sizeof(nl->buf));
		if (got < 0 && errno == ENOBUFS)
			return lost(event);
		if (got < 0)
			return err_sys(err, errno, "cannot read events: %s",
				       strerror(errno));
		left = (int)got;
		nl->next = (const struct nlmsghdr *)nl->buf;
	}
}
