// SPDX-License-Identifier: Apache-2.0
/*
 * The killable roots: the cgroups below which containers may be killed. Root names them by path (`domain add
 * --killable-below`). The programs know cgroups by number, and the helper looks up the new number when a cgroup
 * was removed and created again. A user who could put another cgroup at such a path could have it killed: so these
 * cgroups, and every directory above them, belong to root.
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

/* Key of a path at which there is no cgroup of root's at the moment; no cgroup has such a number. */
#define MISSING (1ULL << 63)
#define STICKY 01775
#define PROMOTED_MODE 0775 /* mode of the cgroup for promoted containers: the group may remove what root created there */

/* Leaves files that only root may write, and those that already belong to the group, as they are. */
static int give_files(int directory, gid_t group)
{
	int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *listing = copy < 0 ? NULL : fdopendir(copy);
	struct dirent *entry;
	struct stat status;

	while (listing && (entry = readdir(listing))) {
		if (fstatat(directory, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) || !S_ISREG(status.st_mode))
			continue;
		if (status.st_gid == group && (status.st_mode & S_IWGRP || !(status.st_mode & S_IWUSR)))
			continue;
		if (fchownat(directory, entry->d_name, 0, group, AT_SYMLINK_NOFOLLOW) ||
		    fchmodat(directory, entry->d_name, status.st_mode | (status.st_mode & S_IWUSR ? S_IWGRP : 0), 0))
			break;
	}
	if (listing)
		closedir(listing);
	return listing ? 0 : -1;
}

static int give_directory(int directory, gid_t group, mode_t mode)
{
	return fchown(directory, 0, group) || fchmod(directory, group ? mode : 0755) ? -1 : 0;
}

/*
 * Gives a cgroup to the group, which may then create cgroups in it and write its files. The sticky bit keeps
 * the group from removing or renaming what root created there.
 */
int give_cgroup(int directory, gid_t group, mode_t mode)
{
	if (give_directory(directory, group, mode))
		return -1;
	return group ? give_files(directory, group) : 0;
}

/*
 * On cgroup v2, the files of a controller appear when the controller is enabled above. If that happens after
 * the cgroup was given to the group, they belong to root alone, and the NodeManager could not limit
 * best-effort's memory.
 */
static void give_new_files(const char *path, gid_t group)
{
	int directory = memory_unified() && group ? open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
	struct stat status;

	if (directory < 0)
		return;
	if (!fstat(directory, &status) && !status.st_uid && status.st_gid == group)
		give_files(directory, group);
	close(directory);
}

/*
 * Whether root owns this directory and, if its `mode` is to include the sticky bit, only root can replace its
 * entries.
 */
static bool is_roots(const struct stat *status, mode_t mode)
{
	return !status->st_uid && (!(status->st_mode & (S_IWGRP | S_IWOTH)) || status->st_mode & S_ISVTX || !(mode & S_ISVTX));
}

/*
 * Opens a cgroup that is given to the group. Creates it and missing ones above it, and makes sure that they
 * belong to root; `take` permits taking them over. On cgroup v2, which does not rename cgroups, those above may
 * belong to another user, as those of a delegated systemd unit do.
 */
static int open_owned(const char *path, gid_t group, mode_t mode, bool take, struct ua_error *error)
{
	char copy[PATH_MAX], *rest = NULL, *name, *following;
	int directory = open(memory_mount(), O_RDONLY | O_DIRECTORY | O_CLOEXEC), next;
	struct stat status = {};

	snprintf(copy, sizeof(copy), "%s", path + strlen(memory_mount()));
	for (name = strtok_r(copy, "/", &rest); name && directory >= 0; name = following) {
		bool made = !mkdirat(directory, name, 0755), foreign, high;

		following = strtok_r(NULL, "/", &rest);
		/* A missing cgroup may be that of a stopped unit, whose limits must not become the group's. */
		high = memory_unified() && following && rest && *rest;
		next = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		close(directory);
		directory = next;
		if (next < 0 || fstat(next, &status))
			break;
		foreign = !is_roots(&status, following ? STICKY : mode) && !(following && memory_unified());
		if (made || (foreign ? take : !following)) {
			if (high ? give_directory(next, group, STICKY) : give_cgroup(next, group, following ? STICKY : mode))
				break;
			if (fstat(next, &status))
				break;
			foreign = false;
		}
		if (foreign) {
			close(next);
			refuse(error, EXIT_STATE,
			       "%s: user %u could replace this cgroup; run `ua-killer domain add` again, which gives it to root",
			       path, status.st_uid);
			return -1;
		}
	}
	if (directory >= 0 && !name) {
		error->code = EXIT_OK;
		return directory;
	}
	refuse(error, EXIT_FAILED, "%s: %s", path, strerror(errno));
	if (directory >= 0)
		close(directory);
	return -1;
}

static int take_ownership(const char *path, gid_t group, bool take, u64 *id, struct ua_error *error)
{
	int directory = open_owned(path, group, STICKY, take, error);
	struct stat status;

	if (directory < 0)
		return error->code;
	if (fstat(directory, &status))
		refuse(error, EXIT_FAILED, "%s: %s", path, strerror(errno));
	*id = status.st_ino;
	close(directory);
	return error->code;
}
/* Computes the full path of a cgroup, which has to be in the domain. */
static void resolve(const char *option, const char *text, const char *domain, char *path)
{
	char above[PATH_MAX];
	struct ua_error error;
	size_t root;

	if (cgroup_full_path(option, text, path, &error))
		fail(error.code, "%s", error.text);
	if (!realpath(domain, above))
		fail(EXIT_FAILED, "%s: %s", domain, strerror(errno));
	root = strlen(above);
	if (strncmp(path, above, root) || (path[root] && path[root] != '/'))
		fail(EXIT_USAGE, "%s %s is not in the domain %s", option, text, domain);
}

