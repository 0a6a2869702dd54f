// SPDX-License-Identifier: GPL-2.0-only
/* irqpace-synth: init and exit. For tests only; docs/synth.md has the commands. */
#include <linux/module.h>

#include "synth.h"

static int __init synth_init(void)
{
	int err;

	err = synth_time_init();
	if (err)
		return err;
	return synth_ctl_init();
}

static void __exit synth_exit(void)
{
	synth_ctl_exit();
	synth_hog_stop();
	synth_disks_destroy();
	synth_lines_destroy();
}

module_init(synth_init);
module_exit(synth_exit);
MODULE_DESCRIPTION("Synthetic interrupt lines and a disk to test irqpace with");
MODULE_LICENSE("GPL");
