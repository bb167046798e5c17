// SPDX-License-Identifier: Apache-2.0
/*
 * Moves the limit around best-effort. Every 20 ms it reads two numbers, the memory use of the node and of
 * best-effort, and applies the control law (ua_limit_law.h) to them and to the last values from the
 * NodeManager. It lowers the limit at once, as far as the kernel does that without blocking:
 *
 *   v1: the kernel sets a limit below use only after it has reclaimed the difference, and the old limit holds until then. The
 *       limit therefore first becomes the current use and a little more, which stops the growth of best-effort. Reclaim in
 *       steps follows (ua_limit_steps.c).
 *   v2: since Linux 6.16, a limit below use is set at once, and best-effort itself then drops page cache to allocate. The
 *       limit is never below the memory that best-effort cannot drop, because the kernel would kill. Before 6.16 as with v1.
 *
 * Best-effort's swap is limited so that memory and swap together stay within the limit and the share of swap that the
 * NodeManager permits: v1 has one limit for both, v2 one for swap alone, which is that share.
 *
 * While the NodeManager is silent, the limit only falls. The process ends with its standard input; the limit
 * stays, but not what slows best-effort down below it (memory.high).
 */
#include "ua_limit.h"

#include "ua_limit_basis.h"
#include "ua_limit_dirty.h"
#include "ua_limit_steps.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define SAMPLE_NS 20000000ULL
#define REPORT_NS 1000000000ULL
#define SILENT_NS 3000000000ULL	   /* without a line from the NodeManager */
#define CLAMP_NS 5000000LL	   /* maximum duration of a write by the sampling thread */
#define MIN_MARGIN (1LL << 20)   /* minimum growth that best-effort may still make when it is stopped */
#define MAX_GROWN (4LL << 20)	   /* maximum of this for growth since the previous sample */
#define MAX_MARGIN (32LL << 20)
#define MIN_RAISE (1LL << 20)
/* a shortage that page cache does not cover is reported after this time, and every such time again */
#define UNCOVERED_NS 100000000ULL
#define MIN_DIRTY (8LL << 20)	   /* the disk is not hurried for fewer dirty pages than this */
#define MAX_FREEZE_NS 10000000000ULL
#define PRIORITY 10
#define SHARE_NS 5000000ULL	   /* of each sample's interval, where a cgroup permits no real-time priority */
#define MAX_LINE 2048
#define MAX_REPORT 3000	   /* below PIPE_BUF: a report is written as a whole or not at all */

/* Counts since the last report. */
struct tally {
	u64 samples, longest_gap, longest_sample, took, kept, gave, clamps, longest_clamp, late_clamps, stat_reads;
	s64 lowest, highest, growth;
};

struct watch {
	struct limit_files files;
	struct limit_input input;
	struct ua_limit_law law;
	struct ua_limit_decision d;
	struct steps steps;
	struct dirty dirty;
	struct write_timer timer;
	struct tally tally;
	bool received, silent, real_time, frozen, ended;
	u64 received_at, reported_at, sampled_at, uncovered_since, uncovered_reported, frozen_at, thawed_at, unread_reports;
	s64 use, node, clean, uncovered, last_others;
	char line[MAX_LINE];
	size_t length;
	bool skipping; /* skipping the rest of a line that is too long */
};

static volatile sig_atomic_t end_requested;

static void request_end(int signal)
{
	end_requested = 1;
}

/* ---- reports ------------------------------------------------------------------------------------- */

/* Never waits for a reader that does not read. */
static void write_report(struct watch *w, const char *text, size_t length)
{
	struct pollfd out = { .fd = STDOUT_FILENO, .events = POLLOUT };

	if (poll(&out, 1, 0) <= 0 || !(out.revents & POLLOUT) || write(STDOUT_FILENO, text, length) != (ssize_t)length)
		w->unread_reports++;
}

static void report_refusal(struct watch *w, const struct ua_error *error)
{
	char text[MAX_REPORT];
	FILE *out = fmemopen(text, sizeof(text), "w");
	size_t length;

	if (!out)
		return;
	fprintf(out, "{\"event\":\"refused\",\"error\":");
	print_json_string(out, error->text);
	fprintf(out, "}\n");
	length = ftell(out);
	fclose(out);
	write_report(w, text, length);
}

