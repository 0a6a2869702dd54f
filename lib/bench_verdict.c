// SPDX-License-Identifier: GPL-2.0-only
/*
 * The closing paragraph. For each device every policy is looked at over all
 * blocks (workload, jobs, depth) together, because a line has one policy and
 * not one for each workload. The rules are few and printed with the result, so
 * that a reader who weighs otherwise can do so from the same figures.
 */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum out { IN, SLOW, LATE, LONG, PARTIAL };

struct candidate {
	const struct bench_row *row;	/* its first block, for the name */
	double mean;		/* geometric mean of the IOPS ratios */
	double worst;
	const struct bench_row *worst_row;
	double p99_worst;	/* of the ratios to the base, NAN: not known */
	double residency;	/* highest p99 */
	double residency_max;
	double per_io;		/* interrupts per I/O over all blocks */
	enum out out;
	const struct bench_row *out_row;
};

struct field {
	const struct bench_set *set;
	const char *device;
	const char *pass;
	const char *base;	/* native, or hard where native was not run */
	struct candidate *list;
	size_t len;
	size_t blocks;
	double residency_bound;
	bool depth_one;
	bool latency_known;
	double batch;		/* completions per interrupt of the base */
};

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool same_candidate(const struct bench_row *a, const struct bench_row *b)
{
	return bench_is_policy(a, b->policy) && json_equal(a->params, b->params);
}

static bool in_field(const struct field *f, const struct bench_row *row)
{
	return same_text(row->device, f->device) &&
	       same_text(row->pass, f->pass) && !isnan(row->iops_mean);
}

static const struct bench_row *base_of(const struct field *f,
				       const struct bench_row *row)
{
	for (size_t i = 0; i < f->set->len; i++)
		if (bench_same_block(f->set->rows[i], row) &&
		    bench_is_policy(f->set->rows[i], f->base))
			return f->set->rows[i];
	return NULL;
}

/* Peers are there to compare with; they are not irqpace's to choose. */
static bool is_choice(const struct bench_row *row)
{
	return policy_kind(row->policy) >= 0;
}

static void weigh(struct field *f, struct candidate *c)
{
	double logs = 0, ios = 0, irqs = 0;
	size_t blocks = 0;

	c->worst = INFINITY;
	c->p99_worst = c->residency = c->residency_max = NAN;
	for (size_t i = 0; i < f->set->len; i++) {
		const struct bench_row *row = f->set->rows[i];
		const struct bench_row *base;
		double ratio;

		if (!in_field(f, row) || !same_candidate(row, c->row))
			continue;
		base = base_of(f, row);
		if (!base)
			continue;
		blocks++;
		ratio = row->iops_mean / base->iops_mean;
		logs += log(ratio);
		ios += row->ios;
		irqs += row->interrupts;
		if (ratio < c->worst) {
			c->worst = ratio;
			c->worst_row = row;
		}
		c->p99_worst = fmax(c->p99_worst, row->lat_p99_us / base->lat_p99_us);
		if (row->lat_p99_us > base->lat_p99_us * BENCH_P99_MAX &&
		    c->out == IN) {
			c->out = LATE;
			c->out_row = row;
		}
		c->residency = fmax(c->residency, row->residency_p99_us);
		c->residency_max = fmax(c->residency_max, row->residency_max_us);
	}
	c->mean = exp(logs / (double)blocks);
	c->per_io = irqs / ios;
	if (blocks < f->blocks) {
		c->out = PARTIAL;
	} else if (c->worst < 1 - BENCH_LOSS_MAX) {
		c->out = SLOW;
		c->out_row = c->worst_row;
	} else if (c->out == IN && c->residency > f->residency_bound) {
		c->out = LONG;
	}
}

