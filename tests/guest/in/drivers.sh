#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# In the guest: each stock driver under each policy, a little verified work, and
# that the policy was really at work on its lines.
set -u
kernel=$IRQPACE_KERNEL

# lines DRIVER: its interrupt numbers.
lines() {
	awk -v d="$1" 'index($0, d) { sub(":", "", $1); print $1 }' /proc/interrupts
}

# total DRIVER FIELD: over the lines of that driver.
total() {
	for irq in $(lines "$1"); do
		irqpace show "$irq"
	done | awk -v f="$2" '$1 == f { n += $2 } END { print n + 0 }'
}

# try DRIVER DISK FIELD POLICY...: FIELD is what this policy has to count up.
try() {
	driver=$1 disk=$2 field=$3
	shift 3
	name="$kernel $driver $*"
	if ! irqpace set "driver:$driver" "$@" >/tmp/said 2>&1; then
		echo "not ok $name: $(cat /tmp/said)"
		return
	fi
	if ! fio --name=x --filename="$disk" --rw=randrw --bs=4k --size=2m --ioengine=libaio \
		--direct=1 --iodepth=16 --verify=crc32c --verify_fatal=1 --minimal >/tmp/fio 2>&1; then
		cat /tmp/fio
		echo "not ok $name: fio with verification failed"
		return
	fi
	n=$(total "$driver" "$field")
	irqpace reset "driver:$driver" >/dev/null
	if [ "$n" -eq 0 ]; then
		echo "not ok $name: no $field at all"
	elif [ "$(lines "$driver" | while read -r irq; do irqpace show "$irq"; done |
		awk '$1 == "policy" && $2 != "native"')" ]; then
		echo "not ok $name: a line is not native after the reset"
	else
		echo "ok $name ($n $field)"
	fi
}

for pair in "nvme $IRQPACE_NVME" "ahci $IRQPACE_AHCI" "ufshcd $IRQPACE_UFS"; do
	# shellcheck disable=SC2086 # two words
	set -- $pair
	try "$1" "$2" runs hard
	try "$1" "$2" rounds threaded
	try "$1" "$2" runs hybrid --limit 50us --window 1ms
	try "$1" "$2" pauses moderate --delay 100us
	try "$1" "$2" rounds moderate --delay 100us --poll
done
if rmmod irqpace; then
	echo "ok $kernel unload"
else
	echo "not ok $kernel unload: rmmod refused"
fi
