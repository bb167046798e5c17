// SPDX-License-Identifier: Apache-2.0
/* Domains: the memory cgroups of nodes. Only root adds and removes them. */
#include "ua_helper.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <limits.h>
#include <string.h>

/* `host` stands for the whole machine: the root of the memory hierarchy, wherever that is mounted. */
const char *domain_root(const char *text)
{
	return strcmp(text, "host") ? text : memory_mount();
}

static void refuse_nesting(int domains, const char *path)
{
	char other[PATH_MAX];
	bool started = false;
	u64 id = 0;

	while (next_key(domains, &id, &started)) {
		if (!cgroup_path(id, other, sizeof(other)))
			continue;
		if (cgroup_is_below(path, other) || cgroup_is_below(other, path))
			fail(EXIT_USAGE, "%s and the domain %s overlap; a domain may not be inside another one", path,
			     other);
	}
}

static bool is_gone(u64 domain, const void *unused)
{
	return cgroup_gone(domain);
}

/* Whether an entry of this map is for a domain whose cgroup is gone. */
static bool is_of_gone(u64 key, const void *map)
{
	union {
		struct ua_killable killable;
		struct ua_container container;
		u64 domain; /* the first member of both */
	} value;

	return !bpf_map_lookup_elem(*(const int *)map, &key, &value) && cgroup_gone(value.domain);
}

/*
 * Removes the domains whose cgroup is gone. One that is made again is another domain, because its number is new: the old
 * ones would fill the tables, and claim the cgroups below which containers may be killed.
 */
static void forget_gone(const struct options *o)
{
	static const char *const by_domain[] = { "domains", "settings", "domain_state" };
	static const char *const in_domain[] = { "killable", "containers" };
	int map;

	for (size_t i = 0; i < sizeof(by_domain) / sizeof(by_domain[0]); i++)
		delete_keys(open_pin(o, by_domain[i], true), is_gone, NULL);
	for (size_t i = 0; i < sizeof(in_domain) / sizeof(in_domain[0]); i++) {
		map = open_pin(o, in_domain[i], true);
		delete_keys(map, is_of_gone, &map);
	}
}

static bool put_new(int map, u64 key, const void *value)
{
	return !bpf_map_update_elem(map, &key, value, BPF_NOEXIST) || errno == EEXIST;
}

int domain_add(const struct options *o, const char *path, const struct domain_limits *wanted)
{
	struct ua_domain limits = { wanted->low, wanted->high };
	struct ua_settings values = {
		.cgth_time_ms = 3000, .flat_ms = 1000, .min_pages = 10, .file_refaults = UA_REFAULTS_WORKINGSET,
		.victim_timeout_ms = 2000, .owed_time_ms = 0, .owed_percent = 1, .owed_progress_percent = 10,
	};
	struct ua_domain_state state = {};
	int domains = open_pin(o, "domains", true);
	u64 id = cgroup_id(path);

	if (wanted->low > wanted->high)
		fail(EXIT_USAGE, "--min-cgth-ms %llu is above --max-cgth-ms %llu", wanted->low, wanted->high);
	refuse_nesting(domains, path);
	forget_gone(o);
	killable_set(o, id, path, wanted);
	/* The domain itself is added last, because it takes effect then. A domain that exists keeps its settings. */
	if (!put_new(open_pin(o, "settings", true), id, &values) ||
	    !put_new(open_pin(o, "domain_state", true), id, &state) ||
	    bpf_map_update_elem(domains, &id, &limits, BPF_ANY))
		fail(EXIT_FAILED, "%s: %s", path,
		     errno == E2BIG ? "the table of domains is full (8); remove one" : strerror(errno));
	if (!o->json)
		printf("domain %s (%llu)%s\n", path, id, wanted->killables ? "" : ": NO CONTAINER MAY BE KILLED in it; give --killable-below PATH");
	return EXIT_OK;
}

struct membership {
	int containers;
	u64 domain;
};

static bool is_member(u64 id, const void *argument)
{
	const struct membership *m = argument;
	struct ua_container c;

	return !bpf_map_lookup_elem(m->containers, &id, &c) && c.domain == m->domain;
}

int domain_remove(const struct options *o, const char *path)
{
	struct membership m = { .containers = open_pin(o, "containers", true) };
	const struct domain_limits nothing = {};
	struct ua_error error;
	u64 id;

	if (cgroup_named(path, &id, &error))
		fail(error.code, "%s", error.text);
	m.domain = id;
	if (bpf_map_delete_elem(open_pin(o, "domains", true), &id))
		fail(EXIT_STATE, "%s: no such domain; see `ua-killer status`", path);
	killable_set(o, id, path, &nothing);
	bpf_map_delete_elem(open_pin(o, "settings", true), &id);
	bpf_map_delete_elem(open_pin(o, "domain_state", true), &id);
	delete_keys(m.containers, is_member, &m);
	return EXIT_OK;
}
