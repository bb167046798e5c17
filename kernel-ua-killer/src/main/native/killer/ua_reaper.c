// SPDX-License-Identifier: Apache-2.0
/*
 * The helper. A killed process has to be scheduled before it frees its memory, on CPUs that thrash. The helper,
 * in locked memory and at real-time priority, frees it with process_mrelease() instead (300 MB: 43 ms instead
 * of 130 ms, p50 on 2 cores). It also carries out decisions made by kswapd alone, kills where the kernel
 * cannot, signals processes forked during the kernel's pass, and records when a container had become empty.
 */
#include "ua_helper.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define QUEUE 1024
#define PRIORITY 50
#define STACK (128 * 1024)
#define OBSERVE_NS 5000000000ULL /* how long a victim is observed */
#define OBSERVE_STEP_US 1000
#define FORGET_NS 5000000000ULL /* between two checks for containers that are gone */
#define REPORT_OWED_NS 10000000000ULL /* between two messages about owed memory */
#define REPORT_STALE_NS 10000000000ULL /* between two messages about stale events */
#define REFRESH_NS 500000000ULL  /* between two checks for killable roots that were created again */
#define MAX_WORKERS 4
#define OBSERVERS UA_MAX_DOMAINS /* one per domain: a victim that does not exit must not delay those of other domains */
#define SYS_MRELEASE 448

struct job {
	u64 sequence;
	u64 container;
	int pidfd;
};

static struct job queue[QUEUE];
static unsigned int queue_head, queue_tail;
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t queue_filled = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t release_lock = PTHREAD_MUTEX_INITIALIZER;
static int releases_map = -1, decisions_map = -1, helper_map = -1, containers_map = -1, handover_program = -1;
static volatile bool stopping;
static bool may_release;
static const struct options *options;

/* ---- the record ---------------------------------------------------------------------------------- */

static void change_release(u64 sequence, void (*change)(struct ua_release *r, u64 number), u64 number)
{
	u32 entry = sequence % UA_DECISIONS;
	struct ua_release r;

	pthread_mutex_lock(&release_lock);
	if (!bpf_map_lookup_elem(releases_map, &entry, &r)) {
		if (r.sequence != sequence) {
			memset(&r, 0, sizeof(r));
			r.sequence = sequence;
		}
		change(&r, number);
		bpf_map_update_elem(releases_map, &entry, &r, BPF_ANY);
	}
	pthread_mutex_unlock(&release_lock);
}

static void note_process(struct ua_release *r, u64 released)
{
	u64 now = now_ns();

	if (!r->first_ns)
		r->first_ns = now;
	r->last_ns = now;
	r->processes++;
	if (released)
		r->released++;
	else
		r->already_gone++;
}

static void note_signals(struct ua_release *r, u64 count)
{
	r->signals += count;
}

static void note_gone(struct ua_release *r, u64 memory)
{
	r->gone_ns = now_ns();
	r->memory_after = memory;
}

/* ---- workers ------------------------------------------------------------------------------------- */

static void submit(u64 sequence, u64 container, int pidfd)
{
	pthread_mutex_lock(&queue_lock);
	if (queue_head - queue_tail < QUEUE) {
		queue[queue_head++ % QUEUE] = (struct job){ sequence, container, pidfd };
		pthread_cond_signal(&queue_filled);
	} else if (pidfd >= 0) {
		close(pidfd); /* the process frees its memory itself, later */
	}
	pthread_mutex_unlock(&queue_lock);
}

/* Frees the memory of a dying process, or waits until the process has done so. */
static void release(const struct job *job)
{
	struct pollfd gone = { .fd = job->pidfd, .events = POLLIN };
	u64 limit = now_ns() + OBSERVE_NS;
	bool released = false;

	while (now_ns() < limit) {
		if (may_release && !syscall(SYS_MRELEASE, job->pidfd, 0)) {
			released = true;
			break;
		}
		/*
		 * EAGAIN: its address space is locked. ESRCH: it has left its address space, which is being
		 * freed. EINVAL: it is not dying yet.
		 */
		if (poll(&gone, 1, 1) > 0)
			break;
	}
	close(job->pidfd);
	change_release(job->sequence, note_process, released);
}

