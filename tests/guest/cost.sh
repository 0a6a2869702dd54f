#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 300
#
# What measuring costs, in guest time that repeats.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
gcc -O1 -shared -fPIC -o "$work/nap.so" lab/nap.c
IRQPACE_SHARE_MACHINE=1 lab/run --bare --synth --mode count --timeout 280 \
	--put tests/guest/in --put "$work/nap.so" -- sh in/cost.sh
