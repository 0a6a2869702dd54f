#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# storms.sh SECONDS SEED: numbered events on every kind of line from all CPUs,
# while policy, parameters, CPU and owner of random lines change.
set -eu
# shellcheck source=tests/guest/in/lib.sh
. "$(dirname "$0")/lib.sh"

seconds=$1
seed=$2

# random LIMIT: into $pick; the same seed makes the same choices.
random() {
	seed=$(((seed * 1103515245 + 12345) & 2147483647))
	pick=$(((seed >> 8) % $1))
}

policy() {
	random 9
	case $pick in
	0) echo native ;;
	1) echo hard ;;
	2) echo threaded ;;
	3) echo threaded --delay "$((50 + seed % 500))us" ;;
	4) echo hybrid --limit "$((10 + seed % 50))us" --window 1ms ;;
	5) echo moderate --delay "$((20 + seed % 500))us" --shared ;;
	6) echo moderate --delay 3ms --mask-after 1 --shared ;;
	7) echo moderate --delay "$((20 + seed % 200))us" --poll --shared ;;
	8) echo moderate --delay 100us --poll --rounds 3 --mask-after 1 --shared ;;
	esac
}

cpus=$(grep -c ^processor /proc/cpuinfo)
synth_load
begin storms
names=''
for type in edge-latch edge level fasteoi; do
	for sharers in 1 3; do
		name=$type-$sharers
		names="$names $name"
		line "$name" "$type" sharers="$sharers" items=1-6 item_ns=700 cost_ns=500 \
			per_call=$((sharers == 3 ? 2 : 0)) late_ns=5000000000
		cpu=0
		while [ "$cpu" -lt "$cpus" ]; do
			must line "$name" rate $((150 + 40 * cpu)) burst=2 "cpu=$cpu" jitter
			cpu=$((cpu + 1))
		done
	done
done
# shellcheck disable=SC2086 # a list
set -- $names
changes=0
end_time=$(($(date +%s) + seconds))
while [ "$(date +%s)" -lt "$end_time" ]; do
	random $#
	eval "name=\${$((pick + 1))}"
	random 8
	case $pick in
	0)
		random "$cpus"
		must line "$name" affinity "cpu=$pick"
		;;
	1)
		must line "$name" disable
		must line "$name" enable
		;;
	2) must line "$name" sync ;;
	*)
		choice=$(policy)
		random 1000
		# shellcheck disable=SC2086 # several words
		irqpace set "$name" $choice >set.out 2>&1 || bad "irqpace set $name $choice: $(cat set.out)"
		;;
	esac
	changes=$((changes + 1))
done
for name; do
	must line "$name" stop
done
for name; do
	no_fault "$name"
	want "$name" late 0
	value raised
	[ "$got" -gt 100 ] || bad "line $name: only $got events in $seconds s"
done
irqpace reset --all >set.out 2>&1 || bad "irqpace reset --all: $(cat set.out)"
for name; do
	is_native "$name"
done
echo "# $changes changes in $seconds s"
end
must reset