static void report(struct watch *w, u64 now)
{
	struct steps *s = &w->steps;
	struct tally *t = &w->tally;
	char text[MAX_REPORT];
	s64 limit = s->limit;
	int length = snprintf(
		text, sizeof(text),
		"{\"event\":\"limit\",\"number\":%llu,\"wallBytes\":%lld,\"limitBytes\":%lld,\"lowestWallBytes\":%lld,"
		"\"highestWallBytes\":%lld,\"takes\":%llu,\"keeps\":%llu,\"gives\":%llu,\"bestEffortBytes\":%lld,"
		"\"nodeBytes\":%lld,\"freeBytes\":%lld,\"excessBytes\":%lld,\"dueBytes\":%lld,\"cleanBytes\":%lld,"
		"\"uncoveredBytes\":%lld,\"uncoveredMillis\":%llu,\"largestGrowthBytes\":%lld,"
		"\"samples\":%llu,\"longestGapMicros\":%llu,\"longestSampleMicros\":%llu,"
		"\"statReads\":%llu,\"clamps\":%llu,\"lateClamps\":%llu,\"longestClampMicros\":%llu,\"steps\":%llu,"
		"\"interruptedSteps\":%llu,\"refusedSteps\":%llu,\"refusal\":\"%s\",\"steppedBytes\":%llu,"
		"\"dirtyBytes\":%lld,\"writtenBackFiles\":%llu,\"writeBackRefusal\":\"%s\","
		"\"frozen\":%s,\"silent\":%s,\"unreadReports\":%llu}\n",
		w->input.number, (long long)w->law.limit, (long long)(limit == UA_LIMIT_NONE ? -1 : limit),
		(long long)t->lowest, (long long)t->highest, t->took, t->kept, t->gave, (long long)w->use,
		(long long)w->node, (long long)w->d.free, (long long)w->d.excess, (long long)w->d.due,
		(long long)w->clean, (long long)w->uncovered,
		w->uncovered_since ? (now - w->uncovered_since) / 1000000 : 0ULL, (long long)t->growth,
		t->samples, t->longest_gap / 1000, t->longest_sample / 1000, t->stat_reads,
		t->clamps, t->late_clamps, t->longest_clamp / 1000, atomic_exchange(&s->taken, 0),
		atomic_exchange(&s->interrupted, 0), atomic_exchange(&s->refused, 0),
		s->reason ? strerror(s->reason) : "", atomic_exchange(&s->bytes, 0),
		(long long)w->dirty.bytes, atomic_exchange(&w->dirty.started, 0),
		w->dirty.reason ? strerror(w->dirty.reason) : "", w->frozen ? "true" : "false",
		w->silent ? "true" : "false", w->unread_reports);

	s->reason = 0;
	write_report(w, text, length);
	*t = (struct tally){ .lowest = w->law.limit, .highest = w->law.limit };
	w->reported_at = now;
}

/* ---- writing ------------------------------------------------------------------------------------- */

/* This write by the sampling thread ends soon, whatever the kernel is doing; the next sample tries again. */
static void set_limit(struct watch *w, s64 bytes)
{
	u64 began = now_ns(), took;
	int code;

	bytes = whole_pages(bytes);
	w->steps.again = false;
	write_timer_start(&w->timer, CLAMP_NS);
	code = files_set_limit(&w->files, bytes, w->input.swap_limit);
	write_timer_stop(&w->timer);
	took = now_ns() - began;
	w->tally.clamps++;
	w->tally.longest_clamp = took > w->tally.longest_clamp ? took : w->tally.longest_clamp;
	if (code)
		w->steps.again = true;
	if (code >= 0) {
		w->steps.limit = bytes;
	} else if (code == -EINTR) {
		w->tally.late_clamps++;
	} else {
		w->steps.refused++;
		w->steps.reason = -code;
	}
}

static void set_frozen(struct watch *w, bool frozen, u64 now)
{
	if (file_write_number(w->files.freezer, frozen))
		return;
	w->frozen = frozen;
	*(frozen ? &w->frozen_at : &w->thawed_at) = now;
	report(w, now);
}

/*
 * Freezes or thaws best-effort, which does not grow while it is frozen. It is thawed when no memory is due, and
 * after ten seconds in any case.
 */
static void freeze_or_thaw(struct watch *w, u64 now)
{
	bool over = w->frozen && now - w->frozen_at > MAX_FREEZE_NS;

	if (w->files.freezer < 0)
		return;
	if (w->frozen && (!w->d.due || !w->input.freeze || !w->input.enforce || over))
		set_frozen(w, false, now);
	else if (!w->frozen && w->input.freeze && w->d.due && w->d.free < ua_limit_slack(&w->input.basis) &&
		 (!w->thawed_at || now - w->thawed_at > MAX_FREEZE_NS))
		set_frozen(w, true, now);
}

/*
 * Computes the due memory that dropping page cache could not provide. Up to the slack of the reserve it counts
 * as zero, so that no container is killed for it.
 */
