// SPDX-License-Identifier: GPL-2.0-only
/* The command "disk"; docs/synth.md lists its forms. */
#include "synth.h"

static int synth_ctl_disk_create(struct synth_args *args)
{
	const char *line_name = synth_arg(args, "line");
	const char *complete = synth_arg(args, "complete");
	u64 service = 80000, slots = 32, channels = 0, size_mb = 16;
	struct synth_disk_conf conf = {};
	const char *name;
	int err;

	err = synth_arg_u64(args, "service_ns", 0, NSEC_PER_SEC, &service) ?:
	      synth_arg_u64(args, "slots", 1, 256, &slots) ?:
	      synth_arg_u64(args, "channels", 1, 256, &channels) ?:
	      synth_arg_u64(args, "size_mb", 1, 256, &size_mb) ?:
	      synth_args_done(args);
	if (err)
		return err;
	if (!line_name)
		return synth_fail(-EINVAL, "disk create needs line=NAME, a line for its completions");
	conf.line = synth_line_find(line_name);
	if (!conf.line)
		return synth_fail(-ENOENT, "there is no line %s", line_name);
	if (!conf.line->devs[0].requested || conf.line->ndevs != 1)
		return synth_fail(-EINVAL, "line %s must be requested, by one driver only", line_name);
	if (synth_disk_uses(conf.line))
		return synth_fail(-EBUSY, "line %s belongs to a disk", line_name);
	if (complete && strcmp(complete, "direct") && strcmp(complete, "softirq"))
		return synth_fail(-EINVAL, "complete=%s is neither direct nor softirq", complete);
	conf.direct = complete && !strcmp(complete, "direct");
	conf.service_ns = service;
	conf.slots = slots;
	conf.channels = channels ?: slots;
	conf.size_bytes = size_mb << 20;
	err = synth_disk_create(&conf, &name);
	if (err)
		return synth_fail(err, "the disk cannot be made (%d)", err);
	synth_say("ok %s", name);
	return 0;
}

int synth_ctl_disk(struct synth_args *args)
{
	int err;

	if (args->count < 2)
		return synth_fail(-EINVAL, "disk takes create, or a disk's name and destroy");
	args->used[1] = true;
	if (!strcmp(args->word[1], "create"))
		return synth_ctl_disk_create(args);
	if (args->count < 3 || strcmp(args->word[2], "destroy"))
		return synth_fail(-EINVAL, "disk %s: destroy is all it does", args->word[1]);
	args->used[2] = true;
	err = synth_args_done(args) ?: synth_disk_destroy(args->word[1]);
	if (err == -ENOENT)
		return synth_fail(err, "there is no disk %s", args->word[1]);
	return err;
}
