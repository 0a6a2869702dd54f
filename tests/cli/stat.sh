#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# stat where it may not or cannot measure, and, where this machine lets it, what
# it says of itself.
set -euo pipefail
# shellcheck source=tests/cli/common
. "$(dirname "$0")/common"
cd "$work"

refuses 2 'stat takes one selector, not 2' stat 25 26
refuses 2 '--interval has to be a number of seconds from 0.1 to 3600, not "0"' stat --interval 0
refuses 2 '--interval has to be a number of seconds from 0.1 to 3600, not "1e3"' stat --interval 1e3
refuses 2 '--interval has to be a number of seconds from 0.1 to 3600, not "nan"' stat --interval nan
refuses 2 '--count has to be a number from 1 to 1000000000, not "-1"' stat --count=-1
refuses 2 'a command has to follow --' stat --
refuses 2 'a command has its own time: it does not go with --interval or --count' \
	stat --count 2 -- true

if [ "$(id -u)" = 0 ]; then
	cp "$top/out/irqpace" nobody
	chmod 755 nobody .
	status=0
	setpriv --reuid 65534 --regid 65534 --clear-groups ./nobody stat >out 2>err || status=$?
	equal 'without privileges' "$status $(cat out err)" \
		'1 irqpace: measuring needs root, or CAP_BPF and CAP_PERFMON'
fi

# From here on only where the kernel lets us.
if ! "$IRQPACE" stat -- true >out 2>err; then
	case $(cat err) in
	*'measuring needs'* | *'BTF'* | *'does not permit'* | *'has no BPF'*)
		printf 'skip stat measures: %s\n' "$(cat err)"
		exit 0
		;;
	esac
	printf 'not ok stat measures: %s\n' "$(cat err)"
	exit 0
fi
run stat --json -- sleep 0.2
equal 'one document' "$(grep -c '^{"interval_ns":[0-9]*,"lines":\[.*\],"cpus":\[.*\].*,"runs_without_room":0,"runs_unpaired":[0-9]}$' out)" 1
status=0
"$IRQPACE" stat -- sh -c 'exit 7' >out 2>err || status=$?
equal "the command's status" "$status" 7
"$IRQPACE" stat --json --interval 0.1 --count 3 >out
equal 'three reports' "$(grep -c '^{' out)" 3
refuses 1 'cannot run ./nonesuch: No such file or directory' stat -- ./nonesuch
IRQPACE_RAW_TP=1 "$IRQPACE" stat --per-cpu -- sleep 0.1 >out
says 'by raw tracepoints' 'SOFTIRQS/s'
