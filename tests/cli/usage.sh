#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What is wrong with a command line is said in one sentence, with exit status 2,
# before anything is looked at or changed.
set -euo pipefail
# shellcheck source=tests/cli/common
. "$(dirname "$0")/common"

# usage SENTENCE ARG...
usage() { refuses 2 "$@"; }

usage 'a command is needed: see irqpace --help'
usage 'there is no command lst; the nearest is list' lst
usage 'there is no command monitr; the nearest is monitor' monitr
usage 'there is no option --list: see irqpace --help' --list

usage 'list has no option --sort: see irqpace list --help' list --sort
usage 'list has no option -x: see irqpace list --help' list -x
usage '--json takes no value' list --json=yes
usage '--sysroot needs a value' list --sysroot
usage '--sysroot needs a directory' list --sysroot ''
usage 'list takes one selector, not 2' list a b
usage 'show needs a selector, for example: irqpace show nvme0q1' show
usage 'show takes one selector, not 2' show a b
usage 'show has no option --sysroot: see irqpace show --help' show --sysroot / a
usage 'reset needs a selector or --all' reset
usage 'reset takes a selector or --all, not both' reset --all nvme0
usage 'reset takes one selector, not 2' reset a b
usage 'monitor takes no argument: x' monitor x
usage 'doctor takes no argument: x' doctor x

usage 'set needs a selector and a policy, for example: irqpace set nvme0 moderate --delay 100us' set
usage 'set needs a policy after nvme0: hard, threaded, hybrid, moderate or native' set nvme0
usage 'set takes one selector and one policy; now is too much' set nvme0 hard now
usage 'there is no policy adaptive: choose hard, threaded, hybrid, moderate or native' set nvme0 adaptive
usage '--stats maybe is neither on nor off' set --stats maybe
usage '--stats needs a value' set --stats
usage '--starve-limit 999us is outside 1ms to 1s' set --starve-limit 999us
usage '--starve-limit 1.1s is outside 1ms to 1s' set --starve-limit 1.1s
usage '--stats and --starve-limit belong to the whole module: give them without a selector and a policy' \
	set nvme0 hard --stats on

usage 'moderate needs --delay, for example --delay 100us' set nvme0 moderate
usage 'hybrid needs --limit and --window, for example --limit 50us --window 1ms' set nvme0 hybrid --limit 50us
usage '--delay 100 has no unit: write 100us or 100ms' set nvme0 moderate --delay 100
usage '--delay -5us is not a time: write for example 50us or 1.5ms' set nvme0 moderate --delay -5us
usage '--delay 999ns is outside 1us to 10ms' set nvme0 moderate --delay 999ns
usage '--delay 10.001ms is outside 1us to 10ms' set nvme0 moderate --delay 10.001ms
usage '--delay 0.5us is outside 1us to 10ms' set nvme0 threaded --delay 0.5us
usage '--window 20ms is outside 1us to 10ms' set nvme0 hybrid --limit 50us --window 20ms
usage '--limit 0us is outside 1us to 10ms' set nvme0 hybrid --limit 0us --window 1ms
usage '--limit 1ms is not smaller than --window 1ms' set nvme0 hybrid --limit 1ms --window 1000us
usage '--delay belongs to threaded and moderate, not to hybrid' \
	set nvme0 hybrid --limit 50us --window 1ms --delay 5us
usage '--delay belongs to threaded and moderate, not to hard' set nvme0 hard --delay 5us
usage '--limit belongs to hybrid, not to moderate' set nvme0 moderate --delay 5us --limit 50us
usage '--poll belongs to moderate, not to threaded' set nvme0 threaded --poll
usage '--rounds belongs to moderate, not to hybrid' set nvme0 hybrid --rounds 3
usage '--rounds needs --poll' set nvme0 moderate --delay 5us --rounds 3
usage '--rounds 0 is outside 1 to 1000000' set nvme0 moderate --delay 5us --poll --rounds 0
usage '--mask soft is neither posted nor flushed' set nvme0 hard --mask soft
usage '--mask-after 1000001 is outside 1 to 1000000' set nvme0 hard --mask-after 1000001
usage '--shared belongs to hard, threaded, hybrid and moderate, not to native' set nvme0 native --shared

# A name with a newline stays one line.
ASAN_OPTIONS=detect_leaks=0 run set x "$(printf 'a\nb')"
equal 'one line whatever is quoted' "$(wc -l <"$work/err")" 1

if [ ! -e /sys/module/irqpace ]; then
	absent='the irqpace module is not loaded: modprobe irqpace'
	refuses 1 "$absent" set nvme0 hard
	refuses 1 "$absent" set --stats on
	refuses 1 "$absent" show nvme0
	refuses 1 "$absent" reset nvme0
	refuses 1 "$absent" reset --all
	refuses 1 "$absent" monitor
else
	echo 'skip no module: irqpace is loaded on this machine'
fi

run --version
equal version "$(cat "$work/out")" \
	"irqpace $(sed -n 's/^#define IRQPACE_VERSION "\(.*\)"/\1/p' "$top/cli/cli.h")"
run --help
for c in list show set reset bench top export monitor doctor; do
	run --help
	says "help names $c" "  $c "
	run "$c" --help
	says "help of $c" "Usage: irqpace $c "
	equal "help of $c succeeds" "$status $(cat "$work/err")" '0 '
done