static void note_uncovered(struct watch *w, u64 now)
{
	w->clean = w->d.due ? ua_limit_max(0, files_clean(w->files.stat, false, w->files.unified)) : 0;
	w->uncovered = ua_limit_max(0, w->d.due - w->clean);
	if (w->uncovered <= ua_limit_slack(&w->input.basis))
		w->uncovered = 0;
	if (!w->uncovered) {
		w->uncovered_since = w->uncovered_reported = 0;
		return;
	}
	if (!w->uncovered_since)
		w->uncovered_since = w->uncovered_reported = now;
	/* Where nothing is enforced, nobody kills for it, and it may last for ever. */
	if (w->input.enforce && now - w->uncovered_reported >= UNCOVERED_NS) {
		w->uncovered_reported = now;
		report(w, now);
	}
}

/*
 * How much best-effort may still grow before memory is reclaimed. The reserve can spare a quarter of itself:
 * with a smaller margin, Linux would kill a container that needs only one page more before Charon kills one,
 * and one shortage would cost two containers.
 */
static s64 margin(const struct watch *w, s64 grown)
{
	s64 least = ua_limit_max(MIN_MARGIN, ua_limit_min(grown, MAX_GROWN));

	return ua_limit_max(least, ua_limit_min(ua_limit_slack(&w->input.basis), MAX_MARGIN));
}

static void enforce(struct watch *w, s64 grown)
{
	s64 goal = ua_limit_enforced(&w->law), limit = w->steps.limit, least;

	w->steps.goal = goal;
	w->steps.margin = margin(w, grown);
	if (w->d.due) {
		if (w->files.non_blocking)
			least = steps_floor(w->use, w->clean, w->steps.margin);
		else /* read again: the kernel would make this thread wait to reclaim what has grown since the sample */
			least = file_read_number(w->files.use) + w->steps.margin;
		goal = ua_limit_max(goal, least);
		if (goal + sysconf(_SC_PAGESIZE) < limit)
			set_limit(w, goal);
	} else if (goal < whole_pages(limit) || goal - limit >= MIN_RAISE || w->steps.again) {
		set_limit(w, goal);
	}
	/* After that of memory: nobody would remove a limit of swap alone. */
	if (w->files.unified && w->steps.limit != UA_LIMIT_NONE)
		files_limit_swap(&w->files, w->input.swap_limit);
	w->steps.due = w->d.due;
	if (w->d.due)
		sem_post(&w->steps.wake);
}

/* ---- sampling ------------------------------------------------------------------------------------ */

/* Only if the others hold more than they were owed does it matter how much of that is page cache. */
static s64 clean_grown(struct watch *w, const struct ua_limit_sample *sample)
{
	s64 grown = ua_limit_others(sample, &w->input.basis) - w->input.basis.others, node, best_effort;

	if (grown <= w->input.basis.owed)
		return 0;
	w->tally.stat_reads++;
	node = files_clean(w->files.node_stat, w->files.machine, w->files.unified);
	best_effort = files_clean(w->files.stat, false, w->files.unified);
	return node < 0 || best_effort < 0 ? 0 : node - best_effort - w->input.clean;
}

static void tally_sample(struct watch *w, u64 now, s64 others)
{
	struct tally *t = &w->tally;
	u64 gap = w->sampled_at ? now - w->sampled_at : 0, took = now_ns() - now;

	t->samples++;
	t->longest_gap = gap > t->longest_gap ? gap : t->longest_gap;
	t->longest_sample = took > t->longest_sample ? took : t->longest_sample;
	t->took += w->d.move == UA_LIMIT_TAKE;
	t->kept += w->d.move == UA_LIMIT_KEEP;
	t->gave += w->d.move == UA_LIMIT_GIVE;
	t->lowest = t->samples == 1 ? w->law.limit : ua_limit_min(t->lowest, w->law.limit);
	t->highest = ua_limit_max(t->highest, w->law.limit);
	if (w->sampled_at)
		t->growth = ua_limit_max(t->growth, others - w->last_others);
	w->last_others = others;
	w->sampled_at = now;
}