static void collect(struct field *f)
{
	double hard_residency = NAN;

	for (size_t i = 0; i < f->set->len; i++) {
		const struct bench_row *row = f->set->rows[i];
		size_t j;

		if (!in_field(f, row) || !is_choice(row) || !base_of(f, row))
			continue;
		if (bench_is_policy(row, f->base) && base_of(f, row) == row) {
			f->blocks++;
			f->depth_one |= row->iodepth * row->jobs == 1;
			f->latency_known |= !isnan(row->lat_p99_us);
			f->batch = fmax(f->batch, row->completions_per_interrupt);
		}
		if (bench_is_policy(row, "hard"))
			hard_residency = fmax(hard_residency, row->residency_p99_us);
		for (j = 0; j < f->len; j++)
			if (same_candidate(f->list[j].row, row))
				break;
		if (j < f->len)
			continue;
		f->list = realloc(f->list, (f->len + 1) * sizeof(*f->list));
		if (!f->list)
			abort();
		f->list[f->len++] = (struct candidate){ .row = row };
	}
	f->residency_bound = fmax(BENCH_RESIDENCY_US, hard_residency);
	for (size_t i = 0; i < f->len; i++)
		weigh(f, &f->list[i]);
}

/*
 * The fastest one; among those that are as fast within the tie, the one with
 * fewest interrupts if it halves the base's, else the plainest (the base, or
 * the first that was asked for).
 */
static const struct candidate *choose(const struct field *f)
{
	const struct candidate *best = NULL, *base = NULL, *few = NULL;

	for (size_t i = 0; i < f->len; i++) {
		const struct candidate *c = &f->list[i];

		if (c->out == IN && (!best || c->mean > best->mean))
			best = c;
		if (bench_is_policy(c->row, f->base) && !base)
			base = c;
	}
	if (!best)
		return base;
	for (size_t i = 0; i < f->len; i++) {
		const struct candidate *c = &f->list[i];

		if (c->out == IN && c->mean >= best->mean * (1 - BENCH_TIE) &&
		    !isnan(c->per_io) && (!few || c->per_io < few->per_io))
			few = c;
	}
	if (few && base && few->per_io <= base->per_io / 2)
		return few;
	if (base && base->mean >= best->mean * (1 - BENCH_TIE))
		return base;
	return best;
}

static void put_block(struct bench_text *text, const struct bench_row *row)
{
	bench_printf(text, "%s with %g job%s", row->workload, row->jobs,
		     row->jobs == 1 ? "" : "s");
}

static void put_reason(struct bench_text *text, const struct field *f,
		       const struct candidate *c)
{
	const struct bench_row *base = c->out_row ? base_of(f, c->out_row) : NULL;

	switch (c->out) {
	case SLOW:
		bench_printf(text, "%.3f of the IOPS in ", c->worst);
		put_block(text, c->out_row);
		break;
	case LATE:
		bench_printf(text, "p99 latency %.0f us instead of %.0f us in ",
			     c->out_row->lat_p99_us, base->lat_p99_us);
		put_block(text, c->out_row);
		break;
	case LONG:
		bench_printf(text, "p99 residency %.1f us", c->residency);
		break;
	case PARTIAL:
		bench_printf(text, "not run in every block");
		break;
	case IN:
		break;
	}
}

