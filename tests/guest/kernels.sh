#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 600
#
# The kernels that the other guest tests do not run on: the forced interleavings,
# and the stock drivers under each policy.
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=lab/lib.sh
. lab/lib.sh

for key in $(kernel_keys); do
	[ "$key" != "$(default_kernel)" ] || continue
	status=0
	lab/run --kernel "$key" --synth --put tests/guest/in -- \
		sh -c "sh in/cases.sh eight | sed 's/^ok /ok $key /; s/^not ok /not ok $key /'; sh in/drivers.sh" ||
		status=$?
	[ "$status" = 0 ] || printf 'not ok %s guest: status %s\n' "$key" "$status"
done
