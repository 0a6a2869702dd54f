#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What irqpace promises of a line, on synthetic lines and two CPUs. Without an
# argument all of it, or the parts that are named.
set -eu
# shellcheck source=tests/guest/in/lib.sh
. "$(dirname "$0")/lib.sh"

# json IRQ KEY: the first number of that name in what `show` prints.
json() {
	irqpace show "$1" --json | sed "s/[,{}]/\\n/g" | sed -n "s/^ *\"$2\": *\([0-9]*\).*/\1/p" | head -n 1
}

# says TEXT COMMAND...: fails with status 1 and a sentence that contains TEXT.
says() {
	text=$1
	shift
	status=0
	out=$("$@" 2>&1) || status=$?
	[ "$status" = 1 ] || bad "'$*' ends with $status, not 1: $out"
	case $out in
	*"$text"*) ;;
	*) bad "'$*' says '$out', which does not name '$text'" ;;
	esac
}

# The line pauses, and a second event is parked: in $irq.
pause_with_one_parked() {
	must line "$1" fire
	within 20 is "$1" consumed 1 || bad "the first event is not handled"
	must line "$1" fire
}

# A thread that does not get the CPU is overtaken by the hard interrupt.
starvation() {
	begin starvation-takeover
	line s edge-latch cpu=0 late_ns=1000000000
	pace "$irq" threaded
	must line s fire count=5 gap_us=2000
	within 20 is s consumed 5 || bad "the thread does not handle events"
	taken=$(json "$irq" starved)
	rt=$(cat /proc/sys/kernel/sched_rt_runtime_us)
	echo -1 >/proc/sys/kernel/sched_rt_runtime_us
	taskset -p 2 $$ >/dev/null
	must hog cpu=0 ms=5000
	sleep 0.3
	must line s fire count=5 gap_us=50000
	sleep 0.2
	look s
	wanted s consumed 10
	wanted s late 0
	after=$(json "$irq" starved)
	must hog stop
	echo "$rt" >/proc/sys/kernel/sched_rt_runtime_us
	taskset -p 3 $$ >/dev/null
	[ "$after" -gt "$taken" ] || bad "no round was taken over ($taken before, $after after)"
	no_fault s
	unpace "$irq"
	is_native s
	end
	must line s destroy
}

# Rounds that nobody handles give the line back, for the kernel to see it.
spurious() {
	begin spurious-hand-back
	line n edge-latch cpu=0 none=100
	pace "$irq" threaded
	irqpace monitor >monitor.out 2>&1 &
	monitor=$!
	sleep 0.3
	must line n rate 3000 count=1500
	within 50 is n consumed 1500 || bad "not all events are handled"
	look n
	value runs_task
	in_task=$got
	value runs
	# In hard context it was the kernel's own flow, whose detector then counts.
	[ $((got - in_task)) -ge 90 ] || bad "$((got - in_task)) of $got arrivals went native, at least 90 were due"
	value irqs_unhandled
	[ "$got" -gt 0 ] || bad "the kernel has seen no unhandled interrupt"
	[ "$(json "$irq" rounds)" -ge 100 ] || bad "the line was not deferred to begin with"
	sleep 0.3
	kill "$monitor"
	grep -q spurious monitor.out || bad "no event says so"
	no_fault n
	unpace "$irq"
	end
	must line n destroy
}

many_lines() {
	for policy in "moderate --delay 200us" threaded; do
		begin "1000-lines-${policy%% *}"
		must lines create name=k type=edge-latch count=1000
		# shellcheck disable=SC2086 # a policy is several words
		pace 'k*' $policy
		paced=$(grep -l '^flow_native 0$' "$SYNTH"/lines/k*/state | wc -l)
		[ "$paced" = 1000 ] || bad "$paced of 1000 lines are attached"
		for i in 0 1 499 998 999; do
			must line "k$i" fire count=20 gap_us=50
			no_fault "k$i"
			want "k$i" raised 20
		done
		get_irq k500
		memory=$(json "$irq" memory_bytes)
		[ "${memory:-99999}" -le 4096 ] || bad "a line costs $memory bytes"
		out=$(irqpace reset --all 2>&1) || bad "irqpace reset --all: $out"
		if grep -L '^flow_native 1$' "$SYNTH"/lines/k*/state | grep -q .; then
			bad "some lines are not native after reset --all"
		fi
		end
		must reset
	done
}

get_irq() {
	irq=$(field "$1" irq)
}

shared_level() {
	begin shared-level-refused
	line sh fasteoi sharers=3
	says sh irqpace set "$irq" moderate --delay 100us
	case $out in
	*--shared*) ;;
	*) bad "the refusal does not say what would work: $out" ;;
	esac
	is_native sh
	pace "$irq" moderate --delay 100us --shared
	want sh flow_native 0
	must line sh rate 3000 burst=2 count=600
	no_fault sh
	unpace "$irq"
	is_native sh
	end
	must line sh destroy
}

