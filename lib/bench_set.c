// SPDX-License-Identifier: GPL-2.0-only
#include "bench.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void bench_set_free(struct bench_set *set)
{
	for (size_t i = 0; i < set->len; i++)
		bench_row_free(set->rows[i]);
	free(set->rows);
	free(set->kernel);
	free(set->mode);
	free(set->command);
	free(set->fio);
	memset(set, 0, sizeof(*set));
}

int bench_set_add(struct bench_set *set, struct bench_row *row)
{
	struct bench_row **rows;

	rows = realloc(set->rows, (set->len + 1) * sizeof(*rows));
	if (!rows)
		return -1;
	set->rows = rows;
	set->rows[set->len++] = row;
	return 0;
}

/*
 * Rows of two kernels or of two ways to measure must not end up in one table:
 * their ratios would say nothing about the policies.
 */
static int agree(char **have, const json_t *root, const char *key, bool strict,
		 const char *file, struct errmsg *err)
{
	const char *val = json_string_value(json_object_get(root, key));

	if (!val)
		return strict ? err_fail(err, "%s: \"%s\" is missing", file, key) : 0;
	if (!*have) {
		*have = strdup(val);
		return *have ? 0 : err_fail(err, "out of memory");
	}
	if (strict && strcmp(*have, val))
		return err_fail(err, "%s: measured with %s \"%s\", the others with \"%s\"",
				file, key, val, *have);
	return 0;
}

int bench_set_load(struct bench_set *set, const char *file,
		   struct errmsg *err)
{
	json_error_t jerr;
	const json_t *list;
	json_t *root, *obj;
	struct errmsg why = { 0 };
	size_t i;
	int ret = -1;

	root = json_load_file(file, 0, &jerr);
	if (!root) {
		if (access(file, R_OK))
			return err_fail(err, "%s: %s", file, strerror(errno));
		return err_fail(err, "%s, line %d: %s", file, jerr.line,
				jerr.text);
	}
	if (agree(&set->kernel, root, "kernel", true, file, err) ||
	    agree(&set->mode, root, "mode", true, file, err) ||
	    agree(&set->command, root, "command", false, file, err) ||
	    agree(&set->fio, root, "fio", false, file, err))
		goto out;
	list = json_object_get(root, "rows");
	if (!json_is_array(list)) {
		err_fail(err, "%s: no \"rows\" in it", file);
		goto out;
	}
	json_array_foreach(list, i, obj) {
		struct bench_row *row = bench_row_from_json(obj, &why);

		if (!row) {
			err_fail(err, "%s, row %zu: %.800s", file, i + 1,
				 why.text);
			goto out;
		}
		if (bench_set_add(set, row)) {
			bench_row_free(row);
			err_fail(err, "out of memory");
			goto out;
		}
	}
	ret = 0;
out:
	json_decref(root);
	return ret;
}

static json_t *text_or_null(const char *text)
{
	return text ? json_string(text) : json_null();
}

json_t *bench_set_to_json(const struct bench_set *set)
{
	json_t *root = json_object(), *rows = json_array();

	json_object_set_new(root, "kernel", text_or_null(set->kernel));
	json_object_set_new(root, "mode", text_or_null(set->mode));
	json_object_set_new(root, "command", text_or_null(set->command));
	json_object_set_new(root, "fio", text_or_null(set->fio));
	for (size_t i = 0; i < set->len; i++)
		json_array_append_new(rows, bench_row_to_json(set->rows[i]));
	json_object_set_new(root, "rows", rows);
	return root;
}

int bench_set_save(const struct bench_set *set, const char *file,
		   struct errmsg *err)
{
	json_t *root = bench_set_to_json(set);
	char *text = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
	char tmp[4096];
	FILE *out;
	int ret = -1;

	json_decref(root);
	if (!text)
		return err_fail(err, "out of memory");
	snprintf(tmp, sizeof(tmp), "%s.new", file);
	out = fopen(tmp, "w");
	if (!out) {
		err_fail(err, "%s: %s", tmp, strerror(errno));
		goto out;
	}
	fprintf(out, "%s\n", text);
	if (fflush(out) || ferror(out) || fclose(out)) {
		err_fail(err, "%s: %s", tmp, strerror(errno));
		unlink(tmp);
	} else if (rename(tmp, file)) {
		err_fail(err, "%s: %s", file, strerror(errno));
		unlink(tmp);
	} else {
		ret = 0;
	}
out:
	free(text);
	return ret;
}

/*
 * Of several rows of one policy (hard with statistics on and off) the first
 * counts.
 */
static const struct bench_row *base(const struct bench_set *set,
				    const struct bench_row *row,
				    const char *policy)
{
	for (size_t i = 0; i < set->len; i++)
		if (bench_same_block(set->rows[i], row) &&
		    bench_is_policy(set->rows[i], policy))
			return set->rows[i];
	return NULL;
}

void bench_set_ratios(struct bench_set *set)
{
	for (size_t i = 0; i < set->len; i++) {
		struct bench_row *row = set->rows[i];
		const struct bench_row *hard = base(set, row, "hard");
		const struct bench_row *native = base(set, row, "native");

		row->ratio_to_hard = hard ? row->iops_mean / hard->iops_mean : NAN;
		row->ratio_to_native =
			native ? row->iops_mean / native->iops_mean : NAN;
	}
}

int bench_set_taken(struct bench_set *set, const char *file,
		    struct errmsg *err)
{
	FILE *in = fopen(file, "r");
	double count;
	size_t i = 0;
	int n;

	if (!in)
		return err_fail(err, "%s: %s", file, strerror(errno));
	while ((n = fscanf(in, "%lf", &count)) == 1) {
		if (i == set->len || count < 0)
			break;
		set->rows[i]->taken = count;
		set->rows[i]->taken_per_io = count / set->rows[i]->ios;
		i++;
	}
	fclose(in);
	if (n != EOF || i != set->len)
		return err_fail(err, "%s: has to hold %zu counts, one for each row",
				file, set->len);
	return 0;
}
