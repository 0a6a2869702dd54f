/* SPDX-License-Identifier: GPL-2.0-only */
/* What the fuzz targets share. */
#ifndef IRQPACE_TESTS_FUZZ_H
#define IRQPACE_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* What must hold for any input; an abort is what libFuzzer takes for a find. */
#define MUST(condition) do {						\
	if (!(condition)) {						\
		fprintf(stderr, "%s:%d: does not hold: %s\n",		\
			__FILE__, __LINE__, #condition);		\
		abort();						\
	}								\
} while (0)

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
