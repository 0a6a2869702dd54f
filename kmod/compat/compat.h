/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The only place that tests kernel versions. The rest of the module reads as
 * if it were written for the newest kernel.
 */
#ifndef IRQPACE_COMPAT_H
#define IRQPACE_COMPAT_H

#include <linux/hrtimer.h>
#include <linux/irq.h>
#include <linux/irqdesc.h>
#include <linux/kernel_stat.h>
#include <linux/version.h>
#include <linux/workqueue.h>
#include <net/genetlink.h>

/*
 * Bits of desc->core_internal_state__do_not_mess_with_it. The same in 6.1,
 * 6.12 and 7.3 (kernel/irq/internals.h); irqp_selftest() checks PENDING and
 * REPLAY against the running kernel before anything is attached.
 */
#define IRQP_ISTATE_REPLAY	0x00000040
#define IRQP_ISTATE_WAITING	0x00000080
#define IRQP_ISTATE_PENDING	0x00000200
#define IRQP_ISTATE_NMI		0x00002000

#define irqp_istate(desc) ((desc)->core_internal_state__do_not_mess_with_it)

/* What kstat_incr_irqs_this_cpu() does; under desc->lock, interrupts off. */
static inline void irqp_compat_count(struct irq_desc *desc)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 10, 0)
	__this_cpu_inc(desc->kstat_irqs->cnt);
#else
	__this_cpu_inc(*desc->kstat_irqs);
#endif
	__this_cpu_inc(kstat.irqs_sum);
	desc->tot_count++;
}

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*fn)(struct hrtimer *),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = fn;
}

static inline unsigned int irq_get_nr_irqs(void)
{
	return nr_irqs;
}
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 17, 0) && !defined(WQ_PERCPU)
/* Every queue that was not unbound was per CPU. */
#define WQ_PERCPU 0
#endif

/* A line that wants to be resent when it comes while in progress: 6.5. */
static inline bool irqp_compat_resends_in_progress(struct irq_data *d)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 5, 0)
	return irqd_needs_resend_when_in_progress(d);
#else
	return false;
#endif
}

/*
 * From 6.2 on each PCI device has a domain of its own, and its chip a name by
 * the kind of message; before, one chip served MSI and MSI-X.
 */
static inline bool irqp_compat_is_pci_msix(const char *chip)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
	return strstarts(chip, "PCI-MSIX") || strstarts(chip, "IR-PCI-MSIX");
#else
	return strstarts(chip, "PCI-MSI") || strstarts(chip, "IR-PCI-MSI");
#endif
}

static inline unsigned int irqp_compat_counted(struct irq_desc *desc, int cpu)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 10, 0)
	return per_cpu_ptr(desc->kstat_irqs, cpu)->cnt;
#else
	return *per_cpu_ptr(desc->kstat_irqs, cpu);
#endif
}

/* The attributes of a dump request: struct genl_info from 6.7 on. */
static inline struct nlattr **irqp_compat_dump_attrs(struct netlink_callback *cb)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
	return genl_info_dump(cb)->attrs;
#else
	return (struct nlattr **)genl_dumpit_info(cb)->attrs;
#endif
}

#endif /* IRQPACE_COMPAT_H */
