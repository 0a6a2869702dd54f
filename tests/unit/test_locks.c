// SPDX-License-Identifier: GPL-2.0-only
#include "root.h"

#include "../../lib/locks.h"

static const char symbols[] =
	"ffffffff81000000 T _text\n"
	"ffffffff82000000 d rtc_lock\n"
	"ffffffff82000100 D init_task\n"
	"ffffffff82000200 b twin\n"
	"ffffffff82000300 b twin\n"
	"ffffffffc0001004 d shared_lock\t[irqpace_synth]\n";

static int set_up(void **state)
{
	int rc = make_root(state);

	if (!rc)
		write_file("/proc/kallsyms", symbols);
	return rc;
}

static void symbol(const char *text, uint64_t address)
{
	struct locks_targets targets;
	struct errmsg err;

	assert_int_equal(locks_by_symbol(root, text, &targets, &err), 0);
	assert_int_equal(targets.n, 1);
	assert_int_equal(targets.target[0].address, address);
	assert_string_equal(targets.target[0].name, text);
	locks_targets_free(&targets);
}

static void no_symbol(const char *text, int status, const char *sentence)
{
	struct locks_targets targets;
	struct errmsg err;

	assert_int_equal(locks_by_symbol(root, text, &targets, &err), -1);
	assert_int_equal(err.status, status);
	assert_string_equal(err.text, sentence);
}

static void by_symbol(void **state)
{
	(void)state;
	symbol("rtc_lock", 0xffffffff82000000);
	symbol("rtc_lock+0", 0xffffffff82000000);
	symbol("init_task+0x8c0", 0xffffffff820009c0);
	symbol("init_task+8", 0xffffffff82000108);
	symbol("shared_lock", 0xffffffffc0001004);
	no_symbol("rtc_lok", 1, "the kernel has no symbol rtc_lok; the nearest is rtc_lock");
	no_symbol("utterly_else", 1, "the kernel has no symbol utterly_else");
	no_symbol("twin", 1, "2 symbols are called twin: name the one by --lock and its address in /proc/kallsyms");
	no_symbol("rtc_lock+2", 2, "rtc_lock+2 is no address of a spin lock: those are multiples of 4");
	no_symbol("rtc_lock+", 2, "--symbol needs SYMBOL or SYMBOL+OFFSET, for example rtc_lock or init_task+0x8c0, not rtc_lock+");
	no_symbol("rtc_lock+99999999999999999999", 2, "--symbol needs SYMBOL or SYMBOL+OFFSET, for example rtc_lock or init_task+0x8c0, not rtc_lock+99999999999999999999");
}

static void by_address(void **state)
{
	struct locks_targets targets;
	struct errmsg err;

	(void)state;
	assert_int_equal(locks_by_address("0xffff888100a1c040", &targets, &err), 0);
	assert_int_equal(targets.target[0].address, 0xffff888100a1c040);
	assert_null(targets.target[0].name);
	locks_targets_free(&targets);
	assert_int_equal(locks_by_address("ffff888100a1c044", &targets, &err), 0);
	assert_int_equal(targets.target[0].address, 0xffff888100a1c044);
	locks_targets_free(&targets);
	assert_int_equal(locks_by_address("0xffff888100a1c04", &targets, &err), -1);
	assert_int_equal(err.status, EXIT_USAGE);
}

/* Places 1 and 5 by hand, and two acquisitions that were not timed. */
static void fill(struct locks_lock *lock)
{
	memset(lock, 0, sizeof(*lock));
	lock->place[0].acquisitions = 2;
	lock->place[1] = (struct locks_place){
		.caller = 0x10, .acquisitions = 990, .timed = 990, .hold_ns = 990000,
		.hold_max_ns = 5000,
	};
	lock->place[5] = (struct locks_place){
		.caller = 0x50, .acquisitions = 20, .timed = 20, .hold_ns = 40000,
		.hold_max_ns = 2500, .contended = 20, .wait_ns = 60000,
	};
	for (int i = 0; i < 20; i++)
		pace_hist_record(&lock->wait, 3000);
}

static void sums(void **state)
{
	struct locks_lock *lock = xcalloc(1, sizeof(*lock));
	struct locks_result result = {
		.lock = lock, .n = 1, .time_ns = 1000000000,
		.cost = { true, 100, 300, 50, 500000 },
	};
	struct locks_place total;

	(void)state;
	fill(lock);
	total = locks_total(lock);
	assert_int_equal(total.acquisitions, 1012);
	assert_int_equal(total.timed, 1010);
	assert_int_equal(total.contended, 20);
	assert_int_equal(total.hold_ns, 1030000);
	assert_int_equal(total.hold_max_ns, 5000);
	assert_int_equal(total.wait_ns, 60000);
	/* 20 of 1010 have waited: more than one in a hundred. */
	assert_int_equal(locks_wait_p99_ns(lock), 3000);
	lock->place[1].timed += 1000;
	assert_int_equal(locks_wait_p99_ns(lock), 0);
	/* Half a million at 100 ns, and 1012 at 200 ns more. */
	assert_true(locks_cost_share(&result) > 0.0502 && locks_cost_share(&result) < 0.0503);
	assert_int_equal(LOCKS_SLOT(0xffffffff82000004) - LOCKS_SLOT(0xffffffff82000000), 1);
	free(lock);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_symbol),
		cmocka_unit_test(by_address),
		cmocka_unit_test(sums),
	};

	return cmocka_run_group_tests(tests, set_up, remove_root);
}
