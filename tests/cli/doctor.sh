#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The doctor on recorded machines, and on one after a thing was changed.
set -euo pipefail
# shellcheck source=tests/cli/common
. "$(dirname "$0")/common"

for recorded in "$fixtures"/*.doctor.json; do
	name=$(basename "$recorded" .doctor.json)
	prints "$recorded" doctor --json --sysroot "$fixtures/$name"
done

# verdict CHECK: "VERDICT TEXT" of the first such check, read from the text.
verdict() {
	run doctor --sysroot "$tree"
	awk -v check="$1" '$2 == check { $2 = ""; $0 = $0; $1 = $1; print; exit }' "$work/out"
}
tree=$work/tree
cp -r "$fixtures/laptop-6.12" "$tree"
equal kernel "$(verdict kernel)" 'ok 6.12.117+deb13-amd64'
echo 5.10.0-1-amd64 >"$tree/proc/sys/kernel/osrelease"
equal 'old kernel' "$(verdict kernel)" 'fail 5.10.0-1-amd64 is too old'
rm "$tree/proc/sys/kernel/osrelease"
equal 'release from the version' "$(verdict kernel)" 'ok 6.12.117+deb13-amd64'
rm "$tree/proc/version"
equal 'no release' "$(verdict kernel)" "unknown the kernel's release is not known"
rm "$tree/proc/modules"
equal 'no modules' "$(verdict modules)" 'unknown whether modules can be loaded is not known'
echo 'quiet nothreadirqs threadirqsx' >"$tree/proc/cmdline"
equal 'no threadirqs' "$(verdict threadirqs)" 'ok the kernel was started without threadirqs'
echo 'quiet threadirqs' >"$tree/proc/cmdline"
equal threadirqs "$(verdict threadirqs)" \
	'warn the kernel was started with threadirqs: handlers have their own threads, only hard can be set'
echo 1 >"$tree/sys/kernel/realtime"
equal realtime "$(verdict preemption)" \
	'warn PREEMPT_RT: every handler has its own thread, only hard can be set'
echo Y >"$tree/sys/module/module/parameters/sig_enforce"
equal signature "$(verdict signature)" 'warn the kernel loads signed modules only'
echo 'none [integrity] confidentiality' >"$tree/sys/kernel/security/lockdown"
equal lockdown "$(verdict lockdown)" 'warn the kernel is locked down: none [integrity] confidentiality'
rm "$tree/sys/kernel/security/lockdown"
equal 'lockdown unknown' "$(verdict lockdown | cut -d ' ' -f 1)" unknown
equal irqbalance "$(verdict irqbalance)" \
	'warn irqbalance runs (process 611) and moves lines between CPUs; policies follow, figures change'
rm -r "$tree/proc/611"
equal 'no irqbalance' "$(verdict irqbalance)" 'ok irqbalance does not run'
rm "$tree/sys/kernel/btf/vmlinux" "$tree/usr/sbin/dkms"
equal btf "$(verdict btf)" 'warn the kernel has no BTF'
equal dkms "$(verdict dkms | cut -d : -f 1)" 'warn dkms is not installed'
mkdir -p "$tree/sys/module/irqpace"
echo 0.1.0 >"$tree/sys/module/irqpace/version"
equal 'module loaded' "$(verdict module)" 'ok irqpace 0.1.0 is loaded'
# Nobody can be asked what a recorded module had attached.
run list 25 --json --sysroot "$tree"
says 'policy unknown' '"policy":null'
rm "$tree/proc/interrupts"
equal 'no lines' "$(verdict lines)" "fail cannot read $tree/proc/interrupts: No such file or directory"
equal 'exit status' "$status" 0

run doctor
equal 'this machine' "$status $(cat "$work/err")" '0 '
