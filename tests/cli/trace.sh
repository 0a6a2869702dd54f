#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# trace where it cannot be: one sentence, no output. What it measures is tested
# in a guest.
set -euo pipefail
# shellcheck source=tests/cli/common
. "$(dirname "$0")/common"

usage() { refuses 2 "$@"; }

usage 'trace needs a function, for example: irqpace trace nvme_irq' trace
usage 'trace needs a function, for example: irqpace trace nvme_irq' trace -- true
usage 'trace needs a function, for example: irqpace trace nvme_irq' trace ''
usage 'trace takes one function, not 2' trace mask_irq unmask_irq
for bits in 7 -1 33 '' 3x; do
	usage "--bits is a number from 0 to 6 (2^N slots to each power of two), not \"$bits\"" \
		trace mask_irq --bits "$bits"
done
usage '--seconds has to be a number of seconds from 0.1 to 86400, not "0"' trace mask_irq --seconds 0
usage '--seconds has to be a number of seconds from 0.1 to 86400, not "10x"' trace mask_irq --seconds 10x
usage '--format is table, json, kstats or svg, not xml' trace mask_irq --format xml
usage '--per-cpu goes with table and json: kstats and svg hold the sum of all CPUs' \
	trace mask_irq --per-cpu --format kstats
usage '--per-cpu goes with table and json: kstats and svg hold the sum of all CPUs' \
	trace mask_irq --format svg --per-cpu
usage 'a command has its own time: it does not go with --seconds' \
	trace mask_irq --seconds 1 -- true

# sentence NAME: the last run refused in one sentence, and ran nothing.
sentence() {
	if [ "$status" = 1 ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" = 1 ] &&
		[[ $(cat "$work/err") == irqpace:* ]] && [ ! -e "$work/ran" ]; then
		printf 'ok %s: %.90s\n' "$1" "$(cat "$work/err")"
	else
		not_ok "$1" "exit $status"
	fi
}

export ASAN_OPTIONS=detect_leaks=0
# Names that nobody has, whatever this machine allows.
for name in irqpace_no_such_function 'a b' 'x%s' "$(printf 'y%.0s' {1..300})"; do
	run trace "$name" -- touch "$work/ran"
	sentence "no function '${name:0:30}'"
done
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod 755 "$work"
	cp "$IRQPACE" "$work/irqpace"
	status=0
	setpriv --reuid 65534 --regid 65534 --clear-groups --bounding-set=-all "$work/irqpace" \
		trace mask_irq -- true >"$work/out" 2>"$work/err" </dev/null || status=$?
	sentence 'not permitted'
else
	echo 'skip not permitted: this is not root'
fi
