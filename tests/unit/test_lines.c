// SPDX-License-Identifier: GPL-2.0-only
/* What the module says, laid over what the files say, and selecting by both. */
#include "unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "../../lib/lines.h"
#include "../../lib/selector.h"
#include "../../lib/xalloc.h"

static const char machine[] =
	"CPU0 CPU1\n"
	"1: 1 2 IO-APIC 1-edge      i8042\n"
	"12: 1 2 IO-APIC 12-edge      i8042\n"
	"16: 1 2 IO-APIC 16-fasteoi   ehci_hcd:usb1, ufshcd\n"
	"17: 1 2 IO-APIC 17-fasteoi   ehci_hcd:usb1\n"
	"24: 1 2 PCI-MSIX-0000:00:03.0 0-edge      nvme0q0\n"
	"30: 1 2 GICv3 39 Level     1d84000.ufshc\n"
	"31: 1 2 IO-APIC 31-edge\n"
	"40: 1 2 IO-APIC 40-edge      timer\n";

struct state {
	char root[32];
	struct lines lines;
};

static char *under(const struct state *s, const char *path)
{
	return xasprintf("%s%s", s->root, path);
}

static void make(const struct state *s, const char *path, const char *text)
{
	char *full = under(s, path);
	FILE *out;

	if (!text) {
		assert_int_equal(mkdir(full, 0700), 0);
	} else {
		out = fopen(full, "w");
		assert_non_null(out);
		fputs(text, out);
		fclose(out);
	}
	free(full);
}

static const char *const folders[] = {
	"/proc", "/sys", "/sys/bus", "/sys/bus/platform", "/sys/bus/platform/devices",
	"/sys/bus/platform/devices/i8042", "/sys/bus/platform/devices/1d84000.ufshc",
};

static int set_up(void **state)
{
	struct state *s = xcalloc(1, sizeof(*s));
	struct errmsg err;

	strcpy(s->root, "/tmp/irqpace-unit.XXXXXX");
	if (!mkdtemp(s->root))
		return -1;
	for (size_t i = 0; i < N_ELEMENTS(folders); i++)
		make(s, folders[i], NULL);
	make(s, "/proc/interrupts", machine);
	if (lines_read(s->root, &s->lines, &err))
		return -1;
	*state = s;
	return 0;
}

static int tear_down(void **state)
{
	struct state *s = *state;
	char *path = under(s, "/proc/interrupts");

	unlink(path);
	free(path);
	for (size_t i = N_ELEMENTS(folders); i--;) {
		path = under(s, folders[i]);
		rmdir(path);
		free(path);
	}
	rmdir(s->root);
	lines_free(&s->lines);
	free(s);
	return 0;
}

static struct nl_line *tell(struct nl_lines *all, uint32_t irq, const char *name)
{
	struct nl_line *m;

	all->line = xrealloc(all->line, all->n + 1, sizeof(*m));
	m = &all->line[all->n++];
	memset(m, 0, sizeof(*m));
	m->irq = irq;
	m->name = xstrdup(name);
	m->vector = -1;
	m->level = -1;
	m->attachable = 1;
	m->action = xcalloc(1, sizeof(*m->action));
	m->action[0].name = xstrdup(name);
	m->n_actions = 1;
	return m;
}

static void merge(struct state *s)
{
	struct nl_lines all = { 0 };
	struct nl_line *m;

	tell(&all, 1, "i8042")->driver = xstrdup("i8042_module");
	tell(&all, 12, "i8042");
	m = tell(&all, 16, "ehci_hcd:usb1");
	m->action = xrealloc(m->action, 2, sizeof(*m->action));
	m->action[1] = (struct nl_action){ .name = xstrdup("ufshcd") };
	m->n_actions = 2;
	m->device = xstrdup("0000:00:1a.0");
	m->driver = xstrdup("ehci-pci");
	m->action[1].device = xstrdup("0000:00:04.0");
	m = tell(&all, 24, "nvme0q0");
	m->device = xstrdup("0000:00:03.0");
	m->driver = xstrdup("nvme");
	m->attached = true;
	tell(&all, 30, "1d84000.ufshc");
	m = tell(&all, 40, "timer");
	m->attachable = 0;
	m->reason = xstrdup("is a timer; the module says so");
	tell(&all, 99, "not in the files");
	lines_merge(&s->lines, &all);
	assert_null(all.line);
}

static void the_files_alone(void **state)
{
	struct state *s = *state;
	const struct line *l = lines_find(&s->lines, 40);

	assert_int_equal(l->attachable, LINE_NO);
	assert_string_equal(l->reason, "is a timer; leave it native");
	assert_int_equal(lines_find(&s->lines, 24)->attachable, LINE_UNKNOWN);
	assert_string_equal(line_device(lines_find(&s->lines, 24)), "0000:00:03.0");
	assert_null(line_driver(lines_find(&s->lines, 24)));
	assert_string_equal(line_device(lines_find(&s->lines, 30)), "1d84000.ufshc");
	assert_string_equal(lines_find(&s->lines, 31)->reason,
			    "has no handler; load its driver first");
	assert_null(lines_find(&s->lines, 99));
	assert_false(s->lines.module_loaded);
}

static void the_module_overrides_and_gaps_stay(void **state)
{
	struct state *s = *state;
	const struct line *l;

	merge(s);
	l = lines_find(&s->lines, 24);
	assert_int_equal(l->attachable, LINE_YES);
	assert_string_equal(line_driver(l), "nvme");
	assert_int_equal(line_vector(l), 0);	/* the chip's, the module sent none */
	assert_true(l->module->attached);
	l = lines_find(&s->lines, 40);
	assert_string_equal(l->reason, "is a timer; the module says so");
	l = lines_find(&s->lines, 16);
	assert_string_equal(l->name, "ehci_hcd:usb1, ufshcd");
	assert_int_equal(l->n_devices, 2);
	assert_string_equal(l->devices[1].name, "0000:00:04.0");
	l = lines_find(&s->lines, 31);
	assert_null(l->module);
	assert_int_equal(l->attachable, LINE_NO);
	assert_string_equal(line_device(lines_find(&s->lines, 1)), "i8042");
}

static void selectors_are_what_the_module_can_match(void **state)
{
	static const struct {
		const char *text;
		const char *canonical;
		size_t n;
	} cases[] = {
		{ "0000:00:03.0", "0000:00:03.0", 1 },
		{ "0000:00:03.0/0", "0000:00:03.0/0", 1 },
		{ "0000:00:1a.0", "0000:00:1a.0", 1 },
		/* The second sharer; another line has an action of the same name. */
		{ "0000:00:04.0", "16", 1 },
		/* Platform devices, one line and two. */
		{ "1d84000.ufshc", "1d84000.ufshc", 1 },
		{ "i8042", "i8042", 2 },
		{ "driver:ehci_pci", "driver:ehci-pci", 1 },
	};
	struct state *s = *state;

	merge(s);
	for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
		char text[SELECTOR_BUF];
		struct selection sel;
		struct errmsg err;

		if (selector_find(cases[i].text, &s->lines, s->root, &sel, &err))
			fail_msg("%s: %s", cases[i].text, err.text);
		assert_string_equal(selector_print(&sel.selector, text, sizeof(text)),
				    cases[i].canonical);
		assert_int_equal(sel.n, cases[i].n);
		if (i == 4 || i == 5)
			assert_int_equal(sel.selector.kind, SELECTOR_NAME);
		selection_free(&sel);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_files_alone, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_module_overrides_and_gaps_stay, set_up, tear_down),
		cmocka_unit_test_setup_teardown(selectors_are_what_the_module_can_match, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
