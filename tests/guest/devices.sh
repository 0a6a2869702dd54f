#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 900
#
# Nothing is lost on real drivers: fio verifies on NVMe, AHCI and UFS while
# policies change, the NVMe controller is reset and unbound, and the module is
# unloaded under load. `make check-storm` asks for 100,000 changes by
# IRQPACE_CHANGES; IRQPACE_SEED replays a storm.
set -euo pipefail
cd "$(dirname "$0")/../.."

changes=${IRQPACE_CHANGES:-5000} seed=${IRQPACE_SEED:-$(date +%s)}
# Ten a second are few even for a loaded host.
seconds=$((10 + changes / 10))
echo "# IRQPACE_SEED=$seed"
lab/run --cpus 4 --timeout $((360 + seconds)) --put tests/guest/in/devices.sh --put out/tests/tools/policy-storm -- \
	sh devices.sh "$changes" "$seconds" "$seed"
