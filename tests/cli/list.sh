#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Recorded machines: kernels 6.1, 6.12, 6.18 and 7.3, names with colons and blanks,
# offline CPUs, odd rows; the whole JSON, byte for byte.
set -euo pipefail
# shellcheck source=tests/cli/common
. "$(dirname "$0")/common"

for recorded in "$fixtures"/*.list.json; do
	name=$(basename "$recorded" .list.json)
	prints "$recorded" list --json --sysroot "$fixtures/$name"
done

# One line of the table, blanks squeezed: row NAME IRQ TEXT.
row() {
	equal "$1" "$(awk -v irq="$2" '$1 == irq { $1 = $1; print }' "$work/out")" "$3"
}

run list --sysroot "$fixtures/laptop-6.12"
row 'offline CPUs shift nothing' 24 '24 60 nvme0q0 0000:00:03.0 nvme 0 edge 0-3 2 native -'
row 'counts of more than 32 bits' 27 '27 5000000000 nvme0q3 0000:00:03.0 nvme 3 edge 3 3 native -'
row 'sharers of a pin' 16 '16 904 ehci_hcd:usb1, i801_smbus 0000:00:1a.0 ehci-pci - level 0-3 2 native -'
row 'a line that came up later' 130 '130 7 nvme1q0 0000:00:08.0 nvme 0 edge 0-3 3 native -'
row 'a secondary thread' 62 '62 12 nvidia 0000:00:05.0 nvidia 0 edge 0-3 0 native no'
row 'a line without a handler' 120 '120 0 - 0000:00:06.0 - 4 edge 0-3 - native no'
row 'a process is no thread' 25 '25 5000000 nvme0q1 0000:00:03.0 nvme 1 edge 0-1 0 native -'

run list --sysroot "$fixtures/text-only"
row 'fewer counts than CPUs: none can be told' 31 '31 - short - - - edge - - native -'

run list sda --sysroot "$fixtures/linkless"
row 'a recording that lost its links' 31 '31 3 ahci[0000:00:1f.2] 0000:00:1f.2 ahci - level - - native -'

# irqs_of SELECTOR: the numbers that it selects.
irqs_of() {
	run list "$1" --sysroot "$fixtures/laptop-6.12"
	awk 'NR > 1 { printf "%s%s", sep, $1; sep = " " }' "$work/out"
}
equal 'by number' "$(irqs_of 25)" 25
equal 'by name' "$(irqs_of nvme0q1)" 25
equal 'by glob' "$(irqs_of 'nvme?q0')" '24 130'
equal 'by a name with brackets' "$(irqs_of 'ahci[0000:00:1f.2]')" 30
equal 'by controller' "$(irqs_of nvme0)" '24 25 26 27'
equal 'by disk' "$(irqs_of nvme0n1)" '24 25 26 27'
equal 'by device node' "$(irqs_of /dev/sda)" 30
equal 'by disk behind a pin' "$(irqs_of sdb)" 17
equal 'by address' "$(irqs_of 0000:00:1f.2)" 30
equal 'by short address' "$(irqs_of 00:1f.2)" 30
equal 'by a sharer' "$(irqs_of 0000:00:1f.3)" 16
equal 'by driver' "$(irqs_of driver:nvme)" '24 25 26 27 130'
equal 'by driver, dash or not' "$(irqs_of driver:ehci_pci)" 16
equal 'by device and vector' "$(irqs_of nvme0/3)" 27
equal 'by driver and vector' "$(irqs_of driver:nvme/0)" '24 130'

on() { refuses 1 "$2" list "$1" --sysroot "$fixtures/laptop-6.12"; }
on nvme1 'no interrupt line matches nvme1; the nearest are nvme0, nvme0n1 and nvme0q1'
on nvme0q8 'no interrupt line matches nvme0q8; the nearest are nvme0q0, nvme0q1 and nvme0q2'
on 'eth*' 'no interrupt line matches eth*; the nearest are rtc0, driver:ahci and ufshcd'
on driver:ahc 'no line belongs to driver ahc; the nearest are ahci, ufshcd and ehci-pci'
on 3 'there is no irq 3; if vector 3 of a device is meant, write 0000:00:03.0/3 (nvme0q3, irq 27)'
on 99 'there is no irq 99: irqpace list shows those there are'
on nvme0/25 'nvme0 has no vector 25; 25 is an irq number, its vector is 1: write nvme0/1 or 25'
on nvme0/9 'nvme0 has no vector 9: its vectors are 0 to 3'
on sdb/0 'sdb has no vectors: write sdb alone'
on 0000:00:1c.0 '0000:00:1c.0 has no interrupt line'
refuses 2 '25 is an irq number, which has no vectors: write 25 alone, or a device, for example nvme0/1' \
	list 25/1 --sysroot "$fixtures/laptop-6.12"
refuses 2 'an empty selector names no line' list '' --sysroot "$fixtures/laptop-6.12"

refuses 1 "cannot read $work/none/proc/interrupts: No such file or directory" list --sysroot "$work/none"
mkdir -p "$work/empty/proc" "$work/nohead/proc" "$work/dir/proc/interrupts"
: >"$work/empty/proc/interrupts"
printf ' 24: 1 2 x\n' >"$work/nohead/proc/interrupts"
refuses 1 "$work/empty/proc/interrupts is empty" list --sysroot "$work/empty"
refuses 1 "$work/nohead/proc/interrupts does not begin with a row of CPUs" list --sysroot "$work/nohead"
refuses 1 "cannot read $work/dir/proc/interrupts: Is a directory" list --sysroot "$work/dir"

if [ -e /dev/full ]; then
	for form in --json ''; do
		status=0
		# shellcheck disable=SC2086 # no word where it is empty
		"$IRQPACE" list $form --sysroot "$fixtures/text-only" 2>"$work/err" >/dev/full || status=$?
		equal "a full disk $form" "$status $(cat "$work/err")" \
			'1 irqpace: cannot write the output: No space left on device'
	done
fi
