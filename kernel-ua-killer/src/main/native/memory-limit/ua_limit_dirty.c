// SPDX-License-Identifier: Apache-2.0
/*
 * A thread of normal priority, because starting writeback may wait for the disk. It checks the dirty pages of
 * best-effort's cgroup every 100 ms. While there are too many, it starts writeback every 20 ms
 * (sync_file_range, which neither waits for the data nor writes metadata) of all files that best-effort's
 * processes have open for writing; no interface names the dirty files. Files that were closed are left to the
 * kernel, and so are files that are not known to be on a local disk (network, FUSE, overlay): even closing a duplicate
 * of their descriptor may write to a server and never return. They are therefore told apart before.
 *
 * A file is taken from the process by its descriptor (pidfd_getfd, Linux 5.6), not opened by path. A file that
 * best-effort puts at the same path is therefore never opened with our permissions, and deleted files are
 * reached, too.
 */
#include "ua_limit_dirty.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PERIOD_US 100000
#define BUSY_PERIOD_US 20000		/* while there are too many: a task dirties a gigabyte per second */
#define IDLE_US 1000000
/* CPU time until a rest of nine times as long, however many files best-effort has open */
#define RUN_US 2000
#define REST_US (9 * RUN_US)
#define CHUNK (8LL << 20)	/* bytes of a file per call, so that the thread can stop in between */
/* maximum under writeback at once: on v1, a task that reclaims waits for these pages */
#define MAX_WRITING (32LL << 20)
#define WRITING_US 5000
#define MAX_CHUNKS 1000	/* a sparse file may have any size */
#define MAX_DISKS 256	/* mounts of a process; files on further ones are left to the kernel */
#define MAX_DEPTH 4		/* levels of cgroups below best-effort's */
#define STACK (256 << 10)

static u64 cpu_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000ULL + t.tv_nsec / 1000;
}

/* Rests if a rest is due. Returns whether the thread has to stop. */
static bool should_stop(struct dirty *d)
{
	if (cpu_us() - d->rested > RUN_US) {
		usleep(REST_US);
		d->rested = cpu_us();
	}
	return d->limit < 0;
}

/* Waits until at most MAX_WRITING bytes are under writeback. Returns whether the thread has to stop. */
static bool wait_for_writeback(struct dirty *d)
{
	while (!should_stop(d) && files_under_writeback(d->files) > MAX_WRITING)
		usleep(WRITING_US);
	return should_stop(d);
}

static bool write_back_file(struct dirty *d, int fd, s64 size)
{
	s64 at = 0;

	for (int chunk = 0; chunk < MAX_CHUNKS && at < size; chunk++, at += CHUNK)
		if (wait_for_writeback(d))
			return true;
		else if (sync_file_range(fd, at, CHUNK, SYNC_FILE_RANGE_WRITE))
			return false;
	return at >= size || !sync_file_range(fd, at, 0, SYNC_FILE_RANGE_WRITE);
}

/* The mounts of a process that are local disks. */
struct disks {
	int count;
	long mounts[MAX_DISKS];
};

/* Overlay is none of them, because its files may be on any of its layers' file systems. */
static bool is_on_disk(const char *type)
{
	static const char *const types[] = { "ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs" };

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (!strcmp(type, types[i]))
			return true;
	return false;
}

/* Parses "36 35 98:0 / /mnt rw,noatime master:1 - ext4 /dev/vda rw"; spaces in paths are escaped. */
static void read_disks(int pid, struct disks *disks)
{
	char path[64], type[16], *line = NULL;
	size_t size = 0;
	FILE *mounts;

	disks->count = 0;
	snprintf(path, sizeof(path), "/proc/%d/mountinfo", pid);
	mounts = fopen(path, "re");
	while (mounts && disks->count < MAX_DISKS && getline(&line, &size, mounts) > 0) {
		const char *end = strstr(line, " - ");

		if (end && sscanf(end, " - %15s", type) == 1 && is_on_disk(type))
			disks->mounts[disks->count++] = strtol(line, NULL, 10);
	}
	free(line);
	if (mounts)
		fclose(mounts);
}

