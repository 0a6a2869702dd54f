# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# In the guest, live mode: bench against the module.

check() {
	if [ "$2" = "$3" ]; then
		printf 'ok %s\n' "$1"
	else
		printf "not ok %s: '%s', not '%s'\n" "$1" "$2" "$3"
	fi
}

# All that is set, as the command itself tells it.
settings() {
	irqpace list --json | tr '{' '\n' |
		sed -n 's/.*"irq":\([0-9]*\).*"policy":"\([a-z]*\)".*/\1 \2/p' | grep -v native
	irqpace show nvme0q1 | grep -i "rule\|delay"
}
small="--ios 600 --jobs 1 --quiet"

irqpace set nvme0 moderate --delay 70us >/dev/null || exit 1
before=$(settings)
[ -n "$before" ] || printf 'not ok settings: nothing is shown\n'

# shellcheck disable=SC2086 # words
irqpace bench nvme="$IRQPACE_NVME" ufs="$IRQPACE_UFS" $small \
	--policies native,hard,threaded,hybrid,moderate:delay=50us:poll --json >r.json 2>err
check 'bench runs' "$? $(cat err)" '0 '
check 'a row for each policy and device' "$(grep -o '"policy"' r.json | wc -l)" 10
check 'native has no handler runs' \
	"$(tr '{' '\n' <r.json | grep -c '"handler_runs": [1-9]')" 8
check 'interrupts are counted' "$(grep -o '"interrupts": [1-9]' r.json | wc -l)" 10
check 'put back after a run' "$(settings)" "$before"

# fio cannot run at all.
# shellcheck disable=SC2086 # words
irqpace bench "$IRQPACE_NVME" $small --policies hard --engine no-such-engine >out 2>err
check 'fio fails: status' "$?" 1
check 'fio fails: one sentence' "$(wc -l <err) $(wc -c <out)" '1 0'
check 'put back after an error' "$(settings)" "$before"

irqpace bench "$IRQPACE_NVME" --jobs 1 --runtime 60 --policies hard,threaded >out 2>err &
bench=$!
n=0
while [ "$(irqpace list nvme0 --json | grep -c '"policy":"hard"')" = 0 ] && [ $n -lt 100 ]; do
	usleep 200000
	n=$((n + 1))
done
check 'hard is set meanwhile' "$((n < 100))" 1
kill -INT $bench
wait $bench
check 'interrupted: status' "$? $(cat out)" '1 '
check 'interrupted: sentence' "$(tail -n 1 err)" 'irqpace: interrupted'
check 'put back after a signal' "$(settings)" "$before"
check 'fio is gone' "$(pidof fio)" ''

irqpace reset nvme0 >/dev/null
irqpace bench "$IRQPACE_NVME" --jobs 1 --runtime 4 --quiet --policies moderate --victim --json >r.json 2>err
check 'victim' "$? $(cat err)" '0 '
check 'victim is measured' "$(grep -c '"victim_us": {"p999": [0-9.]*, "max": [1-9]' r.json)" 1
check 'native before, native again' "$(irqpace list nvme0 --json | grep -c '"policy":"moderate"')" 0

mkswap "$IRQPACE_AHCI" >/dev/null && swapon "$IRQPACE_AHCI" || printf 'not ok swap: none can be made\n'
# shellcheck disable=SC2086 # words
irqpace bench "$IRQPACE_AHCI" $small --write >out 2>err
check 'swap space is not written to' "$? $(cat err)" \
	"1 irqpace: $(basename "$(readlink -f "$IRQPACE_AHCI")") is swap space, so nothing is written to it"
swapoff "$IRQPACE_AHCI"
