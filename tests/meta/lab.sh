#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The lab's scripts where no guest is needed: bad usage, and what of a kernel's
# log is a fault.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# refused NAME COMMAND...: one sentence on stderr, nothing on stdout, exit 2.
refused() {
	local name=$1 status=0
	shift
	"$@" >"$work/out" 2>"$work/err" || status=$?
	if [ "$status" = 2 ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" = 1 ]; then
		printf 'ok %s\n' "$name"
	else
		printf 'not ok %s: status %s, said "%s"\n' "$name" "$status" "$(head -c 300 "$work/err")"
	fi
}

refused run-no-command lab/run
refused run-unknown-option lab/run --kernle 6.12 -- true
refused run-unknown-kernel lab/run --kernel 2.4 -- true
refused run-bad-mode lab/run --mode fast -- true
refused run-bad-cpus lab/run --cpus none -- true
refused run-bad-memory lab/run --mem lots -- true
refused run-bad-timeout lab/run --timeout 0 -- true
refused run-missing-value lab/run --kernel
refused run-missing-put lab/run --put "$work/nowhere" -- true
refused run-bad-get lab/run --get nocolon -- true
refused run-shell-and-command lab/run --shell -- true
refused setup-unknown lab/setup everything
refused setup-unknown-kernel lab/setup kernel 2.4
refused build-no-kernel lab/build-modules
refused build-unknown-kernel lab/build-modules 2.4
refused in-root-no-command lab/in-root
refused in-root-unknown-option lab/in-root --root /x -- true

# The lines are as kernels print them; a pattern that no longer fits shows here.
while IFS= read -r line; do
	printf '[    1.000000] %s\r\n' "$line" >"$work/log"
	if out=$(lab/scan-log "$work/log"); then
		printf 'not ok bad: passed: %s\n' "$line"
	elif [[ $out == *"$line"* ]]; then
		printf 'ok bad: %.50s\n' "$line"
	else
		printf 'not ok bad: it shows another line: %s\n' "$out"
	fi
done <<'EOF'
BUG: kernel NULL pointer dereference, address: 0000000000000010
BUG: sleeping function called from invalid context at kernel/irq/manage.c:100
WARNING: CPU: 0 PID: 12 at kernel/irq/manage.c:774 __enable_irq+0x49/0x70
WARNING: kernel/irq/manage.c:774 at __enable_irq+0x49/0x70, CPU#0: fio/12
WARNING: possible circular locking dependency detected
Unbalanced enable for IRQ 26
irq 26: nobody cared (try booting with the "irqpoll" option)
nvme nvme0: I/O tag 12 (100c) QID 1 timeout, completion polled
nvme nvme0: I/O tag 3 (1003) opcode 0x2 (I/O Cmd) QID 1 timeout, aborting req_op:READ(0) size:4096
watchdog: BUG: soft lockup - CPU#0 stuck for 26s! [fio:77]
watchdog: Watchdog detected hard LOCKUP on cpu 1
rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:
rcu: INFO: rcu_preempt self-detected stall on CPU
INFO: task fio:77 blocked for more than 120 seconds.
Oops: 0000 [#1] PREEMPT SMP NOPTI
Oops: general protection fault, probably for non-canonical address 0xdead000000000108: 0000 [#1]
Kernel panic - not syncing: Fatal exception in interrupt
list_del corruption. prev->next should be ffff888100000000, but was dead000000000122
refcount_t: underflow; use-after-free.
I/O error, dev nvme0n1, sector 0 op 0x0:(READ) flags 0x800 phys_seg 1 prio class 2
ata1.00: exception Emask 0x0 SAct 0x1 SErr 0x0 action 0x6 frozen
ata1.00: failed command: READ FPDMA QUEUED
ufshcd 0000:00:03.0: ufshcd_abort: Device abort task at tag 3
ufshcd 0000:00:03.0: uic cmd 0x1 completion timeout
UBSAN: array-index-out-of-bounds in core/pace.c:12:3
BUG: scheduling while atomic: fio/77/0x00010000
workqueue: irqpace is using neither WQ_PERCPU or WQ_UNBOUND. Setting WQ_PERCPU.
EOF

while IFS= read -r line; do
	printf '[    1.000000] %s\n' "$line" >"$work/log"
	if lab/scan-log "$work/log" >/dev/null; then
		printf 'ok good: %.50s\n' "$line"
	else
		printf 'not ok good: taken for a fault: %s\n' "$line"
	fi
done <<'EOF'
Spectre V2 : WARNING: Unprivileged eBPF is enabled with eIBRS on, data leaks possible via Spectre v2 BHB attacks!
NMI watchdog: Enabled. Permanently consumes one hw-PMU counter.
rcu: Hierarchical RCU implementation.
irqpace: loading out-of-tree module taints kernel.
ata3: SATA link down (SStatus 0 SControl 300)
kfence: initialized - using 2097152 bytes for 255 objects
EOF

printf 'BUG: one\nBUG: two\n' >"$work/log"
if [ "$(lab/scan-log --allow 'BUG: one' "$work/log")" = 'BUG: two' ] &&
	lab/scan-log --allow 'BUG: one' --allow 'two$' "$work/log" >/dev/null; then
	printf 'ok allow\n'
else
	printf 'not ok allow: it does not leave out exactly what was allowed\n'
fi
