#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 240
#
# The command against the module: what is set is shown, what is refused changes
# nothing, and every refusal is one sentence.
set -euo pipefail
cd "$(dirname "$0")/../.."

lab/run --cpus 2 --timeout 200 --put tests/guest/in/command.sh -- sh command.sh
