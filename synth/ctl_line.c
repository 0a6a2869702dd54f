// SPDX-License-Identifier: GPL-2.0-only
/* The commands "line" and "lines"; docs/synth.md lists them. */
#include <linux/cpumask.h>
#include <linux/ctype.h>
#include <linux/delay.h>

#include "synth.h"

static int synth_arg_cpu(struct synth_args *args, const char *key, int *cpu)
{
	u64 value = *cpu;
	int err = synth_arg_u64(args, key, 0, nr_cpu_ids - 1, &value);

	if (!err && !cpu_online(value))
		return synth_fail(-EINVAL, "CPU %llu is not online", value);
	*cpu = value;
	return err;
}

/* items=5 or items=1-200 */
static int synth_arg_items(struct synth_args *args, unsigned int *min, unsigned int *max)
{
	const char *text = synth_arg(args, "items");
	unsigned int low, high;
	char end;
	int n;

	if (!text)
		return 0;
	n = sscanf(text, "%u-%u%c", &low, &high, &end);
	if (n == 1)
		high = low;
	if (n < 1 || n > 2 || !low || high < low || high > 1000000)
		return synth_fail(-EINVAL, "items=%s is neither a number nor a range from 1 to 1000000",
				  text);
	*min = low;
	*max = high;
	return 0;
}

/* What can be set at any time; all of it is checked before any of it is written. */
static int synth_line_settings(struct synth_args *args, struct synth_line *line)
{
	static const enum synth_point chargeable[] = {
		SYNTH_MASK, SYNTH_UNMASK, SYNTH_ACK, SYNTH_EOI, SYNTH_RETRIGGER,
		SYNTH_SHUTDOWN, SYNTH_ENTRY,
	};
	u64 charge[ARRAY_SIZE(chargeable)];
	u64 cost = line->cost_ns, item = line->item_ns, locked = line->locked_ns;
	u64 gap = line->gap_ns, late = line->late_ns, limit = line->res_limit_ns;
	u64 none = line->none_percent, per_call = line->per_call;
	unsigned int min = line->items_min, max = line->items_max;
	unsigned int i;
	int err;

	err = synth_arg_u64(args, "cost_ns", 0, NSEC_PER_SEC, &cost) ?:
	      synth_arg_u64(args, "item_ns", 0, NSEC_PER_SEC, &item) ?:
	      synth_arg_u64(args, "locked_ns", 0, NSEC_PER_MSEC, &locked) ?:
	      synth_arg_u64(args, "gap_ns", 0, NSEC_PER_SEC, &gap) ?:
	      synth_arg_u64(args, "late_ns", 0, 10ULL * NSEC_PER_SEC, &late) ?:
	      synth_arg_u64(args, "res_limit_ns", 0, NSEC_PER_SEC, &limit) ?:
	      synth_arg_u64(args, "none", 0, 100, &none) ?:
	      synth_arg_u64(args, "per_call", 0, 1000000, &per_call) ?:
	      synth_arg_items(args, &min, &max);
	if (err)
		return err;
	for (i = 0; i < ARRAY_SIZE(chargeable); i++) {
		char key[24];

		charge[i] = line->charge_ns[chargeable[i]];
		snprintf(key, sizeof(key), "%s_ns", synth_point_names[chargeable[i]]);
		err = synth_arg_u64(args, key, 0, NSEC_PER_MSEC, &charge[i]);
		if (err)
			return err;
	}
	err = synth_args_done(args);
	if (err)
		return err;
	line->cost_ns = cost;
	line->item_ns = item;
	line->locked_ns = locked;
	line->gap_ns = gap;
	line->late_ns = late;
	line->res_limit_ns = limit;
	line->none_percent = none;
	line->per_call = per_call;
	line->items_min = min;
	line->items_max = max;
	for (i = 0; i < ARRAY_SIZE(chargeable); i++)
		line->charge_ns[chargeable[i]] = charge[i];
	return 0;
}

struct synth_request_conf {
	unsigned long flags;
	bool own_thread;
	u64 sharers;
};

