// SPDX-License-Identifier: Apache-2.0
/*
 * Decides which peers the socket serves: root, and one process of the configured user, the NodeManager. The
 * user alone is not enough, because with YARN's default executor every container runs as the same user. The
 * cgroup is not enough either, because a container whose move failed stays in the NodeManager's. The
 * NodeManager is therefore the main process of its service and is held by a pidfd, so that a process which
 * later gets the same number is not mistaken for it. Only a process of the same user that may trace the
 * NodeManager can act in its name.
 */
#include "ua_helper.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define QUERY_NS 1000000000ULL /* minimum time between two queries for the main process */
#define REPLY_TIMEOUT_MS 1000
#define YOUNGER_S 2 /* tolerance, in seconds, for a process younger than the file; whole seconds are compared */
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

static const struct options *options;
static uid_t user;
static struct {
	int descriptor; /* -1: none is held */
	pid_t process;
	u64 queried_ns;
} node_manager = { .descriptor = -1 };

static bool has_ended(int descriptor)
{
	struct pollfd gone = { .fd = descriptor, .events = POLLIN };

	return poll(&gone, 1, 0) != 0;
}

/* ---- which process is the main one ------------------------------------------------------------- */

static pid_t parse_process(const char *text)
{
	char *end;
	long number = strtol(text, &end, 10);

	return end != text && (!*end || *end == '\n') && number > 1 && number <= INT_MAX ? number : 0;
}

/* Reads the first line of a program's output, waiting at most one second for each part. */
static bool first_output_line(char *const command[], char *line, size_t size)
{
	struct pollfd output = { .events = POLLIN };
	posix_spawn_file_actions_t actions;
	int ends[2], code;
	size_t got = 0;
	ssize_t more;
	pid_t child;

	if (pipe2(ends, O_CLOEXEC))
		return false;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
	code = posix_spawnp(&child, command[0], &actions, NULL, command, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	output.fd = ends[0];
	while (!code && got < size - 1 && !memchr(line, '\n', got) && poll(&output, 1, REPLY_TIMEOUT_MS) > 0) {
		more = read(ends[0], line + got, size - 1 - got);
		if (more <= 0)
			break;
		got += more;
	}
	close(ends[0]);
	line[got] = 0;
	if (code) {
		warn("%s: %s", command[0], strerror(code));
		return false;
	}
	kill(child, SIGKILL); /* its further output is not needed */
	waitpid(child, NULL, 0);
	return got;
}

static pid_t main_process_of_service(void)
{
	char *command[] = { "systemctl", "show", "--property", "MainPID", "--value", "--", (char *)options->service, NULL };
	char line[64];

	return first_output_line(command, line, sizeof(line)) ? parse_process(line) : 0;
}

/*
 * Whether a process started before that time (seconds since 1970), or at most YOUNGER_S later. If this cannot
 * be determined, the answer is no.
 */
static bool is_older(pid_t process, time_t moment)
{
	struct timespec now, up;
	u64 ticks;

	if (!process_start(process, &ticks))
		return false;
	clock_gettime(CLOCK_REALTIME, &now);
	clock_gettime(CLOCK_BOOTTIME, &up);
	return now.tv_sec - up.tv_sec + (double)ticks / sysconf(_SC_CLK_TCK) <= moment + YOUNGER_S;
}

static bool is_roots(int file)
{
	struct stat status;

	return !fstat(file, &status) && !status.st_uid && !(status.st_mode & (S_IWGRP | S_IWOTH));
}

/*
 * Trusts the file only if no user but root can change or replace it, and only for a process that is older than
 * the file. If the process is younger, the file was left behind and its number was reused.
 */
static pid_t main_process_of_file(void)
{
	char copy[PATH_MAX], line[64], *rest, *name, *following;
	int directory = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC), next;
	struct stat status = {};
	ssize_t got = 0;
	pid_t process;

	snprintf(copy, sizeof(copy), "%s", options->pid_file);
	for (name = strtok_r(copy, "/", &rest); name && directory >= 0 && is_roots(directory); name = following) {
		following = strtok_r(NULL, "/", &rest);
		next = openat(directory, name, O_NOFOLLOW | O_CLOEXEC | (following ? O_PATH | O_DIRECTORY : O_RDONLY | O_NONBLOCK));
		close(directory);
		directory = next;
	}
	if (directory >= 0 && !name && is_roots(directory) && !fstat(directory, &status))
		got = read(directory, line, sizeof(line) - 1);
	if (directory >= 0)
		close(directory);
	if (got <= 0)
		return 0;
	line[got] = 0;
	process = parse_process(line);
	return process && is_older(process, status.st_mtim.tv_sec) ? process : 0;
}

