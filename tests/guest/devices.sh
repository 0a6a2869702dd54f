#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 1200
#
# Nothing is lost on real drivers: fio verifies on NVMe, AHCI and UFS while
# policies change, the NVMe controller is reset and unbound, and the module is
# unloaded under load. IRQPACE_CHANGES and IRQPACE_SEED choose another storm.
set -euo pipefail
cd "$(dirname "$0")/../.."

changes=${IRQPACE_CHANGES:-100000} seed=${IRQPACE_SEED:-$(date +%s)}
echo "# IRQPACE_SEED=$seed"
lab/run --cpus 4 --timeout 1180 --put tests/guest/in/devices.sh --put out/tests/tools/policy-storm -- \
	sh devices.sh "$changes" "$seed"
