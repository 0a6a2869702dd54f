/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A distribution of durations: slots with a count, from the module's histograms
 * or from a file in the kstats text format, one line a slot:
 *
 *	count 945 avg 680 p 0.000195 n 945
 *
 * COUNT samples of AVG ns on average; P is the part of all samples up to here
 * and N their number. Empty lines and those that begin with # are no slots.
 */
#ifndef IRQPACE_DIST_H
#define IRQPACE_DIST_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "errmsg.h"
#include "json.h"
#include "nl.h"

struct dist_slot {
	uint64_t low_ns;	/* low and high are avg where the slot's ends are not known */
	uint64_t high_ns;
	uint64_t avg_ns;
	uint64_t count;
};

struct dist {
	char *name;
	struct dist_slot *slot;	/* ascending, none is empty */
	size_t n;
	uint64_t samples;
	double sum_ns;
	uint64_t max_ns;
};

/*
 * Reads the whole of IN, called FILE in sentences. Refuses a line that is no
 * slot, an N that is not the sum of the counts so far, averages or parts that
 * fall, and a file without a slot; the sentence has the line's number.
 */
int dist_read(struct dist *dist, FILE *in, const char *file, struct errmsg *err);
int dist_load(struct dist *dist, const char *file, struct errmsg *err);
/* The module's; a slot's average is the middle of its ends. */
void dist_from_hist(struct dist *dist, const struct nl_hist *hist, const char *name);
/* Ascending, and none that is empty; counts are summed up, so are averages. */
void dist_add(struct dist *dist, const struct dist_slot *slot);
void dist_free(struct dist *dist);

/* 0 without samples, like all that follow. */
double dist_mean_ns(const struct dist *dist);
/* The upper end of the slot in which PERCENT of the samples are reached. */
uint64_t dist_percentile_ns(const struct dist *dist, double percent);

/*
 * To stdout: figures and slots of one; of two the figures, what the second has
 * of the first, and the parts of their samples in each power of two. -1 where
 * it could not be written.
 */
int dist_print_table(const struct dist *dist, size_t n);
/* The parts of it: figures of any number, slots of one. */
int dist_print_figures(const struct dist *dist, size_t n);
int dist_print_slots(const struct dist *dist);
void dist_print_kstats(FILE *out, const struct dist *dist);
/* {"distributions": [...]}; -1 where it could not be written. */
int dist_print_json(FILE *out, const struct dist *dist, size_t n);
/* One element of these. */
void dist_write_json(struct json *json, const struct dist *dist);
/* A picture that stands for itself, samples over durations (logarithmic). */
void dist_print_svg(FILE *out, const struct dist *dist, size_t n);

#endif
