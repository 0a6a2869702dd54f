// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "top_internal.h"
#include "xalloc.h"

#define BATCH_BAR_ROWS	4

char *top_row(struct top_page *page, enum top_look look)
{
	char *row;

	if (page->n == page->room) {
		page->room = page->room ? 2 * page->room : 64;
		page->text = xrealloc(page->text, page->room, page->width + 1);
		page->look = xrealloc(page->look, page->room, 1);
	}
	row = page->text + page->n * (page->width + 1);
	page->look[page->n++] = (unsigned char)look;
	memset(row, ' ', page->width);
	row[page->width] = '\0';
	return row;
}

void top_put(const struct top_page *page, char *row, size_t at, const char *text)
{
	for (; *text && at < page->width; at++, text++)
		row[at] = *text >= ' ' && *text <= '~' ? *text : '?';
}

void top_add(struct top_page *page, enum top_look look, const char *fmt, ...)
{
	char text[TOP_WIDTH_MAX + 1];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	top_put(page, top_row(page, look), 0, text);
}

const char *top_page_row(const struct top_page *page, size_t row)
{
	return page->text + row * (page->width + 1);
}

void top_page_free(struct top_page *page)
{
	free(page->text);
	free(page->look);
	memset(page, 0, sizeof(*page));
}

static void add_title(struct top_page *page, const struct top_model *model,
		      const struct top_ui *ui, const char *clock)
{
	size_t active = 0, attached = 0;
	char lost[48] = "";

	for (size_t i = 0; i < model->n; i++) {
		active += model->line[i].rate > 0;
		attached += model->line[i].module != NULL;
	}
	/* Never silently: what is missing in the figures stands above them. */
	if (model->lost)
		snprintf(lost, sizeof(lost), "%llu runs missed; ", (unsigned long long)model->lost);
	if (model->module_loaded)
		top_add(page, TOP_TITLE, "irqpace top - %s, %.1f s, by %s; %slines %zu, active %zu, attached %zu",
			clock, (double)model->interval_ns / 1e9, top_sort_name(ui->sort), lost,
			model->n, active, attached);
	else
		top_add(page, TOP_TITLE, "irqpace top - %s, %.1f s, by %s; %slines %zu, active %zu",
			clock, (double)model->interval_ns / 1e9, top_sort_name(ui->sort), lost,
			model->n, active);
}

static void add_summary(struct top_page *page, const struct top_model *model)
{
	const struct top_cpu *busiest = NULL;
	double hard = 0, soft = 0;

	for (size_t i = 0; i < model->n_cpus; i++) {
		const struct top_cpu *cpu = &model->cpu[i];

		hard += cpu->hard;
		soft += cpu->soft;
		if (!busiest || cpu->hard + cpu->soft > busiest->hard + busiest->soft)
			busiest = cpu;
	}
	if (!busiest)
		return;
	top_add(page, TOP_PLAIN, "CPUs %zu: hard# %.1f%%, soft= %.1f%%; busiest CPU%u: %.1f%%, %.1f%%",
		model->n_cpus, hard / (double)model->n_cpus, soft / (double)model->n_cpus,
		busiest->id, busiest->hard, busiest->soft);
}

/* How much of TEXT goes into a row: whole words where there are some. */
static size_t part_of(const char *text, size_t width)
{
	size_t n = strlen(text);

	if (n <= width)
		return n;
	for (n = width; n && text[n] != ' ';)
		n--;
	return n ? n : width;
}

static const char *after_part(const char *text, size_t n)
{
	return text + n + strspn(text + n, " ");
}

static size_t wrapped_rows(const char *text, size_t width, size_t most)
{
	size_t rows = 0;

	for (; *text && rows < most; rows++)
		text = after_part(text, part_of(text, width));
	return rows;
}

/* The last of ROWS rows is cut where there is more. */
static void add_wrapped(struct top_page *page, enum top_look look, const char *text, size_t rows)
{
	while (rows--) {
		size_t n = rows ? part_of(text, page->width) : strlen(text);

		top_add(page, look, "%.*s", (int)n, text);
		text = after_part(text, n);
	}
}

