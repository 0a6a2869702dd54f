#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Every shell file passes shellcheck; it is found by its first line or its name.
set -euo pipefail
cd "$(dirname "$0")/../.."
command -v shellcheck >/dev/null || { echo "shellcheck is not installed"; exit 77; }

# shellcheck disable=SC2016
git ls-files | while read -r f; do
	[ -f "$f" ] || continue
	case $f in
	*.sh) printf '%s\n' "$f" ;;
	*) head -n 1 "$f" | tr -d '\0' | grep -qE '^#!.*\b(ba|da)?sh\b' || continue; printf '%s\n' "$f" ;;
	esac
done | xargs -P "$(nproc)" -I{} bash -c '
	if out=$(shellcheck -x -S info -e SC2317 "$1"); then
		printf "ok %s\n" "$1"
	else
		printf "%s\nnot ok %s: shellcheck objects\n" "$out" "$1"
	fi
' bash {}
