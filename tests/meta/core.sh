#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# core/ stands alone: nothing is linked to it, nothing in it computes in
# floating point, and a 32-bit build calls no 64-bit division of a library.
# Each check is first shown a snippet that it has to catch.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

FLAGS=(-std=gnu11 -O2 -Wall -Wextra -Werror -ffreestanding -fno-builtin -fno-pic
	-fno-stack-protector -I. -Icore)

# undefined BITS FILE...: what one relocatable object of these still asks for.
undefined() {
	local bits=$1 objects=() f
	shift
	for f in "$@"; do
		objects+=("$work/$bits-$(basename "$f" .c).o")
		gcc "${FLAGS[@]}" "-m$bits" -mgeneral-regs-only -c -o "${objects[-1]}" "$f"
	done
	gcc "-m$bits" -nostdlib -r -no-pie -o "$work/all-$bits.o" "${objects[@]}"
	nm -u "$work/all-$bits.o"
}

# floats FILE...: the lines (comments apart) that name a floating type or constant.
floats() {
	local f
	for f in "$@"; do
		gcc -fpreprocessed -dD -E -P "$f" 2>/dev/null |
			grep -nE '\b(float|double|_Float[0-9]+)\b|\b[0-9]+\.[0-9]|\b[0-9]+[eE]-?[0-9]+\b' |
			sed "s|^|$f: |" || :
	done
}

# check NAME FOUND: passes where nothing was found.
check() {
	if [ -z "$2" ]; then
		printf 'ok %s\n' "$1"
	else
		printf 'not ok %s: %s\n' "$1" "$(tr '\n' ' ' <<<"$2")"
	fi
}

# caught NAME FOUND PATTERN: passes where the snippet's fault was found.
caught() {
	if grep -qE "$3" <<<"$2"; then
		printf 'ok %s\n' "$1"
	else
		printf 'not ok %s: the bad snippet was not caught\n' "$1"
	fi
}

printf '#include <stdint.h>\nuint64_t f(uint64_t a, uint64_t b) { return a / b; }\n' >"$work/div.c"
printf 'int printk(const char *s, ...);\nint f(void) { return printk("x"); }\n' >"$work/call.c"
printf 'long f(long a) { return (long)(0.5 * (double)a); }\n' >"$work/float.c"

caught catches-division "$(undefined 32 "$work/div.c")" '__udivdi3'
caught catches-library-call "$(undefined 64 "$work/call.c")" 'printk'
caught catches-floating-point "$(floats "$work/float.c")" 'double'

check no-undefined-symbol-64 "$(undefined 64 core/*.c)"
check no-undefined-symbol-32 "$(undefined 32 core/*.c)"
check no-floating-point "$(floats core/*.c core/*.h)"
check no-kernel-header "$(grep -nE '#include *<(linux|asm)/' core/*.[ch] | grep -v '^core/types.h:' || :)"
