// SPDX-License-Identifier: GPL-2.0-only
/*
 * The control file: one command a line, carried out before write() returns.
 * The errno says what kind of mistake it was, the result file says it in a
 * sentence. Nothing is changed by a command that is refused.
 */
#include <linux/ctype.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "synth.h"

struct dentry *synth_root;
struct dentry *synth_lines_dir;
DEFINE_MUTEX(synth_mutex);

static char synth_result[1024];

int synth_fail(int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vscnprintf(synth_result, sizeof(synth_result), fmt, ap);
	va_end(ap);
	return err;
}

void synth_say(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vscnprintf(synth_result, sizeof(synth_result), fmt, ap);
	va_end(ap);
}

/* The value of key=value, or NULL. */
const char *synth_arg(struct synth_args *args, const char *key)
{
	size_t len = strlen(key);
	unsigned int i;

	for (i = 0; i < args->count; i++) {
		if (strncmp(args->word[i], key, len) || args->word[i][len] != '=')
			continue;
		args->used[i] = true;
		return args->word[i] + len + 1;
	}
	return NULL;
}

/* A word without a value. */
bool synth_flag(struct synth_args *args, const char *key)
{
	unsigned int i;

	for (i = 0; i < args->count; i++) {
		if (strcmp(args->word[i], key))
			continue;
		args->used[i] = true;
		return true;
	}
	return false;
}

/* Leaves *value alone where the key is not given. */
int synth_arg_u64(struct synth_args *args, const char *key, u64 min, u64 max, u64 *value)
{
	const char *text = synth_arg(args, key);
	u64 number;

	if (!text)
		return 0;
	if (kstrtou64(text, 0, &number))
		return synth_fail(-EINVAL, "%s=%s is not a number", key, text);
	if (number < min || number > max)
		return synth_fail(-ERANGE, "%s=%s must lie between %llu and %llu", key, text,
				  min, max);
	*value = number;
	return 0;
}

int synth_args_done(struct synth_args *args)
{
	unsigned int i;

	for (i = 0; i < args->count; i++)
		if (!args->used[i])
			return synth_fail(-EINVAL, "'%s' is not understood here", args->word[i]);
	return 0;
}

static int synth_reset(struct synth_args *args)
{
	int err = synth_args_done(args);

	if (err)
		return err;
	synth_hog_stop();
	synth_disks_destroy();
	synth_lines_destroy();
	return 0;
}

static const struct {
	const char *verb;
	int (*fn)(struct synth_args *args);
} synth_verbs[] = {
	{ "line",	synth_ctl_line },
	{ "lines",	synth_ctl_lines },
	{ "disk",	synth_ctl_disk },
	{ "hog",	synth_ctl_hog },
	{ "case",	synth_ctl_case },
	{ "reset",	synth_reset },
};

static int synth_command(char *text)
{
	struct synth_args *args;
	unsigned int i;
	char *word;
	int err;

	args = kzalloc(sizeof(*args), GFP_KERNEL);
	if (!args)
		return -ENOMEM;
	synth_say("ok");
	err = 0;
	while ((word = strsep(&text, " \t\n"))) {
		if (!*word)
			continue;
		if (args->count == SYNTH_ARGS_MAX) {
			err = synth_fail(-E2BIG, "more than %d words", SYNTH_ARGS_MAX);
			goto out;
		}
		args->word[args->count++] = word;
	}
	if (!args->count)
		goto out;
	args->used[0] = true;
	err = synth_fail(-EINVAL, "'%s' is no command: line, lines, disk, hog, case or reset",
			 args->word[0]);
	for (i = 0; i < ARRAY_SIZE(synth_verbs); i++) {
		if (strcmp(synth_verbs[i].verb, args->word[0]))
			continue;
		synth_say("ok");
		err = synth_verbs[i].fn(args);
		break;
	}
out:
	kfree(args);
	return err;
}

static ssize_t synth_ctl_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	char *text, *rest, *row;
	int err = 0;

	if (len >= PAGE_SIZE)
		return -E2BIG;
	text = memdup_user_nul(buf, len);
	if (IS_ERR(text))
		return PTR_ERR(text);
	mutex_lock(&synth_mutex);
	rest = text;
	while (!err && (row = strsep(&rest, "\n")))
		if (*row)
			err = synth_command(row);
	mutex_unlock(&synth_mutex);
	kfree(text);
	return err ?: len;
}

static const struct file_operations synth_ctl_fops = {
	.owner	= THIS_MODULE,
	.open	= simple_open,
	.write	= synth_ctl_write,
};

static int synth_result_show(struct seq_file *m, void *unused)
{
	mutex_lock(&synth_mutex);
	seq_printf(m, "%s\n", synth_result);
	mutex_unlock(&synth_mutex);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(synth_result);

int synth_ctl_init(void)
{
	synth_say("ok");
	synth_root = debugfs_create_dir("irqpace-synth", NULL);
	if (IS_ERR(synth_root))
		return PTR_ERR(synth_root);
	synth_lines_dir = debugfs_create_dir("lines", synth_root);
	debugfs_create_file("result", 0444, synth_root, NULL, &synth_result_fops);
	synth_state_add_root();
	debugfs_create_file("ctl", 0200, synth_root, NULL, &synth_ctl_fops);
	return 0;
}

void synth_ctl_exit(void)
{
	debugfs_remove_recursive(synth_root);
}
