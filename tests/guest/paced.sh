#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 420
#
# Promises that need a clock, a second CPU, a thousand lines or a hog.
set -euo pipefail
cd "$(dirname "$0")/../.."

lab/run --synth --cpus 2 --timeout 400 --put tests/guest/in -- sh in/paced.sh