static int synth_request_args(struct synth_args *args, struct synth_request_conf *conf)
{
	int err;

	conf->flags = 0;
	conf->sharers = 1;
	err = synth_arg_u64(args, "sharers", 1, SYNTH_DEVS_MAX, &conf->sharers);
	if (err)
		return err;
	if (synth_flag(args, "shared") || conf->sharers > 1)
		conf->flags |= IRQF_SHARED;
	if (synth_flag(args, "oneshot"))
		conf->flags |= IRQF_ONESHOT;
	if (synth_flag(args, "no_thread"))
		conf->flags |= IRQF_NO_THREAD;
	conf->own_thread = synth_flag(args, "thread");
	if (conf->flags & IRQF_ONESHOT && !conf->own_thread)
		return synth_fail(-EINVAL, "oneshot needs thread: a line without one has nothing to wait for");
	return 0;
}

static int synth_line_request(struct synth_line *line, const struct synth_request_conf *conf)
{
	int err;

	line->request_flags = conf->flags;
	line->own_thread = conf->own_thread;
	line->ndevs = conf->sharers;
	err = synth_request(line);
	if (err)
		return synth_fail(err, "line %s: request_irq() answered %d", line->name, err);
	return 0;
}

static int synth_name_check(const char *name)
{
	const char *c;

	if (!name || !*name)
		return synth_fail(-EINVAL, "a name is needed: name=a");
	if (strlen(name) >= SYNTH_NAME_MAX)
		return synth_fail(-ENAMETOOLONG, "a name has at most %d characters",
				  SYNTH_NAME_MAX - 1);
	for (c = name; *c; c++)
		if (!isalnum(*c) && !strchr("_-", *c))
			return synth_fail(-EINVAL, "name %s: only letters, digits, _ and -", name);
	return 0;
}

static int synth_kind_arg(struct synth_args *args, enum synth_kind *kind)
{
	const char *text = synth_arg(args, "type");
	unsigned int i;

	if (!text)
		return synth_fail(-EINVAL, "a type is needed: type=edge-latch, edge, level or fasteoi");
	for (i = 0; i < SYNTH_KINDS; i++)
		if (!strcmp(text, synth_kind_names[i])) {
			*kind = i;
			return 0;
		}
	return synth_fail(-EINVAL, "type=%s is none of edge-latch, edge, level, fasteoi", text);
}

/* line create, and lines create with count=: prefix0, prefix1, ... */
static int synth_create(struct synth_args *args, bool many)
{
	const char *name = synth_arg(args, "name");
	struct synth_request_conf conf;
	struct synth_line *line, *probe;
	bool requested = !synth_flag(args, "unrequested");
	char full[SYNTH_NAME_MAX + 12];
	u64 count = 1, i;
	enum synth_kind kind;
	int cpu = 0, err;

	err = synth_name_check(name) ?: synth_kind_arg(args, &kind) ?:
	      synth_arg_cpu(args, "cpu", &cpu) ?: synth_request_args(args, &conf);
	if (!err && many)
		err = synth_arg_u64(args, "count", 1, 4096, &count);
	if (err)
		return err;
	/* What the settings would refuse is found on a line that is never seen. */
	for (i = 0; i < count; i++) {
		if (many)
			snprintf(full, sizeof(full), "%s%llu", name, i);
		else
			strscpy(full, name, sizeof(full));
		if (strlen(full) >= SYNTH_NAME_MAX || synth_line_find(full))
			return synth_fail(-EEXIST, "line %s exists already, or its name is too long",
					  full);
		line = synth_line_create(full, kind, cpu);
		if (IS_ERR(line))
			return synth_fail(PTR_ERR(line), "line %s: cannot be made (%ld)", full,
					  PTR_ERR(line));
		err = synth_line_settings(args, line);
		if (!err && requested)
			err = synth_line_request(line, &conf);
		if (err) {
			synth_line_destroy(line);
			return err;
		}
		probe = line;
	}
	synth_say(many ? "ok last irq %u" : "ok irq %u", probe->irq);
	return 0;
}

