#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 240
#
# Nothing is lost whatever is changed meanwhile: 4 CPUs, every kind of line.
set -euo pipefail
cd "$(dirname "$0")/../.."

seed=${IRQPACE_SEED:-$((RANDOM * 32768 + RANDOM))}
printf '# IRQPACE_SEED=%s\n' "$seed"
lab/run --synth --cpus 4 --timeout 220 --put tests/guest/in -- sh in/storms.sh 60 "$seed"