/* Observes a victim until its container is empty, and kills processes that the kernel's pass missed. */
static void observe_victim(const struct job *job)
{
	char path[PATH_MAX];
	u64 start = now_ns(), memory = 0;
	int step = 0, signals = 0;

	while (!cgroup_gone(job->container)) {
		bool found = cgroup_path(job->container, path, sizeof(path));

		if (found && cgroup_empty(path)) {
			memory = cgroup_memory(path);
			break;
		}
		if (now_ns() - start > OBSERVE_NS)
			return;
		if (++step % 16 == 0 && found) /* dying processes are still listed; wait before signalling again */
			signals += cgroup_signal(path, NULL, NULL);
		usleep(OBSERVE_STEP_US);
	}
	if (signals)
		change_release(job->sequence, note_signals, signals);
	change_release(job->sequence, note_gone, memory);
}

static void *worker(void *unused)
{
	for (;;) {
		struct job job;

		pthread_mutex_lock(&queue_lock);
		while (queue_head == queue_tail)
			pthread_cond_wait(&queue_filled, &queue_lock);
		job = queue[queue_tail++ % QUEUE];
		pthread_mutex_unlock(&queue_lock);
		release(&job);
	}
	return NULL;
}

static struct job observe_queue[UA_MAX_DOMAINS * 2];
static int observe_count;
static pthread_mutex_t observe_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t observe_filled = PTHREAD_COND_INITIALIZER;

static void submit_observation(u64 sequence, u64 container)
{
	static u64 taken[UA_DECISIONS]; /* the decisions of two domains may be carried out out of order */

	pthread_mutex_lock(&observe_lock);
	if (taken[sequence % UA_DECISIONS] < sequence && observe_count < UA_MAX_DOMAINS * 2) {
		taken[sequence % UA_DECISIONS] = sequence;
		observe_queue[observe_count++] = (struct job){ sequence, container, -1 };
		pthread_cond_signal(&observe_filled);
	}
	pthread_mutex_unlock(&observe_lock);
}

static void *observer(void *unused)
{
	for (;;) {
		struct job job;

		pthread_mutex_lock(&observe_lock);
		while (!observe_count)
			pthread_cond_wait(&observe_filled, &observe_lock);
		job = observe_queue[0];
		memmove(observe_queue, observe_queue + 1, --observe_count * sizeof(job));
		pthread_mutex_unlock(&observe_lock);
		observe_victim(&job);
	}
	return NULL;
}

/* ---- events -------------------------------------------------------------------------------------- */

struct kill_job {
	u64 sequence, container;
};

static void signalled(s32 pid, void *argument)
{
	struct kill_job *k = argument;
	int fd = syscall(SYS_pidfd_open, pid, 0);

	if (fd >= 0)
		submit(k->sequence, k->container, fd);
}

/* If the domain's root can be opened, a container that cannot be opened is really gone. */
static bool is_removed(u64 id, const void *unused)
{
	struct ua_container c;
	char path[PATH_MAX];

	return !bpf_map_lookup_elem(containers_map, &id, &c) && cgroup_path(c.domain, path, sizeof(path)) && cgroup_gone(id);
}

/* Removes the registrations of containers that ended while no NodeManager was running; they would fill the table. */
static void forget_removed(void)
{
	delete_keys(containers_map, is_removed, NULL);
}

