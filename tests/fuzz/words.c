// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any word as a selector, a policy and a time: it is refused in a sentence, or
 * what it became, printed, means the same again.
 */
#include "fuzz.h"

#include <string.h>

#include "../../lib/duration.h"
#include "../../lib/policy.h"
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
	"31: 0 PCI-MSIX-0000:00:04.0 1-edge      back\\slash*\n"
	"40: 0\n";

static struct lines lines;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	FILE *in = fmemopen((void *)(uintptr_t)machine, strlen(machine), "r");
	struct errmsg err;

	(void)argc, (void)argv;
	MUST(in && !proc_interrupts_read(in, "machine", &lines, &err));
	fclose(in);
	for (size_t i = 2; i < 5; i++) {
		struct line *l = &lines.line[i];

		l->devices = xcalloc(1, sizeof(*l->devices));
		l->devices[0] = (struct line_device){
			xstrdup(i < 4 ? "0000:00:03.0" : "0000:00:04.0"),
			xstrdup("nvme"), (long)l->hwirq,
		};
		l->n_devices = 1;
	}
	return 0;
}

/* One sentence where it is refused, none where it is taken. */
static void check_sentence(int rc, const struct errmsg *err)
{
	MUST(rc ? err->text[0] && (err->status == EXIT_FAIL || err->status == EXIT_USAGE) :
		  !err->text[0]);
}

/* The rule that goes to the module selects what was shown to the user. */
static void check_selector(const char *text)
{
	struct errmsg err = { 0 };
	char printed[SELECTOR_BUF];
	struct selection sel, again;
	size_t n = 0;
	int rc = selector_find(text, &lines, NO_ROOT, &sel, &err);

	check_sentence(rc, &err);
	if (rc)
		return;
	MUST(sel.n);
	for (size_t i = 0; i < lines.n; i++)
		if (selector_match(&sel.selector, &lines.line[i]))
			MUST(n < sel.n && sel.line[n++] == &lines.line[i]);
	MUST(n == sel.n);
	MUST(!strcmp(sel.selector.text, text));

	selector_print(&sel.selector, printed, sizeof(printed));
	MUST(!selector_find(printed, &lines, NO_ROOT, &again, &err));
	MUST(again.n == sel.n && !memcmp(again.line, sel.line, n * sizeof(*sel.line)));
	selection_free(&again);
	selection_free(&sel);
}

static void check_policy(const char *text)
{
	struct errmsg err = { 0 };
	struct policy policy, again;
	char printed[POLICY_BUF];
	int rc = policy_parse_spec(text, &policy, &err);

	check_sentence(rc, &err);
	if (rc)
		return;
	policy_print_spec(&policy, printed, sizeof(printed));
	MUST(!policy_parse_spec(printed, &again, &err));
	MUST(policy_equal(&policy, &again));
}

static void check_duration(const char *text)
{
	struct errmsg err = { 0 };
	char printed[DURATION_BUF];
	uint64_t ns, again;
	int rc = duration_parse(text, "--delay", &ns, &err);

	check_sentence(rc, &err);
	if (rc)
		return;
	duration_print(ns, printed, sizeof(printed));
	MUST(!duration_parse(printed, "--delay", &again, &err));
	MUST(ns == again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = xcalloc(size + 1, 1);

	if (size)
		memcpy(text, data, size);
	check_selector(text);
	check_policy(text);
	check_duration(text);
	free(text);
	return 0;
}
