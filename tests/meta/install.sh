#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# make install and uninstall: what they lay down, and what they say where the
# machine lacks something. DKMS itself is exercised in the lab's root.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's/^#define IRQPACE_VERSION "\(.*\)"/\1/p' cli/cli.h)
export VERSION=$version

DESTDIR=$work/root PREFIX=/usr dkms/install add
for f in usr/bin/irqpace "usr/src/irqpace-$version/dkms.conf" \
	"usr/src/irqpace-$version/kmod/Kbuild" "usr/src/irqpace-$version/core/pace.c" \
	"usr/src/irqpace-$version/uapi/irqpace.h" usr/share/man/man1/irqpace.1; do
	if [ -s "$work/root/$f" ]; then
		printf 'ok installs %s\n' "$f"
	else
		printf 'not ok installs %s: it is not there\n' "$f"
	fi
done
if grep -q "^PACKAGE_VERSION=\"$version\"$" "$work/root/usr/src/irqpace-$version/dkms.conf"; then
	printf 'ok version\n'
else
	printf 'not ok version: dkms.conf does not say %s\n' "$version"
fi
DESTDIR=$work/root PREFIX=/usr dkms/install remove
left=$(find "$work/root" -type f)
if [ -z "$left" ]; then
	printf 'ok uninstalls\n'
else
	printf 'not ok uninstalls: left %s\n' "$(tr '\n' ' ' <<<"$left")"
fi

# A machine of our own making: only these commands, and an id that says root.
mkdir "$work/bin"
for tool in bash dirname grep sed uname mkdir rm cp install basename; do
	ln -s "$(command -v "$tool")" "$work/bin/$tool"
done
# shellcheck disable=SC2016
printf '#!/bin/sh\necho "${FAKE_UID:-0}"\n' >"$work/bin/id"
chmod +x "$work/bin/id"

# refused NAME WORDS: one sentence with these words, exit 1, nothing written.
refused() {
	local status=0 out
	out=$(PATH=$work/bin PREFIX=$work/prefix RELEASE=0.0.0-none dkms/install add 2>&1) || status=$?
	if [ "$status" = 1 ] && [ "$(wc -l <<<"$out")" = 1 ] && [[ $out == irqpace:*"$2"* ]] &&
		[ ! -e "$work/prefix" ]; then
		printf 'ok %s\n' "$1"
	else
		printf 'not ok %s: status %s, said "%s"\n' "$1" "$status" "$out"
	fi
}

FAKE_UID=1000 refused not-root sudo
refused no-dkms 'apt install dkms'
printf '#!/bin/sh\nexit 0\n' >"$work/bin/dkms"
chmod +x "$work/bin/dkms"
refused no-headers 'apt install linux-headers-0.0.0-none'
