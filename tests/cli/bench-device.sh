#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# bench on a loop device: what is in use is not written to, and a real run.
set -euo pipefail
# shellcheck source=tests/cli/common
. "$(dirname "$0")/common"
if [ "$(id -u)" != 0 ] || ! loop=$(losetup -f 2>/dev/null); then
	echo 'needs root and a loop device'
	exit 77
fi
truncate -s 16M "$work/disk"
losetup "$loop" "$work/disk" 2>/dev/null || { echo 'no loop device can be set up here'; exit 77; }
done_with() {
	umount "$work/mnt" 2>/dev/null || :
	swapoff "$loop" 2>/dev/null || :
	losetup -d "$loop" 2>/dev/null || :
	rm -rf "$work"
}
trap done_with EXIT
name=$(basename "$loop")

if [ -e /sys/module/irqpace ]; then
	refuses 1 "$loop has no interrupt line of its own, so only native can be run (or name one: DEVICE@SELECTOR)" \
		bench "$loop" --policies native,hard --ios 100
else
	refuses 1 "the irqpace module is not loaded, so only native can be run; try modprobe irqpace" \
		bench "$loop" --policies native,hard --ios 100
fi

if command -v fio >/dev/null; then
	run bench "disk=$loop" --jobs 1 --ios 4096 --repeat 2 --write --quiet --json
	equal 'a real run' "$status $(cat "$work/err")" '0 '
	says 'reads' '"workload": "randread"'
	says 'writes' '"workload": "randwrite"'
	says 'no lines, no interrupts' '"interrupts": null'
	says 'two runs' '"spread": 0.'
fi
run bench "$loop@nosuchline" --policies native --ios 100
equal 'unknown selector' "$status $(sed 's/;.*//' "$work/err")" '1 irqpace: no interrupt line matches nosuchline'
# Without fio in the path nothing can be run, and that is all it says.
mkdir "$work/empty"
ASAN_OPTIONS=detect_leaks=0 PATH=$work/empty run bench "$loop" --ios 100 --policies native
equal 'fio is missing' "$status $(cat "$work/err")" '1 irqpace: fio is not installed (Debian package fio)'

if command -v mkswap >/dev/null && mkswap "$loop" >/dev/null 2>&1 && swapon "$loop" 2>/dev/null; then
	refuses 1 "$name is swap space, so nothing is written to it" bench "$loop" --write --ios 100
	swapoff "$loop"
fi
mkdir "$work/mnt"
if mkfs.ext4 -q "$loop" 2>/dev/null && mount "$loop" "$work/mnt" 2>/dev/null; then
	before=$(sha256sum <"$work/disk")
	refuses 1 "$name is mounted on $work/mnt, so nothing is written to it" \
		bench "$loop" --write --ios 100
	equal 'nothing was written' "$(sha256sum <"$work/disk")" "$before"
else
	printf 'skip mounted: no file system can be mounted here\n'
fi
