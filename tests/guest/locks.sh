#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 900
#
# Locks are timed without LOCK_STAT: exact counts and holds, waits where CPUs
# contend, on each kernel of the lab.
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=lab/lib.sh
. lab/lib.sh

IRQPACE_SHARE_MACHINE=1 lab/run --bare --synth --mode count --append rcupdate.rcu_expedited=1 --timeout 300 --put tests/guest/in -- sh in/locks.sh count
lab/run --again --bare --synth --cpus 4 --append rcupdate.rcu_expedited=1 --timeout 240 --put tests/guest/in -- sh in/locks.sh
for kernel in $(kernel_keys); do
	[ "$kernel" != "$(default_kernel)" ] || continue
	lab/run --again --bare --synth --kernel "$kernel" --cpus 2 --append rcupdate.rcu_expedited=1 --timeout 240 --put tests/guest/in -- \
		sh in/locks.sh brief
done
