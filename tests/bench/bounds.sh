#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 1500
#
# The figures to reach, measured anew.
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)

if ! "$top/lab/bench-count" >"$top/out/bench-count.log" 2>&1; then
	tail -n 20 "$top/out/bench-count.log"
	exit 1
fi
"$top/lab/bench-check"
