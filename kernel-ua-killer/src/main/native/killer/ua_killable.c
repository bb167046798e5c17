// SPDX-License-Identifier: Apache-2.0
/*
 * Below which cgroups containers may be killed. Root says it by path (`domain add --killable-below`); the programs know
 * cgroups by number, and the helper finds the number anew when a cgroup was removed and made again. A path is only as good
 * as those who can put another cgroup there: so these cgroups are root's, and so is every directory above them.
 */
#include "ua_helper.h"

#include <bpf/bpf.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Key of a path that leads to no cgroup of root's just now; no cgroup has such a number. */
#define NOWHERE (1ULL << 63)

/*
 * The group makes cgroups in this one and writes its files; it can neither remove nor rename what root made there, which is
 * the sticky bit's work.
 */
static int give(int directory, gid_t group)
{
	int copy = dup(directory);
	struct dirent *entry;
	struct stat status;
	DIR *listing;

	if (fchown(directory, 0, group) || fchmod(directory, group ? 01775 : 0755) || copy < 0)
		return -1;
	listing = fdopendir(copy);
	while (listing && group && (entry = readdir(listing))) {
		if (fstatat(directory, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) || !S_ISREG(status.st_mode))
			continue;
		if (fchownat(directory, entry->d_name, 0, group, AT_SYMLINK_NOFOLLOW) ||
		    fchmodat(directory, entry->d_name, status.st_mode | (status.st_mode & S_IWUSR ? S_IWGRP : 0), 0))
			break;
	}
	if (listing)
		closedir(listing);
	return listing ? 0 : -1;
}

/* Nobody but root can put something else at the place of what is in there. */
static bool is_roots(const struct stat *status)
{
	return !status->st_uid && (!(status->st_mode & (S_IWGRP | S_IWOTH)) || status->st_mode & S_ISVTX);
}

/*
 * Gives the cgroup to the group. Makes it and those above it where they are missing, and makes sure that they are root's:
 * where `take` is set, by taking them over. On cgroup v2, where nothing can be renamed, what is above may be another
 * user's, such as a systemd unit that was delegated.
 */
static int own(const char *path, gid_t group, bool take, u64 *id, struct ua_error *error)
{
	char copy[PATH_MAX], *rest = NULL, *name, *following;
	int directory = open(memory_mount(), O_RDONLY | O_DIRECTORY | O_CLOEXEC), next;
	struct stat status = {};

	snprintf(copy, sizeof(copy), "%s", path + strlen(memory_mount()));
	for (name = strtok_r(copy, "/", &rest); name && directory >= 0; name = following) {
		bool made = !mkdirat(directory, name, 0755), foreign;

		following = strtok_r(NULL, "/", &rest);
		next = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		close(directory);
		directory = next;
		if (next < 0 || fstat(next, &status))
			break;
		foreign = !is_roots(&status) && !(following && memory_unified());
		if (made || (foreign ? take : !following)) {
			if (give(next, group) || fstat(next, &status))
				break;
			foreign = false;
		}
		if (foreign) {
			close(next);
			return refuse(error, EXIT_STATE,
				      "%s: user %u could put another cgroup there; run `ua-killer domain add` again, which makes it root's",
				      path, status.st_uid);
		}
	}
	if (directory < 0 || name)
		refuse(error, EXIT_FAILED, "%s: %s", path, strerror(errno));
	else
		error->code = EXIT_OK;
	*id = status.st_ino;
	if (directory >= 0)
		close(directory);
	return error->code;
}

/* The full path of what was given as one below the mount (/charon/best-effort) or with it. */
static void resolve(const char *text, const char *domain, char *path)
{
	size_t length = strlen(memory_mount()), root;
	char above[PATH_MAX];
	int written;

	if (!strncmp(text, memory_mount(), length) && text[length] == '/')
		text += length;
	written = snprintf(path, UA_PATH, "%s%s", memory_mount(), text);
	if (written >= UA_PATH)
		fail(EXIT_USAGE, "--killable-below %s: the path is longer than %d bytes", text, UA_PATH - 1);
	if (*text != '/' || !text[1] || strstr(text, "//") || strstr(text, "/./") || strstr(text, "/../") ||
	    text[strlen(text) - 1] == '/' || text[strlen(text) - 1] == '.')
		fail(EXIT_USAGE, "--killable-below %s: give the whole path of a cgroup, such as /charon/best-effort, without . and ..",
		     text);
	if (!realpath(domain, above))
		fail(EXIT_FAILED, "%s: %s", domain, strerror(errno));
	root = strlen(above);
	if (strncmp(path, above, root) || (path[root] && path[root] != '/'))
		fail(EXIT_USAGE, "--killable-below %s is not in the domain %s", text, domain);
}