static void take_sample(struct watch *w)
{
	u64 now = now_ns();
	s64 before = w->use;
	struct ua_limit_sample l = { .now = now };

	/*
	 * Best-effort is read first: memory that it allocates between the two reads counts as the others',
	 * never the other way round.
	 */
	l.best_effort = file_read_number(w->files.use);
	l.node = files_node_use(&w->files);
	if (l.best_effort < 0 || l.node < 0)
		fail(EXIT_STATE, "%s can no longer be read: %s", w->files.path,
		     strerror(-(l.best_effort < 0 ? l.best_effort : l.node)));
	l.clean_grown = clean_grown(w, &l);
	w->silent = now - w->received_at > SILENT_NS;
	w->d = ua_limit_decide(&w->law, &l, &w->input.basis, !w->silent);
	w->use = l.best_effort;
	w->node = l.node;
	note_uncovered(w, now);
	if (w->input.enforce)
		enforce(w, before ? l.best_effort - before : 0);
	else
		w->steps.due = false;
	freeze_or_thaw(w, now);
	w->dirty.limit = w->input.enforce && w->input.dirty_percent && !w->silent ?
				ua_limit_max(MIN_DIRTY, ua_limit_enforced(&w->law) / 100 * w->input.dirty_percent) :
				-1;
	tally_sample(w, now, ua_limit_others(&l, &w->input.basis));
	if (now - w->reported_at < REPORT_NS)
		return;
	/* Another process may have changed the limit. */
	l.node = file_read_number(w->files.limit);
	if (l.node >= 0)
		w->steps.limit = l.node;
	if (w->input.enforce)
		sem_post(&w->steps.wake);
	report(w, now);
}

/* ---- input --------------------------------------------------------------------------------------- */

static void handle_line(struct watch *w, char *line)
{
	struct limit_input input;
	struct ua_error error;

	if (basis_parse(line, &input, &error)) {
		report_refusal(w, &error);
		return;
	}
	w->input = input;
	w->received = true;
	w->received_at = now_ns();
	if (input.swap_limit != atomic_exchange(&w->steps.swap_limit, input.swap_limit))
		w->steps.again = true;
	w->steps.swappiness = input.swappiness;
}

static void read_input(struct watch *w)
{
	char text[MAX_LINE];
	ssize_t got = read(STDIN_FILENO, text, sizeof(text));

	if (got <= 0) {
		w->ended = got == 0 || (errno != EINTR && errno != EAGAIN);
		return;
	}
	for (ssize_t i = 0; i < got; i++) {
		if (text[i] == '\n') {
			w->line[w->length] = 0;
			if (!w->skipping)
				handle_line(w, w->line);
			w->length = 0;
			w->skipping = false;
		} else if (w->length == sizeof(w->line) - 1) {
			struct ua_error error;

			refuse(&error, EXIT_USAGE, "a line is longer than %d characters", MAX_LINE - 1);
			report_refusal(w, &error);
			w->skipping = true;
			w->length = 0;
		} else if (!w->skipping) {
			w->line[w->length++] = text[i];
		}
	}
}

/* Reads standard input until the next sample is due. Missed samples are not made up for. */
static void read_input_until(struct watch *w, u64 due)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };

	while (!w->ended && !end_requested) {
		u64 now = now_ns(), left = due > now ? due - now : 0;
		struct timespec wait = { left / 1000000000, left % 1000000000 };
		int ready = ppoll(&in, 1, &wait, NULL);

		if (ready > 0)
			read_input(w);
		else if (ready < 0 && errno != EINTR)
			fail(EXIT_FAILED, "standard input: %s", strerror(errno));
		if (now_ns() >= due)
			return;
	}
}

/* ---- commands ------------------------------------------------------------------------------------ */

static void become_real_time(struct watch *w)
{
	struct sched_param parameters = { .sched_priority = PRIORITY };

	/* Before the capabilities are dropped; no thread is started after this. */
	w->real_time = !sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &parameters) ||
		       !take_processor_share(SHARE_NS, SAMPLE_NS);
	if (!w->real_time)
		warn("no real-time priority (%s): samples may be late on a busy machine; give CAP_SYS_NICE or RLIMIT_RTPRIO %d",
		     strerror(errno), PRIORITY);
	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		warn("memory is not locked (%s): samples may be late when memory is short", strerror(errno));
	/* Root keeps its capabilities: best-effort's cgroups may belong to another user. */
	if (getuid())
		drop_capabilities();
}

static void report_ready(struct watch *w)
{
	char text[MAX_REPORT];
	s64 limit = w->steps.limit;
	int length = snprintf(text, sizeof(text),
			      "{\"event\":\"ready\",\"cgroupVersion\":%d,\"limitBytes\":%lld,\"realTime\":%s,"
			      "\"setsWithoutBlocking\":%s,\"countsSwap\":%s,\"mayFreeze\":%s,\"growsOnRequest\":true,"
			      "\"limitsSwapAlone\":true}\n",
			      w->files.unified ? 2 : 1, (long long)(limit == UA_LIMIT_NONE ? -1 : limit),
			      w->real_time ? "true" : "false", w->files.non_blocking ? "true" : "false",
			      w->files.swap_limit >= 0 ? "true" : "false", w->files.freezer >= 0 ? "true" : "false");

	write_report(w, text, length);
}