/* Whether two full paths are equal or one is above the other. */
static bool overlap(const char *one, const char *other)
{
	size_t length = strlen(one) < strlen(other) ? strlen(one) : strlen(other);

	return !strncmp(one, other, length) && (!one[length] || one[length] == '/') && (!other[length] || other[length] == '/');
}

/* Lists the keys of this domain's entries, or of all entries if domain is 0. */
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

void killable_set(const struct options *o, u64 domain, const char *root, const struct domain_limits *limits)
{
	int map = open_pin(o, "killable", true), before, directory;
	u64 old[UA_MAX_KILLABLE], id[UA_MAX_KILLABLE];
	static struct ua_killable value[UA_MAX_KILLABLE];
	gid_t group = pin_group(o);
	char promoted[UA_PATH] = "";
	struct ua_error error;

	if (limits->promoted)
		resolve("--promote-to", limits->promoted, root, promoted);
	for (int i = 0; i < limits->killables; i++) {
		value[i].domain = domain;
		resolve("--killable-below", limits->killable[i], root, value[i].path);
		if (*promoted && overlap(promoted, value[i].path))
			fail(EXIT_USAGE, "--promote-to %s and --killable-below %s overlap, but promoted containers may not be killed", promoted,
			     value[i].path);
		memcpy(value[i].promoted, promoted, sizeof(promoted));
	}
	for (int i = 0; i < limits->killables; i++)
		if (take_ownership(value[i].path, group, true, &id[i], &error))
			fail(error.code, "--killable-below %s", error.text);
	if (*promoted) {
		directory = open_owned(promoted, group, PROMOTED_MODE, true, &error);
		if (directory < 0)
			fail(error.code, "--promote-to %s", error.text);
		close(directory);
	}
	before = keys_of(map, domain, old);
	while (before)
		bpf_map_delete_elem(map, &old[--before]);
	for (int i = 0; i < limits->killables; i++)
		if (bpf_map_update_elem(map, &id[i], &value[i], BPF_ANY))
			fail(EXIT_FAILED, "--killable-below %s: %s", value[i].path,
			     errno == E2BIG ? "there are 64 such cgroups already" : strerror(errno));
}

/* Opens the cgroup for promoted containers, and creates it again if it was removed. */
int killable_open_promoted(const char *path, gid_t group, struct ua_error *error)
{
	return open_owned(path, group, PROMOTED_MODE, false, error);
}

/* Returns an unused key for a cgroup that is missing; an earlier helper may have left others. */
static u64 free_missing_key(int map)
{
	struct ua_killable value;
	u64 key = MISSING + 1;

	while (!bpf_map_lookup_elem(map, &key, &value))
		key++;
	return key;
}

/*
 * The new entry comes first, so that a helper that is killed in between loses no root; in a full map there is no room.
 * An entry that is there already stays. If it is for the same path, root has named this cgroup since, for a domain that was
 * made again, and the old entry would give it back to the earlier one. If not, cgroups were renamed, and it moves first.
 */
static void change_key(int map, u64 from, u64 to, const struct ua_killable *value)
{
	struct ua_killable present;

	if (!bpf_map_update_elem(map, &to, value, BPF_NOEXIST)) {
		bpf_map_delete_elem(map, &from);
	} else if (errno == EEXIST) {
		if (!bpf_map_lookup_elem(map, &to, &present) && !strcmp(present.path, value->path))
			bpf_map_delete_elem(map, &from);
	} else if (errno == E2BIG && !bpf_map_delete_elem(map, &from)) {
		bpf_map_update_elem(map, &to, value, BPF_NOEXIST);
	}
}

/*
 * Looks up the new numbers of killable roots that were removed and created again, creates missing ones, and
 * gives new files to the group. Called several times per second by the helper.
 */
void killable_refresh(const struct options *o)
{
	static int map = -1;
	static bool reported;
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
		if (*value.promoted)
			give_new_files(value.promoted, pin_group(o));
		if (!(keys[i] & MISSING) && cgroup_path(keys[i], path, sizeof(path)) && !strcmp(path, value.path)) {
			give_new_files(path, pin_group(o));
			continue;
		}
		if (take_ownership(value.path, pin_group(o), false, &id, &error)) {
			if (!reported)
				warn("no container is killed below %s", error.text);
			reported = true;
			if (keys[i] & MISSING)
				continue;
			id = free_missing_key(map);
		} else {
			reported = false;
		}
		/* The same number means that only the path could not be read, for example for lack of descriptors. */
		if (id != keys[i])
			change_key(map, keys[i], id, &value);
	}
}

bool killable_is_found(u64 key)
{
	return !(key & MISSING);
}

/* Whether containers of the domain may be killed in this cgroup, by its path. */
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

/*
 * Whether this cgroup contains a killable root or is one: a container registered here would hide the containers
 * inside.
 */
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

/* Finds the killable root of the domain that is the direct parent of this cgroup. Returns false if there is none. */
bool killable_directly_above(int map, u64 domain, const char *path, struct ua_killable *found)
{
	u64 keys[UA_MAX_KILLABLE];
	int count = keys_of(map, domain, keys);

	for (int i = 0; i < count; i++)
		if (killable_is_found(keys[i]) && !bpf_map_lookup_elem(map, &keys[i], found) &&
		    cgroup_is_below(path, found->path) && !strchr(path + strlen(found->path) + 1, '/'))
			return true;
	return false;
}
