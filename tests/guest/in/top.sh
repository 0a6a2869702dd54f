#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# In the guest: `irqpace top` on a terminal of its own, and `irqpace export`.
set -u
# shellcheck source=tests/guest/in/lib.sh
. "$(dirname "$0")/lib.sh"

equal() {
	[ "$2" = "$3" ] || bad "$1 is '$2', not '$3'"
}

# on_screen STEPS...: all are fulfilled by `irqpace top`.
on_screen() {
	printf '%s\n' "$@" >steps
	TERM=${term:-xterm} ./in-pty 80x24 irqpace top -d 0.3 <steps >screen 2>&1 ||
		bad "$(tr '\n' '|' <screen)"
}

# downs NAME: the keys that choose this line in the order of numbers.
downs() {
	irqpace list | awk -v n="$1" 'NR > 1 && $3 != "-" { printf "\\e[B" } $3 == n { exit }'
}

policy() {
	irqpace list nvme0q1 --json | sed -n 's/.*"policy":"\([a-z]*\)".*/\1/p'
}

# load OPTION...: reads, to their end.
load() {
	fio --name=x --filename=/dev/disk-nvme --rw=randread --ioengine=libaio --iodepth=8 --direct=1 \
		"$@" >fio.out 2>&1
}

# metric FILE NAME LABEL: its value.
metric() {
	awk -v name="$2{" -v label="$3" 'index($0, name) == 1 && index($0, label) { print $NF }' "$1"
}

# Whether the file has all COUNT interrupts of the line; whether it is another than FILE.
counted() {
	[ "$(metric live.prom irqpace_interrupts_total "irq=\"$irq\"")" = "$count" ]
}

replaced() {
	[ "$(stat -c %i live.prom)" != "$file" ]
}

irq=$(irqpace list nvme0q1 | awk 'NR > 1 { print $1 }')

begin 'top: a policy is confirmed, and set'
on_screen 'row 0 attached 0' 'key N' 'row 0 by irq' "key $(downs nvme0q1)" "wait >" \
	'key smoderate --delay 100us\r' "row 23 set $irq (nvme0q1) to moderate --delay 100us? y or n" \
	'key n' 'row 23 nothing was changed' 'row 0 attached 0' \
	'key smoderate --delay 100us\ry' "row 23 $irq (nvme0q1): moderate --delay 100us" \
	'row 0 attached 1' 'wait active  moderate:delay=100+' 'key q' 'exit 0' restored
equal 'the policy' "$(policy)" moderate
end

begin 'top: a refusal is the sentence of the kernel'
on_screen 'row 0 attached 1' 'key N' "key $(downs timer)" 'key shard\ry' \
	'wait irq 0 (timer) is a timer; timers stay as they are' 'row 0 attached 1' 'key q' 'exit 0'
end

begin 'top: the line that takes the time is first'
(load --runtime=60 --time_based) &
term=vt100
on_screen 'wait nvme0q1' 'key P' "row 4   $irq " 'key R' "row 4   $irq " 'key q' 'exit 0' restored
killall -INT fio
wait
end

begin 'top: native again'
on_screen 'row 0 attached 1' 'key N' "key $(downs nvme0q1)" 'key snative\ry' \
	"row 23 $irq (nvme0q1): native" 'row 0 attached 0' 'key q' 'exit 0'
equal 'the policy' "$(policy)" native
end

begin 'top: pages of text'
irqpace top -b -n 2 -d 0.2 >pages 2>&1 || bad "$(cat pages)"
equal 'pages' "$(grep -c '^irqpace top' pages)" 2
end

begin 'top: the module comes while it runs'
rmmod irqpace || bad 'the module stays'
(sleep 3; insmod modules/irqpace.ko) &
on_screen 'row 0 active' 'gone attached' 'key s' 'row 23 the irqpace module is not loaded: modprobe irqpace' \
	'row 0 attached 0' 'key q' 'exit 0'
wait
end

# Without load nothing moves between the reading and the question.
begin 'export: what the module counts'
irqpace set nvme0q1 moderate --delay 100us --poll >said 2>&1 || bad "$(cat said)"
load --number_ios=2000
irqpace export --seconds 0.2 --output attached.prom >said 2>&1 || bad "$(cat said)"
irqpace show nvme0q1 --json >shown
for counter in arrivals runs handled unhandled parked masked rounds pauses deferred starved overflows; do
	equal "$counter" "$(metric attached.prom "irqpace_line_${counter}_total" "irq=\"$irq\"")" \
		"$(sed -n "s/.*\"$counter\":\\([0-9]*\\).*/\\1/p" shown)"
done
equal 'the policy' "$(metric attached.prom irqpace_policy_info \
	"irq=\"$irq\",name=\"nvme0q1\",device=\"0000:00:")" 1
equal 'its settings' "$(sed -n 's/^irqpace_policy_info.*,policy="moderate",settings="\([^"]*\)".*/\1/p' attached.prom)" \
	'moderate:delay=100us:poll:rounds=1000:mask=posted:mask-after=2'
[ "$(metric attached.prom irqpace_line_rounds_total "irq=\"$irq\"")" -gt 0 ] || bad 'no rounds'
equal 'interrupts' "$(metric attached.prom irqpace_interrupts_total "irq=\"$irq\"")" \
	"$(irqpace list nvme0q1 | awk 'NR > 1 { print $2 }')"
irqpace reset --all >/dev/null
end

# Each interrupt of a native line runs its handler once.
begin 'export: every run of a handler, in a file that is replaced'
irqpace export --interval 1 --output live.prom >said 2>&1 &
exporter=$!
within 100 test -e live.prom || bad "no file: $(cat said)"
cp live.prom first.prom
load --number_ios=2000
# The file that has all interrupts may have read the runs before the last of them; the next has not.
count=$(irqpace list nvme0q1 | awk 'NR > 1 { print $2 }')
within 300 counted || bad "the file never has $count interrupts"
file=$(stat -c %i live.prom)
within 300 replaced || bad 'the file is not replaced'
kill "$exporter"
wait "$exporter" || bad "exit $?: $(cat said)"
label="irq=\"$irq\""
before=$(metric first.prom irqpace_interrupts_total "$label")
after=$(metric live.prom irqpace_interrupts_total "$label")
runs=$(metric live.prom irqpace_handler_runs_total "$label")
equal 'runs' "$runs" "$((after - before))"
[ "${runs:-0}" -gt 100 ] || bad "only $runs runs"
equal 'the count of the histogram' "$(metric live.prom irqpace_handler_duration_seconds_count "$label")" \
	"$((runs - $(metric live.prom irqpace_handler_none_runs_total "$label")))"
equal 'the last bucket' "$(metric live.prom irqpace_handler_duration_seconds_bucket "$label,name=\"nvme0q1\"" |
	tail -n 1)" "$(metric live.prom irqpace_handler_duration_seconds_count "$label")"
equal 'requests' "$(($(metric live.prom irqpace_disk_completions_total 'disk="nvme0n1"') -
	$(metric first.prom irqpace_disk_completions_total 'disk="nvme0n1"')))" 2000
equal 'lost runs' "$(awk '/^irqpace_runs_/ { n += $2 } END { print n + 0 }' live.prom)" 0
end
