#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Count mode: hybrid keeps its word. 1 to 200 items of 5 us come at once, the
# handler does one in a call; without a limit that is up to 1 ms at a stretch.
set -eu
# shellcheck source=tests/guest/in/lib.sh
. "$(dirname "$0")/lib.sh"

synth_load
for type in edge-latch edge fasteoi level; do
	begin "hybrid-keeps-its-word-$type"
	line h "$type" items=1-200 per_call=1 item_ns=5000 gap_ns=1000 res_limit_ns=25000

	# What one run takes, and that the load is what it should be.
	must line h rate 200 count=40 jitter
	within 50 is h storming 0 || bad "the storm did not end"
	no_fault h
	value run_max_ns
	run_ns=$got
	value res_max_ns
	[ "$got" -gt 300000 ] || bad "without irqpace the longest stay was only $got ns"

	must line h set res_limit_ns=$((20000 + run_ns))
	must line h clear
	pace "$irq" hybrid --limit 20us --window 1ms
	must line h rate 200 count=200 jitter
	within 200 is h storming 0 || bad "the storm did not end"
	no_fault h
	value res_over
	over=$got
	value residencies
	[ "$got" -gt 200 ] || bad "only $got stays in hard interrupt context"
	[ $((over * 100)) -le "$got" ] ||
		bad "$over of $got stays were longer than 20 us and one run ($run_ns ns); p99 $(field h res_p99_ns) ns, longest $(field h res_max_ns) ns"
	echo "# $type: one run $run_ns ns; of $got stays $over longer; p99 $(field h res_p99_ns) ns, longest $(field h res_max_ns) ns"
	unpace "$irq"
	is_native h
	end
	must line h destroy
done
