#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 400
#
# bench on stock drivers: it measures, and whatever happens, what was set before
# is set again.
set -euo pipefail
cd "$(dirname "$0")/../.."

lab/run --cpus 2 --timeout 360 --put tests/guest/in/bench.sh -- sh bench.sh
