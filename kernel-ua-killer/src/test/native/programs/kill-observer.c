// SPDX-License-Identifier: Apache-2.0
/*
 * Measures when a container ends, no matter who kills it: kill-observer CGROUP TIMEOUT_MS. It runs outside of
 * the memory limit, at real-time priority and in locked memory, so that pressure does not delay its
 * observations. Every 0.2 ms it checks whether processes are left and how much memory and swap the container
 * uses. Times are CLOCK_MONOTONIC nanoseconds.
 *
 *   standard output  watching N          it has begun; N processes
 *                    oom-kill NANOS      Linux's own OOM killer has chosen a process of the container (if it did)
 *                    gone NANOS | alive  no process is left | some are left at the timeout
 *   standard input   NANOS               when the kill was decided, which is known only afterwards; end of input: no question
 *   standard output  freed NANOS BYTES | unfreed BYTES
 *                                        when the use fell below a tenth of BYTES, the use at the decision
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define STEP_NANOS 200000ULL
#define PRIORITY 60		      /* above the helper's priority; it sleeps nearly all the time */
#define MAX_TIMEOUT_MS 120000ULL
#define SETTLE_NANOS 2000000000ULL    /* memory still used this long after the end stays used */
#define MAX_PROCESSES 256

struct use {
	uint64_t nanos;
	uint64_t bytes;
};

static struct pollfd processes[MAX_PROCESSES];
static int process_count;
static int memory_file, swap_file = -1, oom_file;
static struct use *series;
static size_t series_length, series_size;
static char procs[PATH_MAX];

static void die(const char *what)
{
	fprintf(stderr, "kill-observer: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static int open_in(const char *directory, const char *name)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/%s", directory, name) >= (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		die(directory);
	}
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* If the kernel accounts swap, cgroup v1 counts memory with swap in one file; v2 has two files. */
static void open_cgroup(const char *directory)
{
	oom_file = open_in(directory, "memory.events");
	if (oom_file >= 0) {
		memory_file = open_in(directory, "memory.current");
		swap_file = open_in(directory, "memory.swap.current");
	} else {
		oom_file = open_in(directory, "memory.oom_control");
		memory_file = open_in(directory, "memory.memsw.usage_in_bytes");
		if (memory_file < 0)
			memory_file = open_in(directory, "memory.usage_in_bytes");
	}
	if (oom_file < 0 || memory_file < 0)
		die(directory);
	snprintf(procs, sizeof(procs), "%s/cgroup.procs", directory);
}

static uint64_t number(int file)
{
	char text[32] = "";

	return pread(file, text, sizeof(text) - 1, 0) > 0 ? strtoull(text, NULL, 10) : 0;
}

static uint64_t oom_kills(void)
{
	char text[512] = "", *at;

	if (pread(oom_file, text, sizeof(text) - 1, 0) <= 0)
		return 0;
	at = strstr(text, "oom_kill ");
	return at ? strtoull(at + strlen("oom_kill "), NULL, 10) : 0;
}

/* Opens every process of the container that has not exited yet. */
static void open_processes(void)
{
	FILE *file = fopen(procs, "re");
	int pid;

	while (process_count)
		close(processes[--process_count].fd);
	if (!file)
		return;
	while (process_count < MAX_PROCESSES && fscanf(file, "%d", &pid) == 1) {
		int fd = syscall(SYS_pidfd_open, pid, 0);

		if (fd >= 0)
			processes[process_count++] = (struct pollfd){ .fd = fd, .events = POLLIN };
	}
	fclose(file);
}

static bool empty(void)
{
	if (process_count && poll(processes, process_count, 0) < process_count)
		return false;
	open_processes(); /* processes forked meanwhile */
	return !process_count || poll(processes, process_count, 0) == process_count;
}

static uint64_t read_use(void)
{
	struct use use = { .bytes = number(memory_file) };

	if (swap_file >= 0)
		use.bytes += number(swap_file);
	use.nanos = now();
	if (series_length < series_size)
		series[series_length++] = use;
	return use.bytes;
}

static void pause_until_next(uint64_t *next)
{
	struct timespec t;
	uint64_t at = now();

	*next += STEP_NANOS;
	if (*next < at)
		*next = at;
	t.tv_sec = *next / 1000000000;
	t.tv_nsec = *next % 1000000000;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

static void print_freed(uint64_t decision)
{
	size_t i = 0;
	uint64_t bytes = series_length ? series[0].bytes : 0;

	for (; i < series_length && series[i].nanos <= decision; i++)
		bytes = series[i].bytes;
	for (; i < series_length; i++)
		if (series[i].bytes < bytes / 10) {
			printf("freed %llu %llu\n", (unsigned long long)series[i].nanos, (unsigned long long)bytes);
			return;
		}
	printf("unfreed %llu\n", (unsigned long long)bytes);
}

static uint64_t watch(uint64_t timeout_nanos)
{
	uint64_t start = now(), next = start, largest = 0, gone = 0, oom_before = oom_kills();
	bool oom_seen = false;

	for (;;) {
		uint64_t bytes = read_use();

		if (bytes > largest)
			largest = bytes;
		if (!oom_seen && oom_kills() > oom_before) {
			oom_seen = true;
			printf("oom-kill %llu\n", (unsigned long long)now());
		}
		if (!gone && empty())
			gone = now();
		if (gone && (bytes < largest / 20 || now() - gone > SETTLE_NANOS))
			return gone;
		if (!gone && now() - start > timeout_nanos)
			return 0;
		pause_until_next(&next);
	}
}

int main(int argc, char **argv)
{
	struct sched_param priority = { .sched_priority = PRIORITY };
	unsigned long long timeout_ms, decision;
	uint64_t gone;

	timeout_ms = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
	if (!timeout_ms || timeout_ms > MAX_TIMEOUT_MS) {
		fprintf(stderr, "usage: kill-observer CGROUP TIMEOUT_MS (1 to %llu)\n", MAX_TIMEOUT_MS);
		return 2;
	}
	open_cgroup(argv[1]);
	series_size = (timeout_ms * 1000000 + SETTLE_NANOS) / STEP_NANOS + 1;
	series = calloc(series_size, sizeof(*series));
	if (!series)
		die("series");
	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		die("mlockall");
	if (sched_setscheduler(0, SCHED_FIFO, &priority))
		die("sched_setscheduler");
	open_processes();
	printf("watching %d\n", process_count);
	fflush(stdout);
	gone = watch(timeout_ms * 1000000);
	if (gone)
		printf("gone %llu\n", (unsigned long long)gone);
	else
		printf("alive\n");
	fflush(stdout);
	if (scanf("%llu", &decision) == 1)
		print_freed(decision);
	return 0;
}
