// SPDX-License-Identifier: Apache-2.0
/*
 * Tier 3: the same rules, fed from memory.stat, for kernels that allow no BPF programs. The maps are the same,
 * so that readers see no difference. But a poller sees thrash later than the reclaiming process does, and is
 * itself slowed by it. It sleeps while the kernel signals no memory pressure (PSI).
 */
#include "ua_helper.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ua_rules.h"

#define PRESSURE "/proc/pressure/memory"
/*
 * Some process stalled for 20 ms within 2 s. Without CAP_SYS_RESOURCE, the kernel demands windows in multiples
 * of 2 s since Linux 6.5, and permits none before.
 */
#define PRESSURE_TRIGGER "some 20000 2000000"
#define AWAKE_NS 5000000000ULL /* after a signal: while the pressure lasts, there is one signal per window */
#define SLEEP_MS 500           /* the helper has to be seen alive even while it sleeps or rests */
/* rest this many times as long as passes take: at real-time priority they may use a tenth of a CPU */
#define REST 9

/* How often a cgroup has reached its limits so far. */
static u64 limit_hits(const char *path)
{
	u64 value = 0, more;

	if (memory_unified()) {
		if (cgroup_number(path, "memory.events.local", "max", &more))
			value += more;
		if (cgroup_number(path, "memory.events.local", "high", &more))
			value += more;
	} else if (cgroup_number(path, "memory.failcnt", NULL, &more)) {
		value += more;
	}
	return value;
}

/* The same for the domain's root, plus the pages scanned by kswapd for the whole machine. */
static u64 pressure_of(const char *root)
{
	u64 value = limit_hits(root), more;

	if (cgroup_number("/proc", "vmstat", "pgscan_kswapd", &more))
		value += more;
	return value;
}

static bool is_recent(u64 moment, u64 now, u64 flat_ns)
{
	return moment && now - moment <= flat_ns;
}

/*
 * Whether the domain, or a cgroup around best-effort in it, recently reached its limit. The first value is
 * older than the helper and does not count.
 */
static bool is_pressured(u64 pressure, u64 *reclaims, u64 *reclaim_ns, u64 now, u64 flat_ns)
{
	if (pressure != *reclaims && *reclaims)
		*reclaim_ns = now;
	*reclaims = pressure;
	return is_recent(*reclaim_ns, now, flat_ns);
}

/* How often the container has reached its own limit so far. */
static u64 own_limit(const char *path)
{
	u64 value = 0;

	if (memory_unified())
		cgroup_number(path, "memory.events.local", "max", &value);
	else
		cgroup_number(path, "memory.failcnt", NULL, &value);
	return value;
}

static u64 refaults(const char *path, u32 kind, u32 series)
{
	static const char *const names[3][UA_SERIES] = {
		{ "workingset_refault_anon", "workingset_refault_file" },
		{ "workingset_activate_anon", "workingset_activate_file" },
		{ "workingset_restore_anon", "workingset_restore_file" },
	};
	char key[64];
	u64 value = 0;

	snprintf(key, sizeof(key), "%s%s", memory_unified() ? "" : "total_", names[ua_within(kind, 0, UA_REFAULTS_WORKINGSET)][series]);
	if (!cgroup_number(path, "memory.stat", key, &value) && kind != UA_REFAULTS_ANY)
		return refaults(path, UA_REFAULTS_ANY, series); /* cgroup v1 has no other counters */
	return value;
}

struct detector {
	const struct detector_actions *actions;
	struct maps m;
	u32 ignored; /* registrations ignored in this pass */
	u32 table_full; /* entries that this pass could not add */
	u32 others; /* candidates other than the one that thrashes that want memory */
	int states, domain_states, walls;
	u64 sequence;
	u64 interval_ns; /* from one pass to the next, by the duration of the last one */
	struct ua_container_state *state;
};

/* Adds or changes an entry of a table of the detector, and counts it if the table is full. */
static void update_entry(struct detector *d, int map, u64 id, const void *value)
{
	d->table_full += bpf_map_update_elem(map, &id, value, BPF_ANY) && errno == E2BIG;
}

