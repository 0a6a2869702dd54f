// SPDX-License-Identifier: GPL-2.0-only
#include "unit.h"

#include <libmnl/libmnl.h>

#include "../../lib/pci.h"
#include "../../lib/proc_interrupts.h"
#include "../../lib/selector.h"
#include "../../lib/xalloc.h"

/* No such directory: names resolve by the lines alone. */
#define NO_ROOT "/nonexistent-sysroot"

static const char machine[] =
	"CPU0\n"
	"1: 0 IO-APIC 1-edge      i8042\n"
	"16: 0 IO-APIC 16-fasteoi   uhci_hcd:usb1, ahci[0000:00:1f.2]\n"
	"24: 0 PCI-MSIX-0000:00:03.0 0-edge      nvme0q0\n"
	"25: 0 PCI-MSIX-0000:00:03.0 1-edge      nvme0q1\n"
	"26: 0 PCI-MSIX-0000:00:03.0 2-edge      nvme0q2\n"
	"30: 0 PCI-MSIX-0000:00:04.0 0-edge      nvme1q0\n"
	"31: 0 PCI-MSIX-0000:00:04.0 1-edge      back\\slash*\n";

static void add_device(struct line *line, const char *name, const char *driver,
		       long vector)
{
	line->devices = xcalloc(1, sizeof(*line->devices));
	line->devices[0] = (struct line_device){ xstrdup(name), xstrdup(driver), vector };
	line->n_devices = 1;
}

static int set_up(void **state)
{
	static struct lines lines;
	struct errmsg err;
	FILE *in = fmemopen((void *)(uintptr_t)machine, strlen(machine), "r");

	memset(&lines, 0, sizeof(lines));
	if (proc_interrupts_read(in, "machine", &lines, &err))
		return -1;
	fclose(in);
	for (size_t i = 2; i < lines.n; i++)
		add_device(&lines.line[i], i < 5 ? "0000:00:03.0" : "0000:00:04.0",
			   "nvme", (long)(i < 5 ? i - 2 : i - 5));
	*state = &lines;
	return 0;
}

static int tear_down(void **state)
{
	lines_free(*state);
	return 0;
}

static void selectors_find_lines_and_become_canonical(void **state)
{
	static const struct {
		const char *text;
		const char *canonical;
		enum selector_kind kind;
		unsigned int first;
		size_t n;
	} cases[] = {
		{ "25", "25", SELECTOR_IRQ, 25, 1 },
		{ "nvme0q1", "nvme0q1", SELECTOR_NAME, 25, 1 },
		{ "nvme0q*", "nvme0q*", SELECTOR_NAME, 24, 3 },
		{ "nvme?q[01]", "nvme?q[01]", SELECTOR_NAME, 24, 3 },
		{ "uhci_hcd:usb1", "uhci_hcd:usb1", SELECTOR_NAME, 16, 1 },
		{ "ahci[0000:00:1f.2]", "ahci[[]0000:00:1f.2]", SELECTOR_NAME, 16, 1 },
		{ "back\\slash*", "back?slash[*]", SELECTOR_NAME, 31, 1 },
		{ "0000:00:03.0", "0000:00:03.0", SELECTOR_DEVICE, 24, 3 },
		{ "0000:00:03.0/2", "0000:00:03.0/2", SELECTOR_DEVICE, 26, 1 },
		{ "driver:nvme", "driver:nvme", SELECTOR_DRIVER, 24, 5 },
		{ "driver:nvme/1", "driver:nvme/1", SELECTOR_DRIVER, 25, 2 },
	};
	const struct lines *lines = *state;

	for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
		struct selection sel;
		struct errmsg err = { 0 };
		char text[SELECTOR_BUF];

		if (selector_find(cases[i].text, lines, NO_ROOT, &sel, &err))
			fail_msg("%s: %s", cases[i].text, err.text);
		assert_int_equal(sel.selector.kind, cases[i].kind);
		assert_string_equal(sel.selector.text, cases[i].text);
		assert_string_equal(selector_print(&sel.selector, text, sizeof(text)),
				    cases[i].canonical);
		assert_int_equal(sel.n, cases[i].n);
		assert_int_equal(sel.line[0]->irq, cases[i].first);
		selection_free(&sel);
	}
}

