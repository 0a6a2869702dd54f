#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Rules that hold for every file of the tree.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# check NAME FOUND: passes where nothing was found.
check() {
	if [ -z "$2" ]; then
		printf 'ok %s\n' "$1"
	else
		printf 'not ok %s: %s\n' "$1" "$(tr '\n' ' ' <<<"$2")"
	fi
}

files() { git ls-files -- "$@" | while read -r f; do [ ! -f "$f" ] || printf '%s\n' "$f"; done; }

# Recorded machines, seeds, results and pictures are data, not sources.
sources() { files | grep -vE '^tests/(fixtures|fuzz/corpus)/|\.(json|svg|png|csv|txt|html)$'; }

# without_spdx FILE...: those whose head names no licence.
without_spdx() {
	local f
	for f in "$@"; do
		head -n 3 "$f" | grep -q 'SPDX-License-Identifier: GPL-2.0-only' || printf '%s\n' "$f"
	done
}

# too_long FILE...
too_long() { wc -l "$@" | awk '$2 != "total" && $1 > 500 { print $2 ": " $1 " lines" }'; }

mapfile -t all < <(sources)
mapfile -t code < <(files '*.c' '*.h' '*.sh' 'lab/*' 'tests/run' Makefile)

printf 'int x;\n' >"$work/bare.c"
seq 501 >"$work/long.c"
[ -n "$(without_spdx "$work/bare.c")" ] && [ -n "$(too_long "$work/long.c" "$work/bare.c")" ] &&
	printf 'ok catches-bad-files\n' || printf 'not ok catches-bad-files: they passed\n'

check spdx "$(without_spdx "${all[@]}" | grep -vE '^(README|LICENSE|COPYING)' || :)"
check length "$(too_long "${code[@]}")"
check kernel-versions-only-in-compat "$(git grep -nE 'LINUX_VERSION_CODE|KERNEL_VERSION\(' -- \
	'*.c' '*.h' '*Kbuild' ':!kmod/compat' ':!**/compat/**' || :)"
check nothing-left-open "$(git grep -nE '\b(TO''DO|FIX''ME|X''XX)\b|not imple''mented' || :)"
check no-path-of-a-machine "$(git grep -nE \
	'(^|[^A-Za-z0-9_.$}])/(work|farm|home/[a-z]+|root/\.[a-z]+|tmp/bash_jobs)/' || :)"
check no-registry-host "$(git grep -nE '(deb|snapshot|security|ftp)[.]debian[.]org|[.]npmjs[.]|pypi[.]org|crates[.]io' || :)"
check no-python "$(files '*.py'; git grep -nE '^#!.*python' || :)"
check executable "$(git ls-files -s -- 'tests/*.sh' 'lab/*' dkms/install .ci/run tests/run | awk '
	$1 == "100644" { print $4 }' | while read -r f; do
	case $(head -c 2 "$f") in '#!') printf '%s is not executable\n' "$f" ;; esac
done)"

version=$(sed -n 's/^#define IRQPACE_VERSION "\(.*\)"/\1/p' cli/cli.h)
module=$(sed -n 's/^#define IRQP_VERSION "\(.*\)"/\1/p' kmod/irqpace.h)
check one-version "$([ -n "$version" ] && [ "$version" = "$module" ] ||
	printf 'cli has "%s", the module "%s"' "$version" "$module")"
