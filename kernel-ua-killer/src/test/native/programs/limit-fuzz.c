// SPDX-License-Identifier: Apache-2.0
/*
 * Tests the input and the decisions of `ua-killer memory-limit`, built with AddressSanitizer and
 * UndefinedBehaviorSanitizer: its keys, files as kernels write them and as they never do, the law on any numbers,
 * the limit of swap, and what its end leaves of memory.high. First argument: seconds; second: seed.
 */
#include "ua_limit_basis.h"
#include "ua_limit_files.h"
#include "ua_limit_steps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MB (1LL << 20)
#define CHECK(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
			exit(1); \
		} \
	} while (0)

#define REQUIRED "number=7 boundary=100 reserve=9 others=50 swap=1 excess=20 owed=3 claim=4 clean=30"

static u64 seed;

static u64 next(u64 below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

static int file_of(const char *text, size_t length)
{
	int fd = memfd_create("file", 0);

	CHECK(fd >= 0 && write(fd, text, length) == (ssize_t)length);
	return fd;
}

static int parse(const char *text, struct limit_input *h, struct ua_error *error)
{
	char line[2048];

	snprintf(line, sizeof(line), "%s", text);
	return basis_parse(line, h, error);
}

static void keys(void)
{
	static const char *const refused[] = {
		"", " ", "boundary", "boundary=", "boundary=x", "boundary=-1", "boundary=1", "=", "frob=1", REQUIRED " claim=4",
		REQUIRED " swappiness=201", REQUIRED " enforce=2", REQUIRED " freeze=-0", REQUIRED " number",
		"number=99999999999999999999", "number=7 boundary=9223372036854775807",
	};
	struct ua_error error;
	struct limit_input h;

	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		CHECK(parse(refused[i], &h, &error) == EXIT_USAGE && *error.text);
	CHECK(!parse(REQUIRED, &h, &error));
	CHECK(h.number == 7 && h.basis.boundary == 100 && h.basis.reserve == 9 && h.basis.others == 50 && h.basis.swap == 1 &&
	      h.basis.excess == 20 && h.basis.owed == 3 && h.basis.claim == 4 && h.clean == 30);
	CHECK(h.swap_limit == -1 && h.swappiness == -1 && !h.enforce && !h.freeze);
	CHECK(!parse("freeze=1  enforce=1 swappiness=60 swap-limit=0 " REQUIRED, &h, &error));
	CHECK(h.swap_limit == 0 && h.swappiness == 60 && h.enforce && h.freeze);
	CHECK(!parse("swap-limit=1125899906842624 " REQUIRED, &h, &error) && h.swap_limit == UA_LIMIT_NONE);
}

static s64 clean_of(const char *text, bool machine, bool unified)
{
	int fd = file_of(text, strlen(text));
	s64 clean = files_clean(fd, machine, unified);

	close(fd);
	return clean;
}

static s64 number_of(const char *text)
{
	int fd = file_of(text, strlen(text));
	s64 number = file_read_number(fd);

	close(fd);
	return number;
}

static void files(void)
{
	static const char v1[] = "cache 9\nactive_file 5\ntotal_cache 99\ntotal_dirty 10\ntotal_writeback 5\n"
				 "total_inactive_file 70\ntotal_active_file 30\n";
	static const char v2[] = "anon 1\nfile 99\nfile_mapped 3\nfile_dirty 20\nfile_writeback 0\ninactive_file 40\nactive_file 50";
	static const char machine[] = "MemTotal:        1000 kB\nMemFree:          300 kB\nActive(file):     40 kB\n"
				      "Inactive(file):   20 kB\nDirty:             8 kB\nWriteback:         2 kB\nHugetlb:         100 kB\n";
	struct limit_files f = { .machine = true };

	CHECK(clean_of(v1, false, false) == 85);
	CHECK(clean_of(v2, false, true) == 70);
	CHECK(clean_of(machine, true, false) == 50 << 10);
	CHECK(clean_of("", false, false) == 0 && clean_of("total_dirty 7\n", false, false) == 0);
	f.node_use = file_of(machine, strlen(machine));
	CHECK(files_node_use(&f) == 600 << 10);
	close(f.node_use);
	CHECK(number_of("4096\n") == 4096 && number_of("max\n") == UA_LIMIT_NONE);
	/* For no limit, v1 shows the highest number of whole pages: of 4, 16 and 64 KiB. */
	CHECK(number_of("9223372036854771712\n") == UA_LIMIT_NONE);
	CHECK(number_of("9223372036854759424\n") == UA_LIMIT_NONE);
	CHECK(number_of("9223372036854710272\n") == UA_LIMIT_NONE);
	CHECK(number_of("1125899906842624\n") == UA_LIMIT_MAX_INPUT);
	CHECK(!(whole_pages(5 * MB + 1234) % sysconf(_SC_PAGESIZE)) && whole_pages(5 * MB + 1234) <= 5 * MB + 1234);
	CHECK(steps_floor(1000 * MB, 100 * MB, 4 * MB) == 904 * MB && steps_floor(90 * MB, 100 * MB, 4 * MB) == 4 * MB);
	CHECK(number_of("") < 0 && number_of("-5") < 0 && file_read_number(-1) < 0);
}

/* v2: swap has a limit of its own, which the kernel may lack. */
static void swap(void)
{
	struct limit_files f = { .unified = true, .limit = file_of("max\n", 4), .swap_limit = file_of("max\n", 4) };
	struct limit_files without = { .unified = true, .swap_limit = -1 };

	CHECK(!files_set_limit(&f, 100 * MB, 0) && file_read_number(f.limit) == 100 * MB);
	CHECK(!files_limit_swap(&f, -1) && file_read_number(f.swap_limit) == UA_LIMIT_NONE);
	CHECK(!files_limit_swap(&f, 0) && !file_read_number(f.swap_limit));
	CHECK(!files_limit_swap(&f, -1) && !file_read_number(f.swap_limit));
	CHECK(!files_limit_swap(&f, UA_LIMIT_NONE) && file_read_number(f.swap_limit) == UA_LIMIT_NONE);
	CHECK(!files_limit_swap(&without, 0));
	close(f.limit);
	close(f.swap_limit);
	CHECK(files_limit_swap(&f, 0) == -EBADF);
}

/* memory.high does not outlive the process, even if its thread was about to set it. */
static void high(void)
{
	static const char stat[] = "file_dirty 0\nfile_writeback 0\ninactive_file 50000000\nactive_file 0\n";
	static struct limit_files f = { .unified = true, .swap_limit = -1, .reclaim = -1 };
	static struct steps s;
	struct ua_error error;

	f.use = file_of("100000000\n", 10);
	f.stat = file_of(stat, strlen(stat));
	f.high = file_of("max\n", 4);
	CHECK(!steps_start(&s, &f, &error));
	s.limit = 100 * MB;
	sem_post(&s.wake);
	for (int i = 0; i < 1000 && file_read_number(f.high) == UA_LIMIT_NONE; i++)
		usleep(10000);
	CHECK(file_read_number(f.high) == 98 * MB);
	steps_end(&s);
	CHECK(file_read_number(f.high) == UA_LIMIT_NONE);
	sem_post(&s.wake);
	usleep(100000);
	CHECK(file_read_number(f.high) == UA_LIMIT_NONE);
}

/* Random bytes, and lines that are nearly correct. */
static void anything(void)
{
	char text[2048], line[2048];
	size_t length = next(sizeof(text));
	struct ua_error error;
	struct limit_input h;
	int fd;

	for (size_t i = 0; i < length; i++)
		text[i] = next(4) ? " =0123456789\nabcdefnumber"[next(24)] : (char)next(256);
	fd = file_of(text, length);
	files_clean(fd, next(2), next(2));
	file_read_number(fd);
	close(fd);
	strcpy(line, REQUIRED " enforce=1");
	for (u64 i = next(4); i; i--)
		line[next(strlen(line) + 1)] = (char)next(256);
	line[sizeof(line) - 1] = 0;
	if (!basis_parse(line, &h, &error))
		CHECK(h.basis.boundary >= 0 && h.basis.claim >= 0);
}

static s64 size(void)
{
	return next(20) ? (s64)next(400) * MB : next(2) ? (s64)next(UA_LIMIT_MAX_INPUT) : 0;
}

static void law(void)
{
	struct ua_limit_law law = { .limit = next(2) ? UA_LIMIT_NONE : size() };
	s64 now = next(1ULL << 40), lowered = now, before;

	for (int i = 0; i < 50; i++) {
		struct ua_limit_basis b = { size(), size() / 20, size(), size() / 20, size(), size(), size(), next(2) };
		struct ua_limit_sample sample = { now, size(), size(), size() };
		bool may_raise = next(3);
		struct ua_limit_decision d;
		s64 others;

		before = law.limit;
		d = ua_limit_decide(&law, &sample, &b, may_raise);
		others = ua_limit_others(&sample, &b);
		CHECK(law.limit >= 0 && law.limit <= ua_limit_max(0, b.boundary - (others - d.excess) - b.reserve));
		CHECK(law.limit <= before || (may_raise && i && now - lowered >= UA_LIMIT_HOLD_NS));
		CHECK(d.due == ua_limit_max(0, sample.best_effort - law.limit));
		if (law.limit < before)
			lowered = now;
		now += next(2) ? 20000000 : next(1ULL << 34);
	}
}

int main(int argc, char **argv)
{
	u64 end = now_ns() + (argc > 1 ? strtoull(argv[1], NULL, 10) : 1) * 1000000000ULL, rounds = 0;

	seed = argc > 2 ? strtoull(argv[2], NULL, 10) * 2 + 1 : 1;
	keys();
	files();
	swap();
	high();
	for (; now_ns() < end; rounds++) {
		anything();
		law();
	}
	printf("%llu rounds\n", rounds);
	return 0;
}