/* Shows that the helper is alive, which matters to users of tiers 2 and 3, because these need it. */
static void reaper_alive(void)
{
	static u64 forget_ns, refresh_ns;
	struct ua_helper alive = { .alive_ns = now_ns(), .pid = getpid() };
	u32 zero = 0;

	socket_agents(alive.agents);
	bpf_map_update_elem(helper_map, &zero, &alive, BPF_ANY);
	notify_alive();
	if (alive.alive_ns > refresh_ns) {
		refresh_ns = alive.alive_ns + REFRESH_NS;
		killable_refresh(options);
	}
	if (alive.alive_ns > forget_ns) {
		forget_ns = alive.alive_ns + FORGET_NS;
		forget_removed();
	}
}

/* The helper's own kill, in tiers 2 and 3. */
static void reaper_kill(u64 container, u64 sequence)
{
	struct kill_job k = { sequence, container };
	u32 entry = sequence % UA_DECISIONS;
	struct ua_container registered;
	struct ua_decision d;
	char path[PATH_MAX];
	u64 first = now_ns();
	int count;

	if (bpf_map_lookup_elem(containers_map, &container, &registered) || !(registered.flags & UA_KILLABLE))
		return; /* promoted, or removed by the NodeManager, since it was chosen */
	if (!cgroup_path(container, path, sizeof(path))) {
		warn("container %llu disappeared before it could be killed", container);
		return;
	}
	count = cgroup_signal(path, signalled, &k);
	if (!bpf_map_lookup_elem(decisions_map, &entry, &d) && d.sequence == sequence) {
		if (!d.first_signal_ns) {
			d.first_signal_ns = first;
			d.last_signal_ns = now_ns();
			d.executor = UA_BY_HELPER;
		}
		d.signals += count;
		d.passes++;
		bpf_map_update_elem(decisions_map, &entry, &d, BPF_EXIST);
	}
	change_release(sequence, note_signals, count);
	submit_observation(sequence, container);
	reaper_alive(); /* several kills may follow one another, and each container may hold many cgroups */
}

/* Reported only once in a while; `status` has the numbers. */
static void report_owed(u64 container, u64 now)
{
	static u64 reported_ns;
	char path[PATH_MAX];

	if ((reported_ns && now - reported_ns < REPORT_OWED_NS) || !cgroup_path(container, path, sizeof(path)))
		return;
	reported_ns = now;
	warn("%s holds less memory than it is entitled to, and no memory is free", path);
}

/*
 * Whether an event is too old. Events wait while no helper runs, for any length of time. The victim of that
 * time is not the right one now, and process numbers may have been reused. While the shortage lasts, each pass
 * asks again.
 */
static bool is_stale(const struct ua_event *e)
{
	static u64 reported_ns;
	u64 now = now_ns(), age = now > e->ns ? now - e->ns : 0;

	if (age <= (e->kind == UA_EVENT_SIGNALLED ? OBSERVE_NS : UA_CARRY_OUT_MS * 1000000ULL))
		return false;
	if (!reported_ns || now - reported_ns > REPORT_STALE_NS) {
		reported_ns = now;
		warn("ignoring a request made %llu ms ago, while no helper was running", age / 1000000);
	}
	return true;
}

static int handle(void *unused, void *data, size_t size)
{
	const struct ua_event *e = data;
	int fd;

	if (size < sizeof(*e) || is_stale(e))
		return 0;
	switch (e->kind) {
	case UA_EVENT_SIGNALLED:
		fd = syscall(SYS_pidfd_open, e->pid, 0);
		if (fd >= 0)
			submit(e->sequence, e->container, fd);
		else
			change_release(e->sequence, note_process, false);
		submit_observation(e->sequence, e->container);
		break;
	case UA_EVENT_HANDOVER:
		run_program(handover_program, NULL, 0);
		break;
	case UA_EVENT_OWED:
		report_owed(e->container, e->ns);
		break;
	case UA_EVENT_KILL:
		reaper_kill(e->container, e->sequence);
		break;
	}
	return 0;
}

/* ---- start --------------------------------------------------------------------------------------- */

static void stop(int signal)
{
	stopping = true;
}

