// SPDX-License-Identifier: GPL-2.0-only
/*
 * A blk-mq disk whose service time is guest time, so that a situation in which
 * the guest waits is exact. Requests are served in the order in which they
 * come, as many at a time as there are channels; since all take equally long
 * they finish in that order too, and two queues are all there is to keep.
 */
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/bvec.h>
#include <linux/highmem.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "compat/compat.h"
#include "synth.h"

#define SYNTH_SLOTS_MAX	256
#define SYNTH_BLOCK	512

struct synth_pending {
	struct request *rq;
	u64 finish_ns;
};

struct synth_disk {
	struct list_head node;
	struct synth_disk_conf conf;
	struct gendisk *disk;
	struct blk_mq_tag_set set;
	void *data;

	raw_spinlock_t lock;	/* inside synth_line.lock; outside the timer's base */
	struct hrtimer timer;
	bool timer_on;
	struct synth_pending waiting[SYNTH_SLOTS_MAX];
	unsigned int head, tail;
	struct request *done[SYNTH_SLOTS_MAX];
	unsigned int done_head, done_tail;
	u64 channel_ns[SYNTH_SLOTS_MAX];	/* when each is free again */
	unsigned int next_channel;
	u64 served;
	u64 polled;		/* completed by the timeout: an interrupt was lost */
};

static LIST_HEAD(synth_disks);

static void synth_disk_copy(struct synth_disk *sd, struct request *rq)
{
	char *at = sd->data + (blk_rq_pos(rq) << SECTOR_SHIFT);
	struct req_iterator iter;
	struct bio_vec bv;

	rq_for_each_segment(bv, rq, iter) {
		if (rq_data_dir(rq) == WRITE)
			memcpy_from_bvec(at, &bv);
		else
			memcpy_to_bvec(&bv, at);
		at += bv.bv_len;
	}
}

static blk_status_t synth_disk_queue_rq(struct blk_mq_hw_ctx *hctx,
					const struct blk_mq_queue_data *bd)
{
	struct synth_disk *sd = hctx->queue->queuedata;
	struct request *rq = bd->rq;
	struct synth_pending *p;
	unsigned long flags;
	u64 *channel;

	if (req_op(rq) != REQ_OP_READ && req_op(rq) != REQ_OP_WRITE)
		return BLK_STS_NOTSUPP;
	blk_mq_start_request(rq);
	synth_disk_copy(sd, rq);

	raw_spin_lock_irqsave(&sd->lock, flags);
	channel = &sd->channel_ns[sd->next_channel++ % sd->conf.channels];
	*channel = max_t(u64, *channel, ktime_get_ns()) + sd->conf.service_ns;
	p = &sd->waiting[sd->tail++ % SYNTH_SLOTS_MAX];
	p->rq = rq;
	p->finish_ns = *channel;
	if (!sd->timer_on) {
		sd->timer_on = true;
		hrtimer_start(&sd->timer, ns_to_ktime(p->finish_ns), HRTIMER_MODE_ABS_PINNED_HARD);
	}
	raw_spin_unlock_irqrestore(&sd->lock, flags);
	return BLK_STS_OK;
}

static enum hrtimer_restart synth_disk_timer(struct hrtimer *timer)
{
	struct synth_disk *sd = container_of(timer, struct synth_disk, timer);
	struct synth_line *line = sd->conf.line;
	enum hrtimer_restart ret = HRTIMER_RESTART;
	u64 now = ktime_get_ns();
	unsigned int finished = 0;

	raw_spin_lock(&sd->lock);
	while (sd->head != sd->tail) {
		struct synth_pending *p = &sd->waiting[sd->head % SYNTH_SLOTS_MAX];

		if (p->finish_ns > now)
			break;
		sd->done[sd->done_tail++ % SYNTH_SLOTS_MAX] = p->rq;
		sd->head++;
		finished++;
	}
	/* Decided under the lock: while timer_on is set nobody else starts the timer. */
	if (sd->head == sd->tail) {
		sd->timer_on = false;
		ret = HRTIMER_NORESTART;
	} else {
		hrtimer_set_expires(timer, ns_to_ktime(sd->waiting[sd->head % SYNTH_SLOTS_MAX].finish_ns));
	}
	raw_spin_unlock(&sd->lock);

	if (finished)
		synth_raise(line, &line->devs[0], finished,
			    raw_smp_processor_id() == READ_ONCE(line->cpu));
	return ret;
}

static struct request *synth_disk_next_done(struct synth_disk *sd)
{
	struct request *rq = NULL;
	unsigned long flags;

	raw_spin_lock_irqsave(&sd->lock, flags);
	if (sd->done_head != sd->done_tail) {
		rq = sd->done[sd->done_head++ % SYNTH_SLOTS_MAX];
		sd->served++;
	}
	raw_spin_unlock_irqrestore(&sd->lock, flags);
	return rq;
}

/* Called by the line's handler. */
static void synth_disk_reap(void *arg)
{
	struct synth_disk *sd = arg;
	struct request *rq;

	while ((rq = synth_disk_next_done(sd))) {
		if (sd->conf.direct)
			blk_mq_end_request(rq, BLK_STS_OK);
		else
			blk_mq_complete_request(rq);
	}
}

static void synth_disk_complete(struct request *rq)
{
	blk_mq_end_request(rq, BLK_STS_OK);
}

