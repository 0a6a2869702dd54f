#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Machines that are large, and files that hold anything at all: the command may
# refuse them, it may not crash, and what it prints as JSON is JSON.
set -euo pipefail
# shellcheck source=tests/cli/common
. "$(dirname "$0")/common"

# 2,000 CPUs and 300 lines.
mkdir -p "$work/large/proc"
awk 'BEGIN {
	for (c = 0; c < 2000; c++) printf "       CPU%d", c
	for (l = 0; l < 300; l++) {
		printf "\n%4d:", l + 16
		for (c = 0; c < 2000; c++) printf " %10s", c == l ? "4000000000" : "1"
		printf " PCI-MSIX-0000:00:01.0 %4d-edge      nvme0q%d", l, l
	}
	print ""
}' >"$work/large/proc/interrupts"
run list --sysroot "$work/large"
equal 'a large machine' "$status $(awk '$1 == 315 { print $2, $3 }' "$work/out")" '0 4000001999 nvme0q299'
run list --json --sysroot "$work/large"
equal 'a large machine as JSON' \
	"$status $(grep -o '"cpu":[0-9]*,"count":4000000000' "$work/out" | wc -l)" '0 300'

# A valid tree in which one file after the other is replaced by rubbish.
tree=$work/tree
files=(proc/interrupts sys/kernel/irq/25/actions sys/kernel/irq/25/hwirq
	sys/kernel/irq/25/type sys/kernel/irq/25/per_cpu_count sys/kernel/irq/130/per_cpu_count
	proc/irq/25/smp_affinity_list sys/devices/pci0000:00/0000:00:03.0/irq proc/702/comm
	proc/version proc/cmdline sys/kernel/security/lockdown lib/modules/6.12.117+deb13-amd64/modules.dep)
rubbish() {
	case $1 in
	0) printf '' ;;
	1) printf '\n\n\n' ;;
	2) printf '99999999999999999999999999999\n' ;;
	3) printf -- '-1\n' ;;
	4) printf '\377\376\001"\\\n' ;;
	5) printf '%5000s\n' '' | tr ' ' x ;;
	6) printf '%s,' '' '' 1 -2 x 18446744073709551616 ;;
	7) printf 'irq/4294967296-x' ;;
	8) printf 'CPU0 CPU0 CPU4294967295 CPU4294967296\n 25: 1 2 3 : : 7-\n' ;;
	9) head -c 3000 "$top/tests/cli/hostile.sh" | tr 'a-m' '\000-\014' ;;
	esac
}
bad=''
tries=0
cp -r "$fixtures/laptop-6.12" "$tree"
for file in "${files[@]}"; do
	for kind in 0 1 2 3 4 5 6 7 8 9; do
		rubbish "$kind" >"$tree/$file"
		for words in 'list --json' 'list nvme0/1' 'doctor --json'; do
			# shellcheck disable=SC2086 # these are words
			ASAN_OPTIONS=detect_leaks=0 run $words --sysroot "$tree"
			tries=$((tries + 1))
			# Refused in one sentence, or done; a sanitizer's report is longer.
			if [ "$status" -gt 2 ] || [ "$(wc -l <"$work/err")" -gt 1 ]; then
				bad="$words with kind $kind in $file"
				head -n 20 "$work/err"
			fi
			[ "$status" = 0 ] || [ ! -s "$work/out" ] || bad="partial output of $words, kind $kind in $file"
			if [ "$status" = 0 ] && [ "${words#*--}" = json ]; then
				{ head -c 1 "$work/out"; tail -c 2 "$work/out"; } | tr -d '\n' >"$work/ends"
				[ "$(cat "$work/ends")" = '{}' ] || bad="no whole JSON from $words, kind $kind in $file"
			fi
		done
	done
	cp "$fixtures/laptop-6.12/$file" "$tree/$file"
done
equal "rubbish in one file ($tries runs)" "$bad" ''

# What must be a file is a folder, a FIFO, or a link to itself.
for kind in folder fifo loop; do
	bad=''
	for file in "${files[@]:1}"; do
		rm -rf "$tree"
		cp -r "$fixtures/laptop-6.12" "$tree"
		rm -rf "${tree:?}/$file"
		case $kind in
		folder) mkdir "$tree/$file" ;;
		fifo) mkfifo "$tree/$file" ;;
		loop) ln -s "$(basename "$file")" "$tree/$file" ;;
		esac
		status=0
		timeout 20 "$IRQPACE" list --json --sysroot "$tree" >"$work/out" 2>"$work/err" || status=$?
		[ "$status" = 0 ] || bad="$file: exit $status"
	done
	equal "a $kind for a file" "$bad" ''
done

# A name that is no UTF-8 and holds what JSON must escape.
mkdir -p "$work/name/proc"
printf 'CPU0\n24: 1 PCI-MSI 5-edge      a"b\\c\tq\377\n' >"$work/name/proc/interrupts"
run list --json --sysroot "$work/name"
says 'a name that JSON must escape' '"name":"a\"b\\c\tq\ufffd"'
