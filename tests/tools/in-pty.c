// SPDX-License-Identifier: GPL-2.0-only
/*
 * in-pty COLUMNSxROWS COMMAND [ARGUMENT]... <SCRIPT
 *
 * Runs COMMAND on a terminal of its own and does what SCRIPT says, a step a line:
 *
 *	key TEXT	types TEXT; \e is Esc, \r Enter, \xHH any byte
 *	wait TEXT	until a row of the screen holds TEXT
 *	gone TEXT	until no row does
 *	row N TEXT	until row N (from 0) does
 *	size COLUMNSxROWS
 *	signal N	to COMMAND
 *	show		prints the screen
 *	exit STATUS	until COMMAND has ended so (128 and the signal's number, too)
 *	hangup		the terminal goes away
 *	restored	its settings, cursor and main screen are as they were
 *
 * A step that is not fulfilled within 20 s ends it with exit status 1, the step and
 * the screen. What the terminal understands is what terminfo knows of xterm,
 * screen, linux and vt100, as far as ncurses uses it without colours.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>

#define MAX_COLUMNS	400
#define MAX_ROWS	200
#define MAX_PARAMS	8
#define PATIENCE_MS	20000

static char cell[MAX_ROWS][MAX_COLUMNS];
static int columns, rows, x, y, saved_x, saved_y, top, bottom;
static char last = ' ';
static bool alternate, hidden;
static int master = -1;
static pid_t child;

static int limit(int value, int most)
{
	return value < 0 ? 0 : value > most ? most : value;
}

static void blank(int row, int from, int to)
{
	if (to > from)
		memset(&cell[row][from], ' ', (size_t)(to - from));
}

/* Rows FROM to the region's end move by BY: up where it is positive. */
static void scroll(int from, int by)
{
	for (; by > 0; by--) {
		memmove(cell[from], cell[from + 1], (size_t)(bottom - from) * MAX_COLUMNS);
		blank(bottom, 0, MAX_COLUMNS);
	}
	for (; by < 0; by++) {
		memmove(cell[from + 1], cell[from], (size_t)(bottom - from) * MAX_COLUMNS);
		blank(from, 0, MAX_COLUMNS);
	}
}

static void line_feed(void)
{
	if (y == bottom)
		scroll(top, 1);
	else if (y < rows - 1)
		y++;
}

/* A character in the last column waits there; the next one begins a new row. */
static void put(char c)
{
	if (x == columns) {
		x = 0;
		line_feed();
	}
	cell[y][x++] = c;
	last = c;
}

static void erase_display(int how)
{
	for (int i = how == 0 ? y + 1 : 0; i < (how == 1 ? y : rows); i++)
		blank(i, 0, MAX_COLUMNS);
	if (how != 2)
		blank(y, how == 0 ? x : 0, how == 0 ? columns : x + 1);
}

static void shift(int by)
{
	char *row = cell[y];
	int n = columns - x - abs(by);

	if (n < 0)
		return;
	if (by > 0)
		memmove(row + x + by, row + x, (size_t)n);
	else
		memmove(row + x, row + x - by, (size_t)n);
	blank(y, by > 0 ? x : columns + by, by > 0 ? x + by : columns);
}

static void private_mode(int mode, bool on)
{
	if (mode == 1049 || mode == 47)
		alternate = on;
	if (mode == 25)
		hidden = !on;
}

static void control(char final, bool is_private, const int *p, int n)
{
	int one = n && p[0] ? p[0] : 1;

	x = x == columns && final != 'm' ? columns - 1 : x;
	switch (final) {
	case 'H': case 'f':
		y = limit(one - 1, rows - 1);
		x = limit(n > 1 && p[1] ? p[1] - 1 : 0, columns - 1);
		break;
	case 'A': y = limit(y - one, rows - 1); break;
	case 'B': y = limit(y + one, rows - 1); break;
	case 'C': x = limit(x + one, columns - 1); break;
	case 'D': x = limit(x - one, columns - 1); break;
	case 'G': x = limit(one - 1, columns - 1); break;
	case 'd': y = limit(one - 1, rows - 1); break;
	case 'J': erase_display(n ? p[0] : 0); break;
	case 'K': blank(y, n && p[0] ? 0 : x, n && p[0] == 1 ? x + 1 : columns); break;
	case 'X': blank(y, x, limit(x + one, columns)); break;
	case '@': shift(one); break;
	case 'P': shift(-one); break;
	case 'L': scroll(y, -one); break;
	case 'M': scroll(y, one); break;
	case 'S': scroll(top, one); break;
	case 'T': scroll(top, -one); break;
	case 'b':
		while (one--)
			put(last);
		break;
	case 'r':
		top = limit(one - 1, rows - 1);
		bottom = n > 1 && p[1] ? limit(p[1] - 1, rows - 1) : rows - 1;
		x = y = 0;
		break;
	case 'h': case 'l':
		for (int i = 0; i < n && is_private; i++)
			private_mode(p[i], final == 'h');
		break;
	}
}

