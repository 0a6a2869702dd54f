// SPDX-License-Identifier: GPL-2.0-only
#include "root.h"


#include "../../lib/trace_internal.h"
#include "../../lib/xalloc.h"

/* Around every power of two, where cells change their width. */
static void every_value_lies_in_its_cell(void **state)
{
	(void)state;
	for (unsigned int bits = 0; bits <= TRACE_BITS; bits++) {
		for (unsigned int power = 0; power <= TRACE_TOP_BIT; power++) {
			uint32_t before = 0;

			for (int64_t off = -1; off <= 1; off++) {
				uint64_t ns = ((uint64_t)1 << power) + (uint64_t)off;
				uint32_t cell = trace_cell_of(bits, ns);

				assert_true(cell >= before && cell < TRACE_CELLS(bits));
				assert_true(trace_cell_low_ns(bits, cell) <= ns);
				assert_true(trace_cell_low_ns(bits, cell + 1) > ns);
				before = cell;
			}
		}
		assert_int_equal(trace_cell_of(bits, UINT64_MAX), TRACE_CELLS(bits) - 1);
		assert_int_equal(trace_cell_of(bits, ((uint64_t)1 << (TRACE_TOP_BIT + 1)) - 1),
				 TRACE_CELLS(bits) - 1);
	}
}

static void cells_of_fewer_bits_are_made_of_whole_ones(void **state)
{
	(void)state;
	for (unsigned int bits = 0; bits < TRACE_BITS; bits++)
		for (uint32_t i = 0; i < TRACE_CELLS(TRACE_BITS) - 1; i++) {
			uint64_t low = trace_cell_low_ns(TRACE_BITS, i);
			uint64_t high = trace_cell_low_ns(TRACE_BITS, i + 1) - 1;

			assert_int_equal(trace_cell_of(TRACE_BITS, low), i);
			assert_int_equal(trace_cell_of(TRACE_BITS, high), i);
			assert_int_equal(trace_cell_of(bits, low), trace_cell_of(bits, high));
		}
}

static void put(struct trace_hist *hist, uint64_t ns)
{
	struct trace_cell *cell = &hist->cell[trace_cell_of(TRACE_BITS, ns)];

	cell->count++;
	cell->sum_ns += ns;
	if (ns > hist->max_ns)
		hist->max_ns = ns;
}

static void distributions_are_true(void **state)
{
	struct trace_cpu *cpu = xcalloc(2, sizeof(*cpu));
	struct dist d, again;
	char text[4096] = "";
	struct errmsg err;
	FILE *file;

	(void)state;
	put(&cpu[0].duration, 0);
	put(&cpu[0].duration, 1000);
	put(&cpu[1].duration, 1001);
	put(&cpu[1].duration, 1020);
	put(&cpu[1].duration, (uint64_t)1 << 50);
	put(&cpu[1].gap, 7);

	trace_dist(&d, cpu, 2, TRACE_DURATION, 3, "both");
	assert_string_equal(d.name, "both");
	assert_int_equal(d.n, 3);
	assert_int_equal(d.samples, 5);
	assert_int_equal(d.slot[0].high_ns, 0);
	assert_int_equal(d.slot[1].low_ns, 960);
	assert_int_equal(d.slot[1].high_ns, 1023);
	assert_int_equal(d.slot[1].count, 3);
	assert_int_equal(d.slot[1].avg_ns, 1007);
	assert_int_equal(d.slot[2].high_ns, (uint64_t)1 << 50);
	assert_true(d.sum_ns == 3021.0 + (double)((uint64_t)1 << 50));
	file = fmemopen(text, sizeof(text), "w");
	dist_print_kstats(file, &d);
	fclose(file);
	file = fmemopen(text, strlen(text), "r");
	assert_int_equal(dist_read(&again, file, "again", &err), 0);
	fclose(file);
	assert_int_equal(again.samples, 5);
	dist_free(&again);
	dist_free(&d);

	trace_dist(&d, &cpu[0], 1, TRACE_DURATION, 6, "first");
	assert_int_equal(d.samples, 2);
	assert_int_equal(d.max_ns, 1000);
	assert_int_equal(d.slot[1].low_ns, 1000);
	dist_free(&d);
	trace_dist(&d, &cpu[0], 1, TRACE_GAP, 3, "none");
	assert_int_equal(d.samples, 0);
	assert_int_equal(d.n, 0);
	dist_free(&d);
	trace_dist(&d, cpu, 2, TRACE_GAP, 3, "gap");
	assert_int_equal(d.samples, 1);
	assert_int_equal(d.slot[0].avg_ns, 7);
	dist_free(&d);
	free(cpu);
}

static int set_up(void **state)
{
	if (make_root(state))
		return -1;
	write_file("/proc/kallsyms",
		   "ffffffff81000000 T mask_irq\n"
		   "ffffffff81000040 t twice\n"
		   "ffffffff81000080 t split.isra.0\n"
		   "ffffffff81000090 t split.isra.0.cold\n"
		   "ffffffff810000a0 t pure.cold\n"
		   "ffffffff810000c0 D jiffies\n"
		   "ffffffffc0000000 t twice\t[nvme]\n"
		   "ffffffffc0000040 t nvme_irq\t[nvme]\n"
		   "broken\n"
		   "\n");
	return 0;
}

static void refused(const char *function, const char *sentence)
{
	struct errmsg err = { 0 };

	assert_int_equal(trace_function_check(root, function, &err), -1);
	assert_string_equal(err.text, sentence);
	assert_int_equal(err.status, EXIT_FAIL);
}

static void names_are_looked_up(void **state)
{
	struct errmsg err = { 0 };

	(void)state;
	assert_int_equal(trace_function_check(root, "mask_irq", &err), 0);
	assert_int_equal(trace_function_check(root, "nvme_irq", &err), 0);
	assert_int_equal(trace_function_check(root, "split.isra.0", &err), 0);
	refused("jiffies", "jiffies is data, not a function");
	refused("twice", "2 functions are called twice (in the kernel, nvme), and they cannot be told apart");
	refused("split", "the compiler has changed split, and what is left of it is called split.isra.0: trace that, or what calls it");
	refused("pure", "there is no function pure: it is inlined where it is called, or its module is not loaded");
	/* Where ftrace cannot be asked the kernel itself has to say. */
	assert_int_equal(trace_function_traceable(root, "mask_irq", &err), 0);
	write_file("/sys/kernel/tracing/available_filter_functions",
		   "mask_irq\nunmask_irq\nnvme_irq [nvme]\nnvme_poll [nvme]\n");
	refused("msk_irq", "there is no function msk_irq: it is inlined where it is called, or its module is not loaded; the nearest are mask_irq, unmask_irq and nvme_irq");
	assert_int_equal(trace_function_traceable(root, "mask_irq", &err), 0);
	assert_int_equal(trace_function_traceable(root, "nvme_irq", &err), 0);
	assert_int_equal(trace_function_traceable(root, "mask_ir", &err), -1);
	assert_string_equal(err.text, "the kernel does not let mask_ir be traced: it is needed for tracing itself, or begins too early; the nearest are mask_irq, unmask_irq and nvme_irq");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_value_lies_in_its_cell),
		cmocka_unit_test(cells_of_fewer_bits_are_made_of_whole_ones),
		cmocka_unit_test(distributions_are_true),
		cmocka_unit_test(names_are_looked_up),
	};

	return cmocka_run_group_tests(tests, set_up, remove_root);
}
