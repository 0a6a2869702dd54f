#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 240
#
# The tool that the other tests trust, without irqpace: the plain kernel passes
# every case, loses nothing, and what is told to be wrong is refused.
set -euo pipefail
cd "$(dirname "$0")/../.."

lab/run --bare --synth --cpus 2 --timeout 200 --put tests/guest/in -- \
	sh -c 'sh in/cases.sh native && sh in/synth.sh'
IRQPACE_SHARE_MACHINE=1 lab/run --bare --synth --mode count --timeout 200 --put tests/guest/in -- sh in/exact.sh
