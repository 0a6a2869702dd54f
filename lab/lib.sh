# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034 # used by those that read this
#
# What every script of the lab shares: where things lie, messages, the list of
# kernels. Read by `. lab/lib.sh`; sets LAB, TOP and CACHE, changes nothing.

LAB=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
TOP=$(dirname "$LAB")
CACHE=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/irqpace

ROOT_SUITE=trixie
ROOT_PACKAGES=(
	qemu-system-x86 fio rt-tests nvme-cli busybox-static bash
	kmod cpio xz-utils zstd
	make dkms gcc gcc-12 libc6-dev libelf1t64 libssl3t64 pahole sparse
	perl libmnl0 libjansson4 libsmartcols1
	libbpf1 zlib1g libncursesw6 ncurses-base
	prometheus libbpf-tools util-linux-extra
)
# What the command is built with, and what the lab and the tests need besides.
BUILD_PACKAGES=(
	gcc libc6-dev binutils pkg-config libmnl-dev libjansson-dev libsmartcols-dev
	clang bpftool libbpf-dev libelf-dev zlib1g-dev libncurses-dev
)
HOST_PACKAGES=(
	"${BUILD_PACKAGES[@]}"
	mmdebstrap debian-archive-keyring ca-certificates xz-utils zstd cpio kmod
	libcmocka-dev libclang-rt-dev shellcheck mandoc perl patch
)

say() { printf '%s: %s\n' "${LAB_NAME:-lab}" "$*" >&2; }
die() { say "$*"; exit 1; }
usage_error() { say "$*"; exit 2; }

# as_root CMD...: directly where we are root, by sudo otherwise.
as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		die "'$1' needs root: install sudo, or run this as root"
	fi
}

hash_of() { sha256sum | cut -c1-12; }

# The key alone tells whether a cached thing still follows its recipe.
root_dir() {
	printf '%s/root-%s\n' "$CACHE" \
		"$(printf '%s\n' "$ROOT_SUITE" "${ROOT_PACKAGES[@]}" | hash_of)"
}

kernel_keys() { sed -e 's/#.*//' "$LAB/kernels" | awk 'NF { print $1 }'; }

default_kernel() { kernel_keys | head -n 1; }

# kernel_line KEY: its line of the list, or nothing.
kernel_line() {
	sed -e 's/#.*//' "$LAB/kernels" | awk -v k="$1" 'NF && $1 == k'
}

need_kernel_key() {
	[ -n "$(kernel_line "$1")" ] ||
		usage_error "no kernel '$1' in lab/kernels (it has $(kernel_keys | paste -sd' '))"
}

kernel_dir() {
	printf '%s/kernel-%s-%s\n' "$CACHE" "$1" "$(kernel_line "$1" | hash_of)"
}

# kernel_release KEY: what `uname -r` says there.
kernel_release() { cat "$(kernel_dir "$1")/release"; }

# A cached directory counts only when its stamp, which is written last, is there.
is_whole() { [ -f "$1/.irqpace-whole" ]; }
