#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# tests/run itself: what it must call passed, failed and skipped.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# make NAME BODY: a little test.
make_test() {
	printf '#!/bin/sh\n%s\n' "$2" >"$work/$1"
	chmod +x "$work/$1"
}

# expect NAME STATUS CLOSING [WORD] TEST...: runs them and compares.
expect() {
	local name=$1 status=$2 closing=$3 word=$4 got=0 out
	shift 4
	out=$(tests/run --timeout 2 "${@/#/$work/}" 2>&1) || got=$?
	if [ "$got" = "$status" ] && [ "$(tail -n 1 <<<"$out")" = "$closing" ] &&
		grep -qF -- "$word" <<<"$out"; then
		printf 'ok %s\n' "$name"
	else
		printf 'not ok %s: status %s, output:\n%s\n' "$name" "$got" \
			"$(sed 's/^/  /' <<<"$out")"
	fi
}

make_test good 'exit 0'
make_test bad 'echo because; exit 3'
make_test skips 'echo noise; echo no such device; exit 77'
make_test slow 'exec sleep 30'
make_test cases 'echo "ok a"; echo "ok b"; echo "skip c: no disk"'
make_test mixed 'echo "ok a"; echo "not ok b: lost one"'
make_test dies 'echo "ok a"; exit 9'
make_test tap 'echo "1..3"; echo "ok 1 - a"; echo "not ok 2 - b"; echo "ok 3 # SKIP c"; exit 1'
make_test says 'echo "okay then"; echo "not okay"; exit 0'
make_test own '# timeout: 1
exec sleep 1.8'
: >"$work/plain"

expect passes 0 '1 passed, 0 failed, 0 skipped' 'passed' good
expect fails 1 '1 passed, 1 failed, 0 skipped' 'because' good bad
expect skip-with-reason 0 '1 passed, 0 failed, 1 skipped' 'no such device' good skips
expect nothing-passed 1 '0 passed, 0 failed, 1 skipped' 'skipped' skips
expect timeout 1 '0 passed, 1 failed, 0 skipped' 'exit status 124' slow
expect own-timeout 1 '0 passed, 1 failed, 0 skipped' 'at most 1 s' own
expect cases 0 '2 passed, 0 failed, 1 skipped' 'no disk' cases
expect a-case-fails 1 '1 passed, 1 failed, 0 skipped' 'b: lost one' mixed
expect dies-after-ok 1 '1 passed, 1 failed, 0 skipped' 'exit status 9' dies
expect tap 1 '1 passed, 1 failed, 1 skipped' '2 - b' tap
expect near-words 0 '1 passed, 0 failed, 0 skipped' 'passed' says
expect not-executable 1 '1 passed, 1 failed, 0 skipped' 'not an executable' good plain
expect missing 1 '1 passed, 1 failed, 0 skipped' 'not an executable' good nowhere

if tests/run --timeout soon "$work/good" >/dev/null 2>&1 || tests/run >/dev/null 2>&1; then
	printf 'not ok usage: bad usage was accepted\n'
else
	printf 'ok usage\n'
fi
