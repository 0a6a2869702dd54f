#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# In the guest: real drivers under fio with verification, while policies change,
# devices go and come, and the module goes. $1: changes of policy, $2: the
# seconds that they may take, $3: seed.
set -u
changes=$1 seconds=$2 seed=$3
failures=0

ok() { echo "ok $1"; }
not_ok() {
	echo "not ok $1: $2"
	failures=$((failures + 1))
}

# The lines that serve the three disks.
lines() {
	awk '/nvme|ufshcd|ahci/ { sub(":", "", $1); print $1 }' /proc/interrupts
}

# verify NAME DISK ROUNDS: writes with checksums and reads back; once more until
# the file stop-NAME is there, so that the load lasts as long as what it is for.
verify() {
	rounds=0
	while :; do
		fio --name="$1" --filename="$2" --rw=randrw --bs=4k --size=16m --ioengine=libaio \
			--direct=1 --iodepth=16 --verify=crc32c --verify_fatal=1 --do_verify=1 \
			--randseed=$((seed + rounds)) --minimal >"/tmp/fio-$1" 2>&1 || {
			cat "/tmp/fio-$1" >&2
			echo failed >"/tmp/result-$1"
			return
		}
		rounds=$((rounds + 1))
		[ ! -e /tmp/stop ] || break
	done
	echo "$rounds" >"/tmp/result-$1"
}

start_load() {
	rm -f /tmp/stop /tmp/result-*
	for d in "$@"; do
		case $d in
		nvme) verify nvme "$IRQPACE_NVME" & ;;
		ahci) verify ahci "$IRQPACE_AHCI" & ;;
		ufs) verify ufs "$IRQPACE_UFS" & ;;
		esac
	done
}

# stop_load NAME DISK...: waits for the rounds under way and judges them.
stop_load() {
	test_name=$1
	shift
	: >/tmp/stop
	for d in "$@"; do
		while [ ! -e "/tmp/result-$d" ]; do sleep 0.2; done
		r=$(cat "/tmp/result-$d")
		if [ "$r" = failed ]; then
			not_ok "$test_name-$d" "fio with verification failed"
		else
			echo "# $d: $r rounds of fio verified"
			ok "$test_name-$d"
		fi
	done
}

# A loaded host makes fewer changes in that time; a tenth must be reached.
storm() {
	start_load nvme ahci ufs
	# shellcheck disable=SC2046
	if ./policy-storm "$changes" "$seconds" "$seed" 2000 $(lines) >/tmp/storm; then
		sed 's/^/# /' /tmp/storm
		made=$(sed -n 's/ changes in .*//p' /tmp/storm | tail -n 1)
		if [ "$((made * 10))" -ge "$changes" ]; then
			ok "storm-$made-changes"
		else
			not_ok storm "only $made of $changes changes in $seconds s"
		fi
	else
		not_ok storm "a change was refused or a line is still attached"
	fi
	stop_load storm nvme ahci ufs
}

pci_of() { basename "$(readlink -f "/sys/class/nvme/nvme0/device")"; }

# The queues' lines go with the driver and come back with other numbers.
attached_again() {
	for _ in $(seq 100); do
		[ "$(irqpace list driver:nvme --json 2>/dev/null | grep -o '"policy": *"moderate"' | wc -l)" -ge 2 ] && return 0
		sleep 0.1
	done
	return 1
}

controller_reset() {
	irqpace set driver:nvme moderate --delay 1ms --poll >/dev/null
	start_load nvme
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		sleep 0.3
		echo 1 >/sys/class/nvme/nvme0/reset_controller || {
			not_ok nvme-reset "the reset failed"
			break
		}
	done
	stop_load nvme-reset nvme
	if attached_again; then ok nvme-reset-reattached; else not_ok nvme-reset-reattached "$(irqpace list driver:nvme)"; fi
	irqpace reset --all >/dev/null
}

unbind_bind() {
	dev=$(pci_of)
	irqpace set driver:nvme moderate --delay 10ms --poll >/dev/null
	n=0
	while [ $n -lt 5 ]; do
		fio --name=x --filename="$IRQPACE_NVME" --rw=randread --bs=4k --ioengine=libaio --direct=1 \
			--iodepth=16 --time_based --runtime=20 --minimal >/dev/null 2>&1 &
		load=$!
		sleep 0.5
		echo "$dev" >/sys/bus/pci/drivers/nvme/unbind
		wait $load # its reads fail: the disk is gone
		echo "$dev" >/sys/bus/pci/drivers/nvme/bind
		for _ in $(seq 100); do [ -b "$IRQPACE_NVME" ] && break; sleep 0.1; done
		n=$((n + 1))
	done
	if attached_again; then ok nvme-unbind-bind; else not_ok nvme-unbind-bind "$(irqpace list driver:nvme)"; fi
	irqpace reset --all >/dev/null
	start_load nvme
	: >/tmp/stop
	stop_load nvme-after-unbind nvme
}

unload() {
	start_load nvme ahci ufs
	for policy in 'moderate --delay 10ms --poll' 'threaded --delay 5ms' 'hybrid --limit 5us --window 10ms'; do
		for l in $(lines); do
			# shellcheck disable=SC2086
			irqpace set "$l" $policy --shared >/dev/null
		done
		sleep 1
		rmmod irqpace || not_ok "unload-${policy%% *}" "rmmod failed"
		sleep 0.5
		insmod modules/irqpace.ko || not_ok "load-${policy%% *}" "insmod failed"
	done
	rmmod irqpace
	stop_load unload nvme ahci ufs
	if lsmod | grep -q '^irqpace '; then not_ok unload "still loaded"; else ok unload; fi
}

storm
controller_reset
unbind_bind
unload
exit $((failures > 0))
