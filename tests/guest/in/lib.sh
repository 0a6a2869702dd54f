# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# In the guest: what the tests on synthetic lines share. Each prints lines
# `ok NAME` and `not ok NAME: why`.

SYNTH=/sys/kernel/debug/irqpace-synth
NL='
'

# One command to irqpace-synth; its sentence is in $said.
ctl() {
	said_status=0
	printf '%s\n' "$*" 2>/dev/null >"$SYNTH/ctl" || said_status=1
	read -r said <"$SYNTH/result"
	return "$said_status"
}

# The same where a refusal means that the test itself is wrong.
must() {
	ctl "$@" && return 0
	printf 'not ok %s: irqpace-synth refuses "%s": %s\n' "${test:-setup}" "$*" "$said"
	exit 1
}

# look LINE: its state, read once for many questions, into $state.
look() {
	state=$NL$(cat "$SYNTH/lines/$1/state")$NL
}

# value KEY: from the last look, into $got.
value() {
	case $state in
	*"$NL$1 "*)
		got=${state#*"$NL$1 "}
		got=${got%%"$NL"*}
		;;
	*) got='' ;;
	esac
}

# field LINE KEY: looked up anew and printed.
field() {
	look "$1"
	value "$2"
	printf '%s\n' "$got"
}

# line NAME TYPE [MORE]...: makes it; its number is in $irq
line() {
	name=$1 type=$2
	shift 2
	must line create "name=$name" "type=$type" "$@"
	# shellcheck disable=SC2034 # for the caller
	irq=${said##* }
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

# wanted LINE KEY VALUE: by the last look
wanted() {
	value "$2"
	[ "$got" = "$3" ] || bad "line $1: $2 is $got, not $3"
}

want() {
	look "$1"
	wanted "$@"
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
	look "$1"
	value "$2"
	[ "$got" = "$3" ]
}

at_rest() {
	look "$1"
	for rest in lost items_left masked threads_active irqd_inprogress; do
		value "$rest"
		[ "$got" = 0 ] || return 1
	done
}

# What may never happen on any line, whatever was done to it.
no_fault() {
	within 300 at_rest "$1" || bad "line $1 does not come to rest: $rest is $got"
	for fault in doubled concurrent while_disabled after_free after_sync while_armed hold_timeouts unmask_when_down; do
		wanted "$1" "$fault" 0
	done
}

# As the kernel had it before: flow handler, mask, depth, nobody waited for.
is_native() {
	look "$1"
	wanted "$1" flow_native 1
	wanted "$1" irqd_masked 0
	wanted "$1" irqd_disabled 0
	wanted "$1" masked 0
	wanted "$1" depth 0
	wanted "$1" threads_active 0
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