/* Finds the killable root that contains a container, and whether its limit is under pressure. */
static u64 root_of(struct detector *d, u64 domain, const char *path, u64 now, u64 flat_ns, bool *pressured)
{
	struct ua_killable value;
	bool started = false;
	struct ua_root_reclaims root;
	u64 id = 0;

	*pressured = false;
	while (next_key(d->m.killable, &id, &started)) {
		if (bpf_map_lookup_elem(d->m.killable, &id, &value) || value.domain != domain || !killable_is_found(id) ||
		    !cgroup_is_below(path, value.path))
			continue;
		if (bpf_map_lookup_elem(d->walls, &id, &root))
			memset(&root, 0, sizeof(root));
		*pressured = is_pressured(limit_hits(value.path), &root.reclaims, &root.reclaim_ns, now, flat_ns);
		update_entry(d, d->walls, id, &root);
		return id;
	}
	return 0;
}

/* The same, as it was found when the containers inside were sampled. */
static bool is_root_pressured(const struct detector *d, u64 root, u64 now, u64 flat_ns)
{
	struct ua_root_reclaims found;

	return !bpf_map_lookup_elem(d->walls, &root, &found) && is_recent(found.reclaim_ns, now, flat_ns);
}

/* Bytes of files in memory that no process has mapped, which outlive the container. */
static u64 unmapped_shared(const char *path)
{
	u64 shared, mapped;

	return cgroup_number(path, "memory.stat", memory_unified() ? "shmem" : "total_shmem", &shared) &&
			       cgroup_number(path, "memory.stat", memory_unified() ? "file_mapped" : "total_mapped_file", &mapped) &&
			       shared > mapped ?
		       shared - mapped :
		       0;
}

static void sample(struct detector *d, u64 id, const struct ua_container *c, const struct ua_settings *values,
		   struct ua_domain_state *domain, u64 now)
{
	struct ua_thresholds limits = { values->cgth_time_ms * 1000000ULL, ua_flat_ns(values->flat_ms, d->interval_ns),
					values->min_pages };
	static const char *const lists[] = { "inactive_anon", "active_anon", "unevictable" };
	struct ua_container_state *s = d->state;
	struct ua_sample *record;
	char path[PATH_MAX], key[64];
	u64 bytes, own, kept, held, value[UA_SERIES];
	bool counts, refills, root_pressured = false, thrash[UA_SERIES];

	if (!cgroup_path(id, path, sizeof(path)))
		return;
	if (bpf_map_lookup_elem(d->states, &id, s))
		memset(s, 0, sizeof(*s));
	if (s->epoch != domain->epoch) {
		memset(s->series, 0, sizeof(s->series));
		s->epoch = domain->epoch;
	}
	own = own_limit(path);
	s->killable_root = c->flags & UA_KILLABLE ? root_of(d, c->domain, path, now, limits.flat_ns, &root_pressured) : 0;
	counts = (domain->pressured || root_pressured) && (!s->seen_ns || own == s->own_before);
	s->own_reclaims = s->own_before = own;
	s->domain = c->domain;
	s->populated = !cgroup_empty(path);
	s->killable = s->killable_root != 0;
	d->ignored += c->flags & UA_KILLABLE && !s->killable;
	s->seen_ns = now;
	if (!s->first_seen_ns)
		s->first_seen_ns = now;
	s->start_ns = c->start_ns ? c->start_ns : s->first_seen_ns;
	held = s->memory;
	s->memory = cgroup_memory(path);
	if (!cgroup_number(path, memory_unified() ? "memory.swap.current" : "memory.stat",
			   memory_unified() ? NULL : "total_swap", &s->swap))
		s->swap = 0;
	if (domain->pressured || root_pressured) {
		d->actions->alive(); /* another walk, which may take as long as the first one */
		cgroup_add_counts(path);
	}
	s->anonymous = 0;
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		snprintf(key, sizeof(key), "%s%s", memory_unified() ? "" : "total_", lists[i]);
		if (cgroup_number(path, "memory.stat", key, &bytes))
			s->anonymous += bytes / getpagesize();
	}
	kept = unmapped_shared(path) / getpagesize();
	s->anonymous -= kept < s->anonymous ? kept : s->anonymous;
	for (u32 i = 0; i < UA_SERIES; i++) {
		value[i] = refaults(path, i == UA_FILE ? values->file_refaults : UA_REFAULTS_ANY, i);
		thrash[i] = ua_observe(&s->series[i], now, value[i], counts, &limits);
		if (thrash[i] && !domain->trigger) {
			domain->trigger = id;
			domain->trigger_series = i;
			domain->trigger_streak_ns = ua_streak_ns(&s->series[i]);
			domain->trigger_root = domain->pressured ? 0 : s->killable_root;
		}
	}
	record = &s->samples[s->samples_taken++ % UA_RING];
	refills = value[UA_FILE] != s->scanned[UA_FILE];
	s->refills = ua_refills(s->refills, refills, refills || s->memory > held + limits.min_pages * getpagesize());
	s->scanned[UA_FILE] = value[UA_FILE];
	*record = (struct ua_sample){ now, value[UA_ANONYMOUS], value[UA_FILE], s->memory + s->swap, 0, counts, 0 };
	update_entry(d, d->states, id, s);
}