static int synth_point_word(struct synth_args *args, enum synth_point *point)
{
	unsigned int i;

	if (args->count > 3) {
		args->used[3] = true;
		for (i = 0; i < SYNTH_POINTS; i++)
			if (!strcmp(args->word[3], synth_point_names[i])) {
				*point = i;
				return 0;
			}
	}
	return synth_fail(-EINVAL, "hold and release take one of mask, unmask, ack, eoi, retrigger, shutdown, entry, handler");
}

static int synth_do_hold(struct synth_line *line, struct synth_args *args)
{
	u64 skip = 0, timeout_ms = 2000;
	enum synth_point point;
	int err;

	err = synth_point_word(args, &point) ?:
	      synth_arg_u64(args, "skip", 0, 1000000, &skip) ?:
	      synth_arg_u64(args, "timeout_ms", 1, 10000, &timeout_ms) ?:
	      synth_args_done(args);
	if (!err)
		synth_hold_arm(line, point, skip, SYNTH_UNTIL_RELEASE, timeout_ms * NSEC_PER_MSEC);
	return err;
}

static int synth_do_release(struct synth_line *line, struct synth_args *args)
{
	enum synth_point point;
	int err = synth_point_word(args, &point) ?: synth_args_done(args);

	if (!err)
		synth_hold_release(line, point);
	return err;
}

/* A held line will not answer before it is released. */
static bool synth_held(struct synth_line *line)
{
	unsigned int i;

	for (i = 0; i < SYNTH_POINTS; i++)
		if (READ_ONCE(line->hold[i].inside))
			return true;
	return false;
}

static int synth_do_fire(struct synth_line *line, struct synth_args *args)
{
	u64 count = 1, gap_us = 0, i;
	int cpu = line->cpu, err;
	bool native;

	native = synth_flag(args, "native");
	err = synth_arg_cpu(args, "cpu", &cpu) ?: synth_arg_u64(args, "count", 1, 1000000, &count) ?:
	      synth_arg_u64(args, "gap_us", 0, 1000000, &gap_us) ?: synth_args_done(args);
	if (err)
		return err;
	for (i = 0; i < count; i++) {
		u64 before = READ_ONCE(line->n.kicked);

		synth_kick(line, cpu, native ? SYNTH_DO_NATIVE : SYNTH_DO_RAISE);
		if (!synth_case_wait(READ_ONCE(line->n.kicked) != before || synth_held(line),
				     2000))
			return synth_fail(-ETIMEDOUT, "line %s: CPU %d does not get to it", line->name,
					  cpu);
		if (gap_us)
			fsleep(gap_us);
	}
	return 0;
}

static int synth_do_rate(struct synth_line *line, struct synth_args *args)
{
	u64 hz = 0, burst = 1, count = 0;
	int cpu = line->cpu, err;
	bool jitter;

	jitter = synth_flag(args, "jitter");
	if (args->count < 4 || kstrtou64(args->word[3], 0, &hz) || !hz || hz > 1000000)
		return synth_fail(-EINVAL, "rate takes a number of bursts a second, 1 to 1000000");
	args->used[3] = true;
	err = synth_arg_cpu(args, "cpu", &cpu) ?: synth_arg_u64(args, "burst", 1, 10000, &burst) ?:
	      synth_arg_u64(args, "count", 0, U64_MAX, &count) ?: synth_args_done(args);
	if (err)
		return err;
	err = synth_storm_start(line, cpu, NSEC_PER_SEC / hz, burst, count, jitter);
	if (err)
		return synth_fail(err, "line %s: no timer on CPU %d", line->name, cpu);
	return 0;
}

static int synth_do_request(struct synth_line *line, struct synth_args *args)
{
	struct synth_request_conf conf;
	int err = synth_request_args(args, &conf) ?: synth_args_done(args);

	if (err)
		return err;
	if (line->devs[0].requested)
		return synth_fail(-EBUSY, "line %s is requested already", line->name);
	return synth_line_request(line, &conf);
}

