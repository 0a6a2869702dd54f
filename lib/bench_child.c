// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include "bench_run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILDREN_MAX	2

static volatile sig_atomic_t caught;
static volatile sig_atomic_t running[CHILDREN_MAX];

/*
 * The first signal asks the children to end as they would for a user; from the
 * second on they are killed, so that a stuck one cannot keep us from putting
 * things back.
 */
static void on_signal(int sig)
{
	int how = caught ? SIGKILL : SIGINT;

	caught = sig;
	for (int i = 0; i < CHILDREN_MAX; i++)
		if (running[i] > 0)
			kill(-running[i], how);
}

void bench_catch_signals(void)
{
	struct sigaction act = { .sa_handler = on_signal };

	sigaction(SIGINT, &act, NULL);
	sigaction(SIGTERM, &act, NULL);
	sigaction(SIGHUP, &act, NULL);
}

int bench_interrupted(void)
{
	return caught;
}

static void note(pid_t old, pid_t new)
{
	for (int i = 0; i < CHILDREN_MAX; i++) {
		if (running[i] == old) {
			running[i] = new;
			return;
		}
	}
}

static void become(struct bench_child *child, char *const argv[])
{
	int null = open("/dev/null", O_RDONLY);
	sigset_t none;

	/* A group of its own: a signal from the terminal comes through us. */
	setpgid(0, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(null, 0);
	dup2(child->out_fd, 1);
	dup2(child->err_fd, 2);
	fcntl(child->extra_fd, F_SETFD, 0);
	execvp(argv[0], argv);
	_exit(errno == ENOENT ? 127 : 126);
}

int bench_child_open(struct bench_child *child, struct errmsg *err)
{
	child->status = -1;
	child->pid = -1;
	child->out_fd = memfd_create("stdout", MFD_CLOEXEC);
	child->err_fd = memfd_create("stderr", MFD_CLOEXEC);
	child->extra_fd = memfd_create("extra", MFD_CLOEXEC);
	if (child->out_fd >= 0 && child->err_fd >= 0 && child->extra_fd >= 0)
		return 0;
	err_sys(err, errno, "no memory for a child's output: %s",
		strerror(errno));
	bench_child_close(child);
	return -1;
}

int bench_child_start(struct bench_child *child, char *const argv[],
		      struct errmsg *err)
{
	sigset_t block, old;
	pid_t pid;

	/* A signal between fork and note would miss the child. */
	sigfillset(&block);
	sigprocmask(SIG_BLOCK, &block, &old);
	pid = fork();
	if (pid == 0)
		become(child, argv);
	if (pid > 0) {
		setpgid(pid, pid);
		child->pid = pid;
		note(0, pid);
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
	if (pid < 0)
		return err_sys(err, errno, "%s cannot be started: %s", argv[0],
			       strerror(errno));
	return 0;
}

int bench_child_wait(struct bench_child *child, struct errmsg *err)
{
	pid_t got;

	do
		got = waitpid(child->pid, &child->status, 0);
	while (got < 0 && errno == EINTR);
	note(child->pid, 0);
	child->pid = -1;
	if (got < 0)
		return err_sys(err, errno, "waiting for a child: %s",
			       strerror(errno));
	return 0;
}

void bench_child_stop(struct bench_child *child)
{
	if (child->pid > 0)
		kill(-child->pid, SIGINT);
}

void bench_child_close(struct bench_child *child)
{
	if (child->out_fd >= 0)
		close(child->out_fd);
	if (child->err_fd >= 0)
		close(child->err_fd);
	if (child->extra_fd >= 0)
		close(child->extra_fd);
	child->out_fd = child->err_fd = child->extra_fd = -1;
}

char *bench_child_text(int fd)
{
	off_t size = lseek(fd, 0, SEEK_END);
	size_t done = 0;
	char *text;

	if (size < 0)
		return NULL;
	text = malloc((size_t)size + 1);
	while (text && done < (size_t)size) {
		ssize_t n = pread(fd, text + done, (size_t)size - done,
				  (off_t)done);

		if (n <= 0)
			break;
		done += (size_t)n;
	}
	if (text)
		text[done] = 0;
	return text;
}

bool bench_child_ok(const struct bench_child *child)
{
	return WIFEXITED(child->status) && WEXITSTATUS(child->status) == 0;
}