# Another writer of the flow handler, while an event is parked and the line masked.
foreign() {
	begin foreign-flow-handler
	for type in edge-latch edge level fasteoi; do
		line "$type" "$type"
		pace "$irq" moderate --delay 10ms --mask-after 1
		pause_with_one_parked "$type"
		must line "$type" settype
		within 20 at_rest "$type" || bad "$type: the parked event is lost ($rest is $got)"
		must line "$type" fire count=10 gap_us=100
		no_fault "$type"
		want "$type" raised 12
		unpace "$irq"
		is_native "$type"
		must line "$type" destroy
	done
	end
}

# The line goes to a driver with a thread of its own, which irqpace cannot serve.
new_owner() {
	begin new-owner-with-thread
	for type in edge-latch fasteoi; do
		line o "$type"
		pace "$irq" threaded
		must line o fire count=5 gap_us=1000
		within 20 is o consumed 5 || bad "$type: events of the first owner are not handled"
		must line o free
		case $type in
		fasteoi) must line o request thread oneshot ;;
		*) must line o request thread ;;
		esac
		must line o clear
		must line o fire count=20 gap_us=2000
		within 20 is o consumed 25 || bad "$type: events of the new owner are not handled"
		look o
		wanted o runs_task 0
		value thread_runs
		[ "$got" -gt 0 ] || bad "$type: the new owner's thread is not woken"
		# A level line unmasked before its thread is done comes again and again.
		value entered
		[ "$got" -le 60 ] || bad "$type: $got interrupts for 20 events"
		no_fault o
		unpace "$irq"
		is_native o
		must line o destroy
	done
	end
}

cpu_online() {
	echo "$1" >/sys/devices/system/cpu/cpu1/online
}

cpu_offline() {
	begin cpu-offline-while-paused
	for policy in "moderate --delay 10ms --mask-after 1" "moderate --delay 1ms --poll" "threaded --delay 5ms"; do
		for type in edge-latch level; do
			line "$type" "$type" cpu=1 late_ns=3000000000
			# shellcheck disable=SC2086 # a policy is several words
			pace "$irq" $policy
			pause_with_one_parked "$type"
			cpu_online 0
			within 30 at_rest "$type" || bad "$type, $policy: $rest is $got after the CPU went"
			must line "$type" rate 2000 cpu=0 count=500
			cpu_online 1
			must line "$type" affinity cpu=1
			must line "$type" fire count=20 gap_us=200
			within 30 is "$type" storming 0 || bad "$type: the storm did not end"
			no_fault "$type"
			want "$type" cpu 1
			want "$type" late 0
			unpace "$irq"
			is_native "$type"
			must line "$type" destroy
		done
	done
	end
}

detach_paused() {
	begin detach-restores
	for type in edge-latch edge level fasteoi; do
		for policy in hard threaded "threaded --delay 10ms" "hybrid --limit 10us --window 1ms" \
			"moderate --delay 10ms --mask-after 1" "moderate --delay 10ms --poll --mask flushed"; do
			line "$type" "$type" cost_ns=20000
			# shellcheck disable=SC2086 # a policy is several words
			pace "$irq" $policy
			pause_with_one_parked "$type"
			unpace "$irq"
			is_native "$type"
			no_fault "$type"
			want "$type" consumed 2
			must line "$type" fire
			within 20 is "$type" consumed 3 || bad "$type, $policy: an event after detach is not handled"
			must line "$type" destroy
		done
	done
	end
}

unload_paused() {
	begin unload-while-paused
	for type in edge-latch edge level fasteoi; do
		line "$type" "$type" cpu=1 cost_ns=5000 items=1-4
		pace "$irq" moderate --delay 5ms --mask-after 1
		must line "$type" rate 2000 cpu=1 jitter
	done
	sleep 0.5
	rmmod irqpace || bad "rmmod irqpace failed"
	sleep 0.3
	for type in edge-latch edge level fasteoi; do
		must line "$type" stop
		no_fault "$type"
		is_native "$type"
		must line "$type" destroy
	done
	insmod /irqpace/modules/irqpace.ko || bad "irqpace.ko cannot be loaded again"
	end
}

# Stray operations: a chip asked about a line that is gone.
nothing_stray() {
	begin no-operation-on-a-dead-line
	grep -q '^stray_ops 0$' "$SYNTH/status" || bad "$(grep stray_ops "$SYNTH/status")"
	end
}

synth_load
[ $# -gt 0 ] || set -- starvation spurious shared_level foreign new_owner detach_paused cpu_offline many_lines unload_paused
for part; do
	"$part"
done
nothing_stray
