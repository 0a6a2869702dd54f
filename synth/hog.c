// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread that keeps a CPU to itself, at the priority of irq threads: those
 * that wake meanwhile wait behind it, since FIFO does not preempt its equals.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/sched.h>

#include "synth.h"

static struct task_struct *synth_hog;
static u64 synth_hog_ns;

static int synth_hog_fn(void *unused)
{
	u64 end = synth_now_ns() + synth_hog_ns;

	while (synth_now_ns() < end && !kthread_should_stop())
		cpu_relax();
	/* Idle until it is stopped: a thread that ended cannot be. */
	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (kthread_should_stop())
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

void synth_hog_stop(void)
{
	if (synth_hog)
		kthread_stop(synth_hog);
	synth_hog = NULL;
}

/* hog cpu=0 ms=1000, hog stop */
int synth_ctl_hog(struct synth_args *args)
{
	bool stop = synth_flag(args, "stop");
	u64 cpu = 0, ms = 1000;
	struct task_struct *task;
	int err;

	err = synth_arg_u64(args, "cpu", 0, nr_cpu_ids - 1, &cpu) ?:
	      synth_arg_u64(args, "ms", 1, 10000, &ms) ?: synth_args_done(args);
	if (err)
		return err;
	if (!stop && !cpu_online(cpu))
		return synth_fail(-EINVAL, "CPU %llu is not online", cpu);
	synth_hog_stop();
	if (stop)
		return 0;
	synth_hog_ns = ms * NSEC_PER_MSEC;
	task = kthread_create(synth_hog_fn, NULL, "synth-hog/%llu", cpu);
	if (IS_ERR(task))
		return synth_fail(PTR_ERR(task), "no thread for the hog (%ld)", PTR_ERR(task));
	kthread_bind(task, cpu);
	sched_set_fifo(task);
	synth_hog = task;
	wake_up_process(task);
	return 0;
}
