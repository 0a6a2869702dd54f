// SPDX-License-Identifier: GPL-2.0-only
/*
 * The device's side: events are raised and delivered in hard interrupt
 * context. A message to a CPU is an irq_work queued on that CPU itself: it
 * comes as a self-IPI, like the real thing, as soon as interrupts are on. A
 * remote call alone would not do, the idle loop runs those as a task.
 */
#include <linux/cpumask.h>
#include <linux/percpu.h>

#include "compat/compat.h"
#include "synth.h"

/* With interrupts off, in hard interrupt context. */
static void synth_deliver(struct synth_line *line, bool native)
{
	raw_spin_lock(&line->lock);
	if (synth_is_level(line)) {
		if (!line->asserted || line->masked || line->in_service) {
			raw_spin_unlock(&line->lock);
			return;
		}
		line->in_service = line->kind == SYNTH_FASTEOI;
	}
	line->n.entered++;
	line->ops[SYNTH_ENTRY]++;
	synth_log(line, SYNTH_ENTRY, native);
	raw_spin_unlock(&line->lock);

	synth_spin_ns(line->charge_ns[SYNTH_ENTRY]);
	synth_hold_here(line, SYNTH_ENTRY);
	if (native)
		line->flow(line->desc);
	else
		generic_handle_irq(line->irq);

	raw_spin_lock(&line->lock);
	line->n.left++;
	synth_log(line, SYNTH_LEAVE, 0);
	raw_spin_unlock(&line->lock);
}

/* The pin sees an edge, or looks at its level. */
static void __synth_message(struct synth_line *line, bool direct, bool native)
{
	unsigned long flags;
	bool send;

	raw_spin_lock_irqsave(&line->lock, flags);
	if (synth_is_level(line)) {
		line->asserted = line->items;
		send = line->asserted && !line->masked && !line->in_service;
	} else {
		/*
		 * A message into the native flow is one that went through the pin
		 * some time ago, on a CPU that was slow.
		 */
		send = !line->masked || native;
		if (!send && line->kind == SYNTH_EDGE_LATCH) {
			line->latched = true;
			line->n.latched++;
			synth_log(line, SYNTH_LATCH, 0);
		} else if (!send) {
			line->n.forgotten++;
			synth_log(line, SYNTH_FORGET, 0);
		}
	}
	raw_spin_unlock_irqrestore(&line->lock, flags);

	if (send && direct)
		synth_deliver(line, native);
	else if (send)
		synth_kick(line, READ_ONCE(line->cpu), SYNTH_DO_MESSAGE);
}

void synth_message(struct synth_line *line, bool direct)
{
	__synth_message(line, direct, false);
}

static void __synth_raise(struct synth_line *line, struct synth_dev *dev, unsigned int events,
			  bool direct, bool native)
{
	unsigned long flags;
	unsigned int i;
	u64 items = 0;

	raw_spin_lock_irqsave(&line->lock, flags);
	for (i = 0; i < events; i++) {
		items += line->items_min;
		if (line->items_max > line->items_min)
			items += synth_random(&line->seed) %
				 (line->items_max - line->items_min + 1);
	}
	dev->items += items;
	line->items += items;
	if (!dev->first_ns)
		dev->first_ns = synth_now_ns();
	synth_log(line, SYNTH_RAISE, atomic64_add_return(events, &dev->raised));
	raw_spin_unlock_irqrestore(&line->lock, flags);

	__synth_message(line, direct, native);
}

/*
 * @events happen at once and are told in one message.
 * @direct: the caller is in hard interrupt context and not inside a flow of this line.
 */
void synth_raise(struct synth_line *line, struct synth_dev *dev, unsigned int events, bool direct)
{
	__synth_raise(line, dev, events, direct, false);
}

static struct synth_dev *synth_next_dev(struct synth_line *line)
{
	unsigned int turn = atomic_inc_return(&line->next_dev);

	return &line->devs[turn % line->ndevs];
}

static void synth_work_fn(struct irq_work *work)
{
	struct synth_cpu_line *cl = container_of(work, struct synth_cpu_line, work);
	struct synth_line *line = cl->line;
	unsigned int todo = atomic_xchg(&cl->todo, 0);
	unsigned long flags;

	local_irq_save(flags);
	if (todo & SYNTH_DO_MESSAGE)
		synth_deliver(line, false);
	if (todo & SYNTH_DO_RAISE)
		__synth_raise(line, synth_next_dev(line), 1, true, false);
	if (todo & SYNTH_DO_NATIVE)
		__synth_raise(line, synth_next_dev(line), 1, true, true);
	if (todo & SYNTH_DO_DISABLE)
		disable_irq_nosync(line->irq);
	local_irq_restore(flags);
	if (todo & ~SYNTH_DO_MESSAGE) {
		raw_spin_lock_irqsave(&line->lock, flags);
		line->n.kicked++;
		raw_spin_unlock_irqrestore(&line->lock, flags);
	}
}

