// SPDX-License-Identifier: Apache-2.0
/* Prints the contents of the maps, for people and as JSON. */
#include "ua_helper.h"
#include "ua_rules.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const tier_names[] = { "none", "in-kernel kill", "in-kernel detection, kill by the helper",
					  "user-space detection and kill" };
static const char *const series_names[] = { "anonymous", "file", "owed" };
static const char *const policy_names[] = { "memory-per-time", "score" };
static const char *const refault_names[] = { "any", "recent", "workingset", "fitting" };
static const char *const executor_names[] = { "nobody", "reclaimer", "handover", "helper" };

#define NAME(table, i) ((size_t)(i) < sizeof(table) / sizeof(table[0]) ? table[i] : "?")

/* The path of the cgroup, or its number if the path is gone or hidden from this process. */
static void name_of(u64 id, char *name, size_t size)
{
	char path[PATH_MAX];

	if (cgroup_path(id, path, sizeof(path)))
		snprintf(name, size, "%s", path);
	else
		snprintf(name, size, "%llu", id);
}

static void print_name(FILE *out, u64 id, bool json)
{
	char name[PATH_MAX];

	name_of(id, name, sizeof(name));
	if (json)
		print_json_string(out, name);
	else
		print_text(out, name);
}

static double since_ms(u64 from, u64 to)
{
	return to >= from && from ? (to - from) / 1e6 : -1;
}

static void print_ms(FILE *out, const char *name, u64 from, u64 to)
{
	if (to && from && to >= from)
		fprintf(out, ",\"%s\":%.3f", name, since_ms(from, to));
	else
		fprintf(out, ",\"%s\":null", name);
}

static int by_rank(const void *a, const void *b)
{
	const struct ua_candidate *x = a, *y = b;

	return x->rank == y->rank ? 0 : x->rank < y->rank ? 1 : -1;
}

static void decision_json(FILE *out, struct ua_decision *d, const struct ua_release *r)
{
	u32 shown = d->candidates < UA_RANKING ? d->candidates : UA_RANKING;

	qsort(d->ranking, shown, sizeof(d->ranking[0]), by_rank);
	fprintf(out, "{\"sequence\":%llu,\"monotonicNanos\":%llu,\"domainId\":%llu,\"domain\":", d->sequence, d->decision_ns,
		d->domain);
	print_name(out, d->domain, true);
	fprintf(out, ",\"trigger\":");
	print_name(out, d->trigger, true);
	fprintf(out, ",\"killableRootId\":%llu,\"triggerId\":%llu,\"series\":\"%s\",\"thrashSeconds\":%.3f,\"cgthTimeSeconds\":%.3f,\"victim\":",
	       d->killable_root, d->trigger, NAME(series_names, d->series), d->streak_ns / 1e9, d->cgth_time_ms / 1e3);
	print_name(out, d->victim, true);
	fprintf(out, ",\"victimId\":%llu,\"memoryBytes\":%llu,\"policy\":\"%s\",\"executor\":\"%s\",\"signals\":%u,\"signalFailures\":%u,\"passes\":%u",
	       d->victim, d->memory, NAME(policy_names, d->policy), NAME(executor_names, d->executor), d->signals,
	       d->failures, d->passes);
	print_ms(out, "decisionToFirstSignalMillis", d->decision_ns, d->first_signal_ns);
	print_ms(out, "decisionToLastSignalMillis", d->decision_ns, d->last_signal_ns);
	if (r->sequence == d->sequence) {
		print_ms(out, "decisionToFreedMillis", d->decision_ns, r->last_ns);
		print_ms(out, "decisionToGoneMillis", d->decision_ns, r->gone_ns);
		fprintf(out, ",\"released\":%u,\"exitedFirst\":%u,\"helperSignals\":%u,\"freedBytes\":%lld", r->released,
		       r->already_gone, r->signals,
		       r->gone_ns && d->memory > r->memory_after ? (long long)(d->memory - r->memory_after) : 0);
	}
	fprintf(out, ",\"candidates\":%u,\"ranking\":[", d->candidates);
	for (u32 i = 0; i < shown; i++) {
		struct ua_candidate *c = &d->ranking[i];

		fprintf(out, "%s{\"id\":%llu,\"container\":", i ? "," : "", c->container);
		print_name(out, c->container, true);
		fprintf(out, ",\"freesBytes\":%llu,\"ageSeconds\":%.3f,\"score\":%d,\"rank\":%llu}", c->frees, c->age_ms / 1e3,
		       c->score, c->rank);
	}
	fprintf(out, "]}");
}

