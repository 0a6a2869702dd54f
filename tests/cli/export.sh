#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Metrics: of recorded machines, into files that are whole or not there, and live
# where this machine lets us measure.
set -euo pipefail
# shellcheck source=tests/cli/common
. "$(dirname "$0")/common"

refuses 2 'export takes no argument: nvme0' export nvme0
refuses 2 'export writes metrics: for JSON there is irqpace stat --json' export --json
refuses 2 '--interval replaces a file again and again: it needs --output' export --interval 15s
refuses 2 '--interval goes on and --seconds measures once: give one of them' \
	export --interval 15s --seconds 1 --output x
refuses 2 'a recorded machine stands still: no --interval or --seconds with --sysroot' \
	export --sysroot / --seconds 1
refuses 2 '--format is prometheus or openmetrics, not json' export --format json
refuses 2 '--output needs a file' export --output ''
refuses 2 '--interval has to be a number of seconds from 1 to 3600, not "0.5"' export --interval 0.5
refuses 2 '--seconds has to be a number of seconds from 0.1 to 3600, not "1ms"' export --seconds 1ms
refuses 2 '--seconds has to be a number of seconds from 0.1 to 3600, not "1e3"' export --seconds 1e3

cat >"$work/want" <<'END'
# HELP irqpace_interrupts_total Interrupts of a line, as the kernel has counted them since it started.
# TYPE irqpace_interrupts_total counter
irqpace_interrupts_total{irq="8",name="rtc0"} 1
irqpace_interrupts_total{irq="24",name="nvme0q0",device="0000:00:03.0",driver="nvme"} 11
irqpace_interrupts_total{irq="25",name="nvme0q1",device="0000:00:03.0",driver="nvme"} 400
irqpace_interrupts_total{irq="26",name="nvme0q2",device="0000:00:03.0",driver="nvme"} 500
irqpace_interrupts_total{irq="27",name="ahci[0000:00:1f.2]",device="0000:00:1f.2",driver="ahci"} 5211
# EOF
END
prints "$work/want" export --sysroot "$fixtures/server-6.1"
# The other format introduces the same counter by another name.
sed '/^#/s/irqpace_interrupts_total/irqpace_interrupts/' "$work/want" >"$work/want.openmetrics"
prints "$work/want.openmetrics" export --sysroot "$fixtures/server-6.1" --format openmetrics

# Offline CPUs shift nothing (case 9), counts may be large, names are whole.
run export --sysroot "$fixtures/laptop-6.12" --per-cpu
says 'a CPU by its name' 'irqpace_interrupts_total{irq="24",name="nvme0q0",device="0000:00:03.0",driver="nvme",cpu="2"} '
equal 'no CPU that is not there' "$(grep -c 'cpu="1"' "$work/out")" 0

mkdir -p "$work/name/proc"
printf 'CPU0\n24: 1 PCI-MSI 5-edge      a"b\\c\tq\377 5\n' >"$work/name/proc/interrupts"
run export --sysroot "$work/name"
says 'a name that must be escaped' "$(printf 'name="a\\"b\\\\c\tq\357\277\275 5"} 1')"

cd "$work"
run export --sysroot "$fixtures/server-6.1" --output irq.prom
equal 'a file' "$status $(cat out err) $(stat -c %a irq.prom) $(cmp irq.prom want)" '0  644 '
equal 'and nothing beside it' "$(find . -name '.irq*' -o -name 'irq*')" ./irq.prom
refuses 1 'cannot write nowhere/irq.prom: No such file or directory' \
	export --sysroot "$fixtures/server-6.1" --output nowhere/irq.prom
mkfifo pipe
ln -s irq.prom link
for there in pipe link . /dev/null; do
	refuses 1 "$there is not a regular file, and would be replaced by one" \
		export --sysroot "$fixtures/server-6.1" --output "$there"
done
# A full disk leaves what was there: the limit is smaller than the text.
printf 'old\n' >irq.prom
status=0
(ulimit -f 1 && trap '' XFSZ && ASAN_OPTIONS=detect_leaks=0 exec "$IRQPACE" export --per-cpu \
	--sysroot "$fixtures/laptop-6.12" --output irq.prom) >out 2>err || status=$?
equal 'a file that cannot be whole' "$status $(cat err) $(cat irq.prom) $(find . -name '.irq*')" \
	'1 irqpace: cannot write irq.prom: File too large old '
if [ -e /dev/full ]; then
	status=0
	"$IRQPACE" export --sysroot "$fixtures/server-6.1" 2>err >/dev/full || status=$?
	equal 'a full disk' "$status $(cat err)" '1 irqpace: cannot write the output: No space left on device'
fi
refuses 1 "cannot read $work/none/proc/interrupts: No such file or directory" \
	export --sysroot "$work/none" --output new.prom
equal 'a refusal leaves no file' "$(find . -name '*new.prom*')" ''

# Live, where this kernel and this user can measure.
run export --seconds 0.2
if [ "$status" != 0 ]; then
	equal 'a refusal to measure is one sentence' "$(wc -l <out) $(wc -l <err)" '0 1'
	echo "skip measuring: $(cat err)"
	exit 0
fi
equal 'the last line' "$(tail -n 1 out)" '# EOF'
says 'time of CPUs' 'irqpace_hardirq_seconds_total{cpu="0"} '
says 'what was lost' 'irqpace_runs_not_kept_total 0'
equal 'each series is there once' "$(grep -v '^#' out | sed 's/ [^ ]*$//' | sort | uniq -d)" ''
"$IRQPACE" export --interval 1 --output live.prom >out 2>err &
exporter=$!
for _ in $(seq 100); do [ ! -e live.prom ] || break; sleep 0.1; done
cp live.prom first
for _ in $(seq 50); do
	sleep 0.1
	cmp -s first live.prom || break
done
kill "$exporter"
status=0
wait "$exporter" || status=$?
equal 'a signal ends it well' "$status $(cat out err)" '0 '
equal 'the file is replaced' "$(tail -n 1 live.prom) $(cmp -s first live.prom && echo same)" '# EOF '
# A counter of the first file that is smaller in the second, or not there.
equal 'counters do not fall' "$(awk '
	!/_total|_count|_sum|_bucket/ || /^#/ { next }
	{ value = $NF; sub(/ [^ ]*$/, "") }
	NR == FNR { first[$0] = value; next }
	{ second[$0] = value }
	END { for (s in first) if (!(s in second) || second[s] < first[s] + 0) print s }' first live.prom)" ''