static pid_t main_process(void)
{
	return options->service ? main_process_of_service() : main_process_of_file();
}

/* Asks twice: a process that is the main one before and after its pidfd was opened is the one behind the pidfd. */
static void acquire_node_manager(void)
{
	pid_t process;
	int descriptor;

	if (node_manager.queried_ns && now_ns() - node_manager.queried_ns < QUERY_NS)
		return;
	process = main_process();
	node_manager.queried_ns = now_ns();
	descriptor = process ? syscall(SYS_pidfd_open, process, 0) : -1;
	if (descriptor < 0)
		return;
	if (main_process() != process || has_ended(descriptor)) {
		close(descriptor);
		return;
	}
	node_manager.descriptor = descriptor;
	node_manager.process = process;
	warn("process %d is the NodeManager", process);
}

/* ---- peers --------------------------------------------------------------------------------------- */

/* Whether the process that connected is still alive, so that its number has not been reused. */
static bool is_alive(int connection, pid_t process)
{
	socklen_t size = sizeof(int);
	int descriptor;
	bool alive;

	/*
	 * Since Linux 6.5. Before, the number is checked instead, which could be wrong only if it was reused
	 * while the connection waited.
	 */
	if (getsockopt(connection, SOL_SOCKET, SO_PEERPIDFD, &descriptor, &size))
		descriptor = errno == ENOPROTOOPT ? syscall(SYS_pidfd_open, process, 0) : -1;
	if (descriptor < 0)
		return false;
	alive = !has_ended(descriptor);
	close(descriptor);
	return alive;
}

static bool is_node_manager(int connection, pid_t process)
{
	if (node_manager.descriptor >= 0 && has_ended(node_manager.descriptor)) {
		close(node_manager.descriptor);
		node_manager.descriptor = -1;
	}
	if (node_manager.descriptor < 0)
		acquire_node_manager();
	return node_manager.descriptor >= 0 && node_manager.process == process && is_alive(connection, process) &&
	       !has_ended(node_manager.descriptor);
}

bool peer_is_accepted(int connection, struct peer *peer, struct ua_error *error)
{
	struct ucred credentials;
	socklen_t size = sizeof(credentials);
	const char *source = options->service ? options->service : options->pid_file;

	if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &credentials, &size)) {
		refuse(error, EXIT_FAILED, "cannot identify the client: %s", strerror(errno));
		return false;
	}
	peer->process = credentials.pid;
	peer->user = credentials.uid;
	if (!credentials.uid)
		return true;
	if (!options->user)
		refuse(error, EXIT_PERMISSION,
		       "process %d of user %u is refused: only root is accepted; give `ua-killer reap` --user and --service (or --pid-file) of the NodeManager",
		       credentials.pid, credentials.uid);
	else if (credentials.uid != user)
		refuse(error, EXIT_PERMISSION, "process %d of user %u is refused: only root and the NodeManager of user %s are accepted",
		       credentials.pid, credentials.uid, options->user);
	else if (is_node_manager(connection, credentials.pid))
		return true;
	else
		refuse(error, EXIT_PERMISSION,
		       "process %d of user %u is refused: it is not the main process of %s, as the NodeManager must be; correct `ua-killer reap` %s, or try again in a second",
		       credentials.pid, credentials.uid, source, options->service ? "--service" : "--pid-file");
	return false;
}

/* ---- start --------------------------------------------------------------------------------------- */

void peer_configure(const struct options *o)
{
	options = o;
	if (!o->user != (!o->service && !o->pid_file) || (o->service && o->pid_file))
		fail(EXIT_USAGE, "give --user with --service, or --user with --pid-file, to identify the NodeManager that is accepted");
	if (o->pid_file && *o->pid_file != '/')
		fail(EXIT_USAGE, "--pid-file %s: give an absolute path", o->pid_file);
	if (o->user)
		user = account_user(o->user);
}