static int synth_do_affinity(struct synth_line *line, struct synth_args *args)
{
	int cpu = -1, err;

	err = synth_arg_cpu(args, "cpu", &cpu) ?: synth_args_done(args);
	if (err)
		return err;
	if (cpu < 0)
		return synth_fail(-EINVAL, "affinity needs cpu=N");
	err = synth_line_set_affinity(line, cpu);
	if (err)
		return synth_fail(err, "line %s: irq_set_affinity() answered %d", line->name, err);
	return 0;
}

/* Commands that take no argument. */
static int synth_do_simple(struct synth_line *line, const char *verb)
{
	bool level = synth_is_level(line);
	int err = 0;

	if (!strcmp(verb, "stop")) {
		synth_storm_stop(line);
	} else if (!strcmp(verb, "free")) {
		synth_free(line);
	} else if (!strcmp(verb, "disable")) {
		disable_irq(line->irq);
		WRITE_ONCE(line->disabled, true);
	} else if (!strcmp(verb, "disable_nosync")) {
		disable_irq_nosync(line->irq);
	} else if (!strcmp(verb, "disable_self")) {
		WRITE_ONCE(line->disable_self, true);
	} else if (!strcmp(verb, "enable")) {
		WRITE_ONCE(line->disabled, false);
		enable_irq(line->irq);
	} else if (!strcmp(verb, "sync")) {
		synchronize_irq(line->irq);
	} else if (!strcmp(verb, "wake_on")) {
		err = irq_set_irq_wake(line->irq, 1);
	} else if (!strcmp(verb, "wake_off")) {
		err = irq_set_irq_wake(line->irq, 0);
	} else if (!strcmp(verb, "arm")) {
		synth_line_arm(line);
	} else if (!strcmp(verb, "disarm")) {
		synth_line_disarm(line);
	} else if (!strcmp(verb, "settype")) {
		err = irq_set_irq_type(line->irq, level ? IRQ_TYPE_LEVEL_HIGH :
							  IRQ_TYPE_EDGE_RISING);
	} else if (!strcmp(verb, "clear")) {
		synth_counts_reset(line);
	} else if (!strcmp(verb, "destroy")) {
		if (synth_disk_uses(line))
			return synth_fail(-EBUSY, "line %s belongs to a disk", line->name);
		synth_line_destroy(line);
	} else {
		return synth_fail(-EINVAL, "line does not know '%s'", verb);
	}
	return err ? synth_fail(err, "line %s: %s answered %d", line->name, verb, err) : 0;
}

int synth_ctl_line(struct synth_args *args)
{
	static const struct {
		const char *verb;
		int (*fn)(struct synth_line *line, struct synth_args *args);
	} verbs[] = {
		{ "fire",	synth_do_fire },
		{ "rate",	synth_do_rate },
		{ "hold",	synth_do_hold },
		{ "release",	synth_do_release },
		{ "request",	synth_do_request },
		{ "affinity",	synth_do_affinity },
	};
	struct synth_line *line;
	unsigned int i;
	int err;

	if (args->count < 2)
		return synth_fail(-EINVAL, "line takes create, or a line's name and a command");
	args->used[1] = true;
	if (!strcmp(args->word[1], "create"))
		return synth_create(args, false);
	line = synth_line_find(args->word[1]);
	if (!line)
		return synth_fail(-ENOENT, "there is no line %s", args->word[1]);
	if (args->count < 3)
		return synth_fail(-EINVAL, "line %s: what shall it do?", line->name);
	args->used[2] = true;
	if (!strcmp(args->word[2], "set"))
		return synth_line_settings(args, line);
	for (i = 0; i < ARRAY_SIZE(verbs); i++)
		if (!strcmp(verbs[i].verb, args->word[2]))
			return verbs[i].fn(line, args);
	err = synth_args_done(args);
	return err ?: synth_do_simple(line, args->word[2]);
}

int synth_ctl_lines(struct synth_args *args)
{
	if (args->count < 2 || strcmp(args->word[1], "create"))
		return synth_fail(-EINVAL, "lines takes create");
	args->used[1] = true;
	return synth_create(args, true);
}