static void rank(struct detector *d, u64 id, const struct ua_container *c, const struct ua_settings *values,
		 struct ua_domain_state *domain, struct ua_decision *decision)
{
	struct ua_container_state *s = d->state;
	u64 freed, age_ms, value;
	u32 i;

	if (!s->killable || !s->populated || s->given_up_ns || id == domain->victim ||
	    (domain->trigger_root && domain->trigger_root != s->killable_root))
		return;
	freed = ua_frees(s->memory, s->swap, s->anonymous * getpagesize(), s->refills & UA_REFILLS, domain->trigger_series);
	age_ms = s->seen_ns > s->start_ns ? (s->seen_ns - s->start_ns) / 1000000 : 0;
	value = ua_rank(values->policy, freed, age_ms, c->score);
	if (!value)
		return;
	d->others += id != domain->trigger && s->refills >> UA_WANTING_SHIFT;
	i = decision->candidates++;
	if (i < UA_RANKING)
		decision->ranking[i] = (struct ua_candidate){ id, freed, age_ms, value, c->score, 0 };
	if (ua_better(value, freed, id, domain->best_rank, domain->best_frees, domain->best)) {
		domain->best = id;
		domain->best_rank = value;
		domain->best_frees = freed;
	}
}

static void decide(struct detector *d, u64 root, const struct ua_settings *values, struct ua_domain_state *domain,
		   struct ua_decision *decision, u64 now)
{
	u32 entry = (d->sequence + 1) % UA_DECISIONS;
	int decisions = d->m.decisions;
	struct ua_container c;
	bool started = false;
	u64 id = 0;

	domain->best = domain->best_rank = domain->best_frees = 0;
	d->others = 0;
	while (next_key(d->m.containers, &id, &started))
		if (!bpf_map_lookup_elem(d->m.containers, &id, &c) && c.domain == root && ua_acceptable(&c) &&
		    !bpf_map_lookup_elem(d->states, &id, d->state) && d->state->seen_ns == now)
			rank(d, id, &c, values, domain, decision);
	if (domain->best && bpf_map_lookup_elem(d->states, &domain->best, d->state))
		domain->best = 0;
	if (domain->best && ua_helps_nobody(domain->trigger_root, domain->trigger_series, domain->trigger, domain->best, d->others,
					    d->state->memory, d->state->anonymous * getpagesize())) {
		memset(d->state->series, 0, sizeof(d->state->series)); /* of this one only, see the in-kernel killer */
		update_entry(d, d->states, domain->best, d->state);
		domain->no_candidate++;
		return;
	}
	domain->epoch++;
	if (!domain->best) {
		domain->no_candidate++;
		return;
	}
	d->sequence++;
	decision->sequence = d->sequence;
	decision->domain = root;
	decision->trigger = domain->trigger;
	decision->series = domain->trigger_series;
	decision->streak_ns = domain->trigger_streak_ns;
	decision->victim = domain->best;
	decision->memory = d->state->memory + d->state->swap;
	decision->killable_root = domain->trigger_root;
	decision->cgth_time_ms = values->cgth_time_ms;
	decision->policy = values->policy;
	decision->decision_ns = now_ns();
	bpf_map_update_elem(decisions, &entry, decision, BPF_ANY);
	domain->kills++;
	domain->victim = domain->best;
	domain->victim_ns = decision->decision_ns;
	domain->victim_sequence = decision->sequence;
	d->actions->kill(domain->best, decision->sequence);
}

