// SPDX-License-Identifier: Apache-2.0
/*
 * Moves a container from the cgroup in which it may be killed to the one that root named with `domain add
 * --promote-to`. On cgroup v2 this takes write access to the common ancestor of both, which may be root's
 * alone.
 */
#include "ua_helper.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_ROUNDS 10 /* a process that forks during a round leaves its child behind */

static int open_target(const struct options *o, const struct ua_killable *from, const char *name, struct ua_error *error)
{
	int parent = killable_open_promoted(from->promoted, pin_group(o), error), target, processes;

	if (parent < 0)
		return -1;
	if (!mkdirat(parent, name, 0755)) {
		target = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (target >= 0 && give_cgroup(target, pin_group(o), 0775))
			warn("cannot give %s/%s to the group: %s", from->promoted, name, strerror(errno));
	} else {
		target = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	}
	close(parent);
	processes = target < 0 ? -1 : openat(target, "cgroup.procs", O_WRONLY | O_CLOEXEC);
	if (processes < 0)
		refuse(error, errno == EACCES ? EXIT_PERMISSION : EXIT_FAILED,
		       "%s/%s: %s; remove it, so that the helper creates it", from->promoted, name, strerror(errno));
	if (target >= 0)
		close(target);
	return processes;
}

int move_container(const struct options *o, int killable, u64 container, u64 domain, int *moved, struct ua_error *error)
{
	struct ua_killable from;
	char path[PATH_MAX];
	int processes, count = 0;

	*moved = 0;
	if (!cgroup_path(container, path, sizeof(path)))
		return refuse(error, EXIT_STATE, "%llu: no such cgroup in %s", container, memory_mount());
	if (!killable_directly_above(killable, domain, path, &from))
		return refuse(error, EXIT_PERMISSION, "%s is not directly in a cgroup in which containers of this domain may be killed",
			      path);
	if (!*from.promoted)
		return refuse(error, EXIT_STATE,
			      "%s: no cgroup for promoted containers is set; set it with `ua-killer domain add --promote-to`", path);
	processes = open_target(o, &from, strrchr(path, '/') + 1, error);
	if (processes < 0)
		return error->code;
	for (int round = 0; round < MAX_ROUNDS && !cgroup_empty(path); round++) {
		count = cgroup_move(path, processes);
		if (count < 0)
			break;
		*moved += count;
	}
	if (count < 0)
		refuse(error, errno == EACCES ? EXIT_PERMISSION : EXIT_FAILED, "cannot move a process of %s into %s: %s", path,
		       from.promoted, strerror(errno));
	else if (!cgroup_empty(path))
		refuse(error, EXIT_FAILED, "%s keeps starting new processes; %d were moved", path, *moved);
	else
		error->code = EXIT_OK;
	close(processes);
	return error->code;
}
