// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <string.h>

#include "metrics.h"
#include "utf8.h"

void mw_init(struct metrics *metrics, FILE *out, enum metrics_format format)
{
	memset(metrics, 0, sizeof(*metrics));
	metrics->out = out;
	metrics->format = format;
}

/* What the names of a family's samples end in. */
static const char *ending(enum metrics_type type)
{
	return type == METRICS_COUNTER ? "_total" : type == METRICS_INFO ? "_info" : "";
}

static const char *type_name(const struct metrics *metrics)
{
	static const char *const names[] = {
		[METRICS_COUNTER] = "counter", [METRICS_GAUGE] = "gauge",
		[METRICS_HISTOGRAM] = "histogram", [METRICS_INFO] = "info",
	};

	/* Prometheus has no type for it: a gauge that is 1. */
	if (metrics->type == METRICS_INFO && metrics->format == METRICS_PROMETHEUS)
		return names[METRICS_GAUGE];
	return names[metrics->type];
}

void mw_family(struct metrics *metrics, const char *name, enum metrics_type type,
	       const char *help)
{
	const char *unit = strrchr(name, '_');
	const char *end;

	metrics->family = name;
	metrics->type = type;
	end = metrics->format == METRICS_PROMETHEUS ? ending(type) : "";
	fprintf(metrics->out, "# HELP %s%s %s\n# TYPE %s%s %s\n", name, end, help, name, end,
		type_name(metrics));
	/* A comment to Prometheus, which would not know the name. */
	if (metrics->format == METRICS_OPENMETRICS && unit && !strcmp(unit, "_seconds"))
		fprintf(metrics->out, "# UNIT %s seconds\n", name);
}

void mw_sample(struct metrics *metrics, const char *part)
{
	fprintf(metrics->out, "%s%s%s%s", metrics->family, ending(metrics->type),
		part ? "_" : "", part ? part : "");
	metrics->labels = false;
}

static void begin_label(struct metrics *metrics, const char *name)
{
	fprintf(metrics->out, "%c%s=\"", metrics->labels ? ',' : '{', name);
	metrics->labels = true;
}

/* Only these three are escaped; every other character stands for itself. */
static void escaped(FILE *out, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	while (*p) {
		int n = utf8_length(p);

		if (!n)
			fputs("\xef\xbf\xbd", out);
		else if (*p == '"' || *p == '\\')
			fprintf(out, "\\%c", *p);
		else if (*p == '\n')
			fputs("\\n", out);
		else
			fwrite(p, 1, (size_t)n, out);
		p += n ? n : 1;
	}
}

static void print_ns(FILE *out, uint64_t ns)
{
	uint64_t part = ns % 1000000000;
	int digits = 9;

	fprintf(out, "%" PRIu64, ns / 1000000000);
	if (!part)
		return;
	for (; part % 10 == 0; digits--)
		part /= 10;
	fprintf(out, ".%0*" PRIu64, digits, part);
}

void mw_label(struct metrics *metrics, const char *name, const char *value)
{
	if (!value)
		return;
	begin_label(metrics, name);
	escaped(metrics->out, value);
	fputc('"', metrics->out);
}

void mw_label_u64(struct metrics *metrics, const char *name, uint64_t value)
{
	begin_label(metrics, name);
	fprintf(metrics->out, "%" PRIu64 "\"", value);
}

void mw_label_ns(struct metrics *metrics, const char *name, uint64_t ns)
{
	begin_label(metrics, name);
	print_ns(metrics->out, ns);
	fputc('"', metrics->out);
}

static void begin_value(struct metrics *metrics)
{
	fputs(metrics->labels ? "} " : " ", metrics->out);
}

void mw_u64(struct metrics *metrics, uint64_t value)
{
	begin_value(metrics);
	fprintf(metrics->out, "%" PRIu64 "\n", value);
}

void mw_ns(struct metrics *metrics, uint64_t ns)
{
	begin_value(metrics);
	print_ns(metrics->out, ns);
	fputc('\n', metrics->out);
}

int mw_done(struct metrics *metrics)
{
	fputs("# EOF\n", metrics->out);
	return fflush(metrics->out) || ferror(metrics->out) ? -1 : 0;
}