static const char *chosen_name(const struct top_model *model, const struct top_ui *ui)
{
	for (size_t i = 0; i < model->n; i++)
		if (model->line[i].irq == ui->selected_irq && model->line[i].line &&
		    model->line[i].line->name)
			return model->line[i].line->name;
	return "?";
}

/* What the last rows say; returns how many they may be. */
static size_t foot(const struct top_model *model, const struct top_ui *ui, char *text, size_t size)
{
	char policy[POLICY_BUF];

	if (ui->mode == TOP_CONFIRM)
		snprintf(text, size, "set %u (%s) to %s? y or n", ui->selected_irq,
			 chosen_name(model, ui), policy_print(&ui->policy, policy, sizeof(policy)));
	else if (ui->mode == TOP_POLICY)
		snprintf(text, size, "policy of %u (%s): %s_", ui->selected_irq,
			 chosen_name(model, ui), ui->input);
	else if (*ui->message)
		snprintf(text, size, "%s", ui->message);
	else {
		snprintf(text, size, "q quit  h help  P share  R rate  L residency  N irq  i idle  Enter policy");
		return 1;
	}
	return 3;
}

static void help(struct top_page *page)
{
	static const char *const text[] = {
		"irqpace top: where interrupt time goes",
		"",
		"  P R L N    sort by share, rate, longest residency, number; < > the next",
		"  i          without lines that are idle, or with them",
		"  arrows, PgUp, PgDn, Home, End    choose a line; Esc none",
		"  Enter, s   give the chosen line a policy, after a question:",
		"             native, hard, threaded, moderate --delay 100us --poll,",
		"             hybrid --limit 50us --window 1ms",
		"  Ctrl-L     draw anew    h ? this help    q quit",
		"",
		"  SHARE%  of one CPU in the line's handlers and the module's rounds",
		"  RATE/s  interrupts       MEAN  of a run      STAY  the longest in",
		"  hard interrupt context   STATE active, paused, running: of an attached line",
		"",
		"  Any key goes back.",
	};

	for (size_t i = 0; i < sizeof(text) / sizeof(text[0]); i++)
		top_add(page, i ? TOP_PLAIN : TOP_TITLE, "%s", text[i]);
}

static size_t bar_rows(size_t height)
{
	if (!height)
		return BATCH_BAR_ROWS;
	return height < 16 ? 1 : (height - 10) / 4;
}

static void begin(struct top_page *page, size_t width)
{
	width = width > TOP_WIDTH_MAX ? TOP_WIDTH_MAX : width;
	if (width != page->width)
		top_page_free(page);
	page->width = width;
	page->n = 0;
}

void top_page_make(struct top_page *page, const struct top_model *model, struct top_ui *ui,
		   size_t width, size_t height, const char *clock)
{
	char last[1200];
	size_t last_rows;

	begin(page, width);
	if (width < TOP_WIDTH_MIN || (height && height < TOP_HEIGHT_MIN)) {
		top_add(page, TOP_PLAIN, "needs %dx%d", TOP_WIDTH_MIN, TOP_HEIGHT_MIN);
		return;
	}
	if (ui->mode == TOP_HELP) {
		help(page);
		page->n = height && page->n > height ? height : page->n;
		return;
	}
	add_title(page, model, ui, clock);
	add_summary(page, model);
	top_bars(page, model, bar_rows(height));
	if (!height) {
		top_table(page, model, ui, SIZE_MAX);
		return;
	}
	last_rows = foot(model, ui, last, sizeof(last));
	last_rows = wrapped_rows(last, width, last_rows);
	if (page->n + 1 + last_rows >= height)
		last_rows = 1;
	top_table(page, model, ui, height - page->n - 1 - last_rows);
	while (page->n < height - last_rows)
		top_row(page, TOP_PLAIN);
	add_wrapped(page, ui->mode == TOP_LIST ? TOP_PLAIN : TOP_PROMPT, last, last_rows);
}
