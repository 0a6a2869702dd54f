#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 480
#
# Interrupts that load tests lose once in a million, forced on a fake chip.
set -euo pipefail
cd "$(dirname "$0")/../.."

lab/run --synth --cpus 2 --timeout 460 --device "-serial null" --put tests/guest/in -- \
	sh -c 'sh in/cases.sh eight && sh in/cases.sh all && sh in/serial.sh'
