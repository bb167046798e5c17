// SPDX-License-Identifier: Apache-2.0
/*
 * Counts cycles and instructions of the foreground. Each CPU has one group of two events
 *
 *   for the whole node, and one for best-effort's cgroup, which is subtracted; or
 *   for each cgroup of the foreground.
 *
 * Each line on standard input is a request. The reply is one line on standard output: the counts since the
 * previous reply. End of file on standard input ends the process, so it never outlives its caller. Capabilities
 * are dropped before the first reply.
 */
#include "ua_counters.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WHOLE_CPU (-1) /* passed instead of a cgroup */
#define APART_NS 50000000ULL /* between two replies: too coarse to read secrets of other processes from the counts */

enum { CYCLES, INSTRUCTIONS, EVENTS };

static const u32 hardware[EVENTS] = { PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS };
static const u32 software[EVENTS] = { PERF_COUNT_SW_CPU_CLOCK, PERF_COUNT_SW_PAGE_FAULTS };

/* The layout in which the kernel returns the counts of a group. */
struct reading {
	u64 events, enabled, running;
	u64 value[EVENTS];
};

struct group {
	int fd[EVENTS]; /* one read of the first event returns both */
	bool subtracted;
	struct reading last;
};

struct groups {
	struct group *group;
	int count;
};

struct totals {
	double value[EVENTS];
	u64 enabled, running;
};

/* ---- cgroups ------------------------------------------------------------------------------------- */

/*
 * With file capabilities, users other than root run this. Best-effort's cgroup is writable only for the user
 * that runs the node, so write access to it identifies a permitted caller.
 */
static int require_caller(const struct counted *c, int best_effort, struct ua_error *error)
{
	return faccessat(best_effort, ".", W_OK, 0) ?
		       refuse(error, EXIT_PERMISSION, "--cgroup %s: counting needs write permission on best-effort's cgroup",
			      c->best_effort) :
		       EXIT_OK;
}

/* ---- events -------------------------------------------------------------------------------------- */

static int open_event(const struct counted *c, int event, int cgroup, int cpu, int leader)
{
	struct perf_event_attr attribute = {
		.size = sizeof(attribute),
		.type = c->software ? PERF_TYPE_SOFTWARE : PERF_TYPE_HARDWARE,
		.config = (c->software ? software : hardware)[event],
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};

	return syscall(SYS_perf_event_open, &attribute, cgroup, cpu, leader,
		       PERF_FLAG_FD_CLOEXEC | (cgroup == WHOLE_CPU ? 0 : PERF_FLAG_PID_CGROUP));
}

static void read_paranoid(char *text, size_t size)
{
	FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "re");

	if (!file || !fgets(text, size, file))
		snprintf(text, size, "unknown");
	if (file)
		fclose(file);
	text[strcspn(text, "\n")] = 0;
}

static int explain(const char *where, int number, struct ua_error *error)
{
	char paranoid[16];

	switch (number) {
	case EACCES:
	case EPERM:
		read_paranoid(paranoid, sizeof(paranoid));
		return refuse(error, EXIT_PERMISSION,
			      "perf events are refused: %s; this needs CAP_PERFMON (Linux 5.8), or kernel.perf_event_paranoid (%s) at 0 or below",
			      strerror(number), paranoid);
	case ENOSYS:
		return refuse(error, EXIT_STATE, "the kernel has no perf events (CONFIG_PERF_EVENTS)");
	case EMFILE:
	case ENFILE:
		return refuse(error, EXIT_FAILED, "%s: %s; counting needs two file descriptors per CPU and cgroup", where, strerror(number));
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		return refuse(error, EXIT_STATE,
			      "this machine has no counters of cycles and instructions (%s); most virtual machines have none",
			      strerror(number));
	default:
		return refuse(error, EXIT_FAILED, "%s: cycles and instructions cannot be counted: %s", where, strerror(number));
	}
}

static void close_group(const struct group *g)
{
	for (int i = 0; i < EVENTS; i++)
		if (g->fd[i] >= 0)
			close(g->fd[i]);
}

/* Opens both events or neither; on failure, errno holds the reason. */
static bool open_group(const struct counted *c, int cgroup, int cpu, struct group *g)
{
	int reason;

	g->fd[CYCLES] = open_event(c, CYCLES, cgroup, cpu, -1);
	g->fd[INSTRUCTIONS] = g->fd[CYCLES] < 0 ? -1 : open_event(c, INSTRUCTIONS, cgroup, cpu, g->fd[CYCLES]);
	if (g->fd[INSTRUCTIONS] >= 0)
		return true;
	reason = errno;
	close_group(g);
	errno = reason;
	return false;
}

/*
 * Checks whether the whole node can be counted at all. A failure here is due to the machine; a failure after it
 * is due to a cgroup.
 */
static int probe(const struct counted *c, struct ua_error *error)
{
	int cpus = sysconf(_SC_NPROCESSORS_CONF);
	struct group g = {};

	for (int cpu = 0; cpu < cpus; cpu++) {
		if (open_group(c, WHOLE_CPU, cpu, &g)) {
			close_group(&g);
			return EXIT_OK;
		}
		if (errno != ENODEV) /* ENODEV: the CPU is offline */
			break;
	}
	return explain("the node", errno, error);
}

