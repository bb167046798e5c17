// SPDX-License-Identifier: Apache-2.0
/*
 * Reclaims a little memory from single running containers, one after the other, as the lines on standard input
 * demand. Each line is answered by a line of JSON, and the process ends with its input.
 *
 *   v1: the container's memory limit is lowered to its use less the wanted amount, and then restored. The old limit holds
 *       until the kernel has reclaimed the difference, so the low limit exists only from the end of one write to the next.
 *       The caller has recorded both values and restores the old one if this process is killed in between.
 *   v2: memory.reclaim, which changes no limit.
 *
 * It tries only once, never waits longer than WRITE_NS, and leaves a container alone that is not as the caller
 * saw it.
 */
#include "ua_reclaim.h"

#include "ua_limit_files.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define WRITE_NS 40000000LL	/* below 50 ms together with restoring the limit */
#define MAX_NS 1000000000ULL /* for all lines: the remaining ones are answered as late */
#define MAX_LINE 4608

enum { NUMBER, BYTES, FILES_ONLY, REQUIRED, FROM = REQUIRED, TO, MOST, SWAPPINESS, KEYS };

static const char *const keys[KEYS] = { "number", "bytes", "files", "from", "to", "most", "swappiness" };
static const u64 maximum[KEYS] = { [BYTES] = 1ULL << 30, [FILES_ONLY] = 1, [FROM] = UA_LIMIT_NONE - 1, [SWAPPINESS] = 200 };

struct request {
	u64 value[KEYS];
	u32 seen;
	const char *cgroup;
};

struct outcome {
	const char *result;
	s64 before, after;
	u64 held_ns; /* how long the low limit may have existed */
};

/* Parses "number=1 bytes=4096 files=0 ... cgroup=PATH", with the path last. Returns an error or a complete request. */
static int parse_request(char *line, struct request *w, struct ua_error *error)
{
	char *path = strstr(line, "cgroup="), *rest;

	*w = (struct request){ .value[SWAPPINESS] = maximum[SWAPPINESS] + 1 };
	if (!path || (path != line && path[-1] != ' '))
		return refuse(error, EXIT_USAGE, "cgroup is missing");
	w->cgroup = path + strlen("cgroup=");
	*path = 0;
	for (char *pair = strtok_r(line, " ", &rest); pair; pair = strtok_r(NULL, " ", &rest)) {
		char *equals = strchr(pair, '=');
		u32 i;

		if (equals)
			*equals = 0;
		for (i = 0; i < KEYS && strcmp(pair, keys[i]); i++)
			;
		if (!equals || i == KEYS || w->seen & 1U << i)
			return refuse(error, EXIT_USAGE, "%.40s: unknown key, or given twice", pair);
		w->seen |= 1U << i;
		if (parse_number(keys[i], equals + 1, 0, maximum[i] ? maximum[i] : UA_LIMIT_MAX_INPUT, &w->value[i], error))
			return error->code;
	}
	for (u32 i = 0; i < REQUIRED; i++)
		if (!(w->seen & 1U << i))
			return refuse(error, EXIT_USAGE, "%s is missing", keys[i]);
	return EXIT_OK;
}

/* ---- the two versions ------------------------------------------------------------------------------ */

static const char *reason_of(int code)
{
	return code == -EBUSY || code == -EINTR || code == -EAGAIN ? "partly" : strerror(-code);
}

/* Restores the limit only if it is still ours: another process may have set it meanwhile. */
static void lower_and_restore(int limit, s64 to, s64 from, struct write_timer *timer, struct outcome *d)
{
	u64 began;
	int code;

	write_timer_start(timer, WRITE_NS);
	began = now_ns();
	code = file_write_number(limit, to);
	write_timer_stop(timer);
	if (!code)
		began = now_ns() - 1; /* the old limit held until the write returned */
	if (file_read_number(limit) == to) {
		code = file_write_number(limit, from);
		d->held_ns = now_ns() - began;
	}
	d->result = code ? reason_of(code) : "taken";
}

