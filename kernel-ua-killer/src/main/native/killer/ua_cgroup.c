// SPDX-License-Identifier: Apache-2.0
/* Memory cgroups by path and by number, on cgroup v1 and v2. */
#include "ua_helper.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FILEID_KERNFS 0xfe /* type of a file handle that holds the number of a cgroup */
/*
 * A job may make new cgroups as fast as a walk finds them. A walk ends after half of the time after which systemd restarts
 * the helper, which suffices for all cgroups that a kernel allows to count memory (65535), and their names.
 */
#define WALK_NS 5000000000ULL
#define MAX_NAMES_BYTES (16 << 20)
/*
 * On v2 the list of a cgroup's processes grows while it is read: with processes that keep forking, it may never end. What is
 * left of it after this time, the next walk finds.
 */
#define LIST_NS 200000000ULL

static char mount_point[PATH_MAX];
static bool mount_unified;

/* In place; the kernel writes spaces, tabs, newlines and backslashes as octal numbers. */
static void unescape(char *text)
{
	char *to = text;

	while (*text) {
		if (*text == '\\' && strlen(text) > 3) {
			*to++ = (text[1] - '0') << 6 | (text[2] - '0') << 3 | (text[3] - '0');
			text += 4;
		} else {
			*to++ = *text++;
		}
	}
	*to = 0;
}

/*
 * Chooses the hierarchy that counts memory: v1 if the memory controller is there. Of several mounts, the first that shows the
 * hierarchy from its root counts: network plugins mount cgroup2 once more, and containers see only a part.
 */
static void find_mount(void)
{
	static const char table[] = "/proc/self/mountinfo";
	int best = 0;
	size_t size = 0;
	char *line = NULL;
	FILE *mounts;

	if (mount_point[0])
		return;
	mounts = fopen(table, "re");
	if (!mounts)
		fail(EXIT_FAILED, "%s: %s", table, strerror(errno));
	while (getline(&line, &size, mounts) > 0) {
		char *system = strstr(line, " - "), *root = NULL, *place = NULL, *type = NULL, *options = NULL;
		int rank = 0;

		if (system && sscanf(line, "%*s %*s %*s %ms %ms", &root, &place) == 2 &&
		    sscanf(system, " - %ms %*s %ms", &type, &options) == 2) {
			if (!strcmp(type, "cgroup2"))
				rank = 1;
			else if (!strcmp(type, "cgroup") && hasmntopt(&(struct mntent){ .mnt_opts = options }, "memory"))
				rank = 3;
			rank += rank && !strcmp(root, "/");
		}
		if (rank > best) {
			best = rank;
			unescape(place);
			snprintf(mount_point, sizeof(mount_point), "%s", place);
			mount_unified = rank < 3;
		}
		free(root);
		free(place);
		free(type);
		free(options);
	}
	free(line);
	fclose(mounts);
	if (!mount_point[0])
		fail(EXIT_FAILED, "no memory controller is mounted (neither cgroup v1 memory nor cgroup2 in %s)", table);
}

const char *memory_mount(void)
{
	find_mount();
	return mount_point;
}

bool memory_unified(void)
{
	find_mount();
	return mount_unified;
}

int find_cgroup(const char *path, u64 *id, struct ua_error *error)
{
	struct stat status;
	char resolved[PATH_MAX];
	size_t length = strlen(memory_mount());

	if (!realpath(path, resolved) || stat(resolved, &status))
		return refuse(error, EXIT_USAGE, "%s: %s; give the directory of a memory cgroup, for example %s/hadoop-yarn",
			      path, strerror(errno), memory_mount());
	if (!S_ISDIR(status.st_mode) || strncmp(resolved, memory_mount(), length) ||
	    (resolved[length] && resolved[length] != '/'))
		return refuse(error, EXIT_USAGE, "%s is not a memory cgroup; give a directory below %s", path,
			      memory_mount());
	*id = status.st_ino;
	return EXIT_OK;
}

u64 cgroup_id(const char *path)
{
	struct ua_error error;
	u64 id;

	if (find_cgroup(path, &id, &error))
		fail(error.code, "%s", error.text);
	return id;
}

int cgroup_named(const char *text, u64 *id, struct ua_error *error)
{
	return isdigit((unsigned char)*text) ? parse_number("cgroup", text, 1, ULLONG_MAX, id, error) :
					       find_cgroup(text, id, error);
}

