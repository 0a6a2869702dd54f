#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The forced interleavings, with irqpace on the line:
#   cases.sh eight     the eight, each on the kind of line it was found on
#   cases.sh all       on every kind of line under every policy it makes sense for
#   cases.sh native    without irqpace: the kernel itself must pass
#   cases.sh one CASE  one of the eight
set -eu
# shellcheck source=tests/guest/in/lib.sh
. "$(dirname "$0")/lib.sh"

# run LABEL CASE TYPE [POLICY...]
run() {
	label=$1 case=$2 type=$3
	shift 3
	begin "$label"
	line c "$type" cpu=0
	[ $# -eq 0 ] || pace "$irq" "$@"
	if [ -z "$failed" ]; then
		if [ $# -gt 0 ] && [ "$(field c flow_native)" = 1 ]; then
			bad "irqpace is not on the line"
		fi
		must case run "$case" line=c
		case $said in
		"ok $case") ;;
		*) bad "${said#not ok "$case": }" ;;
		esac
		no_fault c
		[ $# -eq 0 ] || unpace "$irq"
		is_native c
	fi
	end
	must line c destroy
}

eight() {
	case $1 in
	SYNC | FREE) run "$1" "$1" edge-latch moderate --delay 10ms --mask-after 1 ;;
	# Not masked by the first arrival: another one has to come.
	PENDING | DISABLE) run "$1" "$1" edge-latch moderate --delay 10ms ;;
	REPLAY) run REPLAY REPLAY edge-latch threaded --delay 10ms ;;
	WAKE) run WAKE WAKE edge-latch threaded ;;
	COUNT) run COUNT COUNT edge-latch threaded ;;
	EDGE) run EDGE EDGE edge moderate --delay 10ms --mask-after 1 ;;
	*)
		printf 'cases.sh: there is no case %s\n' "$1" >&2
		exit 2
		;;
	esac
}

cases_of() {
	case $1 in
	edge) echo SYNC PENDING REPLAY DISABLE FREE WAKE COUNT EDGE ;;
	edge-latch) echo SYNC PENDING REPLAY DISABLE FREE WAKE COUNT ;;
	*) echo SYNC DISABLE FREE WAKE COUNT ;;
	esac
}

all() {
	for type in edge-latch edge level fasteoi; do
		for case in $(cases_of "$type"); do
			# On an idle CPU an arrival ends the thread's delay: keep it busy.
			taskset 1 sh -c 'while :; do :; done' &
			busy=$!
			run "$case-$type-threaded-delay" "$case" "$type" threaded --delay 10ms
			kill "$busy"
			wait "$busy" 2>/dev/null || :
			# Without a delay the thread may have handled the event by the time that it is looked at.
			case $case in
			SYNC) ;;
			*) run "$case-$type-threaded" "$case" "$type" threaded ;;
			esac
			# An event that the timer may have handled before it is disabled.
			[ "$case" = REPLAY ] && continue
			run "$case-$type-moderate" "$case" "$type" moderate --delay 10ms --mask-after 1
			run "$case-$type-poll" "$case" "$type" moderate --delay 10ms --poll --mask-after 1
			[ "$type" != edge-latch ] || run "$case-$type-lazy" "$case" "$type" moderate --delay 10ms --mask-after 3
		done
	done
}

native() {
	for type in edge-latch edge level fasteoi; do
		for case in $(cases_of "$type"); do
			run "$case-$type-native" "$case" "$type"
		done
	done
}

synth_load
case ${1:-} in
eight) for case in SYNC PENDING REPLAY DISABLE FREE WAKE COUNT EDGE; do eight "$case"; done ;;
all) all ;;
native) native ;;
one) eight "${2:-}" ;;
*)
	printf 'usage: cases.sh eight | all | native | one CASE\n' >&2
	exit 2
	;;
esac