static void decision_text(struct ua_decision *d, const struct ua_release *r)
{
	u32 shown = d->candidates < UA_RANKING ? d->candidates : UA_RANKING;

	printf("kill %llu: ", d->sequence);
	print_name(stdout, d->victim, false);
	printf(" (%llu MB) because ", d->memory >> 20);
	print_name(stdout, d->trigger, false);
	if (d->series == UA_OWED)
		printf(" was owed memory for %.2f s without progress (owed-time %.1f s)\n", d->streak_ns / 1e9, d->cgth_time_ms / 1e3);
	else
		printf(" had %s thrash for %.2f s (cgth_time %.1f s)%s\n", NAME(series_names, d->series), d->streak_ns / 1e9,
		       d->cgth_time_ms / 1e3, d->killable_root ? " at best-effort's own limit" : "");
	printf("  %u SIGKILL by %s, the last %.3f ms after the decision", d->signals, NAME(executor_names, d->executor),
	       since_ms(d->decision_ns, d->last_signal_ns));
	if (r->sequence == d->sequence && r->gone_ns)
		printf("; memory released after %.1f ms, container empty after %.1f ms", since_ms(d->decision_ns, r->last_ns),
		       since_ms(d->decision_ns, r->gone_ns));
	printf("\n");
	qsort(d->ranking, shown, sizeof(d->ranking[0]), by_rank);
	for (u32 i = 0; i < shown; i++) {
		struct ua_candidate *c = &d->ranking[i];

		printf("  %2u. ", i + 1);
		print_name(stdout, c->container, false);
		printf(": frees %llu MB, %.1f s, score %d, rank %llu\n", c->frees >> 20, c->age_ms / 1e3, c->score, c->rank);
	}
}

static bool read_decision(const struct maps *m, u64 sequence, struct ua_decision *d, struct ua_release *r)
{
	u32 entry = sequence % UA_DECISIONS;

	if (bpf_map_lookup_elem(m->decisions, &entry, d) || d->sequence != sequence)
		return false;
	if (bpf_map_lookup_elem(m->releases, &entry, r))
		memset(r, 0, sizeof(*r));
	return true;
}

/* The memory that it was owed in the last pass. */
static u64 owed_bytes(const struct ua_container_state *state, const struct ua_container *c)
{
	return state->owed.since_ns && c->entitled > state->memory ? c->entitled - state->memory : 0;
}

/* Sum of the reclaims at the limits of the killable roots of the domain. */
static u64 root_reclaims(const struct maps *m, u64 domain)
{
	struct ua_killable value;
	struct ua_root_reclaims entry;
	bool started = false;
	u64 id = 0, sum = 0;

	while (next_key(m->killable, &id, &started))
		if (!bpf_map_lookup_elem(m->killable, &id, &value) && value.domain == domain &&
		    !bpf_map_lookup_elem(m->walls, &id, &entry))
			sum += entry.reclaims;
	return sum;
}

