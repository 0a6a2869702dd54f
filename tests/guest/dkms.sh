#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 300
#
# make install with a real DKMS: in the lab's root, with copies of the folders
# that it writes to, against the default kernel's headers.
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=lab/lib.sh
. lab/lib.sh
key=$(default_kernel)
lab/setup root kernel "$key"
release=$(kernel_release "$key")
tree=$(kernel_dir "$key")/tree
version=$(sed -n 's/^#define IRQPACE_VERSION "\(.*\)"/\1/p' cli/cli.h)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir -p "$work"/{src,modules,local,dkms,checkout/out}
cp -a "$tree/usr/src/." "$work/src/"
cp -a "$tree/usr/lib/modules/$release" "$work/modules/"
ln -sfn "/usr/src/linux-headers-$release" "$work/modules/$release/build"
cp -r core uapi kmod man cli dkms "$work/checkout/"
cp out/irqpace "$work/checkout/out/"

in_root() {
	lab/in-root --kernel "$key" --bind "$work/src:/usr/src" \
		--bind "$work/modules:/usr/lib/modules" --bind "$work/local:/usr/local" \
		--bind "$work/dkms:/var/lib/dkms" --bind "$work/checkout:/mnt" --cd /mnt -- \
		env VERSION="$version" RELEASE="$release" "$@"
}

# check NAME CONDITION...: the condition is a command.
check() {
	local name=$1
	shift
	if "$@"; then
		printf 'ok %s\n' "$name"
	else
		printf 'not ok %s: see above\n' "$name"
	fi
}

built() { find "$work/modules/$release/updates" -name 'irqpace.ko*' 2>/dev/null | grep -q .; }
gone() { ! built && [ ! -e "$work/src/irqpace-$version" ] && [ -z "$(find "$work/local" -type f)" ]; }
known() { grep -q 'irqpace\.ko' "$work/modules/$release/modules.dep"; }
status_says() { in_root dkms status | grep -q "irqpace/$version, $release.*: installed"; }

check install in_root dkms/install add
check module-is-there built
check modprobe-finds-it known
check command-is-there test -x "$work/local/bin/irqpace"
check dkms-status status_says
check again in_root dkms/install add
check module-still-there built
check uninstall in_root dkms/install remove
check nothing-left gone