/*
 * Handles the previous victim: gone or no longer killable, still dying, or given up. Returns whether a new
 * decision may be made.
 */
static bool check_victim(struct detector *d, const struct ua_settings *values, struct ua_domain_state *domain,
			      u64 now)
{
	u64 timeout = values->victim_timeout_ms * 1000000ULL, waited = now - domain->victim_ns;
	u64 flat_ns = ua_flat_ns(values->flat_ms, d->interval_ns);
	struct ua_container_state *victim = d->state;

	if (!domain->victim)
		return true;
	if (bpf_map_lookup_elem(d->states, &domain->victim, victim) || victim->seen_ns != now || !victim->populated ||
	    !victim->killable) {
		domain->victim = 0;
		domain->last_gone_ns = now;
		return true;
	}
	if (waited <= timeout)
		return false;
	victim->given_up_ns = now;
	bpf_map_update_elem(d->states, &domain->victim, victim, BPF_ANY);
	domain->survivors++;
	/* Choose the next candidate at once, unless no helper has checked since: then the shortage has ended. */
	if (waited <= timeout + flat_ns && (domain->pressured || is_root_pressured(d, victim->killable_root, now, flat_ns))) {
		domain->trigger = domain->victim;
		domain->trigger_streak_ns = waited;
		domain->trigger_root = domain->pressured ? 0 : victim->killable_root;
	}
	domain->victim = 0;
	return true;
}

/* Returns whether a victim is dying. */
static bool judge_domain(struct detector *d, u64 root, u64 now)
{
	struct ua_decision decision = {};
	struct ua_domain_state domain;
	struct ua_settings values, written;
	struct ua_domain limits;
	struct ua_container c;
	char path[PATH_MAX];
	bool started = false;
	u64 id = 0, pressure;

	if (!cgroup_path(root, path, sizeof(path)) || bpf_map_lookup_elem(d->m.settings, &root, &written) ||
	    bpf_map_lookup_elem(d->m.domains, &root, &limits) || bpf_map_lookup_elem(d->domain_states, &root, &domain))
		return false;
	ua_clamp(&written, &limits, &values);
	domain.settings = values;
	pressure = pressure_of(path);
	domain.pressured = is_pressured(pressure, &domain.reclaims, &domain.reclaim_ns, now, ua_flat_ns(values.flat_ms, d->interval_ns));
	domain.trigger = domain.trigger_root = 0;
	while (next_key(d->m.containers, &id, &started)) {
		char inside[PATH_MAX];

		if (bpf_map_lookup_elem(d->m.containers, &id, &c) || c.domain != root)
			continue;
		if (!cgroup_path(id, inside, sizeof(inside)))
			continue;
		if (!cgroup_is_below(inside, path) || !ua_acceptable(&c) ||
		    killable_is_in(d->m.killable, root, inside)) {
			d->ignored++;
			continue;
		}
		sample(d, id, &c, &values, &domain, now);
		d->actions->alive(); /* containers may hold so many cgroups that a pass takes seconds */
	}
	if (check_victim(d, &values, &domain, now) && domain.trigger && values.cgth_time_ms) /* a survivor is a trigger, too */
		decide(d, root, &values, &domain, &decision, now);
	bpf_map_update_elem(d->domain_states, &root, &domain, BPF_EXIST);
	return domain.victim;
}

static bool is_not_in(u64 key, const void *map)
{
	char value[sizeof(struct ua_killable)]; /* the larger of the two */

	return bpf_map_lookup_elem(*(const int *)map, &key, value) && errno == ENOENT;
}

