// SPDX-License-Identifier: Apache-2.0
/*
 * The cgroups of a NodeManager without privileges on cgroup v2, where a user may move a process only with write
 * access to cgroup.procs of the common ancestor of the old and the new cgroup. The NodeManager therefore runs
 * inside the tree: root owns the top, the user creates cgroups in it, and the cgroup `nodemanager` in it
 * belongs to the user.
 */
#include "ua_helper.h"

#include <bpf/bpf.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_LEVELS 32
#define MAX_REMOVED 100000
#define HOME "nodemanager"

/* The files that a user has to write for delegation. The limits of the tree as a whole stay with root. */
static const char *const delegated[] = { "cgroup.procs", "cgroup.threads", "cgroup.subtree_control" };

/* The controllers that a NodeManager with Charon uses; the first is required. */
static const char *const controllers[] = { "memory", "cpu", "cpuset", "io", "pids" };

struct tree {
	char path[UA_PATH];
	int level[MAX_LEVELS]; /* from the mount down to the top */
	int levels;
};

static void close_tree(struct tree *t)
{
	while (t->levels)
		close(t->level[--t->levels]);
}

static void require_v2(const char *verb)
{
	if (geteuid())
		fail(EXIT_PERMISSION, "tree %s: permission denied; this needs root", verb);
	if (!memory_unified())
		fail(EXIT_STATE,
		     "tree %s: the memory controller is mounted as cgroup v1, where a user may move processes into any cgroup that the user owns; create the cgroup in each controller's mount point and chown it",
		     verb);
}

/*
 * Opens every cgroup from the mount down to the top. Those above the top may belong to the user, as those of a
 * delegated systemd unit do.
 */