static void synth_csd_fn(void *arg)
{
	struct synth_cpu_line *cl = arg;

	irq_work_queue(&cl->work);
}

/*
 * Ask a CPU; any context. What is asked is set before the call: a call that
 * is still on its way (-EBUSY) has not looked yet and will see it.
 */
void synth_kick(struct synth_line *line, int cpu, unsigned int todo)
{
	struct synth_cpu_line *cl;
	int this_cpu = get_cpu();

	if (!cpu_online(cpu))
		cpu = this_cpu;
	cl = per_cpu_ptr(line->cpus, cpu);
	atomic_or(todo, &cl->todo);
	if (cpu == this_cpu) {
		irq_work_queue(&cl->work);
	} else if (smp_call_function_single_async(cpu, &cl->csd) == -ENXIO) {
		struct synth_cpu_line *own = per_cpu_ptr(line->cpus, this_cpu);

		atomic_or(atomic_xchg(&cl->todo, 0), &own->todo);
		irq_work_queue(&own->work);
	}
	put_cpu();
}

static enum hrtimer_restart synth_storm_fn(struct hrtimer *timer)
{
	struct synth_cpu_line *cl = container_of(timer, struct synth_cpu_line, storm);
	struct synth_line *line = cl->line;
	u64 period = cl->period_ns;
	unsigned int i;

	for (i = 0; i < cl->burst; i++) {
		if (!READ_ONCE(cl->storming))
			return HRTIMER_NORESTART;
		synth_raise(line, synth_next_dev(line), 1, true);
		if (cl->left && !--cl->left) {
			WRITE_ONCE(cl->storming, false);
			return HRTIMER_NORESTART;
		}
	}
	if (cl->jitter)
		period = period / 2 + synth_random(&cl->seed) % period;
	hrtimer_forward_now(timer, ns_to_ktime(period));
	return HRTIMER_RESTART;
}

static void synth_storm_arm(void *arg)
{
	struct synth_cpu_line *cl = arg;

	hrtimer_start(&cl->storm, ktime_add_ns(ktime_get(), cl->period_ns),
		      HRTIMER_MODE_ABS_PINNED_HARD);
}

int synth_storm_start(struct synth_line *line, int cpu, u64 period_ns, unsigned int burst,
		      u64 count, bool jitter)
{
	struct synth_cpu_line *cl = per_cpu_ptr(line->cpus, cpu);

	WRITE_ONCE(cl->storming, false);
	hrtimer_cancel(&cl->storm);
	cl->period_ns = period_ns;
	cl->burst = burst;
	cl->left = count;
	cl->jitter = jitter;
	cl->seed = line->irq * 7919ULL + cpu + 1;
	WRITE_ONCE(cl->storming, true);
	return smp_call_function_single(cpu, synth_storm_arm, cl, 1);
}

void synth_storm_stop(struct synth_line *line)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct synth_cpu_line *cl = per_cpu_ptr(line->cpus, cpu);

		WRITE_ONCE(cl->storming, false);
		hrtimer_cancel(&cl->storm);
	}
}

bool synth_storming(struct synth_line *line)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (READ_ONCE(per_cpu_ptr(line->cpus, cpu)->storming))
			return true;
	return false;
}

int synth_raise_init(struct synth_line *line)
{
	int cpu;

	line->cpus = alloc_percpu(struct synth_cpu_line);
	if (!line->cpus)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		struct synth_cpu_line *cl = per_cpu_ptr(line->cpus, cpu);

		cl->line = line;
		cl->work = IRQ_WORK_INIT_HARD(synth_work_fn);
		INIT_CSD(&cl->csd, synth_csd_fn, cl);
		atomic_set(&cl->todo, 0);
		synth_hrtimer_setup(&cl->storm, synth_storm_fn, HRTIMER_MODE_ABS_PINNED_HARD);
	}
	return 0;
}

static void synth_nothing(void *unused)
{
}

/* After this no CPU will touch the line: calls have landed, works have run. */
void synth_raise_exit(struct synth_line *line)
{
	int cpu;

	if (!line->cpus)
		return;
	synth_storm_stop(line);
	/* A call queued before is handled before ours on each CPU. */
	on_each_cpu(synth_nothing, NULL, 1);
	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu_ptr(line->cpus, cpu)->work);
	free_percpu(line->cpus);
	line->cpus = NULL;
}
