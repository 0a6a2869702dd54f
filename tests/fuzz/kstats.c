// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any bytes as a file of distributions: it is refused in a sentence, or what was
 * read is in order, and printed as kstats it reads back as the same.
 */
#include "fuzz.h"

#include <string.h>

#include <jansson.h>

#include "../../lib/dist.h"

static int read_bytes(struct dist *dist, const void *data, size_t size)
{
	/* fmemopen() refuses an empty buffer. */
	FILE *in = size ? fmemopen((void *)(uintptr_t)data, size, "r") :
			  fopen("/dev/null", "r");
	struct errmsg err = { 0 };
	int rc;

	MUST(in);
	rc = dist_read(dist, in, "file", &err);
	fclose(in);
	MUST(!rc == !err.text[0]);
	MUST(!strchr(err.text, '\n'));
	return rc;
}

static void check_order(const struct dist *d)
{
	static const double percents[] = { 0.001, 1, 50, 90, 99, 99.9, 100 };
	uint64_t samples = 0, last = 0, at;

	MUST(d->n);
	for (size_t i = 0; i < d->n; i++) {
		const struct dist_slot *s = &d->slot[i];

		MUST(s->count);
		MUST(s->low_ns <= s->avg_ns && s->avg_ns <= s->high_ns);
		MUST(!i || s[-1].avg_ns <= s->avg_ns);
		samples += s->count;
		MUST(samples >= s->count);
	}
	MUST(samples == d->samples);
	MUST(d->max_ns == d->slot[d->n - 1].high_ns);
	for (size_t i = 0; i < sizeof(percents) / sizeof(percents[0]); i++) {
		at = dist_percentile_ns(d, percents[i]);
		MUST(at >= last && at <= d->max_ns);
		last = at;
	}
	MUST(last == d->max_ns);
	/* A double has 53 bits. */
	MUST(dist_mean_ns(d) >= (double)d->slot[0].avg_ns * (1 - 1e-9));
	MUST(dist_mean_ns(d) <= (double)d->max_ns * (1 + 1e-9));
}

static char *as_kstats(const struct dist *d, size_t *size)
{
	char *text;
	FILE *out = open_memstream(&text, size);

	MUST(out);
	dist_print_kstats(out, d);
	fclose(out);
	return text;
}

static void check_kstats(const struct dist *d)
{
	size_t size, size_again;
	char *text = as_kstats(d, &size), *again;
	struct dist back;

	MUST(!read_bytes(&back, text, size));
	MUST(back.n == d->n && back.samples == d->samples);
	for (size_t i = 0; i < d->n; i++) {
		MUST(back.slot[i].count == d->slot[i].count);
		MUST(back.slot[i].avg_ns == d->slot[i].avg_ns);
	}
	again = as_kstats(&back, &size_again);
	MUST(size == size_again && !memcmp(text, again, size));
	dist_free(&back);
	free(again);
	free(text);
}

/* The other forms: JSON is JSON, and a picture is drawn at all. */
static void check_forms(const struct dist *d)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	json_t *json;

	MUST(out);
	MUST(!dist_print_json(out, d, 1));
	fclose(out);
	/* Numbers above 2^63 are no integers to jansson. */
	json = json_loadb(text, size, JSON_DECODE_INT_AS_REAL, NULL);
	MUST(json);
	json_decref(json);
	free(text);

	out = open_memstream(&text, &size);
	MUST(out);
	dist_print_svg(out, d, 1);
	fclose(out);
	MUST(!strstr(text, "nan") && !strstr(text, "inf"));
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dist d;

	if (read_bytes(&d, data, size))
		return 0;
	check_order(&d);
	check_kstats(&d);
	check_forms(&d);
	dist_free(&d);
	return 0;
}
