#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 600
#
# checkpatch over all kernel code, and sparse over both modules.
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=lab/lib.sh
. lab/lib.sh
key=$(default_kernel)
lab/setup checkpatch
tools=$CACHE/checkpatch-$key
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What is left out, and why:
#   SPDX_LICENSE_TAG, FILE_PATH_CHANGES  speak of patches and of the kernel's own tree
#   SPLIT_STRING, LONG_LINE_STRING       sentences for users stay whole
#   LINUX_VERSION_CODE                   belongs in compat/, which tests/meta/tree.sh checks
#   CONSTANT_COMPARISON                  takes LINUX_VERSION_CODE for a constant
#   EMBEDDED_FILENAME                    a guest's and a module's names are in their comments
IGNORE=SPDX_LICENSE_TAG,FILE_PATH_CHANGES,SPLIT_STRING,LONG_LINE_STRING
IGNORE+=,LINUX_VERSION_CODE,CONSTANT_COMPARISON,EMBEDDED_FILENAME

# checkpatch FILE: what it says of it. core/ has none of the kernel's macros.
checkpatch() {
	local ignore=$IGNORE
	case $1 in core/*) ignore+=,ARRAY_SIZE,MINMAX ;; esac
	perl "$tools/scripts/checkpatch.pl" --no-tree --no-summary --terse --show-types \
		--max-line-length=100 --ignore "$ignore" -f "$1" 2>/dev/null
}

printf '// SPDX-License-Identifier: GPL-2.0-only\nint f( int a ){\n  return(a);\n}\n' >"$work/bad.c"
if checkpatch "$work/bad.c" >/dev/null; then
	echo "not ok checkpatch-catches: a badly written file passed"
else
	echo "ok checkpatch-catches"
fi
# one FILE: its case line, and before it what was said.
one() {
	local out
	[ -f "$1" ] || return 0
	if out=$(checkpatch "$1"); then
		printf 'ok checkpatch %s\n' "$1"
	else
		printf '%s\nnot ok checkpatch %s: %s lines\n' "$out" "$1" "$(wc -l <<<"$out")"
	fi
}
export -f one checkpatch
export tools IGNORE
# shellcheck disable=SC2016
git ls-files 'kmod/*.[ch]' 'synth/*.[ch]' 'core/*.[ch]' 'uapi/*.h' |
	xargs -P "$(nproc)" -I{} bash -c 'one "$1"' bash {}

# sparse_says TOP: what sparse says of that tree's own files. The context
# warnings are off: it cannot follow a lock that the caller holds and that is
# dropped and taken again within, which is what a round does.
sparse_says() {
	"$1/lab/build-modules" "$key" C=2 CF=-Wno-context >"$work/said" 2>&1 || {
		cat "$work/said"
		return
	}
	grep -E '/build/(kmod|synth|core|uapi)/.*: (warning|error):' "$work/said" || :
}

mkdir -p "$work/bad/kmod" "$work/bad/core"
cp -r lab "$work/bad/"
printf 'obj-m := bad.o\n' >"$work/bad/kmod/Kbuild"
cat >"$work/bad/kmod/bad.c" <<'EOF'
#include <linux/module.h>
int irqp_bad(int __user *p);
int irqp_bad(int __user *p) { return *p; }
MODULE_DESCRIPTION("what sparse has to catch");
MODULE_LICENSE("GPL");
EOF
if grep -q 'noderef' <<<"$(sparse_says "$work/bad")"; then
	echo "ok sparse-catches"
else
	echo "not ok sparse-catches: an address space error passed"
fi
said=$(sparse_says .)
if [ -z "$said" ]; then
	echo "ok sparse"
else
	printf '%s\n' "$said"
	echo "not ok sparse: it objects"
fi
