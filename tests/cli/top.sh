#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The live view: its command line, its pages as text, and what a terminal shows
# while keys are pressed, on a machine that is made up (tests/tools/top-sim.c).
set -euo pipefail
# shellcheck source=tests/cli/common
. "$(dirname "$0")/common"

refuses 2 'top takes no argument: nvme0' top nvme0
refuses 2 'top is for people: for JSON there is irqpace stat --json' top --json
refuses 2 'top needs a terminal: without one, use irqpace top --batch' top
refuses 2 'top needs a terminal: without one, use irqpace top --batch' top -n 1 -d 2
refuses 2 '--sort is share, rate, residency or irq, not name' top -b --sort name
refuses 2 '--count has to be a number from 1 to 1000000000, not "0"' top -b -n 0
refuses 2 '--interval has to be a number of seconds from 0.1 to 3600, not "0"' top -bd 0
refuses 2 '-d needs a value' top -b -d
refuses 2 'top has no option -x: see irqpace top --help' top -bx
refuses 2 '--batch takes no value' top --batch=yes

sim=$top/out/san/tests/tools/top-sim
[ -x "$sim" ] || sim=$top/out/tests/tools/top-sim
pty=$top/out/tests/tools/in-pty
# What ncurses keeps to its end is no leak.
export ASAN_OPTIONS=detect_leaks=0

# at NAME TERM SIZE COMMAND...: the steps on stdin are all fulfilled.
at() {
	local name=$1 term=$2
	shift 2
	status=0
	TERM=$term "$pty" "$@" >"$work/out" 2>"$work/err" || status=$?
	if [ "$status" = 0 ]; then
		printf 'ok %s\n' "$name"
	else
		printf 'not ok %s: exit %s\n' "$name" "$status"
		cat "$work/out" "$work/err"
	fi
}

for term in xterm screen linux vt100; do
	at "keys on $term" "$term" 80x24 "$sim" --lines 30 --cpus 9 --interval 0.2 <<-'END'
		row 0 by share; lines 30, active 30
		row 6  16 
		row 6 sim0
		key R
		row 0 by rate
		row 6 sim29
		key L
		row 0 by residency
		row 6 sim14
		key <
		row 0 by rate
		key >
		key >
		row 0 by irq
		key P
		row 0 by share
		key \e[B\e[B
		row 7 > 
		row 7 sim1 
		key N
		row 7 > 
		key R
		wait >    17
		key \e
		gone >    17
		key h
		wait sort by share, rate, longest residency
		key x
		row 5 POLICY
		key q
		exit 0
		restored
	END
done

at 'a resize' xterm 80x24 "$sim" --lines 30 --interval 0.2 <<-'END'
	row 23 q quit
	gone HANDLER
	size 120x40
	row 39 q quit
	wait HANDLER
	wait sim_irq
	size 40x8
	row 7 q quit
	row 4 sim0
	gone POLICY
	size 30x5
	row 0 needs 40x8
	size 1x1
	size 80x24
	row 23 q quit
	key q
	exit 0
	restored
END

at 'more CPUs and lines than fit' xterm 80x24 "$sim" --lines 5000 --cpus 512 --interval 0.2 <<-'END'
	row 0 lines 5000
	row 1 CPUs 512: 
	row 2 299[
	key \e[6~
	row 6 > 
	key \e[6~
	row 22 > 
	key \eOF
	row 22 sim4999
	key \eOH
	row 6 sim0
	key q
	exit 0
	restored
END

# A policy is typed, confirmed, refused; nothing is changed without a yes.
at 'a policy' xterm 80x24 "$sim" --lines 10 --interval 0.2 <<-'END'
	row 0 attached 0
	key N
	key \r
	row 23 policy of 16 (sim0): _
	key moderate --delay 50us --poll\r
	row 23 set 16 (sim0) to moderate --delay 50us --poll? y or n
	key n
	row 23 nothing was changed
	row 0 attached 0
	key smoderate:delay=60uz\x7fs:poll\ry
	row 23 16: moderate --delay 60us --poll
	row 0 attached 1
	row 5 paused
	row 5 moderate:delay=60u+
	key s\x15hard\e
	row 23 nothing was changed
	row 5 moderate
	key snative\ry
	row 0 attached 0
	key shybrid --limit 1ms --window 1ms\r
	row 23 --limit 1ms is not smaller than --window 1ms
	key sadaptive\r
	wait there is no policy adaptive
	key \eOFshard\ry
	wait irq 25 (sim9) is a timer; timers stay as they are
	key q
	exit 0
	restored
END

at 'a policy without the module' xterm 80x24 "$sim" --no-module --interval 0.2 <<-'END'
	row 0 by share; lines 200, active 200
	gone attached
	key \r
	row 23 the irqpace module is not loaded: modprobe irqpace
	key q
	exit 0
END

for signal in 1 2 15; do
	at "signal $signal" xterm 80x24 "$sim" --interval 0.2 <<-END
		wait sim0
		signal $signal
		exit 0
		restored
	END
done
at 'Ctrl-C' vt100 80x24 "$sim" --interval 0.2 <<-'END'
	wait sim0
	key \x03
	exit 0
	restored
END
at 'a terminal that goes away' xterm 80x24 "$sim" --interval 0.2 <<-'END'
	wait sim0
	hangup
	exit 0
END
at 'an end by count' xterm 80x24 "$sim" --interval 0.1 --count 3 <<-'END'
	wait sim0
	exit 0
	restored
END
for term in dumb nothing-like-it; do
	at "the terminal $term" "$term" 80x24 "$sim" <<-END
		wait the terminal $term is not known here, or too simple
		exit 1
		restored
	END
done

# 200 lines at ten updates a second under 2 % of one CPU: samples, view, page, drawing.
at 'what it costs' xterm 80x24 "$top/out/tests/tools/top-sim" --cpus 16 --interval 0.1 --count 40 <<-'END'
	exit 0
	show
END
cost=$(sed -n 's/.* s: \(.*\) %, .*/\1/p' "$work/out")
equal "200 lines at 10 Hz ($cost %)" "$(awk -v c="$cost" 'BEGIN { print (c > 0 && c < 2) ? "cheap" : "dear" }')" cheap

# Live, where this kernel and this user can measure.
run top -b -n 2 -d 0.1 --sort irq
if [ "$status" != 0 ]; then
	equal 'a refusal to measure is one sentence' "$(wc -l <"$work/out") $(wc -l <"$work/err")" '0 1'
	echo "skip measuring: $(cat "$work/err")"
	exit 0
fi
equal 'pages of plain text' "$(grep -c '^irqpace top - .* by irq; lines' "$work/out")" 2
equal 'their width' "$(awk 'length > 80' "$work/out")" ''
equal 'each line is there' "$(awk '/POLICY/ { n++; next } n == 1 && $1 ~ /^[0-9]+$/ { print $1 }' "$work/out")" \
	"$("$IRQPACE" list | awk 'NR > 1 && $3 != "-" { print $1 }')"
COLUMNS=120 run top -b -n 1 -d 0.1
says 'a wider page' ' HANDLER '
at 'live' xterm 80x24 "$IRQPACE" top -d 0.2 <<-'END'
	row 0 by share; lines
	row 1 CPUs
	key q
	exit 0
	restored
END
