// SPDX-License-Identifier: Apache-2.0
/*
 * The changes that a NodeManager may make: registrations and settings. Used by the command line and the socket;
 * errors are returned.
 */
#include "ua_helper.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <limits.h>
#include <string.h>

static int store(const struct registry *r, const char *path, u64 id, const char *domain, const struct ua_container *c,
	       struct ua_error *error)
{
	u64 owner = c->domain;
	struct ua_domain limits;

	if (bpf_map_lookup_elem(r->domains, &owner, &limits))
		return refuse(error, EXIT_STATE, "%s is not a domain; add it as root with `ua-killer domain add`", domain);
	if (c->score && c->entitled)
		return refuse(error, EXIT_USAGE, "%s: a container that may be killed cannot have an entitlement", path);
	if (!cgroup_is_below(path, domain))
		return refuse(error, EXIT_USAGE,
			      "%s is not below the domain %s; only containers of the domain can be registered", path, domain);
	if (killable_is_in(r->killable, owner, path))
		return refuse(error, EXIT_USAGE, "%s contains cgroups below which containers may be killed; register the containers in them", path);
	if (c->score && !killable_holds(r->killable, owner, path))
		return refuse(error, EXIT_PERMISSION,
			      "%s: containers may not be killed there; root allows it with `ua-killer domain add --killable-below`", path);
	if (bpf_map_update_elem(r->containers, &id, c, BPF_ANY))
		return refuse(error, EXIT_FAILED, "%s: %s", path,
			      errno == E2BIG ? "the table of containers is full (1024); unregister finished ones" :
					       strerror(errno));
	return EXIT_OK;
}

int register_container(const struct registry *r, const char *path, const char *domain, u64 score, u64 age_ms, u64 entitled,
		       struct ua_error *error)
{
	struct ua_container c = { .score = score, .flags = score ? UA_KILLABLE : 0, .entitled = entitled };
	u64 id, age_ns = age_ms * 1000000, now = now_ns();

	if (find_cgroup(path, &id, error) || find_cgroup(domain, &c.domain, error))
		return error->code;
	c.start_ns = age_ns < now ? now - age_ns : 1;
	return store(r, path, id, domain, &c, error);
}

/*
 * Registers a container by number. Without a start time, a container that is already registered keeps its own;
 * for a new one, the start is when it is first seen.
 */
int register_number(const struct registry *r, u64 id, u64 domain, u64 score, u64 start_ns, u64 entitled, struct ua_error *error)
{
	struct ua_container c = { .domain = domain, .score = score, .flags = score ? UA_KILLABLE : 0, .entitled = entitled }, before;
	char path[PATH_MAX], root[PATH_MAX];
	u64 now = now_ns();

	if (!cgroup_path(id, path, sizeof(path)))
		return refuse(error, EXIT_STATE, "%llu: no such cgroup in %s", id, memory_mount());
	if (!cgroup_path(domain, root, sizeof(root)))
		return refuse(error, EXIT_STATE, "%llu: no such cgroup in %s", domain, memory_mount());
	c.start_ns = start_ns < now ? start_ns : now;
	if (!start_ns && !bpf_map_lookup_elem(r->containers, &id, &before) && before.domain == domain)
		c.start_ns = before.start_ns;
	return store(r, path, id, root, &c, error);
}

/* Removes a registration in this domain only. It is no error if the container is not registered. */
int unregister_number(const struct registry *r, u64 id, u64 domain, struct ua_error *error)
{
	struct ua_container c;

	if (bpf_map_lookup_elem(r->containers, &id, &c))
		return EXIT_OK;
	if (c.domain != domain)
		return refuse(error, EXIT_PERMISSION, "%llu: registered in another domain", id);
	if (bpf_map_delete_elem(r->containers, &id) && errno != ENOENT)
		return refuse(error, EXIT_FAILED, "%llu: %s", id, strerror(errno));
	return EXIT_OK;
}

int unregister_container(const struct registry *r, const char *name, struct ua_error *error)
{
	u64 id;

	if (cgroup_named(name, &id, error))
		return error->code;
	if (bpf_map_delete_elem(r->containers, &id))
		return refuse(error, EXIT_STATE, "%s: not registered", name);
	return EXIT_OK;
}

