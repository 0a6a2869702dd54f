/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef IRQPACE_KMOD_NETLINK_H
#define IRQPACE_KMOD_NETLINK_H

#include <net/genetlink.h>

/* netlink_get.c */
int irqp_do_status(struct sk_buff *skb, struct genl_info *info);
int irqp_do_line(struct sk_buff *skb, struct genl_info *info);
int irqp_do_hist(struct sk_buff *skb, struct genl_info *info);
int irqp_dump_lines(struct sk_buff *skb, struct netlink_callback *cb);
int irqp_dump_rules(struct sk_buff *skb, struct netlink_callback *cb);

/* netlink_set.c */
int irqp_do_config(struct sk_buff *skb, struct genl_info *info);
int irqp_do_set(struct sk_buff *skb, struct genl_info *info);
int irqp_do_reset(struct sk_buff *skb, struct genl_info *info);

/* Room for the reply, begun; NULL where there is no memory. */
struct sk_buff *irqp_reply_begin(struct genl_info *info, u8 cmd, size_t size, void **head);

#endif /* IRQPACE_KMOD_NETLINK_H */
