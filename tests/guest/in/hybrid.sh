#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Count mode: hybrid keeps its word. 1 to 200 items of 5 us come at once, the
# handler does one in a call; without a limit that is up to 1.4 ms at a stretch.
set -eu
# shellcheck source=tests/guest/in/lib.sh
. "$(dirname "$0")/lib.sh"

synth_load
for type in edge-latch fasteoi; do
	begin "hybrid-keeps-its-word-$type"
	# From the end of one call to the start of the next, in one stay, it takes
	# 1.9 us: out of the flow, out of the interrupt and into the next one.
	line h "$type" items=100 per_call=1 item_ns=5000 gap_ns=2500

	# What one run takes with irqpace on the line, the interrupt around it
	# included; the limit is too high to be reached.
	pace "$irq" hybrid --limit 9ms --window 10ms
	must line h rate 50 count=3
	within 50 is h storming 0 || bad "the storm did not end"
	no_fault h
	value res_max_ns
	run_ns=$((got / 100))
	[ "$got" -gt 500000 ] || bad "without a limit the longest stay was only $got ns"

	must line h set items=1-200 res_limit_ns=$((20000 + run_ns))
	must line h clear
	pace "$irq" hybrid --limit 20us --window 1ms
	must line h rate 200 count=100 jitter
	within 200 is h storming 0 || bad "the storm did not end"
	no_fault h
	value res_over
	over=$got
	value res_max_ns
	max_ns=$got
	value res_p50_ns
	p50_ns=$got
	value res_p99_ns
	p99_ns=$got
	value residencies
	[ "$got" -ge 100 ] || bad "only $got stays in hard interrupt context"
	[ "$max_ns" -gt 20000 ] || bad "the limit was never reached: longest stay $max_ns ns"
	[ $((over * 100)) -le "$got" ] ||
		bad "$over of $got stays were longer than 20 us and one run ($run_ns ns); p99 $p99_ns ns, longest $max_ns ns"
	echo "# $type: one run $run_ns ns; of $got stays $over longer than 20 us and that; p50 $p50_ns ns, p99 $p99_ns ns, longest $max_ns ns"
	unpace "$irq"
	is_native h
	end
	must line h destroy
done