static bool has_mount(const struct disks *disks, long mount)
{
	for (int i = 0; i < disks->count; i++)
		if (disks->mounts[i] == mount)
			return true;
	return false;
}

static void write_back(struct dirty *d, int process, int number)
{
	struct statx s;
	int fd = syscall(SYS_pidfd_getfd, process, number, 0);

	if (fd < 0) {
		if (errno != EBADF && errno != ESRCH) /* closed, or the process has exited */
			d->reason = errno;
		return;
	}
	if (!statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE | STATX_SIZE, &s) && S_ISREG(s.stx_mode)) {
		if (write_back_file(d, fd, s.stx_size))
			d->started++;
		else
			d->reason = errno;
	}
	close(fd);
}

/* Returns whether it is open for writing and on a disk. Parses "pos:\t0\nflags:\t0100002\nmnt_id:\t36\n". */
static bool may_be_dirty(int directory, const char *number, const struct disks *disks)
{
	char text[256];
	int fd = openat(directory, number, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	const char *flags, *mount;
	long value;

	if (fd >= 0)
		close(fd);
	if (got <= 0)
		return false;
	text[got] = 0;
	flags = strstr(text, "flags:");
	value = flags ? strtol(flags + strlen("flags:"), NULL, 8) : 0;
	mount = strstr(text, "mnt_id:");
	return (value & O_ACCMODE) != O_RDONLY && !(value & O_PATH) && mount &&
	       has_mount(disks, strtol(mount + strlen("mnt_id:"), NULL, 10));
}

static void write_back_process(struct dirty *d, int pid)
{
	int process = syscall(SYS_pidfd_open, pid, 0);
	struct dirent *entry;
	struct disks disks;
	char path[64];
	DIR *entries;

	if (process < 0) {
		if (errno != ESRCH)
			d->reason = errno;
		return;
	}
	read_disks(pid, &disks);
	snprintf(path, sizeof(path), "/proc/%d/fdinfo", pid);
	entries = opendir(path);
	while (entries && !should_stop(d) && (entry = readdir(entries)))
		if (isdigit((unsigned char)entry->d_name[0]) && may_be_dirty(dirfd(entries), entry->d_name, &disks))
			write_back(d, process, atoi(entry->d_name));
	if (entries)
		closedir(entries);
	close(process);
}

static void write_back_below(struct dirty *d, int directory, int depth)
{
	int fd = openat(directory, "cgroup.procs", O_RDONLY | O_CLOEXEC);
	FILE *procs = fd < 0 ? NULL : fdopen(fd, "r");
	DIR *entries = depth ? fdopendir(openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) : NULL;
	struct dirent *entry;
	int pid;

	while (procs && !should_stop(d) && fscanf(procs, "%d", &pid) == 1)
		write_back_process(d, pid);
	if (procs)
		fclose(procs);
	while (entries && !should_stop(d) && (entry = readdir(entries))) {
		int child = entry->d_type == DT_DIR && entry->d_name[0] != '.' ?
				    openat(directory, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) :
				    -1;

		if (child < 0)
			continue;
		write_back_below(d, child, depth - 1);
		close(child);
	}
	if (entries)
		closedir(entries);
}

static void *run(void *argument)
{
	struct dirty *d = argument;

	for (;;) {
		bool few = true;

		if (should_stop(d)) {
			d->bytes = d->reason = 0;
			usleep(IDLE_US);
			continue;
		}
		d->bytes = files_dirty(d->files);
		if (d->bytes > d->limit) {
			few = false;
			d->reason = 0;
			write_back_below(d, d->files->directory, MAX_DEPTH);
		}
		usleep(few ? PERIOD_US : BUSY_PERIOD_US);
	}
	return NULL;
}

int dirty_start(struct dirty *d, const struct limit_files *files, struct ua_error *error)
{
	pthread_attr_t attributes;
	pthread_t thread;
	int code;

	d->files = files;
	d->limit = -1;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK);
	code = pthread_create(&thread, &attributes, run, d);
	pthread_attr_destroy(&attributes);
	return code ? refuse(error, EXIT_FAILED, "cannot start a thread: %s", strerror(code)) : EXIT_OK;
}