static void domain_containers_json(FILE *out, const struct maps *m, u64 domain)
{
	struct ua_container_state *state = malloc(sizeof(*state));
	struct ua_container c;
	bool started = false, first = true;
	u64 id = 0;

	while (state && next_key(m->containers, &id, &started)) {
		if (bpf_map_lookup_elem(m->containers, &id, &c) || c.domain != domain)
			continue;
		fprintf(out, "%s{\"id\":%llu,\"path\":", first ? "" : ",", id);
		first = false;
		print_name(out, id, true);
		fprintf(out, ",\"killable\":%s,\"score\":%d,\"entitledBytes\":%llu", c.flags & UA_KILLABLE ? "true" : "false", c.score,
			c.entitled);
		if (!bpf_map_lookup_elem(m->container_state, &id, state))
			fprintf(out, ",\"memoryBytes\":%llu,\"swapBytes\":%llu,\"samples\":%llu,\"nodeReclaims\":%llu,\"killableRootReclaims\":%llu,\"ownLimitReclaims\":%llu,\"owedBytes\":%llu",
				state->memory, state->swap, state->samples_taken, state->node_reclaims, state->root_reclaims,
				state->own_reclaims, owed_bytes(state, &c));
		fprintf(out, "}");
	}
	free(state);
}

/* The paths of the killable roots: those that exist, or those that do not. */
static void killable_json(FILE *out, const struct maps *m, u64 domain, bool found)
{
	struct ua_killable value;
	bool started = false, first = true;
	u64 id = 0;

	while (next_key(m->killable, &id, &started)) {
		if (bpf_map_lookup_elem(m->killable, &id, &value) || value.domain != domain || killable_is_found(id) != found)
			continue;
		fprintf(out, "%s", first ? "" : ",");
		first = false;
		print_json_string(out, value.path);
	}
}

static void killable_text(const struct maps *m, u64 domain)
{
	struct ua_killable value;
	bool started = false;
	u64 id = 0;

	while (next_key(m->killable, &id, &started))
		if (!bpf_map_lookup_elem(m->killable, &id, &value) && value.domain == domain)
			printf("  containers may be killed below %s%s%s%s\n", value.path, /* as root wrote it */
			       killable_is_found(id) ? "" : ", WHICH DOES NOT EXIST OR IS NOT ROOT'S",
			       *value.promoted ? "; promoted ones are moved to " : "", value.promoted);
}

static void domain_kills_json(FILE *out, const struct maps *m, u64 domain)
{
	u64 last = last_decision(m), from = last > UA_DECISIONS ? last - UA_DECISIONS + 1 : 1;
	struct ua_decision d;
	struct ua_release r;
	bool first = true;

	for (u64 i = from; i <= last; i++) {
		if (!read_decision(m, i, &d, &r) || d.domain != domain)
			continue;
		fprintf(out, "%s", first ? "" : ",");
		first = false;
		decision_json(out, &d, &r);
	}
}

static struct ua_counters read_counters(const struct maps *m)
{
	struct ua_counters counters = {};
	u32 zero = 0;

	bpf_map_lookup_elem(m->counters, &zero, &counters);
	return counters;
}

/* The helper's pid, or 0 if none runs. */
static u32 helper_pid(const struct maps *m)
{
	struct ua_helper helper;
	u32 zero = 0;

	if (bpf_map_lookup_elem(m->helper, &zero, &helper) || !helper.alive_ns ||
	    now_ns() - helper.alive_ns > UA_HELPER_SILENT_MS * 1000000ULL)
		return 0;
	return helper.pid;
}

/* The settings in effect, whatever was written. */
static bool settings_of(const struct maps *m, u64 domain, struct ua_settings *values)
{
	struct ua_settings written;
	struct ua_domain limits;

	if (bpf_map_lookup_elem(m->settings, &domain, &written) || bpf_map_lookup_elem(m->domains, &domain, &limits))
		return false;
	ua_clamp(&written, &limits, values);
	return true;
}

