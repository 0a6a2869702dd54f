// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <signal.h>
#include <time.h>

#include "interval.h"

#define SECOND_NS	1000000000ULL

static volatile sig_atomic_t ended;

static void end(int signo)
{
	(void)signo;
	ended = 1;
}

void interval_begin(void)
{
	struct sigaction action = { .sa_handler = end };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

bool interval_ended(void)
{
	return ended;
}

void interval_sleep_until(uint64_t ns)
{
	struct timespec end = {
		.tv_sec = (time_t)(ns / SECOND_NS), .tv_nsec = (long)(ns % SECOND_NS),
	};

	while (!ended && clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == EINTR)
		;
}