static void feed(char c)
{
	static enum { TEXT, ESCAPE, CONTROL, SKIP } state;
	static int param[MAX_PARAMS], n;
	static bool is_private;

	switch (state) {
	case TEXT:
		if (c == '\033') state = ESCAPE;
		else if (c == '\n') line_feed();
		else if (c == '\r') x = 0;
		else if (c == '\b') x = limit(x - 1, columns - 1);
		else if (c == '\t') x = limit((x / 8 + 1) * 8, columns - 1);
		else if (c >= ' ' && c <= '~') put(c);
		return;
	case ESCAPE:
		state = TEXT;
		if (c == '[') {
			state = CONTROL;
			memset(param, 0, sizeof(param));
			n = 0;
			is_private = false;
		} else if (c == '(' || c == ')') {
			state = SKIP;
		} else if (c == '7') {
			saved_x = x;
			saved_y = y;
		} else if (c == '8') {
			x = saved_x;
			y = saved_y;
		} else if (c == 'M') {
			if (y == top)
				scroll(top, -1);
			else
				y = limit(y - 1, rows - 1);
		}
		return;
	case SKIP:
		state = TEXT;
		return;
	case CONTROL:
		if (c == '?' || c == '>') {
			is_private = true;
		} else if (c >= '0' && c <= '9') {
			n = n ? n : 1;
			param[n - 1] = param[n - 1] * 10 + c - '0';
		} else if (c == ';') {
			n = limit((n ? n : 1) + 1, MAX_PARAMS);
		} else {
			state = TEXT;
			control(c, is_private, param, n);
		}
		return;
	}
}

/* Takes what comes within MS; false where the terminal is closed. */
static bool pump(int ms)
{
	struct pollfd in = { .fd = master, .events = POLLIN };
	char buf[4096];
	ssize_t got;

	if (master < 0 || poll(&in, 1, ms) <= 0)
		return true;
	got = read(master, buf, sizeof(buf));
	for (ssize_t i = 0; i < got; i++)
		feed(buf[i]);
	return got > 0;
}

static void show(FILE *out)
{
	for (int i = 0; i < rows; i++) {
		int n = columns;

		while (n && cell[i][n - 1] == ' ')
			n--;
		fprintf(out, "%.*s\n", n, cell[i]);
	}
}

static void __attribute__((noreturn, format(printf, 1, 2))) fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	puts("; the screen:");
	show(stdout);
	fflush(stdout);
	if (child > 0)
		kill(child, SIGKILL);
	exit(1);
}

static bool row_has(int row, const char *text)
{
	return memmem(cell[row], (size_t)columns, text, strlen(text));
}

/* ROW -1: any. */
static bool has(int row, const char *text)
{
	for (int i = 0; i < rows; i++)
		if ((row < 0 || row == i) && row_has(i, text))
			return true;
	return false;
}

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void await(int row, const char *text, bool there)
{
	long end = now_ms() + PATIENCE_MS;

	while (has(row, text) != there) {
		if (now_ms() > end || !pump(100))
			fail("row %d: %s \"%s\"", row, there ? "there is no" : "there is still", text);
	}
}

static void resize(const char *size)
{
	struct winsize ws = { 0 };

	if (sscanf(size, "%dx%d", &columns, &rows) != 2 || columns < 1 || columns > MAX_COLUMNS ||
	    rows < 1 || rows > MAX_ROWS) {
		fprintf(stderr, "in-pty: %s is no size\n", size);
		exit(2);
	}
	top = 0;
	bottom = rows - 1;
	x = limit(x, columns - 1);
	y = limit(y, rows - 1);
	ws.ws_col = (unsigned short)columns;
	ws.ws_row = (unsigned short)rows;
	if (master >= 0)
		ioctl(master, TIOCSWINSZ, &ws);
}