static void status_json(FILE *out, const struct maps *m, const struct ua_control *control)
{
	struct ua_counters counters = read_counters(m);
	struct ua_domain_state state;
	struct ua_settings values;
	bool started = false, first = true;
	u64 id = 0;

	fprintf(out, "{\"tier\":%u,\"tierName\":\"%s\",\"reason\":", control->tier, NAME(tier_names, control->tier));
	print_json_string(out, control->reason);
	fprintf(out, ",\"multiGenerationalLru\":%s", generations_evict() ? "true" : "false");
	fprintf(out, ",\"helperPid\":%u", helper_pid(m));
	fprintf(out, ",\"source\":\"%s\",\"periodMillis\":%u,\"samplingPasses\":%llu,\"samplingPassMeanMicros\":%.1f,\"samplingPassMaxMicros\":%.1f,\"walksTruncated\":%llu,\"handovers\":%llu,\"signalRetries\":%llu,\"ringFull\":%llu,\"tableFull\":%llu,\"registrationsIgnored\":%llu,\"domains\":[",
	       control->source == UA_SOURCE_EXACT ? "exact" : "lite", control->period_ms, counters.ticks,
	       counters.ticks ? counters.tick_nanos / 1e3 / counters.ticks : 0, counters.max_tick_nanos / 1e3,
	       counters.walk_truncated, counters.handovers, counters.signal_retries, counters.ring_full,
	       counters.table_full, counters.registrations_ignored);
	while (next_key(m->domains, &id, &started)) {
		if (!settings_of(m, id, &values) || bpf_map_lookup_elem(m->domain_state, &id, &state))
			continue;
		fprintf(out, "%s{\"root\":", first ? "" : ",");
		first = false;
		print_name(out, id, true);
		fprintf(out, ",\"id\":%llu,\"cgthTimeSeconds\":%.3f,\"policy\":\"%s\",\"fileRefaults\":\"%s\",\"flatMillis\":%u,\"minPages\":%u,\"victimTimeoutMillis\":%u,\"owedTimeMillis\":%u,\"owedPercent\":%u,\"owedProgressPercent\":%u,\"reclaims\":%llu,\"ownLimitReclaims\":%llu,\"killableRootReclaims\":%llu,\"agentReclaims\":%llu,\"owedEvents\":%llu,\"killCount\":%llu,\"noCandidate\":%llu,\"survivors\":%llu,\"killableBelow\":[",
		       id, values.cgth_time_ms / 1e3, NAME(policy_names, values.policy), NAME(refault_names, values.file_refaults),
		       values.flat_ms, values.min_pages, values.victim_timeout_ms, values.owed_time_ms, values.owed_percent,
		       values.owed_progress_percent, state.reclaims, state.own_limit_reclaims, root_reclaims(m, id),
		       state.agent_reclaims, state.owed_events,
		       state.kills, state.no_candidate, state.survivors);
		killable_json(out, m, id, true);
		fprintf(out, "],\"killableMissing\":[");
		killable_json(out, m, id, false);
		fprintf(out, "],\"containers\":[");
		domain_containers_json(out, m, id);
		fprintf(out, "],\"kills\":[");
		domain_kills_json(out, m, id);
		fprintf(out, "]}");
	}
	fprintf(out, "]}\n");
}

static void status_text(const struct maps *m, const struct ua_control *control)
{
	struct ua_domain_state state;
	struct ua_container c;
	struct ua_settings values;
	struct ua_counters counters = read_counters(m);
	u64 id = 0;
	bool started = false;

	printf("tier %u, %s: %s\n", control->tier, NAME(tier_names, control->tier), control->reason);
	if (control->programs != own_programs())
		printf("THE LOADED PROGRAMS ARE OF ANOTHER BUILD than this ua-killer; `load` replaces them once their helper is stopped\n");
	if (helper_pid(m))
		printf("helper: process %u\n", helper_pid(m));
	else
		printf("helper: not running; %s\n", control->tier == UA_TIER_KERNEL_KILL ?
		       "kills continue, memory is released later" : "NO CONTAINER IS KILLED, start `ua-killer reap`");
	printf("data source %s, a sample every %u ms while the kernel reclaims\n",
	       control->source == UA_SOURCE_EXACT ? "exact" : "lite", control->period_ms);
	if (generations_evict())
		printf("the kernel evicts by generations (MGLRU): which file pages count as used differs, see file-refaults\n");
	if (counters.registrations_ignored)
		printf("%llu REGISTRATIONS ARE IGNORED: out of range, of a cgroup outside the domain, or killable where root does not allow it\n",
		       counters.registrations_ignored);
	if (counters.table_full)
		printf("%llu TIMES A TABLE WAS FULL since the killer was loaded: that pass did not observe a container, or the limit around it\n",
		       counters.table_full);
	while (next_key(m->domains, &id, &started)) {
		bool inner_started = false;
		u64 inner = 0;

		if (!settings_of(m, id, &values) || bpf_map_lookup_elem(m->domain_state, &id, &state))
			continue;
		printf("domain ");
		print_name(stdout, id, false);
		printf(": cgth_time %.1f s%s, %llu kills, %llu times no candidate, %llu victims survived\n",
		       values.cgth_time_ms / 1e3, values.cgth_time_ms ? "" : " (off)", state.kills, state.no_candidate,
		       state.survivors);
		killable_text(m, id);
		while (next_key(m->containers, &inner, &inner_started)) {
			if (bpf_map_lookup_elem(m->containers, &inner, &c) || c.domain != id)
				continue;
			printf("  ");
			print_name(stdout, inner, false);
			if (c.flags & UA_KILLABLE)
				printf(": killable, score %d\n", c.score);
			else if (c.entitled)
				printf(": watched, entitled to %llu MB\n", c.entitled >> 20);
			else
				printf(": watched\n");
		}
	}
}

