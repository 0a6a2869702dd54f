// SPDX-License-Identifier: GPL-2.0-only
/* Who may be using a disk, by files of a machine that is made up here. */
#include "unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "bench_run.h"

static char root[] = "/tmp/irqpace-unit.XXXXXX";

static void put(const char *path, const char *text)
{
	char full[512];
	FILE *out;

	for (const char *p = path; (p = strchr(p, '/')); p++) {
		snprintf(full, sizeof(full), "%s/%.*s", root, (int)(p - path), path);
		mkdir(full, 0700);
	}
	snprintf(full, sizeof(full), "%s/%s", root, path);
	out = fopen(full, "w");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

static void drop(const char *path)
{
	char full[512];

	snprintf(full, sizeof(full), "%s/%s", root, path);
	assert_int_equal(unlink(full), 0);
}

#define BASE "22 1 0:20 / /sys rw - sysfs sysfs rw\n"

static int make(void **state)
{
	(void)state;
	if (!mkdtemp(root))
		return -1;
	put("sys/class/block/nvme0n1/dev", "259:0\n");
	put("sys/class/block/nvme0n1/nvme0n1p2/dev", "259:2\n");
	put("sys/class/block/nvme0n1/nvme0n1p2/partition", "2\n");
	put("sys/class/block/nvme0n1/queue/dev", "not a partition\n");
	put("sys/class/block/sda/dev", "8:0\n");
	put("proc/self/mountinfo", BASE);
	put("proc/swaps", "Filename Type Size Used Priority\n");
	return 0;
}

static int drop_all(void **state)
{
	char cmd[64];

	(void)state;
	snprintf(cmd, sizeof(cmd), "rm -r '%s'", root);
	return system(cmd);
}

static void unused(const char *name)
{
	struct errmsg err = { 0 };

	if (bench_disk_unused(root, name, &err))
		fail_msg("%s: %s", name, err.text);
}

static void used(const char *name, const char *why)
{
	struct errmsg err = { 0 };

	assert_int_equal(bench_disk_unused(root, name, &err), -1);
	assert_string_equal(err.text, why);
	assert_int_equal(err.status, EXIT_FAIL);
}

static void mounts(void **state)
{
	(void)state;
	unused("nvme0n1");
	unused("sda");
	put("proc/self/mountinfo", BASE "30 1 259:2 / /data rw - ext4 /dev/x rw\n");
	used("nvme0n1", "nvme0n1p2 is mounted on /data, so nothing is written to it");
	unused("sda");
	/* A file system with a device number of its own. */
	put("proc/self/mountinfo", BASE "30 1 0:44 / /b rw shared:3 - btrfs /dev/sda rw\n");
	used("sda", "sda is mounted on /b, so nothing is written to it");
	unused("nvme0n1");
	/* 8:0 is not 8:01, and sda no part of sdaa. */
	put("proc/self/mountinfo", BASE "30 1 8:01 / /b rw - ext4 /dev/sdaa rw\n");
	unused("sda");
	put("proc/self/mountinfo", BASE);
}

static void swaps(void **state)
{
	(void)state;
	put("proc/swaps", "Filename Type Size Used Priority\n/dev/nvme0n1p2 partition 1 0 -2\n");
	used("nvme0n1", "nvme0n1p2 is swap space, so nothing is written to it");
	unused("sda");
	drop("proc/swaps");
	unused("nvme0n1");
}

static void holders(void **state)
{
	(void)state;
	put("sys/class/block/sda/holders/md0", "");
	used("sda", "sda is part of md0, so nothing is written to it");
	drop("sys/class/block/sda/holders/md0");
	unused("sda");
	put("sys/class/block/nvme0n1/nvme0n1p2/holders/dm-3", "");
	used("nvme0n1", "nvme0n1p2 is part of dm-3, so nothing is written to it");
	drop("sys/class/block/nvme0n1/nvme0n1p2/holders/dm-3");
}

static void unknown(void **state)
{
	(void)state;
	used("sdz", "sdz is not a block device that this kernel knows");
	/* Who cannot see the mounts cannot say that there are none. */
	drop("proc/self/mountinfo");
	{
		struct errmsg err = { 0 };

		assert_int_equal(bench_disk_unused(root, "sda", &err), -1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mounts),
		cmocka_unit_test(swaps),
		cmocka_unit_test(holders),
		cmocka_unit_test(unknown),
	};

	return cmocka_run_group_tests(tests, make, drop_all);
}
