#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# irqpace-synth by itself: storms on the plain kernel, what it refuses, its disk.
set -eu
# shellcheck source=tests/guest/in/lib.sh
. "$(dirname "$0")/lib.sh"

# refused WHY COMMAND...: with a sentence that contains WHY, and nothing made.
refused() {
	why=$1
	shift
	if ctl "$@"; then
		bad "'$*' was not refused"
	fi
	case $said in
	*"$why"*) ;;
	*) bad "'$*' is refused with '$said', which does not say '$why'" ;;
	esac
}

bad_input() {
	begin synth-refuses
	refused "no command" lin create
	refused "a name is needed" line create type=edge
	refused "a type is needed" line create name=a
	refused "none of" line create name=a type=egde
	refused "only letters" line create name=a/b type=edge
	refused "at most 43" line create name=abcdefghijklmnopqrstuvwxyz-abcdefghijklmnopqrstuvwxyz type=edge
	refused "not understood" line create name=a type=edge colour=red
	refused "between 0 and 100" line create name=a type=edge none=101
	refused "is not a number" line create name=a type=edge cost_ns=much
	refused "neither a number nor a range" line create name=a type=edge items=9-1
	refused "oneshot needs thread" line create name=a type=edge oneshot
	refused "between 0 and" line create name=a type=edge cpu=99
	refused "there is no line" line a fire
	refused "there is no line" disk create line=a
	refused "there is no disk" disk synthdisk7 destroy
	[ -z "$(ls "$SYNTH/lines")" ] || bad "a refused command made a line"
	must line create name=a type=level
	refused "exists already" line create name=a type=edge
	refused "does not know" line a jump
	refused "makes no sense" case run PENDING line=a
	refused "there is no case" case run LATE line=a
	refused "requested already" line a request
	must line a destroy
	end
}

storm() {
	begin "storm-$1-$2-native"
	line s "$1" sharers="$2" items=1-3 cost_ns=300 item_ns=200 late_ns=3000000000
	must line s rate 4000 burst=3 cpu=0 jitter
	must line s rate 3000 burst=2 cpu=1 jitter
	sleep 1
	must line s stop
	no_fault s
	want s late 0
	is_native s
	[ "$(field s raised)" -gt 500 ] || bad "only $(field s raised) events were raised"
	end
	must line s destroy
}

own_thread() {
	begin "own-thread-$1-native"
	line t "$1" thread oneshot
	must line t fire count=20 gap_us=1000
	no_fault t
	want t raised 20
	[ "$(field t thread_runs)" -gt 0 ] || bad "thread_fn was never called"
	end
	must line t destroy
}

holds() {
	begin hold-and-release
	# Held with its interrupts off: the CPU that we are not on.
	taskset -p 1 $$ >/dev/null
	line h edge-latch cpu=1
	# In one write: a CPU that is held with its interrupts off answers nobody,
	# and a new process might have to ask it.
	must "line h hold handler${NL}line h fire${NL}line h release handler"
	within 10 is h consumed 1 || bad "the held handler did not go on"
	want h hold_timeouts 0
	held_ns=$(awk '$5 == "handler" { h = $1 } $5 == "done" { print $1 - h }' "$SYNTH/lines/h/log")
	[ "$held_ns" -gt 20000 ] || bad "the handler was held for $held_ns ns only"
	must line h hold ack timeout_ms=20
	must line h fire
	within 10 is h hold_timeouts 1 || bad "a hold without an end has none"
	taskset -p 3 $$ >/dev/null
	end
	must line h destroy
}

disk() {
	begin "disk-verify-$1-native"
	line d "$2"
	must disk create line=d service_ns=50000 slots=32 channels=4 size_mb=8 complete="$1"
	dev=/dev/${said#ok }
	within 20 test -b "$dev" || bad "$dev does not appear"
	fio --name=v --filename="$dev" --rw=randrw --bs=4k --size=8m --ioengine=libaio --iodepth=32 \
		--direct=1 --verify=crc32c --verify_fatal=1 --output=fio.out ||
		bad "fio: $(tail -n 3 fio.out | tr '\n' ' ')"
	grep -q "polled 0$" "$SYNTH/status" || bad "a completion had to be polled for"
	no_fault d
	must disk "${dev#/dev/}" destroy
	end
	must line d destroy
}

synth_load
bad_input
for type in edge-latch edge level fasteoi; do
	storm "$type" 1
	storm "$type" 3
	own_thread "$type"
done
holds
disk direct edge-latch
disk softirq level
must reset
