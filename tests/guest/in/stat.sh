#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# In the guest: `irqpace stat` against counts and costs that are known; `exact` in
# count mode, where durations are checked as well, `drivers` with the module on the
# stock drivers, `four` on four CPUs at once.
set -u
# shellcheck source=tests/guest/in/lib.sh
. "$(dirname "$0")/lib.sh"
mode=$1
kernel=$IRQPACE_KERNEL

# during SELECTOR COMMAND...: the report while COMMAND runs, a row a line, in rows.
during() {
	sel=$1
	shift
	if ! irqpace stat "$sel" --json -- "$@" >report 2>said; then
		bad "stat: $(cat said)"
	fi
	sed 's/"cpus":.*//; s/{"irq":/\n&/g' report | grep '^{"irq":' >rows
}

# member NAME [PATTERN]: of the rows with that text, added up.
member() {
	grep -e "${2:-irq}" rows | sed -n "s/.*\"$1\":\\([0-9.]*\\).*/\\1/p" |
		awk '{ n += $1 } END { printf "%.10g\n", n }'
}

# whole NAME: of the report itself.
whole() {
	sed -n "s/.*\"$1\":\\([0-9.]*\\).*/\\1/p" report
}

equal() {
	[ "$2" = "$3" ] || bad "$1 is $2, not $3"
}

# between WHAT VALUE LOW HIGH
between() {
	awk -v v="$2" -v l="$3" -v h="$4" 'BEGIN { exit !(v + 0 >= l && v + 0 <= h) }' ||
		bad "$1 is $2, not $3 to $4"
}

# arrivals NAME: the kernel's own count of a line.
arrivals() {
	awk -v n="$1" '$NF == n { for (i = 2; $i ~ /^[0-9]+$/; i++) sum += $i } END { print sum + 0 }' /proc/interrupts
}

fired() {
	printf '%s\n' "line $1 fire count=$2 gap_us=50" >"$SYNTH/ctl"
}

none_is_lost() {
	equal 'runs without room' "$(whole runs_without_room)" 0
	equal 'unpaired runs' "$(whole runs_unpaired)" 0
}

exact_line() {
	begin "$kernel stat $1: counts and durations of a known line"
	line a edge-latch cost_ns=50000
	before=$(arrivals a)
	during a sh -c "echo 'line a fire count=400 gap_us=100' >$SYNTH/ctl"
	equal runs "$(member runs)" 400
	equal "the kernel's count" "$(($(arrivals a) - before))" 400
	equal 'IRQ_NONE' "$(member none_runs)" 0
	none_is_lost
	grep -q '"handler":"synth' rows || bad "the handler has no name: $(cat rows)"
	if [ "$mode" = exact ]; then
		between 'mean of 50 us' "$(member mean_us)" 50 51
		between 'median' "$(member p50_us)" 50 51
		between 'maximum' "$(member max_us)" 50 51
		between 'longest stay' "$(member residency_max_us)" 50 51
	fi
	must line a destroy
	end
}

# One of three handlers has work, the others say so.
shared_line() {
	begin "$kernel stat: the time of IRQ_NONE is apart"
	line s edge-latch cost_ns=50000 sharers=3
	during s sh -c "echo 'line s fire count=300 gap_us=100' >$SYNTH/ctl"
	equal runs "$(member runs)" 900
	equal 'IRQ_NONE' "$(member none_runs)" 600
	none_is_lost
	if [ "$mode" = exact ]; then
		between 'mean of the one that handled' "$(member mean_us)" 50 51
		# Two calls that find nothing, and the programs between the three.
		between 'the longest stay of three handlers' "$(member residency_max_us)" 50.5 55
		between 'time of an IRQ_NONE in us' "$(awk "BEGIN { print $(member none_ns) / 600000 }")" 0.1 1
	fi
	must line s destroy
	end
}