static void what_is_not_there_is_said(void **state)
{
	static const struct {
		const char *text;
		const char *sentence;
		int status;
	} cases[] = {
		{ "", "an empty selector names no line", EXIT_USAGE },
		{ "driver:", "driver: needs the name of a driver, for example driver:nvme", EXIT_USAGE },
		{ "25/1", "25 is an irq number, which has no vectors: write 25 alone, or a device, for example nvme0/1", EXIT_USAGE },
		{ "nvme0q9", "no interrupt line matches nvme0q9; the nearest are nvme0q0, nvme0q1 and nvme0q2", EXIT_FAIL },
		{ "nvme7*", "no interrupt line matches nvme7*; the nearest are nvme0q0, nvme0q1 and nvme0q2", EXIT_FAIL },
		{ "driver:nvmee", "no line belongs to driver nvmee; the nearest is nvme", EXIT_FAIL },
		{ "99", "there is no irq 99: irqpace list shows those there are", EXIT_FAIL },
		{ "99999999999", "there is no irq 99999999999: irqpace list shows those there are", EXIT_FAIL },
		{ "2", "there is no irq 2; if vector 2 of a device is meant, write 0000:00:03.0/2 (nvme0q2, irq 26)", EXIT_FAIL },
		{ "0000:00:03.0/25", "0000:00:03.0 has no vector 25; 25 is an irq number, its vector is 1: write 0000:00:03.0/1 or 25", EXIT_FAIL },
		{ "0000:00:03.0/9", "0000:00:03.0 has no vector 9: its vectors are 0 to 2", EXIT_FAIL },
		{ "driver:nvme/30", "driver:nvme has no vector 30; 30 is an irq number, its vector is 0: write driver:nvme/0 or 30", EXIT_FAIL },
	};
	const struct lines *lines = *state;

	for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
		struct selection sel;
		struct errmsg err = { 0 };

		assert_int_equal(selector_find(cases[i].text, lines, NO_ROOT, &sel, &err), -1);
		assert_string_equal(err.text, cases[i].sentence);
		assert_int_equal(err.status, cases[i].status);
		assert_null(sel.line);
	}
}

static void an_overlong_selector_is_refused(void **state)
{
	char text[IRQPACE_TEXT_MAX + 2];
	struct selection sel;
	struct errmsg err;

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(selector_find(text, *state, NO_ROOT, &sel, &err), -1);
	assert_string_equal(err.text, "a selector of 128 letters is too long: at most 127");
	text[IRQPACE_TEXT_MAX] = '\0';
	assert_int_equal(selector_find(text, *state, NO_ROOT, &sel, &err), -1);
	assert_non_null(strstr(err.text, "no interrupt line matches xxx"));
}

static void one_line_where_one_is_needed(void **state)
{
	struct errmsg err = { 0 };
	struct line *line;

	assert_int_equal(selector_find_one("nvme0q1", *state, NO_ROOT, &line, &err), 0);
	assert_int_equal(line->irq, 25);
	assert_int_equal(selector_find_one("nvme0q*", *state, NO_ROOT, &line, &err), -1);
	assert_string_equal(err.text, "nvme0q* names 3 lines where one is needed: choose one of "
			    "24 (nvme0q0), 25 (nvme0q1), 26 (nvme0q2)");
	assert_int_equal(err.status, EXIT_FAIL);
}

/* A canonical selector survives netlink and still matches the same lines. */
static void attributes_make_the_round_trip(void **state)
{
	static const char *const texts[] = {
		"25", "nvme0q*", "0000:00:03.0", "0000:00:03.0/2", "driver:nvme/1",
		"ahci[0000:00:1f.2]",
	};
	struct lines *lines = *state;

	for (size_t i = 0; i < N_ELEMENTS(texts); i++) {
		char buf[1024] __attribute__((aligned(8)));
		struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
		char printed[2][SELECTOR_BUF];
		struct selection sel;
		struct selector got;
		struct errmsg err;

		assert_int_equal(selector_find(texts[i], lines, NO_ROOT, &sel, &err), 0);
		selector_put(nlh, &sel.selector);
		assert_int_equal(selector_get(mnl_nlmsg_get_payload(nlh), &got), 0);
		assert_int_equal(got.kind, sel.selector.kind);
		assert_string_equal(got.text, texts[i]);
		assert_string_equal(selector_print(&got, printed[0], SELECTOR_BUF),
				    selector_print(&sel.selector, printed[1], SELECTOR_BUF));
		for (size_t l = 0; l < lines->n; l++)
			assert_true(selector_match(&got, &lines->line[l]) ==
				    selector_match(&sel.selector, &lines->line[l]));
		selection_free(&sel);
	}
}

