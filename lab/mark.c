// SPDX-License-Identifier: GPL-2.0-only
/*
 * An exact mark in QEMU's `-d int` log: the one exception that nothing else
 * raises in user space (vector 3), counted between two runs of this.
 */
#include <signal.h>

static void go_on(int sig)
{
	(void)sig;
}

int main(void)
{
	signal(SIGTRAP, go_on);
	__asm__ volatile("int3");
	return 0;
}