static void start_thread(void *(*body)(void *))
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK);
	if (pthread_create(&thread, &attributes, body, NULL))
		fail(EXIT_FAILED, "cannot start a thread: %s", strerror(errno));
	pthread_attr_destroy(&attributes);
}

static void become_real_time(void)
{
	struct sched_param priority = { .sched_priority = PRIORITY };

	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		warn("memory is not locked (%s): under pressure the helper itself may be paged out; give it CAP_IPC_LOCK",
		     strerror(errno));
	if (sched_setscheduler(0, SCHED_FIFO, &priority))
		warn("no real-time priority (%s): releases will be late on busy CPUs; give it CAP_SYS_NICE", strerror(errno));
}

/* One helper per set of pins: two would split the events between them. */
static void lock_reaper(const struct options *o)
{
	char directory[PATH_MAX];
	int fd;

	pin_directory(o, directory, sizeof(directory));
	fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		fail(EXIT_STATE, "%s: %s; run `ua-killer load` first", directory, strerror(errno));
	if (flock(fd, LOCK_EX | LOCK_NB))
		fail(EXIT_STATE, "%s: a helper is running already", directory);
}

static void run_event_loop(const struct options *o, u64 loaded_ns, struct ring_buffer *ring)
{
	while (!stopping) {
		int got = ring_buffer__poll(ring, 500);

		reaper_alive();
		if (got < 0 && got != -EINTR)
			fail(EXIT_FAILED, "event ring: %s", strerror(-got));
		if (!is_current(o, loaded_ns))
			break;
	}
}

int command_reap(const struct options *o)
{
	static const struct detector_actions actions = { .alive = reaper_alive, .kill = reaper_kill };
	struct sigaction action = { .sa_handler = stop };
	struct ua_control control;
	struct ring_buffer *ring;
	int workers = o->threads ? o->threads : (int)sysconf(_SC_NPROCESSORS_ONLN);
	struct maps m;

	if (geteuid())
		fail(EXIT_PERMISSION, "reap needs root (it releases the memory of other users' processes)");
	allow_many_files(); /* each queued process is held by one */
	notify_open();
	lock_reaper(o);
	may_release = !o->no_release;
	options = o;
	open_maps(o, &m);
	control = read_control(m.control);
	if (control.programs != own_programs())
		warn("the loaded programs are of another build of ua-killer, because `load` was not run or failed");
	releases_map = open_pin(o, "releases", true);
	decisions_map = open_pin(o, "decisions", true);
	helper_map = open_pin(o, "helper", true);
	containers_map = open_pin(o, "containers", true);
	if (control.tier != UA_TIER_USER)
		handover_program = open_pin(o, "handover", true);
	ring = ring_buffer__new(open_pin(o, "work", true), handle, NULL, NULL);
	if (libbpf_get_error(ring))
		fail(EXIT_FAILED, "event ring: %s", strerror(errno));
	memory_mount();
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	if (o->socket)
		socket_serve(o);
	become_real_time();
	if (workers > MAX_WORKERS && !o->threads)
		workers = MAX_WORKERS;
	for (int i = 0; i < workers; i++)
		start_thread(worker);
	for (int i = 0; i < OBSERVERS; i++)
		start_thread(observer);
	reaper_alive();
	if (!o->json)
		printf("helper for tier %u is ready\n", control.tier);
	fflush(stdout);
	if (control.tier == UA_TIER_USER)
		user_detector_run(o, &actions, &stopping);
	else
		run_event_loop(o, control.loaded_ns, ring);
	ring_buffer__free(ring);
	if (o->socket)
		unlink(o->socket);
	if (stopping)
		return EXIT_OK;
	if (is_loaded(o)) {
		warn("the kernel killer was loaded anew: the helper exits, and must be started again");
		return EXIT_OK;
	}
	warn("the kernel killer was unloaded: the helper exits");
	return EXIT_UNLOADED;
}