four_cpus() {
	begin "$kernel stat: four CPUs fire together"
	must lines create name=q type=edge-latch cost_ns=2000 count=4
	cat >burst <<EOF
for cpu in 0 1 2 3; do
	echo "line q\$cpu rate 2000 count=500 cpu=\$cpu" >$SYNTH/ctl
done
for line in q0 q1 q2 q3; do
	until grep -q '^consumed 500\$' $SYNTH/lines/\$line/state; do sleep 0.05; done
done
EOF
	during 'q?' sh burst
	equal runs "$(member runs)" 2000
	for i in 0 1 2 3; do
		equal "runs of q$i" "$(member runs "\"name\":\"q$i\"")" 500
	done
	none_is_lost
	irqpace stat 'q?' --per-cpu -- sh -c "for i in 0 1 2 3; do echo \"line q\$i fire cpu=\$i count=10 gap_us=100\" >$SYNTH/ctl; done" >table ||
		bad 'stat --per-cpu failed'
	equal 'rows by CPU' "$(awk '/^CPU/ { exit } $4 ~ /^[0-3]$/ { n++ } END { print n + 0 }' table)" 4
	grep -q '^CPU  *HARD%  *SOFT%' table || bad "no table of the CPUs: $(cat table)"
	for i in 0 1 2 3; do must line "q$i" destroy; done
	end
}

if [ "$mode" = four ]; then
	four_cpus
	exit 0
fi
exact_line tp_btf
export IRQPACE_RAW_TP=1
exact_line raw_tp
unset IRQPACE_RAW_TP
shared_line
[ "$mode" = drivers ] || exit 0

for pair in "nvme nvme0q* $IRQPACE_NVME" "ahci driver:ahci $IRQPACE_AHCI" "ufs driver:ufshcd $IRQPACE_UFS"; do
	# shellcheck disable=SC2086 # three words
	set -- $pair
	begin "$kernel stat: $1 completes what fio reads"
	cat >load <<EOF
fio --name=r --filename=$3 --rw=randread --bs=4k --ioengine=libaio --iodepth=16 --direct=1 --size=4m --minimal >fio.out
EOF
	during "$2" sh load
	# Some may have been merged, and a scan for partitions adds some.
	between 'completions' "$(member completions)" 900 1100
	none_is_lost
	end
done

begin "$kernel stat: what the module did"
irqpace set --stats on >/dev/null
# So long that something is parked in each pause, however slow the guest is.
irqpace set 'nvme0q*' moderate --delay 3ms >/dev/null || bad 'moderate is refused'
irqpace set "$(basename "$IRQPACE_UFS")" threaded >/dev/null || bad 'threaded is refused'
during 'nvme0q*' sh -c "fio --name=r --filename=$IRQPACE_NVME --rw=randread --bs=4k --ioengine=libaio --iodepth=16 --direct=1 --size=4m --minimal >fio.out"
sed -n 's/.*"module":\[//p' report | sed 's/{"irq":/\n&/g' >module
counted=$(sed -n 's/.*"rounds":\([0-9]*\).*/\1/p' module | awk '{ n += $1 } END { print n + 0 }')
equal 'rounds as rows and as the module has them' "$(member runs '"handler":"timer round"')" "$counted"
between rounds "$counted" 5 100000
grep -q '"pause":{"samples":[1-9]' module || bad "no pauses: $(cat module)"
# As above.
between completions "$(member completions)" 900 1100
during driver:ufshcd sh -c "fio --name=r --filename=$IRQPACE_UFS --rw=randread --bs=4k --ioengine=libaio --iodepth=16 --direct=1 --size=4m --minimal >fio.out"
between 'thread rounds' "$(member runs '"handler":"thread round"')" 20 100000
grep -q '"wake":{"samples":[1-9]' report || bad 'no latency of the thread'
irqpace stat -- true >table
grep -q '^IRQ  *POLICY  *STATE' table || bad "no table of the module: $(cat table)"
irqpace reset --all >/dev/null
end
if rmmod irqpace; then
	echo "ok $kernel stat: the module goes"
else
	echo "not ok $kernel stat: the module stays"
fi
