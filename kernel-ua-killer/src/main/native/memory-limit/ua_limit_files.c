// SPDX-License-Identifier: Apache-2.0
#include "ua_limit_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define MAX_DEPTH 4

/* ---- opening ------------------------------------------------------------------------------------- */

static int open_in(int directory, const char *path, const char *name, int flags, struct ua_error *error)
{
	int fd = openat(directory, name, flags | O_CLOEXEC);

	if (fd < 0)
		refuse(error, errno == EACCES || errno == EPERM || errno == EROFS ? EXIT_PERMISSION : EXIT_USAGE,
		       errno == ENOENT ? "%s has no %s: %s; it must be a cgroup of the memory controller and not the root" :
					 "%s/%s: %s; moving best-effort's limit needs write permission on it",
		       path, name, strerror(errno));
	return fd;
}

/*
 * Since Linux 6.16 (memcg: introduce non-blocking limit setting option). Earlier kernels ignore the flag and
 * may kill while the write waits.
 */
static bool kernel_sets_without_blocking(void)
{
	struct utsname name;
	int major, minor;

	return !uname(&name) && sscanf(name.release, "%d.%d", &major, &minor) == 2 &&
	       (major > 6 || (major == 6 && minor >= 16));
}

static int open_boundary(const struct limited *l, struct limit_files *f, struct ua_error *error)
{
	char boundary[PATH_MAX];
	size_t length;
	int fd;

	if (!l->boundary) {
		f->machine = true;
		f->node_use = f->node_stat = open_in(AT_FDCWD, "", "/proc/meminfo", O_RDONLY, error);
		return f->node_use < 0 ? error->code : EXIT_OK;
	}
	fd = open_cgroup_at("--boundary", l->boundary, NULL, error);
	if (fd < 0)
		return error->code;
	if (!realpath(l->boundary, boundary))
		return refuse(error, EXIT_USAGE, "--boundary %s: %s", l->boundary, strerror(errno));
	length = strlen(boundary);
	if (strncmp(f->path, boundary, length) || f->path[length] != '/')
		return refuse(error, EXIT_USAGE, "--cgroup %s is not below --boundary %s", l->cgroup, l->boundary);
	f->node_use = open_in(fd, boundary, f->unified ? "memory.current" : "memory.usage_in_bytes", O_RDONLY, error);
	f->node_stat = f->node_use < 0 ? -1 : open_in(fd, boundary, "memory.stat", O_RDONLY, error);
	close(fd);
	return f->node_stat < 0 ? error->code : EXIT_OK;
}

static int open_freezer(const struct limited *l, struct limit_files *f, struct ua_error *error)
{
	int fd;

	f->freezer = -1;
	if (!l->freezer)
		return EXIT_OK;
	fd = open_cgroup_at("--freezer", l->freezer, NULL, error);
	if (fd < 0)
		return error->code;
	f->freezer = open_in(fd, l->freezer, "cgroup.freeze", O_RDWR, error);
	close(fd);
	return f->freezer < 0 ? error->code : EXIT_OK;
}

int files_open(const struct limited *l, struct limit_files *f, struct ua_error *error)
{
	*f = (struct limit_files){ .swap_use = -1, .swap_limit = -1, .high = -1, .reclaim = -1 };
	f->directory = open_cgroup_at("--cgroup", l->cgroup, &f->unified, error);
	if (f->directory < 0)
		return error->code;
	if (!realpath(l->cgroup, f->path))
		return refuse(error, EXIT_USAGE, "--cgroup %s: %s", l->cgroup, strerror(errno));
	f->non_blocking = f->unified && kernel_sets_without_blocking();
	f->use = open_in(f->directory, f->path, f->unified ? "memory.current" : "memory.usage_in_bytes", O_RDONLY, error);
	if (f->use < 0)
		return error->code;
	f->stat = open_in(f->directory, f->path, "memory.stat", O_RDONLY, error);
	if (f->stat < 0)
		return error->code;
	f->limit = open_in(f->directory, f->path, f->unified ? "memory.max" : "memory.limit_in_bytes",
			   O_RDWR | (f->non_blocking ? O_NONBLOCK : 0), error);
	if (f->limit < 0)
		return error->code;
	if (f->unified) {
		f->high = openat(f->directory, "memory.high", O_RDWR | O_CLOEXEC | (f->non_blocking ? O_NONBLOCK : 0));
		f->reclaim = openat(f->directory, "memory.reclaim", O_WRONLY | O_CLOEXEC);
		f->swap_limit = openat(f->directory, "memory.swap.max", O_RDWR | O_CLOEXEC);
	} else {
		f->swap_use = openat(f->directory, "memory.memsw.usage_in_bytes", O_RDONLY | O_CLOEXEC);
		f->swap_limit = openat(f->directory, "memory.memsw.limit_in_bytes", O_RDWR | O_CLOEXEC);
	}
	return open_boundary(l, f, error) || open_freezer(l, f, error) ? error->code : EXIT_OK;
}