static int set_period(const struct registry *r, const char *text, struct ua_error *error)
{
	struct ua_control control;
	u32 zero = 0;
	u64 ms;

	if (r->control < 0)
		return refuse(error, EXIT_PERMISSION, "period-ms: permission denied; only root may set it, without --socket");
	if (parse_number("period-ms", text, 10, 1000, &ms, error))
		return error->code;
	if (bpf_map_lookup_elem(r->control, &zero, &control))
		return refuse(error, EXIT_FAILED, "control map: %s", strerror(errno));
	control.period_ms = ms;
	if (bpf_map_update_elem(r->control, &zero, &control, BPF_ANY))
		return refuse(error, EXIT_FAILED, "control map: %s", strerror(errno));
	return EXIT_OK;
}

static int change(struct ua_settings *values, const struct ua_domain *limits, const char *key, const char *text,
		  struct ua_error *error)
{
	static const char *const policies[] = { "memory-per-time", "score" };
	static const char *const refaults[] = { "any", "recent", "workingset", "fitting" };
	const struct {
		const char *key;
		u32 *value;
		u64 low, high;
	} numbers[] = {
		{ "cgth-time-ms", &values->cgth_time_ms, 0, UINT_MAX },
		{ "flat-ms", &values->flat_ms, UA_MIN_FLAT_MS, UA_MAX_FLAT_MS },
		{ "min-pages", &values->min_pages, UA_MIN_PAGES, UA_MAX_PAGES },
		{ "victim-timeout-ms", &values->victim_timeout_ms, UA_MIN_VICTIM_TIMEOUT_MS, UA_MAX_VICTIM_TIMEOUT_MS },
		{ "owed-time-ms", &values->owed_time_ms, 0, UA_MAX_OWED_TIME_MS },
		{ "owed-percent", &values->owed_percent, UA_MIN_OWED_PERCENT, UA_MAX_OWED_PERCENT },
		{ "owed-progress-percent", &values->owed_progress_percent, UA_MIN_OWED_PERCENT, UA_MAX_OWED_PERCENT },
	};
	u64 number, ms;

	if (!strcmp(key, "policy"))
		return parse_choice(key, text, policies, 2, &values->policy, error);
	if (!strcmp(key, "file-refaults"))
		return parse_choice(key, text, refaults, 4, &values->file_refaults, error);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (strcmp(key, numbers[i].key))
			continue;
		if (parse_number(key, text, numbers[i].low, numbers[i].high, &number, error))
			return error->code;
		if (numbers[i].value == &values->owed_time_ms && number && number < UA_MIN_OWED_TIME_MS)
			return refuse(error, EXIT_USAGE, "owed-time-ms %s: give 0 (off) or %u to %u", text, UA_MIN_OWED_TIME_MS,
				      UA_MAX_OWED_TIME_MS);
		*numbers[i].value = number;
		ms = values->cgth_time_ms;
		if (i == 0 && ms && (ms < limits->min_cgth_time_ms || ms > limits->max_cgth_time_ms))
			return refuse(error, EXIT_USAGE,
				      "cgth-time-ms %s: this domain allows 0 (off) or %u to %u; root sets the limits with `domain add`",
				      text, limits->min_cgth_time_ms, limits->max_cgth_time_ms);
		return EXIT_OK;
	}
	return refuse(error, EXIT_USAGE, "%s: no such key; see `ua-killer --help`", key);
}

int set_value(const struct registry *r, const char *key, const char *text, const char *domain, struct ua_error *error)
{
	struct ua_settings values;
	struct ua_domain limits;
	bool started = false, found = false;
	u64 id = 0, only = 0;

	if (!strcmp(key, "period-ms"))
		return set_period(r, text, error);
	if (domain && cgroup_named(domain, &only, error))
		return error->code;
	while (next_key(r->domains, &id, &started)) {
		if ((only && id != only) || bpf_map_lookup_elem(r->domains, &id, &limits) ||
		    bpf_map_lookup_elem(r->settings, &id, &values))
			continue;
		found = true;
		if (change(&values, &limits, key, text, error))
			return error->code;
		if (bpf_map_update_elem(r->settings, &id, &values, BPF_EXIST))
			return refuse(error, EXIT_FAILED, "settings map: %s", strerror(errno));
	}
	if (!found)
		return refuse(error, EXIT_STATE, "%s: no such domain; add it with `ua-killer domain add`",
			      domain ? domain : "(any)");
	return EXIT_OK;
}
