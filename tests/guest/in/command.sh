#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# In the guest, with the module loaded and the three disks.
set -u

equal() {
	if [ "$2" = "$3" ]; then
		echo "ok $1"
	else
		echo "not ok $1: '$2', not '$3'"
	fi
}

# run ARG...: status in $status, output in out and err.
run() {
	status=0
	irqpace "$@" >out 2>err || status=$?
}

# refuses SENTENCE ARG...: that sentence, exit 1, no output, no line changed.
refuses() {
	sentence=$1
	shift
	before=$(irqpace list --json | policies)
	run "$@"
	equal "$*" "$status $(cat out err)" "1 irqpace: $sentence"
	equal "$* changes nothing" "$(irqpace list --json | policies)" "$before"
}

# Each line's policy and settings, from a list as JSON: what counts up left out.
policies() {
	sed -e 's/"irq":/\n&/g' | sed -n 's/^\("irq":[0-9]*\),.*\("policy":"[a-z]*"\).*/\1 \2/p' | tr '\n' ' '
}

# policy SELECTOR: of its first line.
policy() {
	irqpace list "$1" --json | sed -n 's/.*"policy":"\([a-z]*\)".*/\1/p'
}

# member NAME: the value of that member in out.
member() {
	sed -n "s/.*\"$1\":\\([^,}]*\\).*/\\1/p" out
}

ahci=$(basename "$IRQPACE_AHCI")
ufs=$(basename "$IRQPACE_UFS")
nvme=$(basename "$IRQPACE_NVME")

# With the module loaded all that was unknown is known.
run list nvme0q0 --json
equal 'handlers are known' "$(sed -n 's/.*"handlers":\(\[[^]]*\]\).*/\1/p' out)" '["nvme_irq"]'
equal 'attachable is known' "$(member attachable) $(member reason)" 'true null'
run list timer --json
equal 'a timer is not attachable' "$(member attachable)" false

run set nvme0q1 moderate --delay 100us --poll --rounds 64 --mask flushed --mask-after 3
equal 'set answers' "$status $(cut -d ' ' -f 2- out)" \
	'0 (nvme0q1): moderate --delay 100us --poll --rounds 64 --mask flushed --mask-after 3'
run show nvme0q1 --json
equal 'all settings come back' "$(sed -n 's/.*"settings":\({[^}]*}\).*/\1/p' out)" \
	'{"delay_us":100,"poll":true,"rounds":64,"mask":"flushed","mask_after":3}'
equal 'and the rule' "$(member rule)" '"nvme0q1"'
equal 'and the masking' "$(member masking)" '"flushed"'

run set "$ufs" hybrid --limit 50us --window 1ms --json
equal 'a disk becomes its device' "$(member selector)" '"0000:00:03.0"'
run show "$ufs"
equal 'hybrid is shown' "$(sed -n 's/^policy *//p' out)" 'hybrid --limit 50us --window 1ms'
equal 'a level line' "$(sed -n 's/^masking *//p' out)" \
	'level (masked at the first arrival of a pause)'
run set "$ahci" threaded --delay 1.5ms
run show "$ahci"
equal 'a decimal time' "$(sed -n 's/^policy *//p' out)" 'threaded --delay 1.5ms'
equal 'an MSI without mask bits' "$(sed -n 's/^masking *//p' out)" \
	'none (this MSI cannot be masked: arrivals go on while the line is paused, and are parked)'
irqpace set "$ahci" moderate --delay 200us >out

run set --stats on --starve-limit 20ms --json
equal 'configuration' "$(cat out)" '{"stats":true,"starve_limit_us":20000}'
irqpace monitor --json >events 2>&1 &
monitor=$!
for d in "$IRQPACE_NVME" "$IRQPACE_AHCI" "$IRQPACE_UFS"; do
	fio --name=x --filename="$d" --rw=randread --ioengine=libaio --iodepth=16 --direct=1 \
		--number_ios=2000 >/dev/null
done
run show "$ahci" --json
equal 'requested pause' "$(member requested_us)" 200
equal 'runs are counted' "$([ "$(member runs)" -gt 100 ] && echo yes)" yes
run show "$ahci"
measured=$(sed -n 's/^pause *requested 200us, measured \([0-9]*\).*/\1/p' out)
equal "measured pause stands beside it (${measured}us)" "$([ "${measured:-0}" -ge 150 ] && echo yes)" yes
equal 'histograms are shown' "$(sed -n 's/^\(run\|residency\) .*/\1/p' out | tr '\n' ' ')" 'run residency '

refuses "nvme0 names 3 lines where one is needed: choose one of $(irqpace list nvme0 | awk '
	NR > 1 { printf "%s%s (%s)", (NR > 2 ? ", " : ""), $1, $3 }')" show nvme0
refuses 'no interrupt line matches nvme9; the nearest are nvme0, nvme0n1 and nvme0q0' \
	set nvme9 hard