static void open_levels(struct tree *t, const char *text, uid_t user, bool make)
{
	char copy[UA_PATH], *rest = NULL, *name, *following;
	struct ua_error error;
	struct stat status;

	if (cgroup_full_path("tree", text, t->path, &error))
		fail(error.code, "%s", error.text);
	snprintf(copy, sizeof(copy), "%s", t->path + strlen(memory_mount()));
	t->level[t->levels++] = open(memory_mount(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (name = strtok_r(copy, "/", &rest); name && t->level[t->levels - 1] >= 0; name = following) {
		int above = t->level[t->levels - 1], directory;

		if (t->levels == MAX_LEVELS)
			fail(EXIT_USAGE, "tree %s: deeper than %d cgroups", text, MAX_LEVELS - 1);
		if (make && mkdirat(above, name, 0755) && errno != EEXIST)
			fail(EXIT_FAILED, "%s: %s", t->path, strerror(errno));
		following = strtok_r(NULL, "/", &rest);
		directory = openat(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		t->level[t->levels++] = directory;
		if (directory < 0 || fstat(directory, &status))
			fail(errno == ENOENT ? EXIT_STATE : EXIT_FAILED, "%s: %s", t->path, strerror(errno));
		if (status.st_uid && !(following && status.st_uid == user))
			fail(EXIT_STATE, "%s: '%s' in this path belongs to user %u; give another path, or remove that cgroup", t->path, name,
			     status.st_uid);
	}
}

static void give_files(const struct tree *t, int directory, uid_t user, gid_t group)
{
	for (size_t i = 0; i < sizeof(delegated) / sizeof(delegated[0]); i++)
		if (fchownat(directory, delegated[i], user, group, AT_SYMLINK_NOFOLLOW))
			fail(EXIT_FAILED, "%s: %s: %s", t->path, delegated[i], strerror(errno));
}

/* Returns the top's files to root: `domain add` may have created it and given all of its files to the group. */
static void return_files_to_root(const struct tree *t, int top)
{
	int copy = openat(top, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *listing = copy < 0 ? NULL : fdopendir(copy);
	struct dirent *entry;
	struct stat status;

	if (!listing)
		fail(EXIT_FAILED, "%s: %s", t->path, strerror(errno));
	while ((entry = readdir(listing))) {
		if (fstatat(top, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) || !S_ISREG(status.st_mode))
			continue;
		if (fchownat(top, entry->d_name, 0, 0, AT_SYMLINK_NOFOLLOW) ||
		    fchmodat(top, entry->d_name, status.st_mode & ~(S_IWGRP | S_IWOTH), 0))
			fail(EXIT_FAILED, "%s: %s: %s", t->path, entry->d_name, strerror(errno));
	}
	closedir(listing);
}

/* The user may create cgroups in it; the sticky bit protects those that root created. */
static void give_top(const struct tree *t, int top, uid_t user, gid_t group)
{
	return_files_to_root(t, top);
	if (fchown(top, 0, group) || fchmod(top, 01775))
		fail(EXIT_FAILED, "%s: %s", t->path, strerror(errno));
	give_files(t, top, user, group);
}

static int make_home(const struct tree *t, int top, uid_t user, gid_t group)
{
	struct stat status;
	int home;

	if (mkdirat(top, HOME, 0755) && errno != EEXIST)
		fail(EXIT_FAILED, "%s/" HOME ": %s", t->path, strerror(errno));
	home = openat(top, HOME, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (home < 0 || fstat(home, &status))
		fail(EXIT_FAILED, "%s/" HOME ": %s", t->path, strerror(errno));
	if (status.st_uid && status.st_uid != user)
		fail(EXIT_STATE, "%s/" HOME " belongs to user %u; remove that cgroup", t->path, status.st_uid);
	if (fchown(home, user, group) || fchmod(home, 0755))
		fail(EXIT_FAILED, "%s/" HOME ": %s", t->path, strerror(errno));
	give_files(t, home, user, group);
	return home;
}

static void move_into(const struct tree *t, int home, pid_t process)
{
	int processes = openat(home, "cgroup.procs", O_WRONLY | O_CLOEXEC);

	if (processes < 0 || dprintf(processes, "%d", process) < 0)
		fail(EXIT_FAILED, "cannot move --process %d into %s/" HOME ": %s", process, t->path, strerror(errno));
	close(processes);
}

static bool has_controller(int directory, const char *file, const char *controller)
{
	int fd = openat(directory, file, O_RDONLY | O_CLOEXEC);
	char text[1024], *rest, *name;
	ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	if (got <= 0)
		return false;
	text[got] = 0;
	for (name = strtok_r(text, " \n", &rest); name; name = strtok_r(NULL, " \n", &rest))
		if (!strcmp(name, controller))
			return true;
	return false;
}

static bool enable(int directory, const char *controller)
{
	int fd;
	bool enabled;

	if (has_controller(directory, "cgroup.subtree_control", controller))
		return true;
	fd = openat(directory, "cgroup.subtree_control", O_WRONLY | O_CLOEXEC);
	enabled = fd >= 0 && dprintf(fd, "+%s", controller) > 0;
	if (fd >= 0) {
		int error = errno;

		close(fd);
		errno = error;
	}
	return enabled;
}

/* A controller works in a cgroup only if every cgroup above enables it for its children. */
static void enable_down(const struct tree *t, const char *controller, bool needed)
{
	for (int i = 0; i < t->levels; i++) {
		if (enable(t->level[i], controller))
			continue;
		if (needed)
			fail(errno == EBUSY ? EXIT_STATE : EXIT_FAILED,
			     errno == EBUSY ?
				     "%s: the %s controller cannot be enabled in level %d of this path, which holds processes; start them in a cgroup below it (systemd: DelegateSubgroup=), or give --process for one. Containers that were started before the cgroup was delegated have to end first" :
				     "%s: the %s controller cannot be enabled in level %d of this path: %s",
			     t->path, controller, i, strerror(errno));
		warn("%s: no %s controller: %s", t->path, controller, strerror(errno));
		return;
	}
}

int tree_add(const struct options *o, const char *cgroup, pid_t process)
{
	struct tree t = {};
	uid_t user;
	gid_t group;
	int top, home;

	if (!o->user)
		fail(EXIT_USAGE, "tree add: --user NAME, the user of the NodeManager, is missing");
	require_v2("add");
	user = account_user(o->user);
	group = account_group_of(o->user, o->group);
	if (!user)
		fail(EXIT_USAGE, "tree add: --user %s is root, which needs no tree", o->user);
	open_levels(&t, cgroup, user, true);
	top = t.level[t.levels - 1];
	home = make_home(&t, top, user, group);
	if (process)
		move_into(&t, home, process);
	close(home);
	for (size_t i = 0; i < sizeof(controllers) / sizeof(controllers[0]); i++)
		enable_down(&t, controllers[i], !i);
	/* Last, so that nothing is given away before everything is there. */
	give_top(&t, top, user, group);
	if (!o->json)
		printf("tree %s for user %u; start the NodeManager in %s/" HOME "\n", t.path, user, t.path);
	close_tree(&t);
	return EXIT_OK;
}

/* Finds a cgroup inside this one. */
static bool first_child(int directory, char *name, size_t size)
{
	int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *listing = copy < 0 ? NULL : fdopendir(copy);
	struct dirent *entry;
	bool found = false;

	while (listing && !found && (entry = readdir(listing))) {
		struct stat status;

		found = entry->d_name[0] != '.' && !fstatat(directory, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) &&
			S_ISDIR(status.st_mode);
		if (found)
			snprintf(name, size, "%s", entry->d_name);
	}
	if (listing)
		closedir(listing);
	return found;
}

/*
 * Removes one cgroup without children somewhere below. Returns 1 if there was one, 0 if not, or a negative
 * value with errno.
 */
static int remove_lowest(int top)
{
	char name[NAME_MAX + 1], below[NAME_MAX + 1];
	int directory = dup(top), result = 0, error = 0;

	if (directory < 0 || !first_child(directory, name, sizeof(name)))
		goto out;
	for (;;) {
		int next = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

		if (next < 0 || !first_child(next, below, sizeof(below))) {
			result = unlinkat(directory, name, AT_REMOVEDIR) && errno != ENOENT ? -1 : 1;
			error = errno;
			if (next >= 0)
				close(next);
			break;
		}
		close(directory);
		directory = next;
		memcpy(name, below, sizeof(name));
	}
out:
	if (directory >= 0)
		close(directory);
	errno = error;
	return result;
}

static void refuse_killable(const struct options *o, const char *path)
{
	struct ua_killable value;
	size_t length = strlen(path);
	bool started = false;
	u64 id = 0;
	int map;

	if (!is_loaded(o))
		return;
	map = open_pin(o, "killable", false);
	while (next_key(map, &id, &started))
		if (!bpf_map_lookup_elem(map, &id, &value) && !strncmp(value.path, path, length) &&
		    (!value.path[length] || value.path[length] == '/'))
			fail(EXIT_STATE, "tree remove: the helper would create %s again; run `ua-killer domain remove` first", value.path);
	close(map);
}

/*
 * Removes the tree with all that the user created in it, if it holds no process. The cgroups above stay, and so
 * do their controllers.
 */
int tree_remove(const struct options *o, const char *cgroup)
{
	struct tree t = {};
	int removed = 1;

	require_v2("remove");
	open_levels(&t, cgroup, o->user ? account_user(o->user) : 0, false);
	refuse_killable(o, t.path);
	for (int i = 0; i < MAX_REMOVED && removed > 0; i++)
		removed = remove_lowest(t.level[t.levels - 1]);
	if (removed || rmdir(t.path))
		fail(errno == EBUSY ? EXIT_STATE : EXIT_FAILED, "%s: %s", t.path,
		     errno == EBUSY ? "it still holds processes; stop the NodeManager and its containers first" : strerror(errno));
	close_tree(&t);
	return EXIT_OK;
}
