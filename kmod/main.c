// SPDX-License-Identifier: GPL-2.0-only
#include <linux/module.h>

#include "irqpace.h"
#define CREATE_TRACE_POINTS
#include "trace.h"

DEFINE_MUTEX(irqp_mutex);
struct workqueue_struct *irqp_wq;

struct irqp_tunables irqp_tunables = {
	.starve_ns = 10 * NSEC_PER_MSEC,
	.budget_ns = 200 * NSEC_PER_USEC,
	.spurious_rounds = 100,
	.spurious_native = 100,
};

static bool disabled;
module_param(disabled, bool, 0444);
MODULE_PARM_DESC(disabled, "refuse to load (irqpace.disabled=1 on the kernel command line)");

static bool stats;
module_param(stats, bool, 0444);
MODULE_PARM_DESC(stats, "begin with statistics on");

static int __init irqp_init(void)
{
	int err;

	if (disabled) {
		pr_info("disabled by parameter\n");
		return -EPERM;
	}
	err = irqp_selftest();
	if (err)
		return err;
	irqp_wq = alloc_workqueue("irqpace", WQ_HIGHPRI | WQ_PERCPU, 0);
	if (!irqp_wq)
		return -ENOMEM;
	err = irqp_notify_init();
	if (err)
		goto no_notify;
	err = irqp_netlink_init();
	if (err)
		goto no_netlink;
	irqp_stats_switch(stats);
	irqp_scan_start();
	return 0;

no_netlink:
	irqp_notify_exit();
no_notify:
	irqp_scan_stop();
	destroy_workqueue(irqp_wq);
	return err;
}

static void __exit irqp_exit(void)
{
	irqp_netlink_exit();
	irqp_notify_exit();
	irqp_rules_drop();
	irqp_scan_stop();
	irqp_events_exit();
	destroy_workqueue(irqp_wq);
	/* Lines and their RCU heads are freed by the kernel, not by code of ours. */
}

module_init(irqp_init);
module_exit(irqp_exit);

MODULE_DESCRIPTION("Choose per interrupt line where and when its handlers run");
MODULE_AUTHOR("The irqpace developers");
MODULE_LICENSE("GPL");
MODULE_VERSION(IRQP_VERSION);