static void start(struct watch *w, const struct limited *l, struct ua_error *error)
{
	struct sigaction action = { .sa_handler = request_end };
	s64 limit;

	if (files_open(l, &w->files, error) || files_lock(&w->files, error))
		fail(error->code, "%s", error->text);
	limit = file_read_number(w->files.limit);
	if (limit < 0)
		fail(EXIT_FAILED, "%s: cannot read its limit: %s", w->files.path, strerror(-limit));
	/* An earlier process may have been killed while best-effort was frozen. */
	if (w->files.freezer >= 0)
		file_write_number(w->files.freezer, 0);
	w->steps.limit = limit;
	w->steps.swap_limit = w->steps.swappiness = -1;
	w->law = (struct ua_limit_law){ .limit = limit };
	signal(SIGPIPE, SIG_IGN);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	if (steps_start(&w->steps, &w->files, error) || dirty_start(&w->dirty, &w->files, error))
		fail(error->code, "%s", error->text);
	if (write_timer_init(&w->timer))
		fail(EXIT_FAILED, "cannot create a timer: %s", strerror(errno));
	become_real_time(w);
}

int command_memory_limit(const struct limited *l)
{
	static struct watch w;
	struct ua_error error;
	u64 due;

	start(&w, l, &error);
	report_ready(&w);
	due = now_ns();
	while (!w.ended && !end_requested) {
		read_input_until(&w, due);
		if (w.ended || end_requested)
			break;
		if (w.received)
			take_sample(&w);
		due = ua_limit_max(due + SAMPLE_NS, now_ns());
	}
	w.dirty.limit = -1;
	if (w.frozen)
		file_write_number(w.files.freezer, 0);
	steps_end(&w.steps);
	return EXIT_OK;
}

/* Restores the previous limit, or removes it, when best-effort ends. */
int command_memory_limit_remove(const struct limited *l, u64 bytes)
{
	struct limit_files files;
	struct ua_error error;
	s64 limit = bytes ? (s64)bytes : UA_LIMIT_NONE;
	int code;

	if (getuid())
		drop_capabilities();
	if (files_open(l, &files, &error) || files_lock(&files, &error))
		fail(error.code, "%s", error.text);
	/* The limit goes last: as long as there is one, its removal is tried again. */
	code = files.high >= 0 ? file_write_number(files.high, UA_LIMIT_NONE) : 0;
	if (!code && files.unified)
		code = files_limit_swap(&files, UA_LIMIT_NONE);
	if (!code)
		code = files_set_limit(&files, limit, files.unified ? -1 : UA_LIMIT_NONE);
	if (!code && files.freezer >= 0)
		code = file_write_number(files.freezer, 0);
	if (code)
		fail(EXIT_FAILED, "%s: cannot remove the limit: %s", files.path, strerror(-code));
	return EXIT_OK;
}

/*
 * Runs only the law, on numbers from standard input: "law LIMIT" starts anew; "sample
 * ..." prints "LIMIT MOVE DUE FREE EXCESS".
 */
int command_memory_limit_rules(void)
{
	static const char *const moves[] = { "STAY", "TAKE", "KEEP", "GIVE" };
	struct ua_limit_law law = { .limit = UA_LIMIT_NONE };
	char line[MAX_LINE];

	while (fgets(line, sizeof(line), stdin)) {
		struct ua_limit_decision d;
		struct ua_limit_basis b;
		struct ua_limit_sample l;
		long long v[11], limit;
		int grow, raise;

		if (sscanf(line, "law %lld", &limit) == 1) {
			law = (struct ua_limit_law){ .limit = limit };
			continue;
		}
		if (sscanf(line, "sample %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %d %d", &v[0], &v[1], &v[2],
			   &v[3], &v[4], &v[5], &v[6], &v[7], &v[8], &v[9], &v[10], &grow, &raise) != 13)
			fail(EXIT_USAGE, "memory-limit rules: give `law` or `sample` with its numbers");
		l = (struct ua_limit_sample){ v[0], v[1], v[2], v[3] };
		b = (struct ua_limit_basis){ v[4], v[5], v[6], v[7], v[8], v[9], v[10], grow };
		d = ua_limit_decide(&law, &l, &b, raise);
		printf("%lld %s %lld %lld %lld\n", (long long)law.limit, moves[d.move], (long long)d.due, (long long)d.free,
		       (long long)d.excess);
		fflush(stdout);
	}
	return EXIT_OK;
}