static void bad_attributes_are_refused(void **state)
{
	char buf[1024] __attribute__((aligned(8))), text[200];
	struct selector got = { .vector = 77 };

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	for (uint16_t type = IRQPACE_SEL_IRQ; type <= IRQPACE_SEL_MAX; type++) {
		for (int what = 0; what < 3; what++) {
			struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
			struct nlattr *nest = mnl_attr_nest_start(nlh, IRQPACE_A_SELECTOR);

			if (what == 0)
				mnl_attr_put(nlh, type, 3, "abc");	/* no NUL, no u32 */
			else if (what == 1)
				mnl_attr_put(nlh, type, 0, NULL);
			else
				mnl_attr_put_strz(nlh, type, text);
			mnl_attr_nest_end(nlh, nest);
			assert_int_equal(selector_get(nest, &got), -1);
			assert_int_equal(got.vector, 77);
		}
	}
}

static void a_vector_comes_from_the_hwirq(void **state)
{
	static const struct {
		const char *address;
		const char *chip;
		long long hwirq;
		long vector;
	} cases[] = {
		{ "0000:00:03.0", "PCI-MSIX-0000:00:03.0", 5, 5 },
		{ "0000:86:00.0", "IR-PCI-MSIX-0000:86:00.0", 41, 41 },
		{ "0000:00:03.0", "PCI-MSI", 49153, 1 },	/* 0x18 << 11 | 1 */
		{ "0000:00:03.0", "PCI-MSI", 49152 + 2047, 2047 },
		{ "0001:00:03.0", "PCI-MSI", 134266881, 1 },	/* domain 1 at bit 27 */
		{ "0010:00:03.0", "PCI-MSI", -2147434495, 1 },	/* printed as an int */
		{ "0000:00:04.0", "PCI-MSI", 49153, -1 },
		{ "0000:00:03.0", "PCI-MSIX-0000:00:03.0", 99999, -1 },
		{ "0000:00:03.0", NULL, -1, -1 },
		{ "bogus", "PCI-MSI", 1, -1 },
	};

	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(cases); i++)
		assert_int_equal(pci_vector(cases[i].address, cases[i].chip, cases[i].hwirq),
				 cases[i].vector);
}

static void addresses_are_told_from_words(void **state)
{
	(void)state;
	assert_int_equal(pci_address_length("0000:00:03.0"), 12);
	assert_int_equal(pci_address_length("10000:e1:00.0"), 13);
	assert_int_equal(pci_address_length("0000:00:03.0/msi_irqs"), 12);
	assert_int_equal(pci_address_length("0000:00:03.8"), 0);
	assert_int_equal(pci_address_length("0000:00:03"), 0);
	assert_int_equal(pci_address_length("00:03.0"), 0);
	assert_int_equal(pci_address_length("0000:00:03.0f"), 0);
	assert_int_equal(pci_address_length("host0"), 0);
	assert_int_equal(pci_address_length(""), 0);
}

static void distances(void **state)
{
	(void)state;
	assert_int_equal(edit_distance("", ""), 0);
	assert_int_equal(edit_distance("", "abc"), 3);
	assert_int_equal(edit_distance("abc", ""), 3);
	assert_int_equal(edit_distance("nvme0q1", "nvme0q1"), 0);
	assert_int_equal(edit_distance("NVME0q1", "nvme0q1"), 0);
	assert_int_equal(edit_distance("nvme0q1", "nvme0q12"), 1);
	assert_int_equal(edit_distance("kitten", "sitting"), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(selectors_find_lines_and_become_canonical, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_not_there_is_said, set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_overlong_selector_is_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(one_line_where_one_is_needed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(attributes_make_the_round_trip, set_up, tear_down),
		cmocka_unit_test(bad_attributes_are_refused),
		cmocka_unit_test(a_vector_comes_from_the_hwirq),
		cmocka_unit_test(addresses_are_told_from_words),
		cmocka_unit_test(distances),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