static int put(int map, u64 id, u64 domain, const char *path)
{
	struct ua_killable value = { .domain = domain };

	memcpy(value.path, path, strnlen(path, UA_PATH - 1));
	return bpf_map_update_elem(map, &id, &value, BPF_ANY);
}

/* Keys of this domain's entries, or of all. */
static int keys_of(int map, u64 domain, u64 *keys)
{
	struct ua_killable value;
	bool started = false;
	int count = 0;
	u64 id = 0;

	while (count < UA_MAX_KILLABLE && next_key(map, &id, &started))
		if (!bpf_map_lookup_elem(map, &id, &value) && (!domain || value.domain == domain))
			keys[count++] = id;
	return count;
}

void killable_set(const struct options *o, u64 domain, const char *root, const char *const *paths, int count)
{
	int map = open_pin(o, "killable", true), before;
	u64 old[UA_MAX_KILLABLE], id[UA_MAX_KILLABLE];
	char path[UA_MAX_KILLABLE][UA_PATH];
	gid_t group = pin_group(o);
	struct ua_error error;

	for (int i = 0; i < count; i++) {
		resolve(paths[i], root, path[i]);
		if (own(path[i], group, true, &id[i], &error))
			fail(error.code, "--killable-below %s", error.text);
	}
	before = keys_of(map, domain, old);
	while (before)
		bpf_map_delete_elem(map, &old[--before]);
	for (int i = 0; i < count; i++)
		if (put(map, id[i], domain, path[i]))
			fail(EXIT_FAILED, "--killable-below %s: %s", path[i],
			     errno == E2BIG ? "there are 64 such cgroups already" : strerror(errno));
}

/* Finds those anew that were removed and made again, and makes those that are gone. Called by the helper, often. */
void killable_follow(const struct options *o)
{
	static int map = -1;
	static u64 nowhere = NOWHERE;
	static bool told;
	u64 keys[UA_MAX_KILLABLE];
	int count;

	if (map < 0)
		map = open_pin(o, "killable", true);
	count = keys_of(map, 0, keys);
	for (int i = 0; i < count; i++) {
		struct ua_killable value;
		char path[PATH_MAX];
		struct ua_error error;
		u64 id;

		if (bpf_map_lookup_elem(map, &keys[i], &value))
			continue;
		if (!(keys[i] & NOWHERE) && cgroup_path(keys[i], path, sizeof(path)) && !strcmp(path, value.path))
			continue;
		if (own(value.path, pin_group(o), false, &id, &error)) {
			if (!told)
				warn("nobody is killed below %s", error.text);
			told = true;
			if (keys[i] & NOWHERE)
				continue;
			id = ++nowhere;
		} else {
			told = false;
		}
		if (!put(map, id, value.domain, value.path))
			bpf_map_delete_elem(map, &keys[i]);
	}
}

bool killable_is_found(u64 key)
{
	return !(key & NOWHERE);
}

/* Whether containers of the domain may be killed that are in this cgroup, by its path. */
bool killable_holds(int map, u64 domain, const char *path)
{
	u64 keys[UA_MAX_KILLABLE];
	int count = keys_of(map, domain, keys);
	struct ua_killable value;

	for (int i = 0; i < count; i++)
		if (killable_is_found(keys[i]) && !bpf_map_lookup_elem(map, &keys[i], &value) &&
		    cgroup_is_below(path, value.path))
			return true;
	return false;
}

/* Whether such a cgroup is this one or in it: a container that held it would hide all that are in there. */
bool killable_is_in(int map, u64 domain, const char *path)
{
	u64 keys[UA_MAX_KILLABLE];
	int count = keys_of(map, domain, keys);
	struct ua_killable value;
	char real[PATH_MAX];

	for (int i = 0; i < count; i++)
		if (killable_is_found(keys[i]) && !bpf_map_lookup_elem(map, &keys[i], &value) && realpath(path, real) &&
		    (!strcmp(value.path, real) || cgroup_is_below(value.path, real)))
			return true;
	return false;
}