void print_status(FILE *out, const struct maps *m)
{
	struct ua_control control = read_control(m->control);

	status_json(out, m, &control);
}

/* All kept decisions after this number. */
void print_decisions(FILE *out, const struct maps *m, u64 since)
{
	u64 last = last_decision(m), next = since + 1;
	struct ua_decision d;
	struct ua_release r;
	bool first = true;

	if (last >= UA_DECISIONS && next + UA_DECISIONS <= last)
		next = last - UA_DECISIONS + 1;
	fprintf(out, "{\"decisions\":[");
	for (; next <= last; next++) {
		if (!read_decision(m, next, &d, &r))
			continue;
		fprintf(out, "%s", first ? "" : ",");
		first = false;
		decision_json(out, &d, &r);
	}
	fprintf(out, "]}\n");
}

int command_status(const struct options *o)
{
	struct ua_control control;
	struct maps m;

	open_maps(o, &m);
	if (o->json) {
		print_status(stdout, &m);
	} else {
		control = read_control(m.control);
		status_text(&m, &control);
	}
	return EXIT_OK;
}

/* Prints decisions as they happen. A decision is held back for up to a second, to include the helper's numbers. */
int command_watch(const struct options *o, u64 since, int count)
{
	struct ua_decision d;
	struct ua_release r;
	struct maps m;
	u64 next;

	open_maps(o, &m);
	next = since == (u64)-1 ? last_decision(&m) + 1 : since + 1;
	for (;;) {
		u64 last = last_decision(&m);

		if (last >= UA_DECISIONS && next + UA_DECISIONS <= last)
			next = last - UA_DECISIONS + 1;
		while (next <= last && read_decision(&m, next, &d, &r)) {
			if ((r.sequence != next || !r.gone_ns) && now_ns() - d.decision_ns < 1000000000)
				break;
			if (o->json) {
				decision_json(stdout, &d, &r);
				printf("\n");
			} else {
				decision_text(&d, &r);
			}
			fflush(stdout);
			next++;
			if (count > 0 && !--count)
				return EXIT_OK;
		}
		usleep(20000);
	}
}

static u64 oldest_sample(const struct ua_container_state *state)
{
	return state->samples_taken > UA_RING ? state->samples_taken - UA_RING : 0;
}

static void samples_json(FILE *out, const struct ua_container_state *state)
{
	u64 from = oldest_sample(state);

	fprintf(out, "{\"samples\":[");
	for (u64 i = from; i < state->samples_taken; i++) {
		const struct ua_sample *s = &state->samples[i % UA_RING];

		fprintf(out, "%s{\"monotonicNanos\":%llu,\"anonymousRefaults\":%llu,\"fileRefaults\":%llu,\"memoryBytes\":%llu,\"owedBytes\":%llu,\"counted\":%s}",
			i == from ? "" : ",", s->ns, s->anonymous, s->file, s->memory, s->owed, s->counted ? "true" : "false");
	}
	fprintf(out, "]}\n");
}