static int explain_cgroup(const char *name, int cgroup, int number, struct ua_error *error)
{
	if (cgroup == WHOLE_CPU || (number != ENOENT && number != EBADF))
		return explain(name, number, error);
	return refuse(error, EXIT_STATE,
		      "%s: not a cgroup of perf events: on v1, perf_event has its own hierarchy; on v2, the root's cgroup.subtree_control must have enabled a controller before",
		      name);
}

static int add_group(const struct counted *c, struct groups *all, const char *name, int cgroup, int cpu, bool subtracted,
		     struct ua_error *error)
{
	struct group *grown, made = { .subtracted = subtracted };

	if (!open_group(c, cgroup, cpu, &made))
		return errno == ENODEV ? EXIT_OK : explain_cgroup(name, cgroup, errno, error);
	grown = realloc(all->group, (all->count + 1) * sizeof(*grown));
	if (!grown)
		return refuse(error, EXIT_FAILED, "out of memory");
	all->group = grown;
	grown[all->count++] = made;
	return EXIT_OK;
}

static int add_groups(const struct counted *c, struct groups *all, const char *name, int cgroup, bool subtracted,
		      struct ua_error *error)
{
	int cpus = sysconf(_SC_NPROCESSORS_CONF);

	for (int cpu = 0; cpu < cpus; cpu++)
		if (add_group(c, all, name, cgroup, cpu, subtracted, error))
			return error->code;
	return EXIT_OK;
}

static int add_foreground(const struct counted *c, struct groups *all, const char *path, struct ua_error *error)
{
	int fd = open_cgroup_at("--foreground", path, NULL, error), code;

	if (fd < 0)
		return error->code;
	code = add_groups(c, all, path, fd, false, error);
	close(fd);
	return code;
}

static int open_all(const struct counted *c, struct groups *all, struct ua_error *error)
{
	int best_effort = open_cgroup_at("--cgroup", c->best_effort, NULL, error), code;

	if (best_effort < 0)
		return error->code;
	code = require_caller(c, best_effort, error);
	if (!code)
		code = probe(c, error);
	/* Best-effort comes first: it is read before the node and so never exceeds the node's count. */
	if (!code && !c->foregrounds)
		code = add_groups(c, all, c->best_effort, best_effort, true, error);
	close(best_effort);
	if (!code && !c->foregrounds)
		code = add_groups(c, all, "the node", WHOLE_CPU, false, error);
	for (int i = 0; !code && i < c->foregrounds; i++)
		code = add_foreground(c, all, c->foreground[i], error);
	return code;
}

/* ---- replies ------------------------------------------------------------------------------------- */

/*
 * If other perf users compete for the hardware counters, an event is counted for only a part of the time. The
 * count is scaled up to the whole time.
 */
static void add(struct group *g, struct totals *totals)
{
	struct reading now;
	u64 enabled, running;

	if (read(g->fd[CYCLES], &now, sizeof(now)) != sizeof(now))
		fail(EXIT_FAILED, "cannot read the counters: %s", strerror(errno));
	enabled = now.enabled - g->last.enabled;
	running = now.running - g->last.running;
	for (int i = 0; running && i < EVENTS; i++) {
		double counted = (double)(now.value[i] - g->last.value[i]) * enabled / running;

		totals->value[i] += g->subtracted ? -counted : counted;
	}
	totals->enabled += enabled;
	totals->running += running;
	g->last = now;
}

static void print_totals(struct groups *all, bool json)
{
	struct totals totals = {};
	u64 value[EVENTS];

	for (int i = 0; i < all->count; i++)
		add(&all->group[i], &totals);
	for (int i = 0; i < EVENTS; i++)
		value[i] = totals.value[i] > 0 ? totals.value[i] : 0;
	printf(json ? "{\"cycles\":%llu,\"instructions\":%llu,\"enabledNanos\":%llu,\"runningNanos\":%llu}\n" :
			 "%llu %llu %llu %llu\n",
	       value[CYCLES], value[INSTRUCTIONS], totals.enabled, totals.running);
	fflush(stdout);
}

static void open_or_fail(const struct counted *c, struct groups *all)
{
	struct ua_error error;

	allow_many_files(); /* a machine may have many CPUs */
	use_capability(CAP_PERFMON);
	if (open_all(c, all, &error))
		fail(error.code, "%s", error.text);
	drop_capabilities();
}

int command_counters(const struct counted *c, bool json)
{
	struct groups all = {};
	u64 replied = 0;
	int letter;

	open_or_fail(c, &all);
	while ((letter = getchar()) != EOF) {
		u64 now = now_ns();

		if (letter != '\n')
			continue;
		if (now - replied < APART_NS)
			usleep((APART_NS - (now - replied)) / 1000);
		print_totals(&all, json);
		replied = now_ns();
	}
	return EXIT_OK;
}

/* Some virtual machines expose counters that never advance. */
int command_counters_self_test(const struct counted *c, bool json)
{
	struct groups all = {};
	struct totals totals = {};
	u64 start = now_ns();

	open_or_fail(c, &all);
	if (!c->foregrounds && !c->software) {
		while (now_ns() - start < APART_NS)
			;
		for (int i = 0; i < all.count; i++)
			if (!all.group[i].subtracted)
				add(&all.group[i], &totals);
		if (totals.value[CYCLES] <= 0 || totals.value[INSTRUCTIONS] <= 0)
			fail(EXIT_STATE, "the counters of cycles and instructions do not advance on this machine");
	}
	if (json)
		printf("{\"passed\":true}\n");
	else
		printf("cycles and instructions of the foreground can be counted\n");
	return EXIT_OK;
}
