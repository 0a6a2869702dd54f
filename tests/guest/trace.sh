#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 600
#
# irqpace trace: every call is counted once, and its duration is right, by
# fentry and by kprobes, on all kernels.
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=lab/lib.sh
. lab/lib.sh

lab/run --again --cpus 2 --timeout 200 --synth --put tests/guest/in -- sh in/trace.sh all
for key in $(kernel_keys); do
	[ "$key" = "$(default_kernel)" ] ||
		lab/run --kernel "$key" --again --bare --synth --cpus 2 --timeout 200 --put tests/guest/in -- sh in/trace.sh brief |
		sed "s/^ok /&$key: /; s/^not ok /&$key: /"
done
IRQPACE_SHARE_MACHINE=1 lab/run --mode count --append rcupdate.rcu_expedited=1 --bare --synth \
	--timeout 300 --put tests/guest/in -- sh in/trace.sh exact
