#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# In the guest: what irqpace trace says against what is known by other means.
# One argument: exact (count mode), brief (any kernel), all, or cost, which prints
# what tracing takes of the IOPS (count mode, see docs/measure.md).
set -u
# shellcheck source=tests/guest/in/lib.sh
. "$(dirname "$0")/lib.sh"

# member NAME: the first value of that name in the file out.
member() {
	grep -o "\"$1\":[^,}]*" out | head -n 1 | cut -d : -f 2
}

# gaps NAME: of the second distribution.
gaps() {
	sed 's|.*"name":"gap before ||' out | grep -o "\"$1\":[^,}]*" | head -n 1 | cut -d : -f 2
}

# trace ARG...: out, err and status
trace() {
	status=0
	irqpace trace "$@" >out 2>err || status=$?
}

# equal WHAT GOT WANT
equal() {
	[ "$2" = "$3" ] || bad "$1: '$2', not '$3'"
}

# near WHAT VALUE LOW HIGH, where VALUE may have decimals
near() {
	if [ -z "$2" ] || [ "${2%.*}" -lt "$3" ] || [ "${2%.*}" -gt "$4" ]; then
		bad "$1 is $2, not within $3 to $4"
	fi
}

# Each call that was seen to begin is in exactly one count.
whole() {
	if [ ! -s out ]; then
		bad "no figures: $(cat err)"
		return
	fi
	equal 'the sum of samples, running, no_return and no_place' \
		"$(($(member samples) + $(member running) + $(member no_return) + $(member no_place)))" \
		"$(member calls)"
}

interrupts() {
	awk -v irq="$irq:" '$1 == irq { for (i = 2; $i ~ /^[0-9]+$/; i++) n += $i; print n }' /proc/interrupts
}

refuses() {
	sentence=$1
	shift
	trace "$@"
	equal "$*" "$status $(cat out err)" "1 irqpace: $sentence"
}

# calls COUNT METHOD EVENTS...: of line a's handler, whose cost is known.
calls() {
	count=$1 method=$2
	shift 2
	before=$(interrupts)
	trace synth_handler --json -- sh -c "echo line a $* count=$count >$SYNTH/ctl; sleep 0.05"
	equal status "$status" 0
	equal 'calls and samples' "$(member calls) $(member samples)" "$count $count"
	equal 'what /proc/interrupts counted' "$(($(interrupts) - before))" "$count"
	equal method "$(member method)" "\"$method\""
	equal 'unseen calls' "$(member unpaired) $(member missed_begin) $(member missed_end)" '0 0 0'
	whole
}

exact() {
	for method in fentry kprobe; do
		begin "exact-$method"
		[ "$method" = fentry ] || export IRQPACE_KPROBE=1
		must line a set cost_ns=50000
		calls 100 "$method" rate 4000
		mean=$(member mean_ns)
		near 'mean of a handler of 50000 ns' "$mean" 50000 51200
		near 'mean of the gaps that 250000 ns leave' "$(gaps mean_ns)" 198000 200000
		empty=$(member empty_duration_ns)
		near 'an empty function' "$empty" 50 800
		near 'what a call costs' "$(member call_cost_ns)" "${empty%.*}" 2000
		echo "$method: an empty function takes $empty ns, a call costs $(member call_cost_ns) ns"
		end
		[ "$method" = fentry ] || continue
		begin exact-difference
		must line a set cost_ns=20000
		calls 100 "$method" rate 4000
		near 'what 30000 ns more make' "$((${mean%.*} - $(member mean_ns | cut -d . -f 1)))" 29900 30100
		end
	done
}

# possible METHOD: not fentry where the module was built without the kernel's BTF.
possible() {
	if [ -e /sys/kernel/btf/irqpace_synth ]; then
		echo "$1"
	else
		echo kprobe
	fi
}

brief() {
	must line a set cost_ns=5000
	for method in fentry kprobe; do
		begin "counts-$method"
		[ "$method" = fentry ] || export IRQPACE_KPROBE=1
		calls 300 "$(possible "$method")" fire gap_us=200
		[ "$(gaps samples)" = 299 ] || bad "there are $(gaps samples) gaps between 300 calls"
		end
	done

	begin 'more calls sleep than kretprobes keep returns of'
	sleepers 40
	slept
	end
	unset IRQPACE_KPROBE

	begin 'calls that sleep, on all CPUs'
	sleepers 40
	equal method "$(member method)" '"fentry"'
	slept
	near 'the shortest sleep of 0.2 s' "$(member low_ns)" 180000000 300000000
	[ "$(gaps samples)" -lt 40 ] || bad 'calls that overlap have gaps'
	near 'the mean of a sleep of 0.2 s' "$(member mean_ns)" 200000000 900000000
	end
}

# Whoever preempts one of our programs and runs into it is missed, and counted.
slept() {
	equal 'begun, and missed' "$(($(member calls) + $(member missed_begin)))" 40
	whole
	[ "$(member missed_known)" != true ] || [ "$(member running)" -le "$(member missed_end)" ] ||
		bad "$(member running) calls did not return, and $(member missed_end) returns were missed"
}

