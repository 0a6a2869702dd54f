#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Man pages are well formed, and every command that --help lists has one.
set -euo pipefail
cd "$(dirname "$0")/../.."
command -v mandoc >/dev/null || { echo "mandoc is not installed"; exit 77; }

for page in man/*.[1-8]; do
	if out=$(mandoc -T lint -W warning "$page" 2>&1); then
		printf 'ok lint %s\n' "$page"
	else
		printf '%s\n' "$out"
		printf 'not ok lint %s: mandoc objects\n' "$page"
	fi
done

# Commands are the indented first words below a heading that begins with "commands".
commands=$(out/irqpace --help | awk '
	tolower($0) ~ /^commands/ { inside = 1; next }
	inside && /^[^ \t]/ { exit }
	inside && NF { print $1 }')
[ "$(wc -w <<<"$commands")" -ge 5 ] || printf 'not ok commands: --help lists only: %s\n' "$commands"
for c in $commands; do
	if compgen -G "man/irqpace-$c.[1-8]" >/dev/null; then
		printf 'ok page %s\n' "$c"
	else
		printf 'not ok page %s: there is no man/irqpace-%s.*\n' "$c" "$c"
	fi
done
