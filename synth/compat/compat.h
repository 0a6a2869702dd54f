/* SPDX-License-Identifier: GPL-2.0-only */
/* The only place of irqpace-synth that looks at kernel versions. */
#ifndef SYNTH_COMPAT_H
#define SYNTH_COMPAT_H

#include <linux/blk-mq.h>
#include <linux/hrtimer.h>
#include <linux/irq.h>
#include <linux/irqdesc.h>
#include <linux/version.h>

/* Bits of the core's private istate; the same values in 6.1, 6.12 and 7.3. */
#define SYNTH_IRQS_REPLAY	0x00000040
#define SYNTH_IRQS_WAITING	0x00000080
#define SYNTH_IRQS_PENDING	0x00000200
#define SYNTH_IRQS_SUSPENDED	0x00000800

static inline unsigned int *synth_istate(struct irq_desc *desc)
{
	return &desc->core_internal_state__do_not_mess_with_it;
}

/* The accessors of this word are private to the core. */
static inline void synth_irqd_set(struct irq_desc *desc, unsigned int bits)
{
	ACCESS_PRIVATE(&desc->irq_common_data, state_use_accessors) |= bits;
}

static inline void synth_irqd_clear(struct irq_desc *desc, unsigned int bits)
{
	ACCESS_PRIVATE(&desc->irq_common_data, state_use_accessors) &= ~bits;
}

static inline void synth_hrtimer_setup(struct hrtimer *timer,
				       enum hrtimer_restart (*fn)(struct hrtimer *),
				       enum hrtimer_mode mode)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	hrtimer_setup(timer, fn, CLOCK_MONOTONIC, mode);
#else
	hrtimer_init(timer, CLOCK_MONOTONIC, mode);
	timer->function = fn;
#endif
}

/*
 * A move takes effect at once instead of in the next ack: from 6.15 on that
 * is the default of a chip, before it is asked for on each line.
 */
static inline void synth_irq_move_at_once(unsigned int irq)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
	irq_set_status_flags(irq, IRQ_MOVE_PCNTXT);
#endif
}

static inline unsigned long synth_irq_count(struct irq_desc *desc, int cpu)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 10, 0)
	return per_cpu_ptr(desc->kstat_irqs, cpu)->cnt;
#else
	return *per_cpu_ptr(desc->kstat_irqs, cpu);
#endif
}

static inline struct gendisk *synth_alloc_disk(struct blk_mq_tag_set *set, void *data,
					       unsigned int block_size)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 9, 0)
	struct queue_limits lim = {
		.logical_block_size = block_size,
		.physical_block_size = block_size,
	};

	return blk_mq_alloc_disk(set, &lim, data);
#else
	struct gendisk *disk = blk_mq_alloc_disk(set, data);

	if (!IS_ERR(disk)) {
		blk_queue_logical_block_size(disk->queue, block_size);
		blk_queue_physical_block_size(disk->queue, block_size);
	}
	return disk;
#endif
}

/* Merging was a flag of the set until 6.14; since then it is always on. */
static inline unsigned int synth_tag_set_flags(void)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 14, 0)
	return BLK_MQ_F_SHOULD_MERGE;
#else
	return 0;
#endif
}

#endif
