#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# locks: what is refused before anything is attached.
set -euo pipefail
# shellcheck source=tests/cli/common
. "$(dirname "$0")/common"

usage() { refuses 2 "$@"; }

usage 'locks needs a selector, --symbol or --lock, for example: irqpace locks sda' locks
usage 'a selector, --symbol and --lock do not go together' locks sda --lock ffff888000000000
usage 'a selector, --symbol and --lock do not go together' locks --symbol a --lock 0
usage 'locks takes one selector, not 2' locks sda sdb
usage 'a command has its own time: it does not go with --seconds' locks sda --seconds 2 -- true
usage 'a command has to follow --' locks sda --
usage '--json and --csv do not go together' locks sda --json --csv
usage '--seconds has to be a number of seconds from 0.1 to 3600, not "0"' locks sda --seconds 0
usage '--seconds has to be a number of seconds from 0.1 to 3600, not "nan"' locks sda --seconds nan
usage '--run has to be a number from 1 to 1000000, not "x"' locks sda --run x
usage 'locks has no option --sysroot: see irqpace locks --help' locks --sysroot / sda

hex='--lock needs a hexadecimal address, for example 0xffff888100a1c040, not'
for bad in '' 0x xyz 0xffff88810000000g ' 0xffff888100a1c040' -1 0x1ffff888100a1c0400; do
	usage "$hex $bad" locks --lock "$bad"
done
usage "0xffff888100a1c042 is no address of a spin lock: those are multiples of 4" \
	locks --lock 0xffff888100a1c042
usage "0x7fff00000000 is no address of the kernel's: those begin with ffff" locks --lock 0x7fff00000000
usage "0 is no address of the kernel's: those begin with ffff" locks --lock 0

symbol='--symbol needs SYMBOL or SYMBOL+OFFSET, for example rtc_lock or init_task+0x8c0, not'
for bad in '' + +8 rtc_lock+ rtc_lock+x rtc_lock+-8 rtc_lock+8+8 rtc_lock+0x; do
	usage "$symbol $bad" locks --symbol "$bad"
done

if [ "$(id -u)" = 0 ] && [ "$(awk 'NR == 1 { print $1 }' /proc/kallsyms)" != 0000000000000000 ]; then
	ASAN_OPTIONS=detect_leaks=0 run locks --symbol no_such_lock_anywhere
	equal 'an unknown symbol' "$status $(cut -d ';' -f 1 "$work/err")" \
		'1 irqpace: the kernel has no symbol no_such_lock_anywhere'
else
	echo 'skip symbols: the kernel shows its addresses to root only'
fi
refuses 1 "$(ASAN_OPTIONS=detect_leaks=0 "$IRQPACE" list no-such-line 2>&1 | sed 's/^irqpace: //')" \
	locks no-such-line

run locks --help
says 'help of locks' 'Usage: irqpace locks '
