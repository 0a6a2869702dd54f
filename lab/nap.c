// SPDX-License-Identifier: GPL-2.0-only
/*
 * Preloaded into fio in count mode. fio's parent looks for started and finished
 * jobs every 10 to 100 ms, and a waiting guest is as dear to emulate as a busy
 * one: those naps were most of a run's real time. Shorter ones change nothing
 * in the jobs, and are the same for every policy.
 */
#include <time.h>
#include <unistd.h>

#define NAP_US	5000

int usleep(useconds_t us)
{
	struct timespec nap = { 0, (us < NAP_US ? us : NAP_US) * 1000L };

	return nanosleep(&nap, NULL);
}
