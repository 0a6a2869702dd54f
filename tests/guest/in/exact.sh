#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Count mode: what was asked for in nanoseconds is what is measured.
set -eu
# shellcheck source=tests/guest/in/lib.sh
. "$(dirname "$0")/lib.sh"

# near KEY VALUE LOW HIGH
near() {
	if [ "$2" -lt "$3" ] || [ "$2" -gt "$4" ]; then
		bad "$1 is $2, not within $3 to $4"
	fi
}

synth_load

begin exact-handler-cost
line a edge-latch cost_ns=10000
must line a fire count=50 gap_us=100
within 20 is a consumed 50 || bad "not all events are handled"
near run_max_ns "$(field a run_max_ns)" 10000 10600
near res_p50_ns "$(field a res_p50_ns)" 10000 10900
end

begin exact-items
must line a set cost_ns=0 item_ns=5000 items=7
must line a clear
must line a fire count=20 gap_us=100
near run_max_ns "$(field a run_max_ns)" 35000 35600
end

# What the chip charges is in nobody's run: measured as the length of a whole flow.
begin exact-charge
must line a set item_ns=0 items=1 entry_ns=20000 ack_ns=30000
must line a clear
must line a fire
flow_ns=$(awk '$5 == "entry" { e = $1 } $5 == "leave" { print $1 - e }' "$SYNTH/lines/a/log")
near "a flow that is charged 50000 ns" "$flow_ns" 50000 53000
end
must line a destroy

begin exact-service-time
line d edge-latch
must disk create line=d service_ns=100000 slots=1 complete=direct
fio --name=s --filename="/dev/${said#ok }" --rw=randread --bs=4k --number_ios=500 --size=4m \
	--ioengine=psync --direct=1 --output-format=terse --output=fio.out ||
	bad "fio: $(tail -n 3 fio.out)"
# Terse field 40 is the mean of the whole latency in microseconds.
mean_us=$(awk -F';' 'NR == 1 { printf "%d", $40 }' fio.out)
near "mean latency in us" "$mean_us" 100 130
end
must reset