/* Two processes that move one limit would undo each other's changes. A process that is about to exit has one second. */
int files_lock(const struct limit_files *f, struct ua_error *error)
{
	/*
	 * Any user can open the directory, and so hold its lock for ever. This file can be opened only by those who may
	 * write the limit. It stays open until the process ends.
	 */
	int file = f->unified ? f->reclaim : openat(f->directory, "memory.force_empty", O_WRONLY | O_CLOEXEC);

	if (file < 0)
		file = f->directory;
	for (int i = 0; i < 100; i++) {
		if (!flock(file, LOCK_EX | LOCK_NB))
			return EXIT_OK;
		if (errno != EWOULDBLOCK)
			return refuse(error, EXIT_FAILED, "cannot lock %s: %s", f->path, strerror(errno));
		usleep(10000);
	}
	return refuse(error, EXIT_STATE, "%s: another process is moving this limit", f->path);
}

/* ---- numbers ------------------------------------------------------------------------------------- */

s64 file_read_number(int fd)
{
	char text[64];
	ssize_t got = pread(fd, text, sizeof(text) - 1, 0);
	long long value;

	if (got <= 0)
		return got ? -errno : -EIO;
	text[got] = 0;
	if (!strncmp(text, "max", 3))
		return UA_LIMIT_NONE;
	value = strtoll(text, NULL, 10);
	return value < 0 ? -ERANGE : limit_or_none(value);
}

static int write_text(int fd, const char *text, int length)
{
	return pwrite(fd, text, length, 0) == length ? 0 : -errno;
}

static int write_number(int fd, s64 bytes, bool unified)
{
	char text[32];

	return write_text(fd, text,
			  bytes == UA_LIMIT_NONE ? sprintf(text, unified ? "max" : "-1") :
						   sprintf(text, "%lld", (long long)bytes));
}

/* Returns the value after a key at the beginning of a line, in bytes, or 0 if there is none. Sums of them stay in range. */
static s64 field(const char *text, const char *key)
{
	size_t length = strlen(key);
	long long value;
	char *end;

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, length) || (line[length] != ' ' && line[length] != ':'))
			continue;
		value = ua_limit_min(strtoll(line + length + 1, &end, 10), UA_LIMIT_MAX_INPUT);
		return value < 0 ? 0 : !strncmp(end, " kB", 3) ? value << 10 : value;
	}
	return 0;
}

static int read_all(int fd, char *text, size_t size)
{
	size_t length = 0;
	ssize_t got;

	while ((got = pread(fd, text + length, size - 1 - length, length)) > 0)
		length += got;
	text[length] = 0;
	return got < 0 ? -errno : 0;
}

s64 files_node_use(const struct limit_files *f)
{
	char text[8192];
	int code;

	if (!f->machine)
		return file_read_number(f->node_use);
	code = read_all(f->node_use, text, sizeof(text));
	return code ? code : ua_limit_max(0, field(text, "MemTotal") - field(text, "Hugetlb") - field(text, "MemFree"));
}

s64 files_clean(int stat, bool machine, bool unified)
{
	static const char *const keys[3][4] = {
		{ "total_active_file", "total_inactive_file", "total_dirty", "total_writeback" },
		{ "active_file", "inactive_file", "file_dirty", "file_writeback" },
		{ "Active(file)", "Inactive(file)", "Dirty", "Writeback" },
	};
	const char *const *key = keys[machine ? 2 : unified];
	char text[16384];
	int code = read_all(stat, text, sizeof(text));

	return code ? code :
		      ua_limit_max(0, field(text, key[0]) + field(text, key[1]) - field(text, key[2]) - field(text, key[3]));
}

static s64 stat_field(const struct limit_files *f, const char *key)
{
	char text[16384];
	int code = read_all(f->stat, text, sizeof(text));

	return code ? code : field(text, key);
}

s64 files_dirty(const struct limit_files *f)
{
	return stat_field(f, f->unified ? "file_dirty" : "total_dirty");
}

s64 files_under_writeback(const struct limit_files *f)
{
	return stat_field(f, f->unified ? "file_writeback" : "total_writeback");
}

/* Whether there is swap at all, and how much of it is free. */
bool files_swap_free(s64 *bytes)
{
	struct sysinfo info;

	if (sysinfo(&info) || !info.totalswap)
		return false;
	*bytes = (s64)info.freeswap * info.mem_unit;
	return true;
}

/* ---- limits -------------------------------------------------------------------------------------- */

/*
 * On v1, one limit counts memory and swap together and is never below the memory limit. Best-effort may already
 * use more swap than it is now allowed.
 */
static int set_with_swap(const struct limit_files *f, s64 bytes, s64 both)
{
	s64 now = file_read_number(f->swap_limit), used = file_read_number(f->swap_use), wanted = ua_limit_max(both, bytes);
	int code;

	if (now < 0 || used < 0)
		return now < 0 ? now : used;
	both = ua_limit_max(wanted, ua_limit_min(used, now - (1 << 20)) + (1 << 20));
	if (both > now) {
		code = write_number(f->swap_limit, both, false);
		return code ? code : write_number(f->limit, bytes, false);
	}
	code = write_number(f->limit, bytes, false);
	/* Use may have grown meanwhile: then this limit stays. */
	if (!code && both != now && write_number(f->swap_limit, both, false))
		both = now;
	return code ? code : both > wanted;
}