static void samples_text(const struct ua_container_state *state)
{
	printf("seconds  anonymous  file  MB  owed  counted\n");
	for (u64 i = oldest_sample(state); i < state->samples_taken; i++) {
		const struct ua_sample *s = &state->samples[i % UA_RING];

		printf("%.3f  %llu  %llu  %llu  %llu  %s\n", s->ns / 1e9, s->anonymous, s->file, s->memory >> 20, s->owed >> 20,
		       s->counted ? "yes" : "no");
	}
}

/* The measured series of one container, oldest first. */
int command_samples(const struct options *o, const char *cgroup)
{
	struct ua_container_state *state = malloc(sizeof(*state));
	u64 id = cgroup_id(cgroup);
	struct maps m;

	open_maps(o, &m);
	if (!state || bpf_map_lookup_elem(m.container_state, &id, state))
		fail(EXIT_STATE, "%s: no samples; it is not registered, or the kernel has not reclaimed since", cgroup);
	if (o->json)
		samples_json(stdout, state);
	else
		samples_text(state);
	free(state);
	return EXIT_OK;
}

/* ---- for programs: numbers only, no paths ---------------------------------------------------------- */

void print_samples(FILE *out, const struct maps *m, u64 container)
{
	struct ua_container_state *state = calloc(1, sizeof(*state));

	if (state && !bpf_map_lookup_elem(m->container_state, &container, state))
		samples_json(out, state);
	else
		fprintf(out, "{\"samples\":[]}\n");
	free(state);
}

static void killable_numbers(FILE *out, const struct maps *m, u64 domain)
{
	struct ua_killable value;
	bool started = false, first = true;
	u64 id = 0;

	while (next_key(m->killable, &id, &started)) {
		if (!killable_is_found(id) || bpf_map_lookup_elem(m->killable, &id, &value) || value.domain != domain)
			continue;
		fprintf(out, "%s%llu", first ? "" : ",", id);
		first = false;
	}
}

/* The state that a NodeManager compares every second. */
void print_domains(FILE *out, const struct maps *m, unsigned programs)
{
	struct ua_control control = read_control(m->control);
	struct ua_counters counters = read_counters(m);
	bool started = false, first = true;
	struct ua_settings values;
	u64 id = 0;

	fprintf(out, "{\"protocol\":%d,\"loadedNanos\":%llu,\"tier\":%u,\"reason\":", UA_PROTOCOL, control.loaded_ns,
		control.tier);
	print_json_string(out, control.reason);
	fprintf(out, ",\"helperRuns\":%s,\"attachedPrograms\":%u,\"walksTruncated\":%llu,\"tableFull\":%llu,\"domains\":[",
		helper_pid(m) ? "true" : "false", programs, counters.walk_truncated, counters.table_full);
	while (next_key(m->domains, &id, &started)) {
		if (!settings_of(m, id, &values))
			continue;
		fprintf(out, "%s{\"id\":%llu,\"cgthTimeMillis\":%u,\"policy\":\"%s\",\"owedTimeMillis\":%u,\"owedPercent\":%u,\"killableBelow\":[", first ? "" : ",", id,
			values.cgth_time_ms, NAME(policy_names, values.policy), values.owed_time_ms, values.owed_percent);
		first = false;
		killable_numbers(out, m, id);
		fprintf(out, "]}");
	}
	fprintf(out, "]}\n");
}

void print_registrations(FILE *out, const struct maps *m, u64 domain)
{
	struct container_batch b = {};
	bool first = true;

	fprintf(out, "{\"registrations\":[");
	while (next_containers(m->containers, &b)) {
		for (u32 i = 0; i < b.count; i++) {
			const struct ua_container *c = &b.containers[i];

			if (c->domain != domain)
				continue;
			fprintf(out, "%s{\"id\":%llu,\"startNanos\":%llu,\"score\":%d,\"entitledBytes\":%llu}", first ? "" : ",",
				b.ids[i], c->start_ns, c->score, c->entitled);
			first = false;
		}
	}
	fprintf(out, "]}\n");
}
