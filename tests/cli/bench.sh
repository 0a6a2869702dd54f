#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# bench: what is wrong with a command line, and results shown from a file.
set -euo pipefail
# shellcheck source=tests/cli/common
. "$(dirname "$0")/common"
recorded=$fixtures/bench/compare.json

usage() { refuses 2 "$@"; }
usage 'bench needs a block device, as in irqpace bench /dev/nvme0n1' bench
usage '"randrw" is no workload; there are randread, read, randwrite and write' bench x --workloads randrw
usage 'randwrite overwrites the device; it has to be allowed with --write' \
	bench x --workloads randread,randwrite
usage '--jobs has to be a number from 1 to 1024, not "0"' bench x --jobs 1,0
usage '--jobs has an empty part' bench x --jobs 1,
usage '--policies has an empty part' bench x --policies hard,,native
usage '--iodepth has to be a number from 1 to 65536, not "-1"' bench x --iodepth -1
usage '--bs has to be a size like 512, 4k or 1m, not "4kb"' bench x --bs 4kb
usage '--stats is on or off, not "maybe"' bench x --stats maybe
usage '--ios and --runtime are two ways to say how long; give one' bench x --ios 1 --runtime 1
usage '"hard:stats=1": stats=on or stats=off has to be its end' bench x --policies hard:stats=1
usage '--from runs nothing, so it takes no device' bench x --from "$recorded"
usage '--from runs nothing, so it takes no --jobs' bench --jobs 1 --from "$recorded"
usage '--bounds goes with --from' bench x --bounds y
usage 'policies times repeats may be at most 64' bench x --policies native,hard --repeat 64

refuses 1 "$work/none: No such file or directory" bench "$work/none"
refuses 1 '/dev/null is not a block device' bench /dev/null
refuses 1 "$work/none.json: No such file or directory" bench --from "$work/none.json"
echo '{"kernel":"k","mode":"count","rows":[{}]}' >"$work/bad.json"
refuses 1 "$work/bad.json, row 1: \"device\" is missing" bench --from "$work/bad.json"
echo '{"kernel":"k","mode":"count","rows":[' >"$work/cut.json"
refuses 1 "$work/cut.json, line 2: ']' expected near end of file" bench --from "$work/cut.json"
sed 's/"kernel":"[^"]*"/"kernel":"another"/' "$recorded" >"$work/another.json"
refuses 1 "$work/another.json: measured with kernel \"another\", the others with \"6.12.0-example\"" \
	bench --from "$recorded" --from "$work/another.json"
refuses 1 "$work/no/dir.html.new: No such file or directory" bench --from "$recorded" --report "$work/no/dir.html"

prints "$fixtures/bench/compare.txt" bench --from "$recorded"

# Reading results and writing them again changes nothing.
run bench --from "$recorded" --out "$work/1.json" --report "$work/1.html"
run bench --from "$work/1.json" --out "$work/2.json" --json
equal 'results survive' "$(cmp "$work/1.json" "$work/2.json" && echo same)" same
equal 'no leftovers' "$(find "$work" -name '*.new')" ''

# Every key of the published form, and null for what was not measured.
run bench --from "$recorded" --json
for key in kernel mode rows device workload engine jobs iodepth policy params iops min max mean \
	bandwidth_mb_s latency_us p50 p99 p999 cpu_percent usr sys ios interrupts residency_us \
	ratio_to_hard ratio_to_native; do
	says "key $key" "\"$key\":"
done
says 'unmeasured is null' '"residency_us": {"p99": null, "max": null}'

page() {
	if grep -qF -- "$2" "$work/1.html"; then
		printf 'ok page: %s\n' "$1"
	else
		printf 'not ok page: %s is missing\n' "$1"
	fi
}
page 'kernel' 'Linux 6.12.0-example'
page 'command' 'irqpace bench nvme=/dev/nvme0n1 ufs=/dev/sdb'
page 'choice' '<strong>nvme, irq 27 (nvme0q1): moderate 100us poll.</strong>'
page 'dark colours' 'prefers-color-scheme:dark'
page 'a mean in numbers' '<td>72800</td>'
equal 'page: bars and curves for each block' \
	"$(grep -c '<svg' "$work/1.html") $(grep -c 'aria-label="latency by percentile' "$work/1.html")" '16 4'
equal 'page: nothing is fetched or run' "$(grep -ciE '<script|<link|<img|url\(|https?://' "$work/1.html")" 0
if command -v xmllint >/dev/null; then
	equal 'page: well-formed' "$(xmllint --noout "$work/1.html" 2>&1)" ''
fi

# Names from a file are text in the page, never markup.
sed 's/"device":"nvme"/"device":"<b>\&"/' "$recorded" >"$work/markup.json"
run bench --from "$work/markup.json" --report "$work/1.html"
page 'markup is escaped' '&lt;b&gt;&amp;: randread'

cat >"$work/bounds" <<'END'
nvme hybrid:limit=50us:window=1ms iops.mean >= 0.99 iops.mean native  # within the slack
nvme moderate:delay=100us:poll residency_us.max <= 120
END
run bench --from "$recorded" --bounds "$work/bounds"
equal 'bounds that hold' "$status $(grep -c '^ok ' "$work/out")" '0 2'
says 'the measured figure' '>= 0.99 of native: 0.9850'
cat >"$work/bounds" <<'END'
nvme threaded:delay=200us iops.mean >= 0.99 iops.mean native
nvme moderate:delay=100us:poll residency_us.max <= 117
nvme moderate:delay=1us iops.mean >= 1
END
run bench --from "$recorded" --bounds "$work/bounds"
equal 'bounds that do not' "$status $(grep -c '^not ok ' "$work/out")" '1 3'
says 'a row that is missing' 'iops.mean of moderate:delay=1us was not measured'
echo 'nvme hard iops.mean = 1' >"$work/bounds"
refuses 1 "$work/bounds, line 1: no bound (DEVICE POLICY METRIC >= or <= FACTOR [METRIC POLICY])" \
	bench --from "$recorded" --bounds "$work/bounds"
