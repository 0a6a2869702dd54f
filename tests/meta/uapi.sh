#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# uapi/irqpace.h can be used by a client that knows nothing else of the project.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cp uapi/irqpace.h "$work/"
cat >"$work/client.c" <<'EOF'
#include "irqpace.h"
#include "irqpace.h"
const char family[] = IRQPACE_GENL_NAME;
int main(void) { return sizeof(family) > 16 || IRQPACE_CMD_UNSPEC; }
EOF
for std in c99 c11 gnu17; do
	if out=$(gcc -std=$std -Wall -Wextra -Wpedantic -Werror \
		-I"$work" -o "$work/client" "$work/client.c" 2>&1) && "$work/client"; then
		printf 'ok %s\n' "$std"
	else
		printf 'not ok %s: %s\n' "$std" "$(head -n 3 <<<"$out" | tr '\n' ' ')"
	fi
done
