#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 600
#
# The libFuzzer targets, side by side, IRQPACE_FUZZ_SECONDS (3) long each, from the
# recorded machines and the shapes in corpus/. `run.sh FILE...` runs nothing but
# FILE, through the target that its folder or its name begins with.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${IRQPACE_FUZZ_SECONDS:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TMPDIR=$work
found=out/fuzz/found
mkdir -p "$found"

for file in "$@"; do
	target=$(tr / '\n' <<<"$file" | sed -n 's/^\(interrupts\|kstats\|words\).*/\1/p' | tail -n 1)
	"out/fuzz/${target:?no target for $file}" "$file"
done
[ $# = 0 ] || exit 0

# seeds TARGET FILE...: copies under names of their own.
seeds() {
	local target=$1 file
	shift
	mkdir -p "$work/seeds/$target"
	for file in "$@"; do
		cp "$file" "$work/seeds/$target/$(tr / - <<<"$file")"
	done
}
seeds interrupts tests/fixtures/*/proc/interrupts tests/fuzz/corpus/interrupts/*
seeds kstats tests/fixtures/kstats/* tests/fuzz/corpus/kstats/*
# One word a line.
mkdir "$work/seeds/words"
split -l 1 tests/fuzz/corpus/words "$work/seeds/words/"

# fuzz TARGET: what it adds to its corpus goes with $work, what it finds stays.
fuzz() {
	local status=0 file
	mkdir "$work/$1"
	"out/fuzz/$1" -max_total_time="$seconds" -max_len=4096 -timeout=30 -rss_limit_mb=1024 \
		-print_final_stats=1 -artifact_prefix="$found/$1-" \
		"$work/$1" "$work/seeds/$1" >"$work/$1.log" 2>&1 || status=$?
	if [ "$status" = 0 ]; then
		sed -n 's/^Done \([0-9]*\) runs.*/ok '"$1"' (\1 runs)/p' "$work/$1.log"
		return
	fi
	tail -n 60 "$work/$1.log"
	file=$(sed -n 's/.*Test unit written to //p' "$work/$1.log" | tail -n 1)
	[ -z "$file" ] || printf '%s, in base64:\n%s\n' "$file" "$(base64 "$file")"
	printf 'not ok %s: exit %s; tests/fuzz/run.sh %s shows it again\n' "$1" "$status" "${file:-}"
}

for target in interrupts kstats words; do
	fuzz "$target" >"$work/$target.says" &
done
wait
cat "$work"/*.says | tee "$work/all"
[ "$(grep -c '^ok ' "$work/all")" = 3 ]
