#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# In the guest, four CPUs: the locks of a stock driver are found and add up, and
# of a lock whose holds are counted every one is seen.
set -u
# shellcheck source=tests/guest/in/lib.sh
. "$(dirname "$0")/lib.sh"
synth_load
kernel=$IRQPACE_KERNEL

# The first lock of the document, and its places, each on a line of its own.
first() { sed "s/{\"lock\":/\\n&/g" out | sed -n "2s/\"places\":.*//p"; }
first_places() { sed "s/{\"lock\":/\\n&/g" out | sed -n "2s/.*\"places\"://p" | sed "s/{/\\n/g"; }

# member NAME: of the first lock.
member() {
	first | sed -n "s/.*\"$1\":\([^,}]*\).*/\\1/p"
}

# shared: how often all lines have taken the shared lock.
shared() {
	cat "$SYNTH"/lines/*/state | awk '$1 == "locked" { n += $2 } END { print n + 0 }'
}

# places: the sum of the acquisitions of the first lock's places.
places() {
	first_places | sed -n "s/.*\"acquisitions\":\([0-9]*\).*/\\1/p" |
		awk '{ n += $1 } END { print n + 0 }'
}

# holds CONDITION: of the numbers of the first lock, as awk sees them.
holds() {
	awk -v acquisitions="$(member acquisitions)" -v contended="$(member contended)" \
		-v hold="$(member hold_mean_us)" -v wait="$(member wait_total_us)" \
		-v p99="$(member wait_p99_us)" "BEGIN { exit !($1) }" ||
		bad "not $1: $(cut -c 1-400 out)"
}

# taken N: so often as N, but for hooks that interrupted themselves on a CPU, which
# the kernel leaves out and counts.
taken() {
	missing=$(($1 - $(member acquisitions)))
	left_out=$(sed -n 's/.*"hooks_missed":\([0-9]*\).*/\1/p' out)
	if [ "$missing" -lt 0 ] || [ "$missing" -gt "$left_out" ]; then
		bad "$(member acquisitions) acquisitions and $left_out hooks left out, and the lock was taken $1 times"
	fi
}

begin "$kernel a lock with known holds"
line a edge-latch "cpu=$(($(nproc) > 1))" locked_ns=20000
irqpace locks --symbol synth_shared_lock --json -- \
	sh -c "echo 'line a fire count=500 gap_us=100' >$SYNTH/ctl" >out 2>err ||
	bad "irqpace locks: $(cat err)"
taken "$(shared)"
[ "$(shared)" -ge 100 ] || bad "the lock was taken $(shared) times only"
[ "$(places)" = "$(member acquisitions)" ] || bad "the places have $(places) acquisitions"
holds 'contended == 0 && wait == 0 && p99 == 0'
holds 'hold >= 15'
grep -q '"place":"synth_handler.*\[irqpace_synth\]"' out || bad "no place in the handler: $(cat out)"
end

if [ "${1:-}" = count ]; then
	# An instruction is a nanosecond here, and the hooks are a few of them.
	begin "$kernel the mean hold"
	holds 'hold >= 20 && hold <= 20.6'
	end
	cat out
	exit
fi

if [ "${1:-}" != brief ]; then
	begin "$kernel lines that wait for each other"
	line b edge-latch cpu=2 locked_ns=20000
	line c edge-latch cpu=3 locked_ns=20000
	before=$(shared)
	irqpace locks --symbol synth_shared_lock --json -- sh -c "
		echo 'line a rate 5000 count=4000' >$SYNTH/ctl
		echo 'line b rate 5000 count=4000' >$SYNTH/ctl
		echo 'line c rate 5000 count=4000' >$SYNTH/ctl
		sleep 2
		echo 'line a stop' >$SYNTH/ctl
		echo 'line b stop' >$SYNTH/ctl
		echo 'line c stop' >$SYNTH/ctl
		sleep 0.3" >out 2>err || bad "irqpace locks: $(cat err)"
	taken "$(($(shared) - before))"
	holds 'contended > 0 && contended <= acquisitions && wait > contended'
	[ "$(places)" = "$(member acquisitions)" ] || bad "the places have $(places) acquisitions"
	end
fi

begin "$kernel the host lock of AHCI"
fio --name=x --filename="$IRQPACE_AHCI" --rw=randread --ioengine=libaio --iodepth=32 \
	--direct=1 --numjobs=2 --time_based --runtime=300 --minimal >/dev/null 2>&1 &
fio=$!
sleep 1
irqpace locks "${IRQPACE_AHCI#/dev/}" --json --seconds 2 >out 2>err || bad "irqpace locks: $(cat err)"
case $(member lock) in
'"host_lock 0000:00:1f.2"') ;;
*) bad "the first lock is $(member lock): $(cut -c 1-400 out)" ;;
esac
[ "$(places)" = "$(member acquisitions)" ] || bad "the places have $(places) acquisitions"
holds 'acquisitions > 50 && hold > 0'
for place in ata_scsi_queuecmd ahci_single_level_irq_intr; do
	grep -q "\"place\":\"$place+" out || bad "it was not seen to be taken in $place: $(cat out)"
done
end

if [ "${1:-}" = brief ]; then
	kill "$fio"
	exit
fi

begin "$kernel the columns of published tables"
irqpace locks "${IRQPACE_AHCI#/dev/}" --csv --run 7 --seconds 0.2 >out 2>err || bad "irqpace locks: $(cat err)"
[ "$(head -n 1 out)" = lock,run,holdtime_total,waittime_total,acquisitions,holdtime_avg,waittime_avg ] ||
	bad "the head is $(head -n 1 out)"
awk -F, '/^host_lock 0000:00:1f.2,7,/ && NF == 7 { d = $3 / $5 / $6; ok = d <= 1.001 && d > 0.95 }
	END { exit !ok }' out || bad "the row is $(sed -n 2p out)"
end
kill "$fio"
wait "$fio" 2>/dev/null

begin "$kernel what is refused"
irqpace locks "${IRQPACE_AHCI#/dev/}" >out 2>err && bad 'an idle line is not refused'
grep -q '^irqpace: no handler of irq [0-9]* (ahci.*) ran while its locks were looked for' err ||
	bad "of an idle line it says $(cat err)"
irqpace locks --lock 0xffffffff00000004 --seconds 0.1 >out 2>err && bad 'no lock is not refused'
[ "$(cat out err)" = 'irqpace: the lock was not taken while it was measured; is that the address of a spin lock?' ] ||
	bad "of an address without a lock it says $(cat out err)"
end