refuses 'irq 0 (timer) is a timer; timers stay as they are' set timer hard
q1=$(irqpace list nvme0q1 | awk 'NR > 1 { print $1 }')
refuses "nvme0 has no vector $q1; $q1 is an irq number, its vector is 1: write nvme0/1 or $q1" \
	set "nvme0/$q1" hard
# acpi has a thread of its own: the whole selector is refused, none is changed.
refuses "$(irqpace set acpi moderate --delay 100us 2>&1 | sed 's/^irqpace: //')" \
	set acpi moderate --delay 100us
equal 'its own thread is the reason' "$(grep -c 'has its own thread' err)" 1

run set driver:nvme hard
equal 'by driver' "$status $(policy nvme0q0) $(policy nvme0q1) $(policy nvme0q2)" '0 hard hard hard'
run reset "$nvme/1"
equal 'one line out of a wider rule' "$status $(policy nvme0q0) $(policy nvme0q1)" '0 hard native'
run set nvme0/2 native
equal 'native is a reset' "$status $(policy nvme0q2)" '0 native'
run set i8042 moderate --delay 100us
equal 'a platform device by name' "$status $(sed -n '1s/^[0-9]* //p' out)" \
	'0 (i8042): moderate --delay 100us'
run reset --all --json
equal 'reset --all' "$status $(cat out)" '0 {"selector":null,"all":true,"policy":"native"}'
equal 'every line is native' "$(irqpace list --json | policies | tr ' ' '\n' | grep policy | sort -u)" \
	'"policy":"native"'
refuses 'no interrupt line matches nosuch; the nearest are ufshcd, nvme0 and sda' reset nosuch

# The distributions hold what was counted, and what goes out comes in again.
irqpace reset --all >/dev/null
q=$(irqpace list nvme0q1 --json | sed -n 's/.*"irq":\([0-9]*\),.*/\1/p')
refuses "irq $q (nvme0q1) is native, and the module measures attached lines only; try irqpace set $q hard" \
	hist nvme0q1 --of run
irqpace set --stats off >/dev/null
irqpace set nvme0q1 hard >/dev/null
refuses "there is no sample for run of irq $q (nvme0q1); statistics are off: irqpace set --stats on" \
	hist nvme0q1 --of run
irqpace set --stats on >/dev/null
irqpace reset nvme0q1 >/dev/null
irqpace set nvme0q1 hard >/dev/null
busybox taskset 1 dd if="$IRQPACE_NVME" of=/dev/null bs=4k count=200 iflag=direct 2>/dev/null
run show nvme0q1 --json
runs=$(member runs)
run hist nvme0q1 --of run --json
equal 'a sample for each run' "$(member samples) $([ "$runs" -ge 200 ] && echo enough)" "$runs enough"
run hist nvme0q1 --of run --format kstats
cp out run.kstats
run hist --import run.kstats --json
equal 'kstats comes in again' "$status $(member samples)" "0 $runs"
run hist nvme0q1 --of residency --compare run.kstats
equal 'a line beside a file' "$status $(grep -c "^residency of irq $q (nvme0q1) *$runs \|^run.kstats *$runs " out)" '0 2'
refuses "there is no sample for wake of irq $q (nvme0q1)" hist nvme0q1 --of wake
irqpace set --stats off >/dev/null
irqpace reset --all >/dev/null

# The guest has no accounts.
printf 'root:x:0:0::/:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n' >/etc/passwd
printf 'root:x:0:\nnogroup:x:65534:\n' >/etc/group
as_nobody() { busybox su -s /bin/sh nobody -c "irqpace $*"; }
equal 'anyone may list' "$(as_nobody list nvme0q0 --json | grep -c '"attachable":true')" 1
equal 'not anyone may set' "$(as_nobody set nvme0 hard 2>&1)" \
	'irqpace: changing an interrupt line needs CAP_SYS_ADMIN'
equal 'doctor says so' "$(as_nobody doctor | awk '$2 == "rights" { print $1 }')" warn

sleep 1
kill -0 "$monitor" && kill "$monitor"
wait "$monitor"
equal 'monitor ends well' "$?" 0
equal 'monitor told of changes' "$([ "$(grep -c '"event":"changed"' events)" -ge 3 ] && echo yes)" yes
equal 'monitor prints objects' "$(grep -vc '^{"time":[0-9.]*,"event":"[a-z]*","irq":.*"}$' events)" 0

irqpace monitor >events 2>&1 &
monitor=$!
sleep 1
run doctor
equal 'doctor asks the module' "$(awk '$2 == "module" { print $1 }' out)" ok
rmmod irqpace
wait "$monitor"
equal 'monitor sees the module go' "$? $(tail -n 1 events)" '1 irqpace: the irqpace module was unloaded'
run show nvme0q1
equal 'no module' "$status $(cat err)" '1 irqpace: the irqpace module is not loaded: modprobe irqpace'
run list nvme0q1 --json
equal 'list works without' "$status $(member handlers) $(member policy)" '0 null "native"'
