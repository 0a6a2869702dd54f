/* SPDX-License-Identifier: GPL-2.0-only */
/* Commands that go on, report by report, until they are told to end. */
#ifndef IRQPACE_INTERVAL_H
#define IRQPACE_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

/* From here on SIGINT and SIGTERM do not kill: they cut a sleep short and are told. */
void interval_begin(void);
bool interval_ended(void);
/* By monotonic_ns(). */
void interval_sleep_until(uint64_t ns);

#endif
