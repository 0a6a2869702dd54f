/* SPDX-License-Identifier: GPL-2.0-only */
/* What cmocka wants before its own header, in its order. */
#ifndef IRQPACE_TESTS_UNIT_H
#define IRQPACE_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define N_ELEMENTS(a) (sizeof(a) / sizeof((a)[0]))

#endif
