// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <poll.h>
#include <spawn.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"

extern char **environ;

int command_start(struct command *command, char *const *argv, struct errmsg *err)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	posix_spawnattr_t attr;
	sigset_t defaults;
	int rc;

	sigemptyset(&defaults);
	sigaddset(&defaults, SIGINT);
	sigaddset(&defaults, SIGPIPE);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigdefault(&attr, &defaults);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	sigaction(SIGINT, &ignore, &command->was);
	rc = posix_spawnp(&command->pid, argv[0], NULL, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	if (!rc) {
		command->fd = (int)syscall(SYS_pidfd_open, command->pid, 0);
		return 0;
	}
	sigaction(SIGINT, &command->was, NULL);
	return err_sys(err, rc, "cannot run %s: %s", argv[0], strerror(rc));
}

bool command_ends_within(const struct command *command, int ms)
{
	struct pollfd ended = { .fd = command->fd, .events = POLLIN };
	siginfo_t info = { 0 };

	if (poll(&ended, 1, ms) > 0)
		return true;
	/* Where no pidfd could be had (a sandbox), poll() only waits. */
	return command->fd < 0 &&
	       (waitid(P_PID, (id_t)command->pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid);
}

int command_wait(struct command *command)
{
	int status = 0;

	while (waitpid(command->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (command->fd >= 0)
		close(command->fd);
	sigaction(SIGINT, &command->was, NULL);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int command_run(char *const *argv, int *status, struct errmsg *err)
{
	struct command command;

	if (command_start(&command, argv, err))
		return -1;
	*status = command_wait(&command);
	return 0;
}
