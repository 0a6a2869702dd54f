#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 300
#
# The limit of `hybrid`, in guest time that repeats.
set -euo pipefail
cd "$(dirname "$0")/../.."

# Nothing of the host takes part: other guests may run meanwhile.
IRQPACE_SHARE_MACHINE=1 lab/run --synth --mode count --timeout 280 --put tests/guest/in -- sh in/hybrid.sh
