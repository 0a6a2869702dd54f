#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 600
#
# The lab itself: what a guest is given, what comes back, and that its three
# outcomes are told apart. Guests run in pairs, which must not disturb each other.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# guest NAME ARG...: a guest in the background, its status and output kept.
guest() {
	local name=$1
	shift
	{
		local status=0
		lab/run --bare "$@" >"$work/$name.out" 2>"$work/$name.err" || status=$?
		printf '%s\n' "$status" >"$work/$name.status"
	} &
}

# expect CASE NAME STATUS [FILE PATTERN]...: what that guest must have left.
expect() {
	local case=$1 name=$2 status=$3
	shift 3
	if [ "$(cat "$work/$name.status")" != "$status" ]; then
		printf 'not ok %s: status %s, not %s\n' "$case" "$(cat "$work/$name.status")" "$status"
		tail -n 20 "$work/$name.out" "$work/$name.err"
		return
	fi
	while [ $# -gt 0 ]; do
		if ! grep -qE -- "$2" "$work/$1"; then
			printf 'not ok %s: no "%s" in %s\n' "$case" "$2" "$1"
			tail -n 20 "$work/$name.out" "$work/$name.err"
			return
		fi
		shift 2
	done
	printf 'ok %s\n' "$case"
}

mkdir "$work/folder"
printf 'inside\n' >"$work/folder/file"
printf 'put here\n' >"$work/a file"
cat >"$work/look" <<'EOF'
#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
pwd
cat "a file" folder/file
for d in "$IRQPACE_NVME" "$IRQPACE_AHCI" "$IRQPACE_UFS" /dev/disk-nvme /dev/disk-ahci /dev/disk-ufs; do
	[ -b "$d" ] && echo "disk $(blockdev --getsize64 "$d")"
done
for tool in fio cyclictest busybox bash nvme modprobe; do command -v "$tool"; done
lsmod | grep -c irqpace
printf 'kept\n' | dd of="$IRQPACE_UFS" bs=512 conv=sync oflag=direct 2>/dev/null
echo "read back: $(dd if="$IRQPACE_UFS" bs=512 count=1 iflag=direct 2>/dev/null | tr -d '\0')"
printf 'arg %s\n' "$@"
echo "an error" >/dev/stderr
head -c 300000 /dev/urandom | tee big | md5sum
exit 7
EOF
chmod +x "$work/look"

guest a --put "$work/look" --put "$work/a file" --put "$work/folder" --log "$work/a.log" \
	--get "/irqpace/big:$work/big" -- ./look "it's \$HOME" '' '*'
guest b --cpus 3 --append irqpace_word=1 --device edu -- \
	sh -c 'nproc; cat /proc/cmdline /sys/bus/pci/devices/*/device; echo "BUG: provoked by a test" >/dev/kmsg; exit 3'
wait
expect status-and-output a 7 a.out '^/irqpace$' a.out '^put here$' a.out '^inside$' \
	a.out "^arg it's .HOME\$" a.out '^arg $' a.out '^arg \*$' a.out '^an error$'
expect three-disks-that-keep-data a 7 a.out '^read back: kept$' a.log 'Linux version 6\.12'
expect bare-loads-nothing a 7 a.out '^0$'
if [ "$(grep -c '^disk 67108864$' "$work/a.out")" = 6 ]; then
	echo "ok disk-names"
else
	echo "not ok disk-names: $(grep -c '^disk' "$work/a.out") of 6 names"
fi
if [ "$(grep -cE '^(/usr/bin/)?(fio|cyclictest|busybox|bash|nvme|modprobe)$' "$work/a.out")" = 6 ]; then
	echo "ok tools"
else
	echo "not ok tools: not all of the six are there"
fi
if grep -q "^$(md5sum <"$work/big" | cut -d' ' -f1) " "$work/a.out"; then
	echo "ok get"
else
	echo "not ok get: the file came back changed"
fi
expect bad-log b 124 b.err 'BUG: provoked by a test' b.err "status was 3" b.out '^3$' \
	b.out 'irqpace_word=1' b.out '^0x11e8$'

guest c --allow 'provoked by a test' -- sh -c 'echo "BUG: provoked by a test" >/dev/kmsg; exit 4'
guest d -- sh -c 'echo before; sleep 1; echo c >/proc/sysrq-trigger; sleep 60'
guest h --again -- sh -c 'echo c >/proc/sysrq-trigger; sleep 60'
wait
expect allowed c 4
expect lost-again h 125 h.err 'the guest was lost; once more' h.err 'guest lost: it went down'
expect crash-is-lost d 125 d.out before d.err 'guest lost' d.err 'Kernel panic'

guest g --device "-name irqpace-abort-$$" -- echo ran
until pkill -ABRT -f "qemu-system-x86_64.*-name irqpace-abort-$$"; do sleep 0.1; done 2>/dev/null
wait
expect aborted-boot-is-tried-again g 0 g.err 'once more' g.out '^ran$'
guest e --timeout 25 -- sh -c 'sleep 3600'
guest f --get /no/such:"$work/none" -- true
wait
expect timeout-is-lost e 125 e.err 'no end within 25 seconds'
expect missing-file f 1 f.err "the guest left no '/no/such'"

# What was stopped from outside leaves neither a process nor a folder.
mkdir "$work/tmp"
TMPDIR=$work/tmp lab/run --bare -- sh -c 'echo up; sleep 3600' >"$work/g.out" 2>&1 &
pid=$!
n=0
until grep -q up "$work/g.out" || [ "$n" -ge 90 ]; do
	n=$((n + 1))
	sleep 1
done
kill -TERM "$pid"
wait "$pid" || :
sleep 1
if [ -z "$(ls -A "$work/tmp")" ] && ! pgrep -f "$work/tmp" >/dev/null; then
	echo "ok stopped-leaves-nothing"
else
	echo "not ok stopped-leaves-nothing: $(ls "$work/tmp") $(pgrep -f "$work/tmp" | tr '\n' ' ')"
fi

# A shell: what is typed before it is there is lost, so it is typed again.
status=0
{
	for _ in $(seq 40); do
		# shellcheck disable=SC2016 # the guest computes it
		echo 'echo "sum $((40 + 2)) $(tty)"; exit 5'
		sleep 3
	done
} 2>/dev/null | lab/run --bare --shell >"$work/shell.out" 2>&1 || status=$?
# Before it may stand what a terminal is told when a command begins.
if grep -q 'sum 42 /dev/hvc0' "$work/shell.out"; then
	echo "ok shell"
else
	echo "not ok shell: status $status"
	tail -n 20 "$work/shell.out"
fi
