#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A machine of 5,000 lines and 512 CPUs, in the text and in sysfs: what is listed
# is right, and the command stays below 64 MiB. The limit is set on its address
# space, which holds more than what is resident. Then 4,096 CPUs with gaps.
set -euo pipefail
# The build for users: a sanitizer's shadow alone is terabytes.
IRQPACE=$(dirname "$0")/../../out/irqpace
# shellcheck source=tests/cli/common
. "$(dirname "$0")/common"

# made FORM LINES CPUS STEP: of such a machine the text, the table or the JSON, or the
# JSON where nothing but the text is there ("bare").
# Line l is vector l % 100 of device l / 100, CPU c is called c * STEP.
made() {
	awk -v form="$1" -v lines="$2" -v cpus="$3" -v step="$4" '
	function count(l, c) { return (l * 7919 + c * 104729) % 1000003 }
	BEGIN {
		if (form == "text") {
			printf "     "
			for (c = 0; c < cpus; c++) printf "CPU%-8d", c * step
			print ""
		}
		split(form == "bare" ? "null null null" : "\"nvme\" \"0-511\" \"3\"", known, " ")
		if (form == "json" || form == "bare") printf "{\"lines\":["
		for (l = 0; l < lines; l++) {
			irq = l + 24
			name = sprintf("nvme%dq%d", l / 100, l % 100)
			device = sprintf("0000:%02x:00.0", l / 100)
			if (form == "text") {
				printf "%5d:", irq
				for (c = 0; c < cpus; c++) printf " %10d", count(l, c)
				printf "  PCI-MSIX-%s %4d-edge      %s\n", device, l % 100, name
			} else if (form == "table") {
				total = 0
				for (c = 0; c < cpus; c++) total += count(l, c)
				printf "%d %.0f %s %s nvme %d edge 0-511 3 native -\n", irq, total, name, device, l % 100
			} else {
				printf "%s{\"irq\":%d,\"name\":\"%s\",\"handlers\":null,", l ? "," : "", irq, name
				printf "\"device\":\"%s\",\"driver\":%s,\"vector\":%d,", device, known[1], l % 100
				printf "\"chip\":\"PCI-MSIX-%s\",\"type\":\"edge\",\"affinity\":%s,", device, known[2]
				printf "\"effective_affinity\":%s,\"policy\":\"native\",\"attachable\":null,", known[3]
				printf "\"reason\":null,\"counts\":["
				for (c = 0; c < cpus; c++)
					printf "%s{\"cpu\":%d,\"count\":%d}", c ? "," : "", c * step, count(l, c)
				printf "]}"
			}
		}
		if (form == "json" || form == "bare") print "]}"
	}'
}

tree=$work/tree
mkdir -p "$tree/proc" "$tree/sys/bus/pci/drivers/nvme"
made text 5000 512 1 >"$tree/proc/interrupts"
seq -f "$tree/proc/irq/%.0f" 24 5023 | xargs mkdir -p
for ((d = 0; d < 50; d++)); do
	printf -v device '%s/sys/bus/pci/devices/0000:%02x:00.0' "$tree" "$d"
	mkdir -p "$device/msi_irqs"
	ln -s ../../drivers/nvme "$device/driver"
	for ((irq = 24 + 100 * d; irq < 124 + 100 * d; irq++)); do
		: >"$device/msi_irqs/$irq"
		printf '0-511\n' >"$tree/proc/irq/$irq/smp_affinity_list"
		printf '3\n' >"$tree/proc/irq/$irq/effective_affinity_list"
	done
done

# small ARG...: as run, in an address space of 64 MiB.
small() {
	status=0
	(ulimit -v 65536 && exec "$IRQPACE" "$@") >"$work/out" 2>"$work/err" </dev/null || status=$?
}

# json NAME FORM LINES CPUS STEP: the whole JSON, which is too long to be kept.
json() {
	local name=$1 said status=0
	shift
	said=$( (ulimit -v 65536 && exec "$IRQPACE" list --json --sysroot "$tree") 2>&1 |
		cmp - <(made "$@") 2>&1) || status=$?
	equal "$name" "$status $said" '0 '
}

small list --sysroot "$tree"
awk 'NR > 1 { $1 = $1; print }' "$work/out" >"$work/table"
equal 'a table of 5,000 lines and 512 CPUs' \
	"$status $(cmp "$work/table" <(made table 5000 512 1) 2>&1)" '0 '
json 'the same as JSON' json 5000 512 1
small list nvme49q99 --sysroot "$tree"
equal 'one line of it' "$status $(awk 'NR > 1 { print $1, $3, $4, $6 }' "$work/out")" \
	'0 5023 nvme49q99 0000:31:00.0 99'
(ulimit -v 24576 && exec "$IRQPACE" list --sysroot "$tree") >"$work/out" 2>&1 &&
	not_ok 'the limit is one' 'a run in 24 MiB succeeded' || printf 'ok the limit is one\n'

rm -r "$tree"
mkdir -p "$tree/proc"
made text 500 4096 3 >"$tree/proc/interrupts"
json '4,096 CPUs with gaps' bare 500 4096 3