# sleepers N: so many tasks in one function at a time.
sleepers() {
	cat >sleepers.sh <<-END
		n=0
		while [ \$n -lt $1 ]; do
			n=\$((n + 1))
			busybox sleep 0.2 &
		done
		wait
	END
	trace hrtimer_nanosleep --json --per-cpu -- sh sleepers.sh
	equal status "$status" 0
}

load() {
	busybox taskset 1 dd if="$IRQPACE_NVME" of=/dev/null bs=4k "count=$1" iflag=direct 2>/dev/null
}

rest() {
	begin 'a driver in a module'
	trace nvme_irq --json -- sh -c "dd if=$IRQPACE_NVME of=/dev/null bs=4k count=500 iflag=direct 2>/dev/null; exit 7"
	equal 'status of the command' "$status" 7
	near 'runs of the handler' "$(member samples)" 400 600
	whole
	end

	begin 'one function in tasks and interrupts, all the time'
	trace ktime_get --json --per-cpu -- sh -c "fio --name=x --filename=$IRQPACE_NVME --rw=randread \
		--ioengine=libaio --iodepth=16 --direct=1 --numjobs=2 --number_ios=2000 >/dev/null"
	equal status "$status" 0
	near samples "$(member samples)" 4000 100000000
	whole
	near 'the longest' "$(member max_ns)" 0 999999999
	end

	begin kstats
	trace nvme_irq --format kstats -- dd "if=$IRQPACE_NVME" of=/dev/null bs=4k count=200 iflag=direct
	mv out run.kstats
	irqpace hist --import run.kstats --json >out 2>err || bad "hist: $(cat err)"
	near 'what comes in again' "$(member samples)" 150 250
	trace nvme_irq --format svg -- dd "if=$IRQPACE_NVME" of=/dev/null bs=4k count=200 iflag=direct
	equal svg "$(grep -c '</svg>\|gap before nvme_irq' out)" 2
	end

	begin 'the mask of a line that is moderated, flushed'
	irqpace set nvme0q1 moderate --delay 1ms --mask flushed --mask-after 1 >/dev/null || bad 'not set'
	trace pci_irq_mask_msix --json -- sh -c "busybox taskset 1 fio --name=x --filename=$IRQPACE_NVME --rw=randread \
		--ioengine=libaio --iodepth=16 --direct=1 --number_ios=2000 >/dev/null"
	equal 'as often as the module has masked' "$(member samples)" \
		"$(irqpace show nvme0q1 | awk '$1 == "masked" { print $2 }')"
	whole
	irqpace reset --all >/dev/null
	end

	begin 'until interrupted'
	irqpace trace nvme_irq --json >out 2>err &
	tracer=$!
	sleep 3
	load 50
	kill -INT "$tracer"
	wait "$tracer"
	equal 'status and sentence' "$? $(cat err)" '0 '
	near samples "$(member samples)" 30 80
	end

	begin 'what cannot be traced'
	refuses 'jiffies is data, not a function' jiffies --seconds 0.1
	refuses 'there is no function nvme_irqs: it is inlined where it is called, or its module is not loaded; the nearest are nvme_irq, resume_irqs and nvme_ioctl' nvme_irqs
	refuses 'cannot run nosuch: No such file or directory' nvme_irq -- nosuch
	trace nvme_reset_work --seconds 0.1
	equal "no call" "$status $(sed "s|[0-9.]* s;|S;|" err)" \
		"1 irqpace: no call of nvme_reset_work began and returned in S; where it is inlined there is none to see"
	twice=$(awk '$2 == "t" { n[$3]++ } END { for (f in n) if (n[f] == 2 && f !~ /[.]|^__pfx/) { print f; exit } }' /proc/kallsyms)
	trace "$twice" --seconds 0.1
	equal "two functions $twice" "$status $(sed 's/(.*)/()/' err)" \
		"1 irqpace: 2 functions are called $twice (), and they cannot be told apart"
	trace ktime_get_mono_fast_ns --seconds 0.1
	equal notrace "$status $(sed 's/;.*//' err)" \
		'1 irqpace: the kernel does not let ktime_get_mono_fast_ns be traced: it is needed for tracing itself, or begins too early'
	end
}

# iops NAME DISK [COMMAND...]: of fio, run by COMMAND where there is one.
iops() {
	name=$1 disk=$2
	shift 2
	"$@" fio --name=x --filename="$disk" --rw=randread --ioengine=libaio --iodepth=32 --direct=1 \
		--bs=4k --number_ios=32768 --io_size=1g --output-format=terse --terse-version=3 \
		--output=fio.out >out 2>err || bad "fio: $(cat err)"
	echo "$disk $name: $(awk -F';' 'NR == 1 { print $8 }' fio.out) IOPS"
}

cost() {
	begin 'what tracing costs'
	sh synth-disk
	for pair in /dev/synthdisk0:synth_handler "$IRQPACE_NVME:nvme_irq"; do
		iops native "${pair%:*}"
		iops "${pair#*:} traced" "${pair%:*}" irqpace trace "${pair#*:}" --
		tail -n 2 out
		iops 'native again' "${pair%:*}"
	done
	must reset
	end
}

synth_load
if [ "$1" = cost ]; then
	cost
	exit
fi
line a edge-latch cpu=0
case $1 in
exact) exact ;;
brief) brief ;;
all) brief; rest ;;
esac
must line a destroy