/* Finished long ago and nobody came: said in the words of the NVMe driver, which a log is searched for. */
static enum blk_eh_timer_return synth_disk_timeout(struct request *rq)
{
	struct synth_disk *sd = rq->q->queuedata;
	unsigned int i;
	bool done = false;

	raw_spin_lock_irq(&sd->lock);
	for (i = sd->done_head; i != sd->done_tail; i++)
		done |= sd->done[i % SYNTH_SLOTS_MAX] == rq;
	if (done)
		sd->polled++;
	raw_spin_unlock_irq(&sd->lock);
	if (!done)
		return BLK_EH_RESET_TIMER;
	pr_warn("irqpace-synth: %s: timeout, completion polled\n", sd->disk->disk_name);
	synth_disk_reap(sd);
	return BLK_EH_DONE;
}

static const struct blk_mq_ops synth_disk_mq_ops = {
	.queue_rq	= synth_disk_queue_rq,
	.complete	= synth_disk_complete,
	.timeout	= synth_disk_timeout,
};

static const struct block_device_operations synth_disk_fops = {
	.owner		= THIS_MODULE,
};

bool synth_disk_uses(const struct synth_line *line)
{
	struct synth_disk *sd;

	list_for_each_entry(sd, &synth_disks, node)
		if (sd->conf.line == line)
			return true;
	return false;
}

static struct synth_disk *synth_disk_find(const char *name)
{
	struct synth_disk *sd;

	list_for_each_entry(sd, &synth_disks, node)
		if (!strcmp(sd->disk->disk_name, name))
			return sd;
	return NULL;
}

static int synth_disk_add(struct synth_disk *sd)
{
	unsigned int index = 0;
	char name[DISK_NAME_LEN];
	int err;

	do {
		snprintf(name, sizeof(name), "synthdisk%u", index++);
	} while (synth_disk_find(name));

	sd->set.ops = &synth_disk_mq_ops;
	sd->set.nr_hw_queues = 1;
	sd->set.queue_depth = sd->conf.slots;
	sd->set.numa_node = NUMA_NO_NODE;
	sd->set.timeout = 5 * HZ;
	sd->set.flags = synth_tag_set_flags();
	err = blk_mq_alloc_tag_set(&sd->set);
	if (err)
		return err;
	sd->disk = synth_alloc_disk(&sd->set, sd, SYNTH_BLOCK);
	if (IS_ERR(sd->disk)) {
		err = PTR_ERR(sd->disk);
		goto free_set;
	}
	strscpy(sd->disk->disk_name, name, sizeof(name));
	sd->disk->fops = &synth_disk_fops;
	sd->disk->private_data = sd;
	set_capacity(sd->disk, sd->conf.size_bytes >> SECTOR_SHIFT);
	sd->conf.line->devs[0].arg = sd;
	/*
	 * The disk is read for partitions inside add_disk(): the line has to
	 * serve it by then. Release: a handler that sees it sees its argument.
	 */
	smp_store_release(&sd->conf.line->devs[0].complete, synth_disk_reap);
	err = add_disk(sd->disk);
	if (!err)
		return 0;
	sd->conf.line->devs[0].complete = NULL;
	put_disk(sd->disk);
free_set:
	blk_mq_free_tag_set(&sd->set);
	return err;
}

int synth_disk_create(const struct synth_disk_conf *conf, const char **name)
{
	struct synth_disk *sd = kvzalloc(sizeof(*sd), GFP_KERNEL);
	int err = -ENOMEM;

	if (!sd)
		return err;
	sd->conf = *conf;
	raw_spin_lock_init(&sd->lock);
	synth_hrtimer_setup(&sd->timer, synth_disk_timer, HRTIMER_MODE_ABS_PINNED_HARD);
	sd->data = vzalloc(conf->size_bytes);
	if (sd->data)
		err = synth_disk_add(sd);
	if (err) {
		vfree(sd->data);
		kvfree(sd);
		return err;
	}
	list_add_tail(&sd->node, &synth_disks);
	*name = sd->disk->disk_name;
	return 0;
}

static void synth_disk_remove(struct synth_disk *sd)
{
	list_del(&sd->node);
	del_gendisk(sd->disk);
	hrtimer_cancel(&sd->timer);
	WRITE_ONCE(sd->conf.line->devs[0].complete, NULL);
	synchronize_irq(sd->conf.line->irq);
	put_disk(sd->disk);
	blk_mq_free_tag_set(&sd->set);
	vfree(sd->data);
	kvfree(sd);
}

int synth_disk_destroy(const char *name)
{
	struct synth_disk *sd = synth_disk_find(name);

	if (!sd)
		return -ENOENT;
	synth_disk_remove(sd);
	return 0;
}

void synth_disks_destroy(void)
{
	struct synth_disk *sd, *next;

	list_for_each_entry_safe(sd, next, &synth_disks, node)
		synth_disk_remove(sd);
}

void synth_disks_show(struct seq_file *m)
{
	struct synth_disk *sd;

	list_for_each_entry(sd, &synth_disks, node)
		seq_printf(m, "%s line %s service_ns %llu slots %u channels %u complete %s served %llu polled %llu\n",
			   sd->disk->disk_name, sd->conf.line->name, sd->conf.service_ns,
			   sd->conf.slots, sd->conf.channels, sd->conf.direct ? "direct" : "softirq",
			   READ_ONCE(sd->served), READ_ONCE(sd->polled));
}
