#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# EDGE on a real IO-APIC edge pin: the second serial port. Each write begins a
# transmission that an interrupt has to end. Lose one, and the port is dead.
set -eu

exec 3>/dev/ttyS1
irq=$(awk '$NF == "ttyS1" { sub(":", "", $1); print $1 }' /proc/interrupts)
if [ -z "$irq" ]; then
	echo "not ok EDGE-8250: this guest has no second serial port"
	exit 1
fi
block=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx

interrupts() {
	awk -v row="$irq:" '$1 == row { for (i = 2; $i ~ /^[0-9]+$/; i++) n += $i; print n }' /proc/interrupts
}

# Bytes that have left the port.
sent() {
	sed -n 's/^1: .* tx:\([0-9]*\).*/\1/p' /proc/tty/driver/serial
}

# send: 200 writes of 64 bytes; $took is how many interrupts that was.
send() {
	before=$(interrupts)
	goal=$(($(sent) + 12800))
	# shellcheck disable=SC2016 # for the inner shell
	timeout 20 sh -c 'n=200; while [ "$n" -gt 0 ]; do printf %s "$1" >&3; n=$((n - 1)); done' sh "$block" || return 1
	left=100
	while [ "$(sent)" -lt "$goal" ]; do
		left=$((left - 1))
		[ "$left" -gt 0 ] || return 1
		sleep 0.1
	done
	took=$(($(interrupts) - before))
}

for policy in native "moderate --delay 1ms" "moderate --delay 1ms --mask-after 1 --mask flushed" threaded "threaded --delay 1ms"; do
	name=EDGE-8250-$(printf '%s' "$policy" | tr -s ' -' '-')
	# shellcheck disable=SC2086 # a policy is several words
	if [ "$policy" != native ] && ! out=$(irqpace set "$irq" $policy 2>&1); then
		echo "not ok $name: $out"
	elif ! send; then
		echo "not ok $name: the port is dead, $(($(sent) - goal + 12800)) of 12800 bytes left it"
	elif [ "$took" -lt 5 ]; then
		echo "not ok $name: 200 writes took only $took interrupts"
	else
		echo "ok $name"
	fi
	[ "$policy" = native ] || irqpace reset "$irq" >/dev/null
done
