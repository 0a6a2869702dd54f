// SPDX-License-Identifier: GPL-2.0-only
#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "monotonic.h"
#include "top_screen.h"

/* The first figures come soon, however long the interval is. */
#define FIRST_NS	300000000ULL
/* How long an Esc waits for what follows it when an arrow was pressed. */
#define ESCAPE_MS	100

struct screen {
	const struct top_source *source;
	struct top_model model;
	struct top_page page;
	struct top_ui ui;
};

static volatile sig_atomic_t ended;

static void on_signal(int signo)
{
	(void)signo;
	ended = 1;
}

static void draw(struct screen *s)
{
	static const attr_t looks[] = {
		[TOP_PLAIN] = A_NORMAL, [TOP_TITLE] = A_BOLD, [TOP_HEAD] = A_REVERSE,
		[TOP_CHOSEN] = A_REVERSE, [TOP_PROMPT] = A_BOLD,
	};
	time_t now = time(NULL);
	struct tm tm;
	char clock[16];

	localtime_r(&now, &tm);
	strftime(clock, sizeof(clock), "%H:%M:%S", &tm);
	top_page_make(&s->page, &s->model, &s->ui, (size_t)COLS, (size_t)LINES, clock);
	erase();
	for (size_t i = 0; i < s->page.n; i++) {
		attrset(looks[s->page.look[i]]);
		mvaddstr((int)i, 0, top_page_row(&s->page, i));
	}
	attrset(A_NORMAL);
	move(LINES - 1, COLS - 1);
	refresh();
}

static int key_of(int c)
{
	switch (c) {
	case KEY_UP: return TOP_KEY_UP;
	case KEY_DOWN: return TOP_KEY_DOWN;
	case KEY_PPAGE: return TOP_KEY_PAGE_UP;
	case KEY_NPAGE: return TOP_KEY_PAGE_DOWN;
	case KEY_HOME: return TOP_KEY_HOME;
	case KEY_END: return TOP_KEY_END;
	case KEY_BACKSPACE:
	case '\b':
	case 0x7f: return TOP_KEY_BACKSPACE;
	case KEY_ENTER:
	case '\n':
	case '\r': return TOP_KEY_ENTER;
	case 0x1b: return TOP_KEY_ESCAPE;
	case KEY_RESIZE: return 0;
	default: return c < 0x80 ? c : 0;
	}
}

static int read_model(struct screen *s, struct errmsg *err)
{
	top_model_free(&s->model);
	if (s->source->read(s->source->data, &s->model, err))
		return -1;
	top_model_sort(&s->model, s->ui.sort);
	return 0;
}

/* The next key, or ERR after UNTIL; the terminal's end ends us too. */
static int next_key(uint64_t until)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	uint64_t now = monotonic_ns();
	int c, ready;

	c = getch();
	if (c != ERR || ended || now >= until)
		return c;
	ready = poll(&in, 1, (int)((until - now) / 1000000 + 1));
	if (ready < 0)
		return errno == EINTR ? getch() : (ended = 1, ERR);
	if (!ready)
		return ERR;
	c = getch();
	if (c == ERR && (in.revents & (POLLHUP | POLLERR | POLLIN)))
		ended = 1;
	return c;
}

static bool obey(struct screen *s, int key)
{
	struct errmsg err;

	switch (top_key(&s->ui, &s->model, key)) {
	case TOP_QUIT:
		return false;
	case TOP_REDRAW:
		clearok(curscr, TRUE);
		break;
	case TOP_SET:
		if (s->source->set(s->source->data, &s->ui, &err))
			snprintf(s->ui.message, sizeof(s->ui.message), "%s", err.text);
		break;
	case TOP_SHOW:
		break;
	}
	draw(s);
	return true;
}

static int run(struct screen *s, uint64_t interval_ns, uint64_t count, struct errmsg *err)
{
	uint64_t next = monotonic_ns() + (interval_ns < FIRST_NS ? interval_ns : FIRST_NS), shown = 0;

	snprintf(s->ui.message, sizeof(s->ui.message), "measuring");
	draw(s);
	while (!ended) {
		int c = next_key(next);

		if (c != ERR && !obey(s, key_of(c)))
			return 0;
		if (monotonic_ns() < next)
			continue;
		if (!shown++)
			s->ui.message[0] = '\0';
		if (read_model(s, err))
			return -1;
		draw(s);
		if (shown == count)
			return 0;
		next += interval_ns;
		/* Stopped for a while: what was missed is not made up for. */
		if (next < monotonic_ns())
			next = monotonic_ns() + interval_ns;
	}
	return 0;
}

static int open_terminal(SCREEN **terminal, struct errmsg *err)
{
	const char *type = getenv("TERM");

	type = type && *type ? type : "(TERM is not set)";
	*terminal = newterm(NULL, stdout, stdin);
	if (*terminal && tigetstr("cup"))
		return 0;
	if (*terminal) {
		endwin();
		delscreen(*terminal);
	}
	return err_fail(err, "the terminal %s is not known here, or too simple: set TERM, or use irqpace top --batch",
			type);
}

/* Some terminals send these whatever mode they were put in. */
static void add_arrows(void)
{
	define_key("\033[A", KEY_UP);
	define_key("\033[B", KEY_DOWN);
	define_key("\033OA", KEY_UP);
	define_key("\033OB", KEY_DOWN);
}

int top_screen(const struct top_source *source, enum top_sort sort, uint64_t interval_ns,
	       uint64_t count, struct errmsg *err)
{
	struct screen s = { .source = source, .ui.sort = sort };
	/* No SA_RESTART: the wait for a key has to end. */
	struct sigaction action = { .sa_handler = on_signal };
	SCREEN *terminal;
	int rc;

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	if (open_terminal(&terminal, err))
		return -1;
	cbreak();
	noecho();
	keypad(stdscr, TRUE);
	add_arrows();
	nodelay(stdscr, TRUE);
	set_escdelay(ESCAPE_MS);
	curs_set(0);
	rc = run(&s, interval_ns, count, err);
	endwin();
	delscreen(terminal);
	top_page_free(&s.page);
	top_model_free(&s.model);
	return rc;
}
