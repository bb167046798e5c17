// SPDX-License-Identifier: Apache-2.0
/*
 * Small programs that use memory, CPU or the network in the ways that tests and benchmarks need. The first
 * argument selects one.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096UL /* the smallest page size: where pages are larger, each is touched several times */
#define LINE 64UL
#define MB (1UL << 20)
#define SECOND 1000000000ULL

static char *memory;
static size_t pages;
static int file;

static void die(const char *what)
{
	fprintf(stderr, "workload: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t next(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/*
 * Half of each page is random, so that a compressed swap device has something to store. The device compresses
 * each page separately, so all pages can have the same bytes, and emulated processors need not compute them for
 * each.
 */
static void fill(size_t from, size_t to)
{
	static uint64_t half[PAGE / 2 / sizeof(uint64_t)];
	uint64_t seed = 88172645463325252ULL;

	for (size_t i = 0; i < sizeof(half) / sizeof(*half); i++)
		half[i] = next(&seed);
	for (size_t i = from; i < to; i++)
		memcpy(memory + i * PAGE, half, sizeof(half));
}

static void allocate(size_t megabytes)
{
	pages = megabytes * MB / PAGE;
	memory = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		die("mmap");
	madvise(memory, pages * PAGE, MADV_NOHUGEPAGE);
}

/*
 * Sweeps over the memory in order, each thread from a different position. (With random accesses, every page
 * that stayed in memory is referenced again before the kernel checks it a second time. Reclaim then makes no
 * progress, and Linux's own OOM killer ends the test.)
 */
static void *sweep(void *number)
{
	for (size_t i = (uintptr_t)number * 7919;; i++)
		((volatile char *)memory)[i % pages * PAGE]++;
	return NULL;
}

static void *read_randomly(void *number)
{
	uint64_t seed = 7654321 + (uintptr_t)number * 7919;
	char buffer[PAGE];

	for (;;)
		if (pread(file, buffer, PAGE, next(&seed) % pages * PAGE) < 0)
			die("pread");
	return NULL;
}

static void run_threads(void *(*body)(void *), int count)
{
	pthread_t thread;

	for (uintptr_t i = 1; i < (uintptr_t)count; i++)
		pthread_create(&thread, NULL, body, (void *)i);
	body(NULL);
}

/* The first thread ends, and the process goes on without it. */
static void leave_to_threads(int count)
{
	pthread_t thread;

	for (uintptr_t i = 0; i < (uintptr_t)count; i++)
		pthread_create(&thread, NULL, sweep, (void *)i);
	pthread_exit(NULL);
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static void touch_memory(size_t page)
{
	((volatile char *)memory)[page * PAGE]++;
}

static void touch_file(size_t page)
{
	char buffer[PAGE];

	if (pread(file, buffer, PAGE, page * PAGE) < 0)
		die("pread");
}

static void touch_mapped(size_t page)
{
	(void)((volatile char *)memory)[page * PAGE];
}

/* How long this thread has been ready to run while other threads had the CPUs, in nanoseconds since its start. */
static uint64_t waited(void)
{
	unsigned long long nanos;
	FILE *statistics = fopen("/proc/self/schedstat", "r");

	if (!statistics || fscanf(statistics, "%*u %llu", &nanos) != 1)
		die("/proc/self/schedstat");
	fclose(statistics);
	return nanos;
}

/*
 * Durations of batches of touches, in buckets of an eighth of a power of two. print_latencies() prints those
 * since its last call and clears them.
 */
static unsigned int latencies[64 * 8];

static void count_latency(uint64_t nanos)
{
	int exponent;

	if (nanos < 8)
		nanos = 8;
	exponent = 63 - __builtin_clzll(nanos);
	latencies[exponent * 8 + (nanos >> (exponent - 3) & 7)]++;
}

static void print_latencies(void)
{
	printf(" latencies");
	for (size_t i = 0; i < sizeof(latencies) / sizeof(*latencies); i++)
		if (latencies[i])
			printf(" %zu:%u", i, latencies[i]);
	memset(latencies, 0, sizeof(latencies));
}

/*
 * Works on a working set of known size: touches all of its pages with the same probability, and computes a
 * fixed number of steps after each touch. After every interval it prints the number of touches so far, the
 * time, how much of it was spent waiting for a CPU (memory does not cause that, so intervals do not count it),
 * and how long batches of 64 touches took, waiting included.
 */
static void work(void (*touch)(size_t), long steps, long interval_millis)
{
	const uint64_t interval = interval_millis * 1000000ULL;
	uint64_t place = 88172645463325252ULL, value = 7654321;
	uint64_t begun = now(), printed = begun - waited(), due = begun + interval;

	for (uint64_t touches = 1;; touches++) {
		uint64_t t, w;

		touch(next(&place) % pages);
		for (long i = 0; i < steps; i++)
			next(&value);
		if (touches % 64)
			continue;
		t = now();
		count_latency(t - begun);
		begun = t;
		if (t < due)
			continue;
		w = waited();
		if (t - w - printed < interval) {
			due = t + interval - (t - w - printed);
			continue;
		}
		printed = t - w;
		due = t + interval;
		/* The value is printed so that the compiler has to compute it. */
		printf("touches %llu nanos %llu waited %llu value %llu", (unsigned long long)touches,
		       (unsigned long long)t, (unsigned long long)w, (unsigned long long)value);
		print_latencies();
		printf("\n");
		fflush(stdout);
		begun = now();
	}
}

static void open_file(const char *path, size_t megabytes)
{
	file = open(path, O_RDONLY);
	if (file < 0)
		die(path);
	pages = megabytes * MB / PAGE;
	posix_fadvise(file, 0, 0, POSIX_FADV_RANDOM);
}

/* Maps each page separately, so that evicted pages come back one by one. */
static void map_file(const char *path, size_t megabytes)
{
	open_file(path, megabytes);
	memory = mmap(NULL, pages * PAGE, PROT_READ, MAP_SHARED, file, 0);
	if (memory == MAP_FAILED)
		die("mmap");
	madvise(memory, pages * PAGE, MADV_RANDOM);
}

/* Uses anonymous memory for ever. Prints when the use begins: from then on, memory that does not fit thrashes. */
static void anonymous(size_t megabytes, int threads)
{
	allocate(megabytes);
	fill(0, pages);
	printf("sweep %llu\n", (unsigned long long)now());
	fflush(stdout);
	run_threads(sweep, threads);
}

static uint64_t cpu_nanos(const struct rusage *u)
{
	return (u->ru_utime.tv_sec + u->ru_stime.tv_sec) * 1000000000ULL +
	       (u->ru_utime.tv_usec + u->ru_stime.tv_usec) * 1000ULL;
}

static void print_cost(const struct rusage *before, const struct rusage *after, long faults)
{
	if (faults < 1) {
		fprintf(stderr, "workload: there were no such faults\n");
		exit(1);
	}
	printf("faults %ld nanos %.1f\n", faults, (double)(cpu_nanos(after) - cpu_nanos(before)) / faults);
}

/* Measures the CPU time of a minor fault: touches fresh memory, page by page, again and again. */
static void minor_faults(size_t megabytes, int rounds)
{
	struct rusage before, after;

	getrusage(RUSAGE_SELF, &before);
	for (int i = 0; i < rounds; i++) {
		allocate(megabytes);
		for (size_t j = 0; j < pages; j++)
			memory[j * PAGE] = 1;
		munmap(memory, pages * PAGE);
	}
	getrusage(RUSAGE_SELF, &after);
	print_cost(&before, &after, after.ru_minflt - before.ru_minflt);
}

/* Measures the CPU time of a major fault, with the reclaim that it causes: sweeps over more memory than fits. */
static void major_faults(size_t megabytes, long faults)
{
	struct rusage before, after;
	size_t at = 0;

	allocate(megabytes);
	fill(0, pages);
	for (; at < pages; at++) /* from here on, every sweep finds the same state */
		((volatile char *)memory)[at * PAGE]++;
	getrusage(RUSAGE_SELF, &before);
	for (size_t sweeps = 0; sweeps < 1000; sweeps++) {
		for (size_t end = at + 1024; at < end; at++)
			((volatile char *)memory)[at % pages * PAGE]++;
		getrusage(RUSAGE_SELF, &after);
		if (after.ru_majflt - before.ru_majflt >= faults)
			break;
	}
	print_cost(&before, &after, after.ru_majflt - before.ru_majflt);
}

/*
 * Starts children every second that use a megabyte each and exit, as a shell script or a build does. Prints a
 * line every second.
 */
static void bursts(int children)
{
	for (;;) {
		for (int i = 0; i < children; i++)
			if (!fork()) {
				allocate(1);
				fill(0, pages);
				usleep(100000);
				_exit(0);
			}
		while (wait(NULL) > 0)
			;
		printf("burst\n");
		fflush(stdout);
		sleep(1);
	}
}

/* Spreads the memory over children that keep forking while they are killed. */
static void forking(size_t megabytes, int children)
{
	for (int i = 0; i < children; i++)
		if (!fork()) {
			allocate(megabytes / children);
			fill(0, pages);
			for (size_t at = 0;;) {
				for (int j = 0; j < 2000; j++, at++)
					((volatile char *)memory)[at % pages * PAGE]++;
				if (!fork()) {
					usleep(200000);
					_exit(0);
				}
				while (waitpid(-1, NULL, WNOHANG) > 0)
					;
			}
		}
	for (;;)
		pause();
}

/*
 * Dumps core into this directory, for minutes and nearly without writing: the kernel looks for each page of a range of
 * addresses of which one was used.
 */
static void dump_core(const char *directory)
{
	struct rlimit none = { RLIM_INFINITY, RLIM_INFINITY };

	memory = mmap(NULL, 4UL << 40, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED || chdir(directory) || setrlimit(RLIMIT_CORE, &none))
		die("dump");
	*memory = 1;
	abort();
}

/* Creates a file of random bytes, and drops it from the page cache if `forget` is set. */
static void create(const char *path, size_t megabytes, int forget)
{
	int out = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (out < 0)
		die(path);
	allocate(1);
	fill(0, pages);
	for (size_t i = 0; i < megabytes; i++)
		if (write(out, memory, MB) != (ssize_t)MB)
			die(path);
	fdatasync(out);
	if (forget)
		posix_fadvise(out, 0, 0, POSIX_FADV_DONTNEED);
	close(out);
	munmap(memory, pages * PAGE);
}

/* Reads a file in order, the given number of times. */
static void stream(const char *path, int rounds)
{
	static char buffer[MB];

	for (int i = 0; i < rounds; i++) {
		ssize_t got;

		file = open(path, O_RDONLY);
		if (file < 0)
			die(path);
		while ((got = read(file, buffer, sizeof(buffer))) > 0)
			;
		close(file);
	}
}

/* Maps a file, uses each page once, and then none. */
static void map_once(const char *path, size_t megabytes)
{
	stream(path, 1);
	map_file(path, megabytes);
	for (size_t i = 0; i < pages; i++)
		(void)((volatile char *)memory)[i * PAGE];
	pause();
}

/* Holds the pages of a file in memory, where the kernel cannot reclaim them. */
static void lock_file(const char *path, size_t megabytes)
{
	map_file(path, megabytes);
	if (mlock(memory, pages * PAGE))
		die("mlock");
	pause();
}

/* Writes a file, computes for two seconds and reads the file back once, repeatedly, as a sort that spills does. */
static void spill(const char *path, size_t megabytes)
{
	for (;;) {
		time_t start;

		create(path, megabytes, 0);
		for (start = time(NULL); time(NULL) - start < 2;)
			;
		stream(path, 1);
		unlink(path);
	}
}

static void *burn(void *unused)
{
	for (volatile uint64_t i = 0;; i++)
		;
	return NULL;
}

static struct sockaddr_in address(const char *text, int port)
{
	struct sockaddr_in place = { .sin_family = AF_INET, .sin_port = htons(port) };

	if (inet_pton(AF_INET, text, &place.sin_addr) != 1)
		die(text);
	return place;
}

/* Accepts one connection and prints how many bytes arrived before its end. */
static void receive(const char *text, int port)
{
	static char buffer[256 * 1024];
	struct sockaddr_in place = address(text, port);
	int listener = socket(AF_INET, SOCK_STREAM, 0), connection;
	unsigned long long bytes = 0;
	ssize_t got;

	if (bind(listener, (struct sockaddr *)&place, sizeof(place)) || listen(listener, 1))
		die("listen");
	connection = accept(listener, NULL, NULL);
	if (connection < 0)
		die("accept");
	while ((got = read(connection, buffer, sizeof(buffer))) > 0)
		bytes += got;
	printf("%llu\n", bytes);
}

/* Sends as fast as the network permits. Little is buffered, so that the receiver ends soon after the sender. */
static void send_bytes(const char *text, int port)
{
	static char buffer[64 * 1024];
	struct sockaddr_in place = address(text, port);
	int connection = socket(AF_INET, SOCK_STREAM, 0), size = sizeof(buffer);

	setsockopt(connection, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	if (connect(connection, (struct sockaddr *)&place, sizeof(place)))
		die("connect");
	while (write(connection, buffer, sizeof(buffer)) > 0)
		;
}

/*
 * A number in a file that other processes can read at any time without disturbing the counting. It continues
 * after a restart.
 */
static volatile uint64_t *counter(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT, 0600);
	void *number;

	if (fd < 0 || ftruncate(fd, sizeof(uint64_t)))
		die(path);
	number = mmap(NULL, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (number == MAP_FAILED)
		die(path);
	close(fd);
	return number;
}

/*
 * Needs much CPU, cache and memory: changes cache lines at random places of its memory and computes after each
 * change. The number of changes is counted. It may rest after every 256 of them, as tasks do that also wait for
 * data.
 */
static void count_work(const char *path, size_t megabytes, long steps, long rest_micros)
{
	volatile uint64_t *done = counter(path);
	uint64_t place = 88172645463325252ULL, value = 7654321;
	size_t lines;

	allocate(megabytes);
	fill(0, pages);
	lines = pages * PAGE / LINE;
	for (;;) {
		((volatile char *)memory)[next(&place) % lines * LINE]++;
		for (long i = 0; i < steps; i++)
			next(&value);
		/* The value is used so that the compiler has to compute it. */
		*done += value != 0;
		if (rest_micros && *done % 256 == 0)
			usleep(rest_micros);
	}
}

/*
 * A service that grows: a request is due in every period and touches pages of its working set at random. The
 * working set has one size after the other, each for the same time; in between it only grows or frees pages.
 * For each request it prints how long after the due time it was answered; a request that waits for the previous
 * one is late, too.
 */
static void respond(uint64_t period, long touches, long steps, uint64_t stay, int sizes, char **megabytes)
{
	uint64_t place = 88172645463325252ULL, value = 7654321, due, end;
	size_t most = 0, used;

	for (int i = 0; i < sizes; i++)
		if ((size_t)atol(megabytes[i]) > most)
			most = atol(megabytes[i]);
	allocate(most);
	used = atol(megabytes[0]) * MB / PAGE;
	fill(0, used);
	due = end = now();
	for (int i = 0; i < sizes; i++) {
		size_t wanted = atol(megabytes[i]) * MB / PAGE;

		if (wanted < used) {
			madvise(memory + wanted * PAGE, (used - wanted) * PAGE, MADV_DONTNEED);
			used = wanted;
		}
		end += stay;
		for (; due < end; due += period) {
			struct timespec until = { due / SECOND, due % SECOND };

			clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
			/* Growth is part of a request: each grows by a thirty-second of the remaining difference. */
			if (used < wanted) {
				size_t to = used + (wanted - used) / 32 + 256;

				to = to < wanted ? to : wanted;
				fill(used, to);
				used = to;
			}
			for (long j = 0; j < touches; j++) {
				touch_memory(next(&place) % used);
				for (long k = 0; k < steps; k++)
					next(&value);
			}
			printf("due %llu late %llu value %d\n", (unsigned long long)due,
			       (unsigned long long)(now() - due), value != 0);
		}
	}
	fflush(stdout);
}

static volatile uint64_t *received;

static void *receive_all(void *connection)
{
	char buffer[64 * 1024];
	ssize_t got;

	while ((got = recv((int)(intptr_t)connection, buffer, sizeof(buffer), 0)) > 0)
		__atomic_add_fetch(received, got, __ATOMIC_RELAXED);
	close((int)(intptr_t)connection);
	return NULL;
}

/* Receives everything that is sent over any number of connections, and counts the bytes. */
static void receive_counted(const char *path, const char *text, int port)
{
	struct sockaddr_in place = address(text, port);
	int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;

	received = counter(path);
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) ||
	    bind(fd, (struct sockaddr *)&place, sizeof(place)) || listen(fd, 64))
		die("listen");
	printf("ready\n");
	fflush(stdout);
	for (;;) {
		pthread_t thread;
		int connection = accept(fd, NULL, NULL);

		if (connection < 0)
			die("accept");
		if (pthread_create(&thread, NULL, receive_all, (void *)(intptr_t)connection))
			die("pthread_create");
		pthread_detach(thread);
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "anonymous") && argc == 4)
		anonymous(atoi(argv[2]), atoi(argv[3]));
	else if (!strcmp(what, "forking") && argc == 4)
		forking(atoi(argv[2]), atoi(argv[3]));
	else if (!strcmp(what, "dump") && argc == 3)
		dump_core(argv[2]);
	else if (!strcmp(what, "idle") && argc == 3) {
		allocate(atoi(argv[2]));
		fill(0, pages);
		pause();
	} else if (!strcmp(what, "leaderless") && argc == 4) {
		allocate(atoi(argv[2]));
		fill(0, pages);
		leave_to_threads(atoi(argv[3]));
	} else if (!strcmp(what, "create") && argc == 4)
		create(argv[2], atoi(argv[3]), 1);
	else if (!strcmp(what, "file") && argc == 5) {
		open_file(argv[2], atoi(argv[3]));
		run_threads(read_randomly, atoi(argv[4]));
	} else if (!strcmp(what, "stream") && argc == 4)
		stream(argv[2], atoi(argv[3]));
	else if (!strcmp(what, "map") && argc == 4)
		map_once(argv[2], atoi(argv[3]));
	else if (!strcmp(what, "locked") && argc == 4)
		lock_file(argv[2], atoi(argv[3]));
	else if (!strcmp(what, "cache") && argc == 3) {
		stream(argv[2], 2);
		pause();
	} else if (!strcmp(what, "spill") && argc == 4)
		spill(argv[2], atoi(argv[3]));
	else if (!strcmp(what, "burn") && argc == 3)
		run_threads(burn, atoi(argv[2]));
	else if (!strcmp(what, "work-anonymous") && argc == 5) {
		allocate(atoi(argv[2]));
		fill(0, pages);
		work(touch_memory, atol(argv[3]), atol(argv[4]));
	} else if (!strcmp(what, "work-file") && argc == 6) {
		stream(argv[2], 1);
		open_file(argv[2], atoi(argv[3]));
		work(touch_file, atol(argv[4]), atol(argv[5]));
	} else if (!strcmp(what, "work-mapped") && argc == 6) {
		map_file(argv[2], atoi(argv[3]));
		work(touch_mapped, atol(argv[4]), atol(argv[5]));
	} else if (!strcmp(what, "bursts") && argc == 3)
		bursts(atoi(argv[2]));
	else if (!strcmp(what, "minor-faults") && argc == 4)
		minor_faults(atoi(argv[2]), atoi(argv[3]));
	else if (!strcmp(what, "major-faults") && argc == 4)
		major_faults(atoi(argv[2]), atol(argv[3]));
	else if (!strcmp(what, "receive") && argc == 4)
		receive(argv[2], atoi(argv[3]));
	else if (!strcmp(what, "send") && argc == 4)
		send_bytes(argv[2], atoi(argv[3]));
	else if (!strcmp(what, "receive-counted") && argc == 5)
		receive_counted(argv[2], argv[3], atoi(argv[4]));
	else if (!strcmp(what, "count") && argc == 6)
		count_work(argv[2], atoi(argv[3]), atol(argv[4]), atol(argv[5]));
	else if (!strcmp(what, "respond") && argc >= 7)
		respond(atol(argv[2]) * 1000ULL, atol(argv[3]), atol(argv[4]), atol(argv[5]) * 1000000ULL, argc - 6,
			argv + 6);
	else {
		fprintf(stderr, "usage: workload anonymous MB THREADS | leaderless MB THREADS | forking MB CHILDREN | dump DIRECTORY | idle MB |\n"
				"  create FILE MB | file FILE MB THREADS | stream FILE ROUNDS | cache FILE | map FILE MB | locked FILE MB |\n"
				"  spill FILE MB | burn THREADS | bursts CHILDREN | minor-faults MB ROUNDS | major-faults MB FAULTS |\n"
				"  work-anonymous MB STEPS INTERVAL_MS | work-file FILE MB STEPS INTERVAL_MS |\n"
				"  work-mapped FILE MB STEPS INTERVAL_MS |\n"
				"  receive ADDRESS PORT | receive-counted COUNTER ADDRESS PORT | send ADDRESS PORT |\n"
				"  count COUNTER MB STEPS REST_US | respond PERIOD_US TOUCHES STEPS MS_PER_SIZE MB...\n");
		return 2;
	}
	return 0;
}
