#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# hist on files: the published distributions give the published figures.
set -euo pipefail
# shellcheck source=tests/cli/common
. "$(dirname "$0")/common"
cp "$fixtures"/kstats/*.kstats "$work"
cd "$work"

run hist --import mask_irq-flushed.kstats --json
says flushed '"samples":4836100,"mean_ns":1833.113,"sum_ns":8865116599,'
run hist --import mask_irq-posted.kstats --format json
says posted '"samples":4846952,"mean_ns":51.352,"sum_ns":248900214,'

for f in mask_irq-flushed mask_irq-posted; do
	grep -v '^#' "$f.kstats" >wanted
	prints wanted hist --import "$f.kstats" --format kstats
done

run hist --import mask_irq-flushed.kstats --compare mask_irq-posted.kstats
says 'side by side' '4846952   51.35'
says 'the second of the first' '0.0280'
run hist --import mask_irq-flushed.kstats --compare mask_irq-posted.kstats --format svg
says 'a picture' '</svg>'
if command -v xmllint >/dev/null; then
	equal 'which is XML' "$(xmllint --noout out 2>&1)" ''
fi
cp mask_irq-posted.kstats 'a<b&c.kstats'
run hist --import 'a<b&c.kstats' --format svg
says 'names are escaped' 'a&#60;b&#38;c.kstats'

printf 'count 1 avg 5 p 1.0 n 1\ncount 1 avg 6 p 1.0\n' >short
refuses 1 'short:2: not a slot: "count N avg NS p PART n SUM" is expected' hist --import short
refuses 1 'short:2: not a slot: "count N avg NS p PART n SUM" is expected' \
	hist --import mask_irq-posted.kstats --compare short
printf 'count 1 avg\0 5 p 1.0 n 1\n' >binary
refuses 1 'binary:1: not a text file' hist --import binary
refuses 1 'nowhere: No such file or directory' hist --import nowhere
refuses 1 '.: Is a directory' hist --import .
refuses 2 'hist needs a selector or --import FILE, for example: irqpace hist nvme0q1 --of residency' hist
refuses 2 '--of says which distribution: run, residency, park, pause or wake' hist 25
refuses 2 '--of is run, residency, park, pause or wake, not runs' hist 25 --of runs
refuses 2 '--format is table, json, kstats or svg, not xml' hist --import short --format xml
refuses 2 'a selector and --import do not go together' hist 25 --import short
refuses 2 '--of is for a line; a file holds what it holds' hist --of run --import short
refuses 2 'hist takes one selector, not 2' hist 25 26 --of run
refuses 2 'kstats holds one distribution, so it does not go with --compare' \
	hist --import short --compare short --format kstats
