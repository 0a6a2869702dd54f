// SPDX-License-Identifier: GPL-2.0-only
#include "root.h"

#include "../../lib/ksyms.h"

static void write_symbols(const char *text)
{
	write_file("/proc/kallsyms", text);
}

static const char usual[] =
	"ffffffff81000000 T _text\n"
	"ffffffff81000100 t first\n"
	"ffffffff81000100 t alias\n"
	"ffffffff81000200 T second\n"
	"ffffffffc0001000 t nvme_irq\t[nvme]\n"
	"ffffffffc0000000 t ahci_irq\t[ahci]\n"
	"ffffffffc0003000 t twice\t[one]\n"
	"ffffffffc0004000 t twice\t[two]\n";

static void names(void **state)
{
	struct ksym sym[] = {
		{ .address = 0xffffffffc0001010 },
		{ .address = 0xffffffff81000100 },
		{ .address = 0xffffffffc0000fff },
		{ .address = 0xffffffff810001ff },
		{ .address = 0xffffffff80000000 },
		{ .address = 0xffffffff81000100 },
	};
	struct errmsg err;

	(void)state;
	write_symbols(usual);
	assert_int_equal(ksyms_name(root, sym, 6, &err), 0);
	assert_string_equal(sym[0].name, "nvme_irq");
	assert_string_equal(sym[0].module, "nvme");
	assert_int_equal(sym[0].offset, 0x10);
	assert_string_equal(sym[1].name, "first");
	assert_null(sym[1].module);
	assert_int_equal(sym[1].offset, 0);
	/* Modules do not stand in the order of their addresses. */
	assert_string_equal(sym[2].name, "ahci_irq");
	assert_int_equal(sym[2].offset, 0xfff);
	assert_string_equal(sym[3].name, "first");
	assert_int_equal(sym[3].offset, 0xff);
	assert_null(sym[4].name);
	assert_string_equal(sym[5].name, "first");
	ksyms_free(sym, 6);
}

static void addresses(void **state)
{
	struct errmsg err;
	uint64_t address = 0;

	(void)state;
	write_symbols(usual);
	assert_int_equal(ksyms_find(root, "nvme_irq", &address, &err), 1);
	assert_true(address == 0xffffffffc0001000);
	assert_int_equal(ksyms_find(root, "twice", &address, &err), 2);
	assert_true(address == 0xffffffffc0003000);
	assert_int_equal(ksyms_find(root, "nvme", &address, &err), 0);
}

static void hidden(void **state)
{
	struct ksym sym[] = { { .address = 0xffffffff81000100 } };
	struct errmsg err;
	uint64_t address;

	(void)state;
	write_symbols("0000000000000000 T _text\n0000000000000000 t first\n");
	assert_int_equal(ksyms_name(root, sym, 1, &err), 0);
	assert_null(sym[0].name);
	assert_int_equal(ksyms_find(root, "first", &address, &err), -1);
	assert_non_null(strstr(err.text, "kptr_restrict"));
}

static void broken(void **state)
{
	struct ksym sym[] = { { .address = 0xffffffff81000100 } };
	struct errmsg err;

	(void)state;
	write_symbols("\nffffffff81000000\nno line at all\nffffffff81000080 T good\nffffffff810000");
	assert_int_equal(ksyms_name(root, sym, 1, &err), 0);
	assert_string_equal(sym[0].name, "good");
	ksyms_free(sym, 1);
	assert_int_equal(ksyms_name("/nowhere", sym, 1, &err), -1);
	assert_non_null(strstr(err.text, "/nowhere/proc/kallsyms"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(addresses),
		cmocka_unit_test(hidden),
		cmocka_unit_test(broken),
	};

	return cmocka_run_group_tests(tests, make_root, remove_root);
}
