// SPDX-License-Identifier: GPL-2.0-only
#include "unit.h"

#include "../../lib/proc_interrupts.h"

static int read_text(const char *text, size_t size, struct lines *lines,
		     struct errmsg *err)
{
	FILE *in = fmemopen((void *)(uintptr_t)text, size, "r");
	int rc;

	assert_non_null(in);
	memset(lines, 0, sizeof(*lines));
	rc = proc_interrupts_read(in, "interrupts", lines, err);
	fclose(in);
	return rc;
}

static void parse(const char *text, struct lines *lines)
{
	struct errmsg err = { 0 };

	if (read_text(text, strlen(text), lines, &err))
		fail_msg("%s", err.text);
}

static void same(const char *got, const char *expected)
{
	if (!expected)
		assert_null(got);
	else if (!got)
		fail_msg("nothing where \"%s\" is expected", expected);
	else
		assert_string_equal(got, expected);
}

/* What stands behind the counts, as kernels from 6.1 to 7.3 print it. */
static void tails_are_split(void **state)
{
	static const struct {
		const char *tail;
		const char *chip;
		long long hwirq;
		const char *flow;
		const char *type;
		const char *name;
		size_t n_actions;
	} cases[] = {
		{ " PCI-MSIX-0000:00:01.0   0-edge      nvme0q0",
		  "PCI-MSIX-0000:00:01.0", 0, "edge", "edge", "nvme0q0", 1 },
		{ "  PCI-MSI 49153-edge      nvme0q1",
		  "PCI-MSI", 49153, "edge", "edge", "nvme0q1", 1 },
		{ "  IR-PCI-MSIX-0000:86:00.0  41-edge      mlx5_comp40@pci:0000:86:00.0",
		  "IR-PCI-MSIX-0000:86:00.0", 41, "edge", "edge",
		  "mlx5_comp40@pci:0000:86:00.0", 1 },
		{ "  PCI-MSIX-0000:3b:00.0   5-edge      nvme 0 io5",
		  "PCI-MSIX-0000:3b:00.0", 5, "edge", "edge", "nvme 0 io5", 1 },
		{ "  GICv3  39 Level     DDOMAIN ISR, gdma",
		  "GICv3", 39, NULL, "level", "DDOMAIN ISR, gdma", 2 },
		{ "     GICv2 142 Level     fe00b880.mailbox",
		  "GICv2", 142, NULL, "level", "fe00b880.mailbox", 1 },
		{ "   ITS-MSI 524289 Edge      nvme0q1",
		  "ITS-MSI", 524289, NULL, "edge", "nvme0q1", 1 },
		{ "  SiFive PLIC  10 Edge      ttyS0",
		  "SiFive PLIC", 10, NULL, "edge", "ttyS0", 1 },
		{ "  IO-APIC  16-fasteoi   uhci_hcd:usb1, ehci_hcd:usb2, i801_smbus",
		  "IO-APIC", 16, "fasteoi", "level",
		  "uhci_hcd:usb1, ehci_hcd:usb2, i801_smbus", 3 },
		{ "   IO-APIC    1-edge      i8042", "IO-APIC", 1, "edge", "edge", "i8042", 1 },
		{ "  intel-gpio   27  ELAN0732:00",
		  "intel-gpio", 27, NULL, NULL, "ELAN0732:00", 1 },
		{ "  OpenPIC  36 Level   -fasteoi    eth0",
		  "OpenPIC", 36, "fasteoi", "level", "eth0", 1 },
		{ "    XT-PIC      cascade", "XT-PIC", -1, NULL, NULL, "cascade", 1 },
		{ "    XT-PIC         -edge      timer", "XT-PIC", -1, "edge", "edge", "timer", 1 },
		{ " PCI-MSI 65536-edge", "PCI-MSI", 65536, "edge", "edge", NULL, 0 },
		{ " PCI-MSI 65536", "PCI-MSI", 65536, NULL, NULL, NULL, 0 },
		{ " PCI-MSI 7-edge      a,b", "PCI-MSI", 7, "edge", "edge", "a,b", 1 },
		{ " PCI-MSI 7-edge      3 Level   ", "PCI-MSI", 7, "edge", "edge", "3 Level", 1 },
		{ " GICv3 99999999999999999999 Level x", "GICv3", -1, NULL, "level", "x", 1 },
		{ " None", "None", -1, NULL, NULL, NULL, 0 },
		{ "   ", NULL, -1, NULL, NULL, NULL, 0 },
		{ "", NULL, -1, NULL, NULL, NULL, 0 },
		{ " 7-edge x", "7-edge", -1, NULL, NULL, "x", 1 },
		{ " chip 7- x", "chip", -1, NULL, NULL, "7- x", 1 },
		/* A controller behind PCI domain 0x10000: 6.1 prints an int, later ones do not. */
		{ "   PCI-MSI -2147434495-edge      nvme0q1",
		  "PCI-MSI", -2147434495, "edge", "edge", "nvme0q1", 1 },
		{ "  e500000.pinctrl  63 Level     cs40l26 IRQ1 Controller",
		  "e500000.pinctrl", 63, NULL, "level", "cs40l26 IRQ1 Controller", 1 },
		{ "  cs40l26 IRQ1 Controller   0 Level     GPIO1 rise",
		  "cs40l26 IRQ1 Controller", 0, NULL, "level", "GPIO1 rise", 1 },
		{ " 1e500000.pinctrl  63 Edge      x", "1e500000.pinctrl", 63, NULL, "edge", "x", 1 },
		{ "        -   39 Level     no chip name", "-", 39, NULL, "level", "no chip name", 1 },
		{ "  IO-APIC   5-edge      ACPI:Ged", "IO-APIC", 5, "edge", "edge", "ACPI:Ged", 1 },
		{ "  PCI-MSIX-0000:00:04.0    0-edge      ", "PCI-MSIX-0000:00:04.0", 0, "edge", "edge", NULL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
		char row[200];
		struct lines lines;
		const struct line *l;

		snprintf(row, sizeof(row), " CPU0\n24: 5 %s\n", cases[i].tail);
		parse(row, &lines);
		assert_int_equal(lines.n, 1);
		l = &lines.line[0];
		assert_int_equal(l->counts[0], 5);
		same(l->chip, cases[i].chip);
		assert_int_equal(l->hwirq, cases[i].hwirq);
		same(l->flow, cases[i].flow);
		same(l->type, cases[i].type);
		same(l->name, cases[i].name);
		assert_int_equal(l->n_actions, cases[i].n_actions);
		lines_free(&lines);
	}
}

static void columns_go_by_name(void **state)
{
	struct lines lines;

	(void)state;
	parse("           CPU0       CPU2       CPU3\n"
	      " 24:         10         20         30 PCI-MSIX-0000:00:01.0   0-edge      nvme0q0\n",
	      &lines);
	assert_int_equal(lines.n_cpus, 3);
	assert_int_equal(lines.cpus[1], 2);
	assert_int_equal(lines.cpus[2], 3);
	assert_int_equal(lines.line[0].counts[1], 20);
	assert_int_equal(lines.line[0].counts[2], 30);
	assert_int_equal(line_total(&lines, &lines.line[0]), 60);
	lines_free(&lines);
}

static void odd_rows_do_not_stop_the_rest(void **state)
{
	struct lines lines;

	(void)state;
	parse("                CPU0       CPU1\n"
	      "FIQ:              usb_fiq\n"
	      "  24:          5          7  PCI-MSIX-0000:00:01.0    0-edge      nvme0q0\n"
	      "\n"
	      "no colon here\n"
	      ":\n"
	      " : 1 2 x\n"
	      "  99999999999: 1 2 too large\n"
	      "  -1: 1 2 negative\n"
	      " 25:\n"
	      " 26: 1\n"
	      " 27: 1 GICv3 39 Level gdma\n"
	      " 28: 18446744073709551615 18446744073709551616 PCI-MSI 1-edge big\n"
	      " 29: 3 4\n"
	      "NMI:          1          2   Non-maskable interrupts\n"
	      "IPI0:         1          2   Rescheduling interrupts\n"
	      " ERR:          0          1  PIC/APIC error interrupts\n"
	      "Err:          0\n"
	      "MIS:          0",
	      &lines);
	assert_int_equal(lines.n, 6);
	assert_int_equal(lines.line[0].irq, 24);
	assert_string_equal(lines.line[0].name, "nvme0q0");
	assert_int_equal(lines.line[1].counts[0], LINE_NO_COUNT);
	assert_null(lines.line[1].chip);
	assert_int_equal(lines.line[2].counts[0], LINE_NO_COUNT);
	assert_int_equal(lines.line[2].counts[1], LINE_NO_COUNT);
	assert_int_equal(lines.line[3].counts[1], LINE_NO_COUNT);
	assert_string_equal(lines.line[3].chip, "GICv3");
	assert_string_equal(lines.line[3].name, "gdma");
	assert_int_equal(lines.line[4].counts[0], LINE_NO_COUNT);
	assert_int_equal(lines.line[4].counts[1], LINE_NO_COUNT);
	assert_string_equal(lines.line[4].name, "big");
	assert_null(lines.line[5].name);
	assert_int_equal(line_total(&lines, &lines.line[5]), 7);
	lines_free(&lines);
}

/* Numbers that nothing parts from what stands beside them. */
static void glued_counts_are_taken_or_left_whole(void **state)
{
	struct lines lines;

	(void)state;
	parse("CPU0 CPU1\n"
	      "24:4294967295 4294967295PCI-MSIX-0000:00:01.0 0-edge      nvme0q0\n"
	      "25:10        30gpio-chip  7 Level     button\n"
	      "IPI5:1832994294  356298973       IRQ work interrupts\n"
	      "26:42949672954294967295 PCI-MSI 2-edge      two in one\n"
	      "27: 1 2 1e500000.pinctrl  63 Edge      digits first\n"
	      "28: 1x 2 PCI-MSI 3-edge      not a number\n"
	      "29: 1 -2 PCI-MSI 4-edge      negative\n", &lines);
	assert_int_equal(lines.n, 6);
	assert_int_equal(line_total(&lines, &lines.line[0]), 2 * 4294967295ULL);
	assert_string_equal(lines.line[0].chip, "PCI-MSIX-0000:00:01.0");
	assert_int_equal(lines.line[1].counts[1], 30);
	assert_string_equal(lines.line[1].chip, "gpio-chip");
	assert_string_equal(lines.line[1].name, "button");
	assert_false(line_has_count(&lines, &lines.line[2]));
	assert_string_equal(lines.line[2].name, "two in one");
	assert_int_equal(lines.line[3].counts[1], 2);
	assert_string_equal(lines.line[3].chip, "1e500000.pinctrl");
	assert_false(line_has_count(&lines, &lines.line[4]));
	assert_string_equal(lines.line[4].name, "not a number");
	assert_false(line_has_count(&lines, &lines.line[5]));
	lines_free(&lines);
}

static void a_count_of_64_bits_is_whole(void **state)
{
	struct lines lines;

	(void)state;
	parse("CPU0\n1: 18446744073709551614 IO-APIC 1-edge x\n", &lines);
	assert_true(lines.line[0].counts[0] == 18446744073709551614ULL);
	lines_free(&lines);
}

static void thousands_of_cpus_and_lines(void **state)
{
	enum { N_CPUS = 4096, N_LINES = 1000, STEP = 3 };
	struct lines lines;
	struct errmsg err;
	char *text;
	size_t size;
	FILE *mem = open_memstream(&text, &size);

	(void)state;
	fputs("    ", mem);
	for (int c = 0; c < N_CPUS; c++)
		fprintf(mem, "       CPU%d", c * STEP);
	for (int l = 0; l < N_LINES; l++) {
		fprintf(mem, "\n%4d:", l + 16);
		for (int c = 0; c < N_CPUS; c++)
			fprintf(mem, " %10d", c == l ? 7 : 0);
		fprintf(mem, " PCI-MSIX-0000:00:01.0 %d-edge      nvme0q%d", l, l);
	}
	fclose(mem);
	assert_int_equal(read_text(text, size, &lines, &err), 0);
	assert_int_equal(lines.n_cpus, N_CPUS);
	assert_int_equal(lines.n, N_LINES);
	assert_int_equal(lines.cpus[4095], 4095 * STEP);
	assert_int_equal(lines.line[999].counts[999], 7);
	assert_int_equal(line_total(&lines, &lines.line[999]), 7);
	assert_string_equal(lines.line[999].name, "nvme0q999");
	lines_free(&lines);
	free(text);
}

static void a_file_without_cpus_is_refused(void **state)
{
	static const struct {
		const char *text;
		const char *sentence;
	} cases[] = {
		{ "\n", "interrupts does not begin with a row of CPUs" },
		{ " 24: 1 2 x\n", "interrupts does not begin with a row of CPUs" },
		{ "CPU CPUx\n", "interrupts does not begin with a row of CPUs" },
		{ "CPU99999999999\n", "interrupts does not begin with a row of CPUs" },
	};

	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
		struct errmsg err = { 0 };
		struct lines lines;

		assert_int_equal(read_text(cases[i].text, strlen(cases[i].text),
					   &lines, &err), -1);
		assert_string_equal(err.text, cases[i].sentence);
		assert_int_equal(err.status, EXIT_FAIL);
		lines_free(&lines);
	}
}

/* Any bytes at all: what matters is that the sanitizers stay silent. */
static void noise_does_not_crash(void **state)
{
	static const char letters[] = "0123456789:- \t\nCPULevledge,xyz\xff\x01";
	uint32_t seed = 1;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		char text[400] = "CPU0 CPU1\n 24: 1 2 ";
		size_t n = strlen(text), size = n + seed % 300;
		struct errmsg err;
		struct lines lines;

		for (; n < size; n++) {
			seed = seed * 1664525 + 1013904223;
			text[n] = letters[(seed >> 8) % (sizeof(letters) - 1)];
		}
		assert_int_equal(read_text(text, size, &lines, &err), 0);
		assert_int_equal(lines.line[0].irq, 24);
		lines_free(&lines);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tails_are_split),
		cmocka_unit_test(columns_go_by_name),
		cmocka_unit_test(odd_rows_do_not_stop_the_rest),
		cmocka_unit_test(glued_counts_are_taken_or_left_whole),
		cmocka_unit_test(a_count_of_64_bits_is_whole),
		cmocka_unit_test(thousands_of_cpus_and_lines),
		cmocka_unit_test(a_file_without_cpus_is_refused),
		cmocka_unit_test(noise_does_not_crash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