/*
 * swap_bytes: the swap that best-effort may use in addition, which v2 limits separately (files_limit_swap); negative: as much
 * as now; UA_LIMIT_NONE: any amount. Returns 1 if the limit is set, but that of swap has to be set again, because best-effort
 * uses more.
 */
int files_set_limit(const struct limit_files *f, s64 bytes, s64 swap_bytes)
{
	s64 now;

	if (f->unified || f->swap_limit < 0)
		return write_number(f->limit, bytes, f->unified);
	if (swap_bytes < 0) {
		now = file_read_number(f->swap_limit);
		return set_with_swap(f, bytes, now < 0 ? bytes : now);
	}
	return set_with_swap(f, bytes,
			     bytes == UA_LIMIT_NONE || swap_bytes >= UA_LIMIT_NONE - bytes ? UA_LIMIT_NONE :
											     bytes + swap_bytes);
}

int files_limit_swap(const struct limit_files *f, s64 swap_bytes)
{
	if (f->swap_limit < 0 || swap_bytes < 0 || file_read_number(f->swap_limit) == swap_bytes)
		return 0;
	return write_number(f->swap_limit, swap_bytes, true);
}

int file_write_number(int fd, s64 bytes)
{
	return write_number(fd, bytes, true);
}

typedef void change_swappiness(struct avoided_swap *a, int file, ino_t cgroup);

static void avoid_swap(struct avoided_swap *a, int file, ino_t cgroup)
{
	s64 swappiness = file_read_number(file);

	if (swappiness < 0 || a->count == MAX_CGROUPS || file_write_number(file, 0))
		return;
	a->was[a->count].cgroup = cgroup;
	a->was[a->count++].swappiness = swappiness;
}

/*
 * A value other than 0 was set by somebody else meanwhile. A cgroup that is not known was made meanwhile, and has its 0 from the
 * one above it.
 */
static void restore_swappiness(struct avoided_swap *a, int file, ino_t cgroup)
{
	s64 swappiness = a->others;

	if (file_read_number(file))
		return;
	for (size_t i = 0; i < a->count; i++)
		if (a->was[i].cgroup == cgroup)
			swappiness = a->was[i].swappiness;
	file_write_number(file, swappiness);
}

static void change_swappiness_below(int directory, change_swappiness *change, struct avoided_swap *a, int depth, int *visits)
{
	DIR *entries = depth ? fdopendir(openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) : NULL;
	int file = openat(directory, "memory.swappiness", O_RDWR | O_CLOEXEC);
	struct dirent *entry;
	struct stat cgroup;

	if (file >= 0 && !fstat(directory, &cgroup))
		change(a, file, cgroup.st_ino);
	if (file >= 0)
		close(file);
	while (entries && (entry = readdir(entries)) && *visits > 0) {
		int child;

		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		child = openat(directory, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (child < 0)
			continue;
		--*visits;
		change_swappiness_below(child, change, a, depth - 1, visits);
		close(child);
	}
	if (entries)
		closedir(entries);
}

/* On v1, each cgroup's own value applies when a limit above it is reached. */
void files_avoid_swap(const struct limit_files *f, struct avoided_swap *a)
{
	int visits = MAX_CGROUPS;

	change_swappiness_below(f->directory, avoid_swap, a, MAX_DEPTH, &visits);
}

void files_restore_swappiness(const struct limit_files *f, struct avoided_swap *a, int others)
{
	int visits = MAX_CGROUPS;

	a->others = others;
	change_swappiness_below(f->directory, restore_swappiness, a, MAX_DEPTH, &visits);
	a->count = 0;
}

/* ---- a write that must end ----------------------------------------------------------------------- */

static void interrupt(int signal)
{
}

int write_timer_init(struct write_timer *t)
{
	struct sigaction action = { .sa_handler = interrupt }; /* no SA_RESTART: the write has to end */
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN };

	event._sigev_un._tid = syscall(SYS_gettid);
	return sigaction(SIGRTMIN, &action, NULL) || timer_create(CLOCK_MONOTONIC, &event, &t->timer) ? -errno : 0;
}

static void set_timer(struct write_timer *t, s64 nanos)
{
	/* Periodic, because the first signal may come before the write begins. */
	struct itimerspec when = { .it_value = { nanos / 1000000000, nanos % 1000000000 },
				   .it_interval = { nanos / 1000000000, nanos % 1000000000 } };

	timer_settime(t->timer, 0, &when, NULL);
}

void write_timer_start(struct write_timer *t, s64 nanos)
{
	set_timer(t, nanos);
}

void write_timer_stop(struct write_timer *t)
{
	set_timer(t, 0);
}