static void put_chosen(struct bench_text *text, const struct field *f,
		       const struct candidate *c)
{
	const struct candidate *base = NULL;
	double spread = 0;
	char name[160];

	for (size_t i = 0; i < f->len && !base; i++)
		if (bench_is_policy(f->list[i].row, f->base))
			base = &f->list[i];
	bench_row_name(c->row, name, sizeof(name));
	bench_printf(text, "%s", f->device);
	if (c->row->lines)
		bench_printf(text, ", %s", c->row->lines);
	if (f->pass)
		bench_printf(text, ", %s", f->pass);
	bench_printf(text, ": %s. ", name);
	if (c == base) {
		bench_printf(text,
			     "No other policy within the bounds gave over %g %% more IOPS, or as many with half the interrupts. ",
			     BENCH_TIE * 100);
	} else {
		bench_printf(text, "It gave %.3f of %s's IOPS over %zu block%s",
			     c->mean, f->base, f->blocks,
			     f->blocks == 1 ? "" : "s");
		if (f->blocks > 1) {
			bench_printf(text, " (lowest %.3f, in ", c->worst);
			put_block(text, c->worst_row);
			bench_printf(text, ")");
		}
		if (!isnan(c->per_io) && base && !isnan(base->per_io))
			bench_printf(text, ", with %.3f interrupts per I/O instead of %.3f",
				     c->per_io, base->per_io);
		if (!isnan(c->p99_worst))
			bench_printf(text, "; its p99 latency was at most %.2f of %s's",
				     c->p99_worst, f->base);
		if (!isnan(c->residency_max))
			bench_printf(text, "; its longest residency was %.1f us",
				     c->residency_max);
		bench_printf(text, ". ");
	}
	for (size_t i = 0; i < f->set->len; i++)
		if (in_field(f, f->set->rows[i]) &&
		    bench_is_policy(f->set->rows[i], f->base))
			spread = fmax(spread, f->set->rows[i]->spread);
	if (spread > BENCH_TIE)
		bench_printf(text,
			     "Careful: runs of %s itself differ by %.1f %%, so smaller differences mean nothing here. ",
			     f->base, spread * 100);
	if (!isnan(f->batch) && f->batch >= BENCH_BATCHED)
		bench_printf(text,
			     "The device completes %.1f I/Os per interrupt by itself, so there is little to gain from fewer interrupts. ",
			     f->batch);
	if (json_object_get(c->row->params, "delay_us") && !f->depth_one)
		bench_printf(text,
			     "A fixed delay costs throughput where few I/Os are in flight, and one in flight was not measured: try --iodepth 1 before keeping it. ");
	if (!f->latency_known)
		bench_printf(text, "Latency was not measured, so its bound was not looked at. ");
	if (isnan(c->residency) && !bench_is_policy(c->row, "native"))
		bench_printf(text, "Residency was not measured (statistics off), so its bound was not looked at. ");
}

static void put_others(struct bench_text *text, const struct field *f,
		       const struct candidate *chosen)
{
	const char *sep = "Out: ";
	char name[160];

	for (size_t i = 0; i < f->len; i++) {
		const struct candidate *c = &f->list[i];

		if (c->out == IN || c == chosen)
			continue;
		bench_row_name(c->row, name, sizeof(name));
		bench_printf(text, "%s%s (", sep, name);
		put_reason(text, f, c);
		bench_printf(text, ")");
		sep = ", ";
	}
	if (*sep == ',')
		bench_printf(text, ". ");
}

static bool one_device(struct bench_text *text, const struct bench_set *set,
		       const struct bench_row *first)
{
	struct field f = {
		.set = set, .device = first->device, .pass = first->pass,
		.base = "hard", .batch = NAN,
	};
	const struct candidate *c;

	for (size_t i = 0; i < set->len; i++)
		if (in_field(&f, set->rows[i]) &&
		    bench_is_policy(set->rows[i], "native"))
			f.base = "native";
	collect(&f);
	c = choose(&f);
	if (!c || f.len < 2)
		bench_printf(text, "%s: nothing to choose between, only %s was run.",
			     f.device, c ? c->row->policy : "one policy");
	else {
		put_chosen(text, &f, c);
		put_others(text, &f, c);
	}
	while (text->len && text->buf[text->len - 1] == ' ')
		text->buf[--text->len] = 0;
	bench_printf(text, "\n\n");
	free(f.list);
	return f.len > 1;
}

char *bench_verdict(const struct bench_set *set)
{
	struct bench_text text = { 0 };

	bool chosen = false;

	bench_printf(&text, "%s", "");
	for (size_t i = 0; i < set->len; i++) {
		const struct bench_row *row = set->rows[i];
		bool seen = false;

		for (size_t j = 0; j < i && !seen; j++)
			seen = same_text(set->rows[j]->device, row->device) &&
			       same_text(set->rows[j]->pass, row->pass);
		if (!seen && !isnan(row->iops_mean))
			chosen |= one_device(&text, set, row);
	}
	if (chosen)
		bench_printf(&text,
			     "How it chooses: the most IOPS over all blocks of a device (geometric mean of the ratios to native, or to hard without it) "
			     "among the policies that lose at most %g %% of the IOPS in any block, keep p99 latency within %g times, "
			     "and keep 99 %% of the stays in hard interrupt context within %g us or what hard has. "
			     "A difference of %g %% is none: then fewest interrupts win if they are at most half, else the base.\n",
			     BENCH_LOSS_MAX * 100, BENCH_P99_MAX,
			     BENCH_RESIDENCY_US, BENCH_TIE * 100);
	return text.buf;
}
