# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# In the guest: what the tests on synthetic lines share. Each prints lines
# `ok NAME` and `not ok NAME: why`.

SYNTH=/sys/kernel/debug/irqpace-synth

# One command to irqpace-synth; its sentence is in $said.
ctl() {
	if printf '%s\n' "$*" 2>/dev/null >"$SYNTH/ctl"; then
		said=$(cat "$SYNTH/result")
		return 0
	fi
	said=$(cat "$SYNTH/result")
	return 1
}

# The same where a refusal means that the test itself is wrong.
must() {
	ctl "$@" && return 0
	printf 'not ok %s: irqpace-synth refuses "%s": %s\n' "${test:-setup}" "$*" "$said"
	exit 1
}

# field LINE KEY
field() {
	awk -v key="$2" '$1 == key { print $2; exit }' "$SYNTH/lines/$1/state"
}

# line NAME TYPE [MORE]...: makes it; its number is in $irq
line() {
	name=$1
	type=$2
	shift 2
	must line create "name=$name" "type=$type" "$@"
	# shellcheck disable=SC2034 # for the caller
	irq=$(field "$name" irq)
}

begin() {
	test=$1
	failed=''
}

# why...: the test named by begin has failed; only the first reason is told.
bad() {
	[ -n "$failed" ] || failed="$*"
}

end() {
	if [ -n "$failed" ]; then
		printf 'not ok %s: %s\n' "$test" "$failed"
	else
		printf 'ok %s\n' "$test"
	fi
}

# want LINE KEY VALUE
want() {
	is=$(field "$1" "$2")
	[ "$is" = "$3" ] || bad "line $1: $2 is $is, not $3"
}

# within TENTHS COMMAND...: tries until it succeeds.
within() {
	left=$1
	shift
	while ! "$@"; do
		left=$((left - 1))
		[ "$left" -gt 0 ] || return 1
		sleep 0.1
	done
}

is() {
	[ "$(field "$1" "$2")" = "$3" ]
}

at_rest() {
	is "$1" lost 0 && is "$1" items_left 0 && is "$1" masked 0 && is "$1" threads_active 0 &&
		is "$1" irqd_inprogress 0
}

# What may never happen on any line, whatever was done to it.
no_fault() {
	within 20 at_rest "$1" || bad "line $1 does not come to rest: $(field "$1" lost) events lost, $(field "$1" items_left) items left, masked $(field "$1" masked), $(field "$1" threads_active) waited for"
	for key in doubled concurrent while_disabled after_free after_sync while_armed hold_timeouts unmask_when_down; do
		want "$1" "$key" 0
	done
}

# As the kernel had it before: flow handler, mask, depth, nobody waited for.
is_native() {
	want "$1" flow_native 1
	want "$1" irqd_masked 0
	want "$1" irqd_disabled 0
	want "$1" masked 0
	want "$1" depth 0
	want "$1" threads_active 0
}

# pace IRQ POLICY...: or the test has failed
pace() {
	out=$(irqpace set "$@" 2>&1) || bad "irqpace set $*: $out"
}

unpace() {
	out=$(irqpace reset "$1" 2>&1) || bad "irqpace reset $1: $out"
}

synth_load() {
	[ -d "$SYNTH" ] || mount -t debugfs none /sys/kernel/debug 2>/dev/null || true
	[ -d "$SYNTH" ] || insmod /irqpace/modules/irqpace-synth.ko || exit 1
}
