#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 300
#
# The live view and the metrics with the module loaded, under load on a real
# driver; what was exported is checked by Prometheus' own tool. With one CPU: QEMU
# cannot switch a tracepoint while another CPU runs through it (docs/lab.md).
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

status=0
lab/run --cpus 1 --timeout 240 --put tests/guest/in --put out/tests/tools/in-pty \
	--get /irqpace/attached.prom:"$work/attached.prom" --get /irqpace/live.prom:"$work/live.prom" -- \
	sh in/top.sh || status=$?
[ "$status" = 0 ] || printf 'not ok guest: status %s\n' "$status"
for file in attached live; do
	if said=$(lab/in-root -- promtool check metrics <"$work/$file.prom" 2>&1) && [ -z "$said" ]; then
		printf 'ok promtool %s\n' "$file"
	else
		printf 'not ok promtool %s: %s\n' "$file" "${said//$'\n'/; }"
	fi
done
