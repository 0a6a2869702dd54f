// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>

#include "command.h"

extern char **environ;

int command_run(char *const *argv, int *status, struct errmsg *err)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, was;
	posix_spawnattr_t attr;
	sigset_t defaults;
	pid_t pid;
	int rc;

	sigemptyset(&defaults);
	sigaddset(&defaults, SIGINT);
	sigaddset(&defaults, SIGPIPE);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigdefault(&attr, &defaults);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	sigaction(SIGINT, &ignore, &was);
	rc = posix_spawnp(&pid, argv[0], NULL, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	if (!rc) {
		while (waitpid(pid, status, 0) < 0 && errno == EINTR)
			;
		*status = WIFEXITED(*status) ? WEXITSTATUS(*status) : 128 + WTERMSIG(*status);
	}
	sigaction(SIGINT, &was, NULL);
	return rc ? err_sys(err, rc, "cannot run %s: %s", argv[0], strerror(rc)) : 0;
}
