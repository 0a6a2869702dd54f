/* SPDX-License-Identifier: GPL-2.0-only */
/* Every message of ours begins with the module's name. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
