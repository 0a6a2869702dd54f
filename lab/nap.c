// SPDX-License-Identifier: GPL-2.0-only
/*
 * Preloaded into fio in count mode, where it is some thirty times as dear to
 * emulate a guest that waits as one that works (64 ms of the host's time for 1 ms,
 * instead of 2), and fio's waits were most of a run. Its
 * parent looks for started and finished jobs every 10 to 100 ms; its helper
 * wakes up every 250 ms, which is too seldom for the samples of a short run and
 * is waited for at the end; and a job that is done waits for the kernel to free
 * its context. Shorter waits are the same for every policy.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define NAP_US	2000
#define TICK_NS	10000000

static int tick_fd = -1;

static int set_tick(int fd, int flags, const struct itimerspec *tick, struct itimerspec *old)
{
	return (int)syscall(SYS_timerfd_settime, fd, flags, tick, old);
}

int usleep(useconds_t us)
{
	struct timespec nap = { 0, (us < NAP_US ? us : NAP_US) * 1000L };

	return nanosleep(&nap, NULL);
}

int timerfd_settime(int fd, int flags, const struct itimerspec *want, struct itimerspec *old)
{
	struct itimerspec tick = *want;

	if (tick.it_value.tv_sec || tick.it_value.tv_nsec > TICK_NS)
		tick.it_value = (struct timespec){ .tv_nsec = TICK_NS };
	tick_fd = fd;
	return set_tick(fd, flags, &tick, old);
}

/* The helper was told to end, and looks at its next tick. */
int pthread_join(pthread_t thread, void **result)
{
	const struct itimerspec at_once = { .it_value.tv_nsec = 1 };
	int (*join)(pthread_t, void **);

	*(void **)&join = dlsym(RTLD_NEXT, "pthread_join");
	if (tick_fd >= 0)
		set_tick(tick_fd, 0, &at_once, NULL);
	return join(thread, result);
}

/* Contexts in use by all jobs, which are forks of where this was mapped. */
static atomic_int *in_use;

__attribute__((constructor)) static void share(void)
{
	in_use = mmap(NULL, sizeof(*in_use), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (in_use == MAP_FAILED)
		abort();
}

/* libaio's; a job has it before any job starts. */
int io_setup(int events, void *context)
{
	atomic_fetch_add(in_use, 1);
	return (int)syscall(SYS_io_setup, events, context);
}

static void *work_while_others_wait(void *unused)
{
	const struct sched_param none = { 0 };

	if (sched_setscheduler(0, SCHED_IDLE, &none))
		return unused;
	for (;;)
		__asm__ volatile(".rept 400\n\tnop\n\t.endr");
}

/*
 * The job has written its figures, and exits after it. Its wait is made cheap
 * only when no other job is at work, whose waits for a disk this would stretch.
 */
int io_destroy(unsigned long context)
{
	pthread_t thread;

	if (atomic_fetch_sub(in_use, 1) == 1)
		pthread_create(&thread, NULL, work_while_others_wait, NULL);
	return (int)syscall(SYS_io_destroy, context);
}
