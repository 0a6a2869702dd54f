#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# In the guest, count mode: what measuring leaves of the IOPS of disks whose
# service time is guest time: with 32 under way IOPS go by the mean latency, which
# fio tells in more digits than its run time of whole milliseconds. The processor, not the disk, is what is short. One
# completes in its handler, like NVMe; the other in the block softirq, like AHCI.
set -eu
# shellcheck source=tests/guest/in/lib.sh
. "$(dirname "$0")/lib.sh"

synth_load
for how in direct softirq; do
	must line create "name=$how" type=edge-latch
	must disk create "line=$how" slots=32 channels=8 service_ns=80000 "complete=$how"
	echo "${said#ok }" >"disk-$how"
done
cat >load <<'EOF'
fio --name=r --filename="/dev/$(cat "disk-$1")" --rw=randread --bs=4k --ioengine=libaio \
	--iodepth=32 --direct=1 --size=4m --io_size="${2:-16m}" --minimal --output=fio.out
awk -F';' '{ print $40 }' fio.out >latency
EOF
export LD_PRELOAD=/irqpace/nap.so

# leaves DISK BOUND COMMAND...: between two runs without it.
leaves() {
	disk=$1 bound=$2
	shift 2
	begin "what $* leaves ($disk)"
	sh load "$disk"
	before=$(cat latency)
	"$@" -- sh load "$disk" >measured 2>said || bad "$(cat said)"
	with=$(cat latency)
	sh load "$disk"
	after=$(cat latency)
	ratio=$(awk "BEGIN { printf \"%.4f\", ($before + $after) / 2 / $with }")
	awk "BEGIN { exit !($ratio >= $bound) }" || bad "$ratio of the IOPS, not $bound"
	printf '%s: %s of the IOPS (%s; latencies of %s, %s, %s us)\n' "$*" "$ratio" "$disk" "$before" "$with" "$after"
	end
}

sh load direct 4m
sh load softirq 4m
leaves direct 0.965 irqpace stat
leaves softirq 0.965 irqpace stat
leaves direct 0.95 env IRQPACE_RAW_TP=1 irqpace stat
leaves direct 0.955 irqpace trace synth_handler
