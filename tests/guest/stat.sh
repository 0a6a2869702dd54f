#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 600
#
# `irqpace stat` finds what is known to have been: on synthetic lines, whose counts
# and costs are set, and on the stock drivers, on every kernel of the lab.
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=lab/lib.sh
. lab/lib.sh

export IRQPACE_SHARE_MACHINE=1
lab/run --bare --synth --mode count --timeout 200 --put tests/guest/in -- sh in/stat.sh exact
# Four CPUs only where nothing else runs while the programs come and go: QEMU does
# not stand code that changes under another CPU (docs/lab.md).
lab/run --again --bare --synth --cpus 4 --timeout 200 --put tests/guest/in -- sh in/stat.sh four
for key in $(kernel_keys); do
	status=0
	lab/run --kernel "$key" --synth --cpus 1 --timeout 200 --put tests/guest/in -- \
		sh in/stat.sh drivers || status=$?
	[ "$status" = 0 ] || printf 'not ok %s guest: status %s\n' "$key" "$status"
done