static void type(const char *text)
{
	char bytes[512];
	size_t n = 0;

	/* In one piece: an Esc that comes alone is a key of its own. */
	for (; *text && n < sizeof(bytes); text++) {
		unsigned int byte;

		if (text[0] == '\\' && text[1] == 'e') {
			bytes[n++] = '\033';
			text++;
		} else if (text[0] == '\\' && text[1] == 'r') {
			bytes[n++] = '\r';
			text++;
		} else if (text[0] == '\\' && sscanf(text + 1, "x%2x", &byte) == 1) {
			bytes[n++] = (char)byte;
			text += 3;
		} else {
			bytes[n++] = *text;
		}
	}
	if (write(master, bytes, n) != (ssize_t)n)
		fail("cannot type");
}

static void await_exit(int want)
{
	long end = now_ms() + PATIENCE_MS;
	int status, got;

	while (waitpid(child, &status, WNOHANG) == 0) {
		if (now_ms() > end)
			fail("it does not end");
		pump(20);
	}
	child = 0;
	while (master >= 0 && pump(20)) {
		struct pollfd in = { .fd = master, .events = POLLIN };

		if (poll(&in, 1, 0) <= 0)
			break;
	}
	got = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	if (got != want)
		fail("exit status %d, not %d", got, want);
}

static void restored(const struct termios *before)
{
	struct termios now;

	if (tcgetattr(master, &now))
		fail("no settings");
	if (now.c_lflag != before->c_lflag || now.c_iflag != before->c_iflag ||
	    now.c_oflag != before->c_oflag)
		fail("other settings than before");
	if (alternate || hidden)
		fail("%s", hidden ? "the cursor is hidden" : "the alternate screen is left on");
}

static void step(char *line, const struct termios *before)
{
	char *rest = line + strcspn(line, " ");

	if (*rest)
		*rest++ = '\0';
	if (!strcmp(line, "key")) {
		type(rest);
	} else if (!strcmp(line, "wait")) {
		await(-1, rest, true);
	} else if (!strcmp(line, "gone")) {
		await(-1, rest, false);
	} else if (!strcmp(line, "row")) {
		int row = (int)strtol(rest, &rest, 10);

		await(row, rest + 1, true);
	} else if (!strcmp(line, "size")) {
		resize(rest);
	} else if (!strcmp(line, "signal")) {
		kill(child, atoi(rest));
	} else if (!strcmp(line, "show")) {
		show(stdout);
	} else if (!strcmp(line, "exit")) {
		await_exit(atoi(rest));
	} else if (!strcmp(line, "hangup")) {
		close(master);
		master = -1;
	} else if (!strcmp(line, "restored")) {
		restored(before);
	} else if (*line && *line != '#') {
		fail("there is no step \"%s\"", line);
	}
}

int main(int argc, char **argv)
{
	struct termios before;
	struct winsize ws = { 0 };
	char line[512];
	int slave;

	if (argc < 3) {
		fprintf(stderr, "usage: in-pty COLUMNSxROWS COMMAND [ARGUMENT]... <SCRIPT\n");
		return 2;
	}
	memset(cell, ' ', sizeof(cell));
	resize(argv[1]);
	ws.ws_col = (unsigned short)columns;
	ws.ws_row = (unsigned short)rows;
	/* Our end of the slave keeps its settings readable when the command is gone. */
	if (openpty(&master, &slave, NULL, NULL, &ws) || tcgetattr(slave, &before)) {
		perror("in-pty: openpty");
		return 2;
	}
	child = fork();
	if (child < 0) {
		perror("in-pty: fork");
		return 2;
	}
	if (!child) {
		close(master);
		if (!login_tty(slave))
			execvp(argv[2], argv + 2);
		_exit(127);
	}
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		if (!strcmp(line, "hangup"))
			close(slave);
		step(line, &before);
	}
	if (child > 0)
		kill(child, SIGKILL);
	return 0;
}