static void reclaim_by_limit(int directory, const struct request *w, struct write_timer *timer, struct outcome *d)
{
	int limit = openat(directory, "memory.limit_in_bytes", O_RDWR | O_CLOEXEC);
	int use = openat(directory, "memory.usage_in_bytes", O_RDONLY | O_CLOEXEC);
	int swappiness = openat(directory, "memory.swappiness", O_RDWR | O_CLOEXEC);
	s64 from = w->value[FROM], to = w->value[TO], swap, now;
	bool avoid_swap = w->value[FILES_ONLY] && files_swap_free(&swap);

	now = limit < 0 || use < 0 || swappiness < 0 ? -errno : file_read_number(limit);
	d->before = d->after = use < 0 ? 0 : file_read_number(use);
	if (now < 0 || d->before < 0)
		d->result = strerror(now < 0 ? -now : -d->before);
	else if (now != limit_or_none(from))
		d->result = "changed";
	else if (d->before <= to)
		d->result = "less";
	else if (d->before - to > (s64)w->value[MOST])
		d->result = "grown";
	else if (avoid_swap && file_read_number(swappiness) != (s64)w->value[SWAPPINESS])
		d->result = "changed";
	else {
		avoid_swap = avoid_swap && w->value[SWAPPINESS] > 0;
		if (avoid_swap && file_write_number(swappiness, 0)) {
			d->result = strerror(errno);
		} else {
			/* `from` is the number that v1 uses, which does not know "max" */
			lower_and_restore(limit, to, from, timer, d);
			if (avoid_swap && !file_read_number(swappiness))
				file_write_number(swappiness, w->value[SWAPPINESS]);
			d->after = file_read_number(use);
		}
	}
	close(limit);
	close(use);
	close(swappiness);
}

static void reclaim_directly(int directory, const struct request *w, struct write_timer *timer, struct outcome *d)
{
	int reclaim = openat(directory, "memory.reclaim", O_WRONLY | O_CLOEXEC);
	int use = openat(directory, "memory.current", O_RDONLY | O_CLOEXEC);
	char text[64];
	int length, code = 0;
	s64 swap;

	d->before = d->after = use < 0 ? 0 : file_read_number(use);
	if (reclaim < 0 || use < 0) {
		d->result = strerror(errno);
	} else {
		/* Without swap, the argument that kernels before 6.10 refuse is not needed. */
		length = sprintf(text, w->value[FILES_ONLY] && files_swap_free(&swap) ? "%llu swappiness=0" : "%llu",
				 w->value[BYTES]);
		write_timer_start(timer, WRITE_NS);
		code = pwrite(reclaim, text, length, 0) == length ? 0 : -errno;
		write_timer_stop(timer);
		d->result = !code ? "taken" : code == -EINVAL ? "this kernel cannot exclude swap from reclaim (needs Linux 6.10)" : reason_of(code);
		d->after = file_read_number(use);
	}
	close(reclaim);
	close(use);
}

/* ---- lines ----------------------------------------------------------------------------------------- */

static void print_outcome(const struct request *w, const struct outcome *d)
{
	printf("{\"number\":%llu,\"result\":", w->value[NUMBER]);
	print_json_string(stdout, d->result);
	printf(",\"beforeBytes\":%lld,\"afterBytes\":%lld,\"heldMicros\":%llu}\n", (long long)d->before,
	       (long long)d->after, d->held_ns / 1000);
	fflush(stdout);
}

static void carry_out(const struct request *w, struct write_timer *timer, bool late)
{
	struct outcome d = { .result = "late" };
	struct ua_error error;
	bool unified;
	int directory;

	if (!late) {
		directory = open_cgroup_at("cgroup", w->cgroup, &unified, &error);
		if (directory < 0)
			d.result = "gone";
		else if (unified)
			reclaim_directly(directory, w, timer, &d);
		else if (!(w->seen & 1U << FROM) || !(w->seen & 1U << TO) || !(w->seen & 1U << MOST) ||
			 !(w->seen & 1U << SWAPPINESS))
			d.result = "from, to, most and swappiness are needed on cgroup v1";
		else
			reclaim_by_limit(directory, w, timer, &d);
		if (directory >= 0)
			close(directory);
	}
	print_outcome(w, &d);
}

int command_reclaim(void)
{
	u64 began = now_ns();
	struct write_timer timer;
	struct ua_error error;
	char line[MAX_LINE];
	sigset_t ends;
	struct request w;

	if (write_timer_init(&timer))
		fail(EXIT_FAILED, "cannot create a timer: %s", strerror(errno));
	/*
	 * Blocks requests to end this process, and signals for a lost reader, so that they cannot end it
	 * between the two writes.
	 */
	sigemptyset(&ends);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGHUP);
	sigprocmask(SIG_BLOCK, &ends, NULL);
	signal(SIGPIPE, SIG_IGN);
	while (fgets(line, sizeof(line), stdin)) {
		size_t length = strlen(line);
		sigset_t pending;

		if (!length || line[length - 1] != '\n')
			fail(EXIT_USAGE, "a line is too long, or has no end");
		line[length - 1] = 0;
		if (parse_request(line, &w, &error))
			fail(error.code, "%s", error.text);
		sigpending(&pending);
		if (sigismember(&pending, SIGTERM) || sigismember(&pending, SIGINT) || sigismember(&pending, SIGHUP))
			return EXIT_FAILED;
		carry_out(&w, &timer, now_ns() - began > MAX_NS);
	}
	return EXIT_OK;
}