/*
 * Computes the full path of a cgroup, which need not exist, from a path below the mount (/charon/best-effort)
 * or a full one.
 */
int cgroup_full_path(const char *option, const char *text, char path[UA_PATH], struct ua_error *error)
{
	size_t length = strlen(memory_mount());

	if (!strncmp(text, memory_mount(), length) && text[length] == '/')
		text += length;
	if (*text != '/' || !text[1] || strstr(text, "//") || strstr(text, "/./") || strstr(text, "/../") ||
	    text[strlen(text) - 1] == '/' || text[strlen(text) - 1] == '.')
		return refuse(error, EXIT_USAGE,
			      "%s %s: give the whole path of a cgroup, such as /charon/best-effort, without . and ..", option, text);
	if (snprintf(path, UA_PATH, "%s%s", memory_mount(), text) >= UA_PATH)
		return refuse(error, EXIT_USAGE, "%s %s: the path is longer than %d bytes", option, text, UA_PATH - 1);
	return EXIT_OK;
}

static int open_cgroup(u64 id)
{
	union {
		struct file_handle handle;
		char space[sizeof(struct file_handle) + sizeof(id)];
	} u = { .handle = { .handle_bytes = sizeof(id), .handle_type = FILEID_KERNFS } };
	int mount = open(memory_mount(), O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd, error;

	if (mount < 0)
		return -1;
	memcpy(u.handle.f_handle, &id, sizeof(id));
	fd = open_by_handle_at(mount, &u.handle, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	error = errno;
	close(mount);
	errno = error;
	return fd;
}

bool cgroup_gone(u64 id)
{
	int fd = open_cgroup(id);

	if (fd < 0)
		return errno == ESTALE;
	close(fd);
	return false;
}

bool cgroup_path(u64 id, char *path, size_t size)
{
	int fd = open_cgroup(id);
	struct stat status;
	ssize_t length;
	char link[64];

	if (fd < 0)
		return false;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, size - 1);
	close(fd);
	if (length <= 0)
		return false;
	path[length] = 0;
	/* The kernel appends "(deleted)" to the path of a removed cgroup; the result may be the path of another cgroup. */
	return !stat(path, &status) && status.st_ino == id;
}

bool cgroup_is_below(const char *path, const char *root)
{
	char a[PATH_MAX], b[PATH_MAX];
	size_t length;

	if (!realpath(path, a) || !realpath(root, b))
		return false;
	length = strlen(b);
	return strlen(a) > length && !strncmp(a, b, length) && a[length] == '/';
}

/* Reads a number from a file: the number at its start if key is NULL, else the number after that key. */
bool cgroup_number(const char *path, const char *file, const char *key, u64 *value)
{
	char name[PATH_MAX + 64], text[8192], *at;
	size_t length = key ? strlen(key) : 0;
	ssize_t got;
	int fd;

	snprintf(name, sizeof(name), "%s/%s", path, file);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	got = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (got <= 0)
		return false;
	text[got] = 0;
	for (at = text; key && at;) {
		if (!strncmp(at, key, length) && at[length] == ' ')
			break;
		at = strchr(at, '\n');
		if (at)
			at++;
	}
	if (!at)
		return false;
	*value = strtoull(at + length, NULL, 10);
	return true;
}

u64 cgroup_memory(const char *path)
{
	u64 value = 0;

	cgroup_number(path, memory_unified() ? "memory.current" : "memory.usage_in_bytes", NULL, &value);
	return value;
}

static bool is_directory(int parent, const struct dirent *entry)
{
	struct stat status;

	if (entry->d_name[0] == '.')
		return false;
	if (entry->d_type != DT_UNKNOWN)
		return entry->d_type == DT_DIR;
	return !fstatat(parent, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) && S_ISDIR(status.st_mode);
}

/* Whether opening a cgroup failed because it has been removed (by errno). */
static bool is_removed(void)
{
	return errno == ENOENT || errno == ENODEV;
}

/* Names of cgroups, each ended by a zero byte. The last one is removed first. */
struct names {
	char *text;
	size_t length, size;
};

static bool push(struct names *names, const char *name)
{
	size_t more = strlen(name) + 1, size = names->size ? names->size : NAME_MAX + 1;
	char *text;

	while (names->length + more > size)
		size *= 2;
	if (size > names->size) {
		text = size > MAX_NAMES_BYTES ? NULL : realloc(names->text, size);
		if (!text)
			return false;
		names->text = text;
		names->size = size;
	}
	memcpy(names->text + names->length, name, more);
	names->length += more;
	return true;
}

/* Valid until the next push. */
static const char *pop(struct names *names)
{
	const char *before = memrchr(names->text, 0, names->length - 1), *last = before ? before + 1 : names->text;

	names->length = last - names->text;
	return last;
}

/* Adds the names of the cgroups directly below. Returns whether these are all. */
static bool push_below(int directory, struct names *names, u64 end)
{
	int copy = fcntl(directory, F_DUPFD_CLOEXEC, 0);
	DIR *listing = copy < 0 ? NULL : fdopendir(copy);
	struct dirent *entry;
	bool all = listing;

	if (!listing && copy >= 0)
		close(copy);
	while (all) {
		errno = 0;
		entry = readdir(listing);
		if (!entry) {
			all = !errno || is_removed();
			break;
		}
		if (is_directory(directory, entry))
			all = now_ns() <= end && push(names, entry->d_name);
	}
	if (listing)
		closedir(listing);
	return all;
}

/*
 * Visits this cgroup and all below it until a visit returns false. The user of a container may nest cgroups to
 * any depth, beyond the maximum length of a path. The walk therefore uses neither recursion nor paths, and
 * keeps at most two directories open. It reads a directory once and from its start to its end: the kernel's positions in
 * it are hashes of the names, so that to continue at one may lead to another name, again and again. Returns whether it
 * saw everything, up to the visit that ended it.
 */
static bool each_below(const char *path, bool (*visit)(int directory, void *argument), void *argument)
{
	int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), next;
	bool all = directory >= 0 || is_removed(), more = directory >= 0 && visit(directory, argument), down;
	struct names names = {}; /* still to visit; an empty one leads to the directory above */
	u64 end = now_ns() + WALK_NS;

	if (more)
		all = push_below(directory, &names, end);
	while (more && names.length) {
		const char *name = pop(&names);

		if (now_ns() > end) {
			all = false;
			break;
		}
		down = *name;
		next = openat(directory, down ? name : "..", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (next < 0) {
			all &= down && is_removed();
			more = down; /* removed meanwhile */
			continue;
		}
		close(directory);
		directory = next;
		if (!down)
			continue;
		push(&names, ""); /* fits: it replaces a longer name */
		more = visit(directory, argument);
		if (more)
			all &= push_below(directory, &names, end);
	}
	if (directory >= 0)
		close(directory);
	free(names.text);
	return all;
}

static FILE *open_in(int directory, const char *name)
{
	int fd = openat(directory, name, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? NULL : fdopen(fd, "r");
}

static bool next_process(FILE *processes, u64 end, int *pid)
{
	return now_ns() <= end && fscanf(processes, "%d", pid) == 1;
}

enum location { INSIDE, ELSEWHERE, UNKNOWN };

/*
 * Checks whether the process is still in the cgroup in which it was listed, because its number may have been
 * reused. Before Linux 6.15, the kernel does not report the cgroup of a process if its path is longer than
 * PATH_MAX. On v1 it reports the root for a process whose first thread has ended.
 */
static enum location find_process(s32 pid, const char *path)
{
	char name[64], line[PATH_MAX + 64];
	const char *inside = path + strlen(memory_mount());
	enum location found = UNKNOWN;
	size_t length = strlen(inside);
	bool begins, ends = true; /* a line that is longer than the buffer comes in parts */
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/cgroup", pid);
	file = fopen(name, "re");
	if (!file)
		return UNKNOWN;
	while (found == UNKNOWN && fgets(line, sizeof(line), file)) {
		char *controllers = strchr(line, ':'), *where = controllers ? strchr(controllers + 1, ':') : NULL;

		begins = ends;
		ends = strchr(line, '\n');
		if (!begins || !where) /* the user of a container chooses what follows in a long path */
			continue;
		*where++ = 0;
		if (memory_unified() ? strcmp(controllers, ":") : !strstr(controllers, "memory"))
			continue;
		if (!strncmp(where, inside, length) && (where[length] == '\n' || where[length] == '/'))
			found = INSIDE;
		else if (memory_unified() || strcmp(where, "/\n"))
			found = ELSEWHERE;
	}
	fclose(file);
	return found;
}

/*
 * While the process behind the pidfd lives, its number is not reused: if the number is listed now, it means
 * that process.
 */
static bool is_listed(int directory, s32 pid, int pidfd)
{
	struct pollfd gone = { .fd = pidfd, .events = POLLIN };
	FILE *processes = open_in(directory, "cgroup.procs");
	u64 end = now_ns() + LIST_NS;
	bool found = false;
	int listed;

	while (processes && !found && next_process(processes, end, &listed))
		found = listed == pid;
	if (processes)
		fclose(processes);
	return found && !poll(&gone, 1, 0);
}

static bool still_inside(int directory, const char *path, s32 pid, int pidfd)
{
	enum location found = find_process(pid, path);

	return found == INSIDE || (found == UNKNOWN && is_listed(directory, pid, pidfd));
}

struct process_walk {
	const char *path;
	void (*visit)(int pidfd, s32 pid, void *argument);
	void *argument;
};

static bool visit_processes(int directory, void *argument)
{
	FILE *processes = open_in(directory, "cgroup.procs");
	struct process_walk *w = argument;
	u64 end = now_ns() + LIST_NS;
	int pid;

	if (!processes)
		return true;
	while (next_process(processes, end, &pid)) {
		int fd = syscall(SYS_pidfd_open, pid, 0);

		if (fd < 0)
			continue;
		if (still_inside(directory, w->path, pid, fd))
			w->visit(fd, pid, w->argument);
		close(fd);
	}
	fclose(processes);
	return true;
}

/*
 * Visits every process of this cgroup and of those below, as far as the time allows. Each is held by a pidfd and was seen
 * inside after the pidfd was opened.
 */
static void each_process(const char *path, void (*visit)(int pidfd, s32 pid, void *argument), void *argument)
{
	struct process_walk w = { path, visit, argument };

	each_below(path, visit_processes, &w);
}

struct signalling {
	void (*found)(s32 pid, void *argument);
	void *argument;
	int count;
};

static void signal_process(int pidfd, s32 pid, void *argument)
{
	struct signalling *s = argument;

	if (syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0))
		return;
	s->count++;
	if (s->found)
		s->found(pid, s->argument);
}

/* Sends SIGKILL to every process of this cgroup and of those below it. Returns how many received it. */
int cgroup_signal(const char *path, void (*found)(s32 pid, void *argument), void *argument)
{
	struct signalling s = { found, argument, 0 };

	each_process(path, signal_process, &s);
	return s.count;
}

struct moving {
	int processes;
	int count;
	int error;
};

/*
 * The kernel accepts only process numbers here. The process was held by a pidfd and seen inside, so its number
 * can be reused only in the short time between that check and the write.
 */
static void move_process(int pidfd, s32 pid, void *argument)
{
	struct moving *m = argument;

	if (dprintf(m->processes, "%d", pid) > 0)
		m->count++;
	else if (errno != ESRCH)
		m->error = errno;
}

/*
 * Moves all processes of this cgroup and of those below it. Returns how many were moved, or a negative value
 * with errno.
 */
int cgroup_move(const char *path, int processes)
{
	struct moving m = { processes, 0, 0 };

	each_process(path, move_process, &m);
	errno = m.error;
	return m.error ? -1 : m.count;
}

static bool check_empty(int directory, void *argument)
{
	FILE *processes = open_in(directory, "cgroup.procs");
	bool *empty = argument;
	int pid;

	if (processes) {
		/* On v2 a threaded cgroup has no list of its own: the cgroup above that is not threaded lists its processes. */
		*empty = fscanf(processes, "%d", &pid) != 1 && (!ferror(processes) || is_removed() || errno == EOPNOTSUPP);
		fclose(processes);
	} else {
		*empty = is_removed();
	}
	return *empty;
}

/* A cgroup that cannot be examined is assumed to hold processes. */
bool cgroup_empty(const char *path)
{
	bool empty = true;

	return each_below(path, check_empty, &empty) && empty;
}

static bool read_counts(int directory, void *argument)
{
	FILE *counts = open_in(directory, "memory.stat");

	if (counts) {
		fgetc(counts);
		fclose(counts);
	}
	return true;
}

/*
 * Has the kernel add what the cgroups below count to the counts of this one. Reading counts adds those from below only if
 * enough are known to wait there, and a cgroup that has enough itself no longer tells those above it (memcg_rstat_updated
 * in mm/memcontrol.c). What it counts would then be missing above for up to two seconds, again and again, unless its
 * own counts are read.
 */
void cgroup_add_counts(const char *path)
{
	each_below(path, read_counts, NULL);
}