/* Removes the entries of unregistered containers and of removed killable roots, to have room for those of this pass. */
static void forget_removed(struct detector *d)
{
	delete_keys(d->states, is_not_in, &d->m.containers);
	delete_keys(d->walls, is_not_in, &d->m.killable);
}

/*
 * Asks the kernel to signal memory pressure. Returns -1 if it does not, as before Linux 6.5 to the helper of the unit, which
 * may not open the file for writing; the detector then never sleeps.
 */
static int open_pressure(void)
{
	int fd = open(PRESSURE, O_RDWR | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 || write(fd, PRESSURE_TRIGGER, sizeof(PRESSURE_TRIGGER)) < 0) {
		warn("%s: %s; without memory pressure events, the helper samples all the time", PRESSURE, strerror(errno));
		if (fd >= 0)
			close(fd);
		return -1;
	}
	return fd;
}

/* Waits for at most this time. Returns whether the kernel signalled memory pressure. */
static bool wait_for_pressure(int fd, int ms)
{
	struct pollfd signal = { .fd = fd, .events = POLLPRI };

	return poll(&signal, 1, ms) > 0 && signal.revents & POLLPRI;
}

/* No BPF program counts in this tier. */
static void note_counters(const struct detector *d)
{
	struct ua_counters counters;
	u32 zero = 0;

	if (bpf_map_lookup_elem(d->m.counters, &zero, &counters))
		return;
	counters.registrations_ignored = d->ignored;
	counters.table_full += d->table_full;
	bpf_map_update_elem(d->m.counters, &zero, &counters, BPF_ANY);
}

/* After a long pass, a rest is longer than the helper may be silent. */
static void rest_for(const struct detector *d, u64 ns, volatile bool *stop)
{
	u64 now = now_ns(), end = now + ns;

	while (now < end && !*stop) {
		usleep((end - now < SLEEP_MS * 1000000ULL ? end - now : SLEEP_MS * 1000000ULL) / 1000);
		d->actions->alive();
		now = now_ns();
	}
}

void user_detector_run(const struct options *o, const struct detector_actions *actions, volatile bool *stop)
{
	int pressure = open_pressure();
	struct detector d = { .actions = actions };
	struct ua_control control;
	u64 awake_until = now_ns() + AWAKE_NS; /* pressure may have begun before the helper started */
	u64 took, took_before = 0, rest;

	open_maps(o, &d.m);
	control = read_control(d.m.control);
	close(d.m.decisions);
	d.m.decisions = open_pin(o, "decisions", true);
	close(d.m.counters);
	d.m.counters = open_pin(o, "counters", true);
	d.states = open_pin(o, "container_state", true);
	d.domain_states = open_pin(o, "domain_state", true);
	d.walls = open_pin(o, "walls", true);
	d.sequence = last_decision(&d.m); /* of an earlier helper: readers continue from there */
	d.state = calloc(1, sizeof(*d.state));
	if (!d.state)
		fail(EXIT_FAILED, "out of memory");
	while (!*stop && is_current(o, control.loaded_ns)) {
		bool started = false, dying = false;
		u64 root = 0, began;

		d.actions->alive();
		if (pressure >= 0 && now_ns() > awake_until) {
			if (!wait_for_pressure(pressure, SLEEP_MS))
				continue;
			awake_until = now_ns() + AWAKE_NS;
		}
		began = now_ns();
		d.ignored = d.table_full = 0;
		forget_removed(&d);
		while (next_key(d.m.domains, &root, &started))
			dying |= judge_domain(&d, root, now_ns());
		note_counters(&d);
		control = read_control(d.m.control);
		took = now_ns() - began;
		/* One long pass alone is a machine that stood still, after which a kill must not wait nine times as long. */
		rest = REST * (took < took_before ? took : took_before);
		took_before = took;
		if (rest < control.period_ms * 1000000ULL)
			rest = control.period_ms * 1000000ULL;
		d.interval_ns = took + rest;
		rest_for(&d, rest, stop);
		if (dying || wait_for_pressure(pressure, 0))
			awake_until = now_ns() + AWAKE_NS;
	}
	if (pressure >= 0)
		close(pressure);
	free(d.state);
}
