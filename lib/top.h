/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The live view in three parts: a model (one figure of each kind for each line and
 * CPU), a page (lines of text of a given size, out of a model and what the user
 * looks at), and keys (what the user does). None of them knows a terminal; that is
 * top_screen.h.
 */
#ifndef IRQPACE_TOP_H
#define IRQPACE_TOP_H

#include "irqstat_view.h"
#include "lines.h"
#include "modstat.h"

enum top_sort { TOP_SHARE, TOP_RATE, TOP_RESIDENCY, TOP_IRQ, __TOP_SORT_MAX };

struct top_line {
	uint32_t irq;
	const struct line *line;	/* NULL: requested after LINES were read */
	const char *handler;		/* that took most time; NULL: none ran, or not known */
	uint64_t handler_ns;
	size_t n_handlers;		/* that ran, the module's rounds left out */
	uint64_t ns;			/* of all of them, hard and in the line's thread */
	uint64_t runs;			/* ... that these are of */
	double rate;			/* interrupts a second */
	uint64_t residency_max_ns;
	const struct modstat_line *module;	/* NULL: native */
};

struct top_cpu {
	unsigned int id;
	double hard;			/* percent */
	double soft;
};

struct top_model {
	struct top_line *line;		/* those with a handler, in the order of the last sort */
	size_t n;
	struct top_cpu *cpu;		/* those that are there, by id */
	size_t n_cpus;
	uint64_t interval_ns;
	uint64_t lost;			/* runs in no line */
	bool module_loaded;
};

/*
 * VIEW is of all CPUs of a line together. LINES, MODULE (NULL: not loaded) and the
 * names in VIEW have to live as long as the model, VIEW itself not.
 */
void top_model_make(struct top_model *model, const struct stat_view *view,
		    const struct lines *lines, const struct modstat *module);
void top_model_sort(struct top_model *model, enum top_sort sort);
void top_model_free(struct top_model *model);
/* "share", "rate", "residency", "irq" */
const char *top_sort_name(enum top_sort sort);
/* __TOP_SORT_MAX where there is none of that name. */
enum top_sort top_sort_of(const char *name);

enum top_mode {
	TOP_LIST,
	TOP_HELP,
	TOP_POLICY,			/* a policy is being typed */
	TOP_CONFIRM,			/* ... and was, and waits for a yes */
};

#define TOP_INPUT_MAX	100

/* What the user looks at; zeroed to begin with. */
struct top_ui {
	enum top_sort sort;
	bool no_idle;			/* only lines that had interrupts */
	bool selected;			/* the line of SELECTED_IRQ, wherever it is sorted */
	uint32_t selected_irq;
	size_t first;			/* of the lines, at the top of the table */
	size_t table_rows;		/* as they were laid out last */
	enum top_mode mode;
	char input[TOP_INPUT_MAX + 1];
	struct policy policy;		/* to be confirmed, then to be set */
	char message[1024];
};

enum top_look { TOP_PLAIN, TOP_TITLE, TOP_HEAD, TOP_CHOSEN, TOP_PROMPT };

/* N rows of WIDTH printable ASCII characters and a NUL, as they are on the screen. */
struct top_page {
	size_t width;
	size_t n;
	size_t room;
	char *text;
	unsigned char *look;		/* enum top_look of each row */
};

#define TOP_WIDTH_MIN	40
#define TOP_HEIGHT_MIN	8
#define TOP_WIDTH_MAX	1000

/*
 * Lays out a page of WIDTH x HEIGHT; HEIGHT 0: as many rows as there are lines. A
 * size below the least says so. PAGE is zeroed to begin with, and may be laid out
 * again and again. CLOCK: "12:00:00".
 */
void top_page_make(struct top_page *page, const struct top_model *model, struct top_ui *ui,
		   size_t width, size_t height, const char *clock);
const char *top_page_row(const struct top_page *page, size_t row);
void top_page_free(struct top_page *page);

/* Keys that are no characters. */
enum top_key {
	TOP_KEY_UP = 0x200, TOP_KEY_DOWN, TOP_KEY_PAGE_UP, TOP_KEY_PAGE_DOWN, TOP_KEY_HOME,
	TOP_KEY_END, TOP_KEY_BACKSPACE, TOP_KEY_ENTER, TOP_KEY_ESCAPE,
};

enum top_action {
	TOP_SHOW,			/* lay the page out anew */
	TOP_QUIT,
	TOP_REDRAW,			/* all of it: something else wrote to the terminal */
	TOP_SET,			/* give SELECTED_IRQ the POLICY, and tell by MESSAGE */
};

/* KEY: a character or a top_key. */
enum top_action top_key(struct top_ui *ui, struct top_model *model, int key);

#endif
