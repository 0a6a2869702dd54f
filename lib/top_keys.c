// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "top_internal.h"

#define CTRL(letter)	((letter) & 0x1f)

static void tell(struct top_ui *ui, const char *text)
{
	snprintf(ui->message, sizeof(ui->message), "%s", text);
}

static size_t n_shown(const struct top_ui *ui, const struct top_model *model)
{
	size_t n = 0;

	for (size_t i = 0; i < model->n; i++)
		n += top_shown(ui, &model->line[i]);
	return n;
}

/* Where the chosen line stands among those that are shown; SIZE_MAX: nowhere. */
static size_t place(const struct top_ui *ui, const struct top_model *model)
{
	size_t n = 0;

	for (size_t i = 0; i < model->n; i++) {
		if (!top_shown(ui, &model->line[i]))
			continue;
		if (ui->selected && model->line[i].irq == ui->selected_irq)
			return n;
		n++;
	}
	return SIZE_MAX;
}

static void choose(struct top_ui *ui, const struct top_model *model, size_t nth)
{
	for (size_t i = 0; i < model->n; i++) {
		if (!top_shown(ui, &model->line[i]) || nth--)
			continue;
		ui->selected = true;
		ui->selected_irq = model->line[i].irq;
		return;
	}
}

/* The first move chooses the line at the top of the table. */
static void move(struct top_ui *ui, const struct top_model *model, long by)
{
	size_t n = n_shown(ui, model), at = place(ui, model);

	if (!n)
		return;
	if (at == SIZE_MAX)
		at = ui->first < n ? ui->first : n - 1;
	else if (by < 0)
		at = at > (size_t)-by ? at - (size_t)-by : 0;
	else
		at = n - 1 - at > (size_t)by ? at + (size_t)by : n - 1;
	choose(ui, model, at);
}

static void sort_by(struct top_ui *ui, struct top_model *model, enum top_sort sort)
{
	ui->sort = sort;
	top_model_sort(model, sort);
	if (!ui->selected)
		ui->first = 0;
}

static void ask_policy(struct top_ui *ui, const struct top_model *model)
{
	if (!model->module_loaded) {
		tell(ui, "the irqpace module is not loaded: modprobe irqpace");
		return;
	}
	if (place(ui, model) == SIZE_MAX)
		move(ui, model, 0);
	if (!ui->selected)
		return;
	ui->input[0] = '\0';
	ui->mode = TOP_POLICY;
}

static enum top_action in_list(struct top_ui *ui, struct top_model *model, int key)
{
	static const char sorts[] = "PRLN";
	long rows = ui->table_rows > 1 ? (long)ui->table_rows - 1 : 1;
	const char *sort = key > 0 && key < 0x80 ? strchr(sorts, key) : NULL;

	ui->message[0] = '\0';
	if (sort) {
		sort_by(ui, model, (enum top_sort)(sort - sorts));
		return TOP_SHOW;
	}
	switch (key) {
	case 'q':
		return TOP_QUIT;
	case 'h':
	case '?':
		ui->mode = TOP_HELP;
		break;
	case '<':
		sort_by(ui, model, (ui->sort + __TOP_SORT_MAX - 1) % __TOP_SORT_MAX);
		break;
	case '>':
		sort_by(ui, model, (ui->sort + 1) % __TOP_SORT_MAX);
		break;
	case 'i':
		ui->no_idle = !ui->no_idle;
		break;
	case 's':
	case TOP_KEY_ENTER:
		ask_policy(ui, model);
		break;
	case TOP_KEY_UP:
		move(ui, model, -1);
		break;
	case TOP_KEY_DOWN:
		move(ui, model, 1);
		break;
	case TOP_KEY_PAGE_UP:
		move(ui, model, -rows);
		break;
	case TOP_KEY_PAGE_DOWN:
		move(ui, model, rows);
		break;
	case TOP_KEY_HOME:
		choose(ui, model, 0);
		break;
	case TOP_KEY_END:
		if (model->n)
			choose(ui, model, n_shown(ui, model) - 1);
		break;
	case TOP_KEY_ESCAPE:
		ui->selected = false;
		break;
	case CTRL('L'):
		return TOP_REDRAW;
	}
	return TOP_SHOW;
}

/* "moderate --delay 100us --poll", as `set` takes it, into "moderate:delay=100us:poll". */
static void as_spec(const char *words, char *spec, size_t size)
{
	size_t n = 0;

	while (n + 1 < size && *words) {
		size_t blanks = strspn(words, " ");

		words += blanks;
		if (blanks && n && *words) {
			spec[n++] = strncmp(words, "--", 2) ? '=' : ':';
			words += strncmp(words, "--", 2) ? 0 : 2;
		}
		while (n + 1 < size && *words && *words != ' ')
			spec[n++] = *words++;
	}
	spec[n] = '\0';
}

static void read_policy(struct top_ui *ui)
{
	char spec[TOP_INPUT_MAX + 1];
	struct errmsg err;

	as_spec(ui->input, spec, sizeof(spec));
	ui->mode = TOP_LIST;
	if (!*spec)
		tell(ui, "nothing was changed");
	else if (policy_parse_spec(spec, &ui->policy, &err))
		tell(ui, err.text);
	else
		ui->mode = TOP_CONFIRM;
}

static void in_policy(struct top_ui *ui, int key)
{
	size_t n = strlen(ui->input);

	switch (key) {
	case TOP_KEY_ENTER:
		read_policy(ui);
		break;
	case TOP_KEY_ESCAPE:
		ui->mode = TOP_LIST;
		tell(ui, "nothing was changed");
		break;
	case TOP_KEY_BACKSPACE:
		if (n)
			ui->input[n - 1] = '\0';
		break;
	case CTRL('U'):
		ui->input[0] = '\0';
		break;
	default:
		if (key >= ' ' && key <= '~' && n < TOP_INPUT_MAX) {
			ui->input[n] = (char)key;
			ui->input[n + 1] = '\0';
		}
	}
}

static enum top_action in_confirm(struct top_ui *ui, int key)
{
	ui->mode = TOP_LIST;
	if (key == 'y' || key == 'Y')
		return TOP_SET;
	tell(ui, "nothing was changed");
	return TOP_SHOW;
}

enum top_action top_key(struct top_ui *ui, struct top_model *model, int key)
{
	switch (ui->mode) {
	case TOP_HELP:
		ui->mode = TOP_LIST;
		return TOP_SHOW;
	case TOP_POLICY:
		in_policy(ui, key);
		return key == CTRL('L') ? TOP_REDRAW : TOP_SHOW;
	case TOP_CONFIRM:
		return in_confirm(ui, key);
	default:
		return in_list(ui, model, key);
	}
}
