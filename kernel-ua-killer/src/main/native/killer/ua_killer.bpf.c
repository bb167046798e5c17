// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0
/*
 * Sees thrash and ends it inside the kernel's reclaim path. Nothing runs while the kernel does not
 * reclaim. Every hook is a tracepoint, because kernels under lockdown refuse to patch their text.
 *
 *   reclaim begins        note whom it serves: the domain, or one container at its own limit
 *   once per period       walk the memory cgroups below the domains, sum the refaults of every container,
 *                         apply ua_observe(), choose a victim with ua_rank()
 *   a victim is chosen    SIGKILL to every process below its cgroup; kernel threads may not send
 *                         signals, so kswapd leaves that to the next reclaiming process or the helper
 */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>
#include "ua_killer.h"
#include "ua_rules.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

#define PF_EXITING 0x00000004
#define PF_KTHREAD 0x00200000
#define SIGNAL_GROUP_EXIT 0x00000004
#define SIGKILL 9
#define EBUSY 16
#define PAGE_SHIFT 12
#define MAX_LEVELS (1 << 20) /* no limit: a climb ends at the root, and so many cgroups do not fit into any memory */
#define MAX_WALK 65536       /* steps of one walk over the cgroup tree */
#define SLACK_PAGES 1024     /* usage this close below a limit: the limit that made the kernel reclaim */
#define SCAN_SHARE 50        /* a scan takes at most 1/50 of one CPU */
#define MILLION 1000000ULL
#ifndef COMPACT_REFAULT_INDEX
#define COMPACT_REFAULT_INDEX 7 /* after five LRU lists and two slab counters, 6.11 to 7.3; a test builds a wrong one */
#endif

extern int bpf_iter_task_new(struct bpf_iter_task *it, struct task_struct *task, unsigned int flags) __ksym __weak;
extern struct task_struct *bpf_iter_task_next(struct bpf_iter_task *it) __ksym __weak;
extern void bpf_iter_task_destroy(struct bpf_iter_task *it) __ksym __weak;
extern int bpf_iter_num_new(struct bpf_iter_num *it, int start, int end) __ksym __weak;
extern int *bpf_iter_num_next(struct bpf_iter_num *it) __ksym __weak;
extern void bpf_iter_num_destroy(struct bpf_iter_num *it) __ksym __weak;
extern struct task_struct *bpf_task_acquire(struct task_struct *p) __ksym __weak;
extern void bpf_task_release(struct task_struct *p) __ksym __weak;
extern void bpf_rcu_read_lock(void) __ksym __weak;
extern void bpf_rcu_read_unlock(void) __ksym __weak;
extern void bpf_preempt_disable(void) __ksym __weak; /* 6.11 */
extern void bpf_preempt_enable(void) __ksym __weak;
extern int bpf_send_signal_task(struct task_struct *task, int sig, enum pid_type type, u64 value) __ksym __weak;

/* Set by the loader before the programs are loaded. */
const volatile u32 possible_cpus = 1;
const volatile u16 cpu_number[UA_MAX_CPUS] = {}; /* of the possible ones: their numbers may have gaps */
const volatile u32 possible_nodes = 1;
const volatile u32 can_signal = 1; /* 0: without bpf_send_signal_task the helper kills */
const volatile u32 unified = 0;    /* the memory controller is on cgroup v2 */
const volatile u64 mask = 0;       /* random: maps that the group can read show no kernel address */

/* Found by the `setup` program. */
u64 cpu_offset[UA_MAX_CPUS];
u32 refault_index; /* of WORKINGSET_REFAULT_ANON in the per-CPU statistics */
u32 mapped_index;  /* of NR_ANON_MAPPED */

/* The clockwork. */
u64 next_tick_ns;
u64 interval_ns; /* from the pass before to this one, as it was meant */
u64 ticking;
u64 global_reclaim_ns;
u64 sequence;
u32 pending_kills;

struct ua_counters counters SEC(".data.counters") = {};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct ua_control);
} control SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, UA_MAX_DOMAINS);
	__type(key, u64);
	__type(value, struct ua_domain);
} domains SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, UA_MAX_DOMAINS);
	__type(key, u64);
	__type(value, struct ua_settings);
} settings SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, UA_MAX_CONTAINERS);
	__type(key, u64);
	__type(value, struct ua_container);
} containers SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, UA_MAX_CONTAINERS);
	__type(key, u64);
	__type(value, struct ua_container_state);
} container_state SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, UA_MAX_DOMAINS);
	__type(key, u64);
	__type(value, struct ua_domain_state);
} domain_state SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, UA_DECISIONS);
	__type(key, u32);
	__type(value, struct ua_decision);
} decisions SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, UA_MAX_KILLABLE);
	__type(key, u64);
	__type(value, struct ua_killable);
} killable SEC(".maps");

/* Filled by the helper; they live here so that they are pinned and owned like the others. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct ua_helper);
} helper SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, UA_DECISIONS);
	__type(key, u32);
	__type(value, struct ua_release);
} releases SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 256 * 1024);
} work SEC(".maps");

/* A zeroed container state: too large for the BPF stack. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct ua_container_state);
} blank SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u64);
} cpu_probe SEC(".maps");

struct kill_slot slots[UA_MAX_DOMAINS];

/* ---- reading the kernel ------------------------------------------------------------------------ */

#define peek(type, address)                                                                                    \
	({                                                                                                     \
		type value_ = 0;                                                                               \
		bpf_probe_read_kernel(&value_, sizeof(value_), (const void *)(address));                       \
		value_;                                                                                        \
	})
#define CSS(address) ((struct cgroup_subsys_state *)(address))
#define MEMCG(address) ((struct mem_cgroup *)((address) - bpf_core_field_offset(struct mem_cgroup, css)))

static __always_inline u64 css_id(u64 css)
{
	return BPF_CORE_READ(CSS(css), cgroup, kn, id);
}

static __always_inline u64 css_parent(u64 css)
{
	return (u64)BPF_CORE_READ(CSS(css), parent);
}

static __always_inline u64 task_css(struct task_struct *task)
{
	struct css_set *set = BPF_CORE_READ(task, cgroups);
	u32 subsystem = bpf_core_enum_value(enum cgroup_subsys_id, memory_cgrp_id);

	return peek(u64, (u64)set + bpf_core_field_offset(struct css_set, subsys) + subsystem * sizeof(void *));
}

static __always_inline u64 usage_pages(struct page_counter *counter)
{
	return BPF_CORE_READ(counter, usage.counter);
}

/* Pages below the limit at which the kernel reclaims this cgroup. */
static __always_inline u64 margin_pages(u64 css)
{
	struct mem_cgroup *memcg = MEMCG(css);
	u64 used = usage_pages(&memcg->memory);
	u64 max = BPF_CORE_READ(memcg, memory.max), high = BPF_CORE_READ(memcg, memory.high);
	u64 margin, swap_max;

	if (high < max)
		max = high;
	margin = used < max ? max - used : 0;
	if (!unified) {
		used = usage_pages(&memcg->memsw);
		swap_max = BPF_CORE_READ(memcg, memsw.max);
		swap_max = used < swap_max ? swap_max - used : 0;
		if (swap_max < margin)
			margin = swap_max;
	}
	return margin;
}

/* Linux 7.3 moved this counter from the cgroup to its states. */
struct cgroup___before_7_3 {
	int nr_populated_csets;
} __attribute__((preserve_access_index));
struct cgroup_subsys_state___7_3 {
	int nr_populated_csets;
} __attribute__((preserve_access_index));

static __always_inline bool is_populated(struct cgroup *cgroup)
{
	struct cgroup___before_7_3 *before = (void *)cgroup;
	struct cgroup_subsys_state___7_3 *self = (void *)cgroup + bpf_core_field_offset(struct cgroup, self);
	int sets;

	if (bpf_core_field_exists(before->nr_populated_csets))
		sets = BPF_CORE_READ(before, nr_populated_csets);
	else
		sets = BPF_CORE_READ(self, nr_populated_csets);
	return sets || BPF_CORE_READ(cgroup, nr_populated_domain_children) ||
	       BPF_CORE_READ(cgroup, nr_populated_threaded_children);
}

static __always_inline u64 newest(u64 a, u64 b)
{
	return a > b ? a : b;
}

/* Other CPUs note moments while a pass goes on, so `from` may be the later one. */
static __always_inline u64 elapsed(u64 from, u64 to)
{
	return to > from ? to - from : 0;
}

/* ---- setup ------------------------------------------------------------------------------------- */

static u64 scratch;

/*
 * Learns what user space cannot tell: the address offset of every CPU's copy of per-CPU data (from the
 * copies of a map of our own, since the kernel hides its symbol) and where the refault counters lie
 * (kernels before 6.11 index by enum node_stat_item, later ones by a compact list, in which the mapped
 * anonymous pages follow the counters of workingsets).
 */
SEC("syscall")
int setup(void *ctx)
{
	u32 zero = 0, cpu;
	u64 base, map;

	scratch = (u64)&cpu_probe;
	barrier_var(scratch);
	map = *(volatile u64 *)&scratch;
	base = peek(u64, map + bpf_core_field_offset(struct bpf_array, pptrs));
	for (cpu = 0; cpu < UA_MAX_CPUS; cpu++) {
		void *copy;

		if (cpu >= possible_cpus)
			break;
		copy = bpf_map_lookup_percpu_elem(&cpu_probe, &zero, cpu_number[cpu]);
		if (!copy)
			return 1;
		*(volatile u64 *)&scratch = (u64)copy;
		cpu_offset[cpu] = *(volatile u64 *)&scratch - base;
	}
	if (bpf_core_field_size(struct lruvec_stats_percpu, state) / sizeof(long) ==
	    bpf_core_enum_value(enum node_stat_item, NR_VM_NODE_STAT_ITEMS)) {
		refault_index = bpf_core_enum_value(enum node_stat_item, WORKINGSET_REFAULT_BASE);
		mapped_index = bpf_core_enum_value(enum node_stat_item, NR_ANON_MAPPED);
	} else {
		refault_index = COMPACT_REFAULT_INDEX;
		mapped_index = refault_index + 1 + bpf_core_enum_value(enum node_stat_item, WORKINGSET_NODERECLAIM) -
			       bpf_core_enum_value(enum node_stat_item, WORKINGSET_REFAULT_BASE);
	}
	return 0;
}

/* Runs the rules on given numbers: the differential test against Java. */
SEC("syscall")
int rules(struct ua_rules_call *call)
{
	struct ua_thresholds limits = { call->tolerance_ns, call->flat_ns, call->min_pages };
	struct ua_series series = call->series;

	call->thrashing = ua_observe(&series, call->now_ns, call->value, call->counts, &limits);
	call->series = series;
	call->rank = ua_rank(call->policy, call->memory, call->age_ms, call->score);
	return 0;
}

/* ---- whom a reclaim serves ----------------------------------------------------------------------- */

struct climb {
	u64 css;
	u64 container, domain;
	u32 domain_level;
	u32 target_level;
	u64 smallest_margin;
};

static long climb_step(u32 level, struct climb *c)
{
	u64 id, margin;

	if (!c->css)
		return 1;
	id = css_id(c->css);
	if (!c->domain) {
		struct ua_container *registered = bpf_map_lookup_elem(&containers, &id);

		if (registered)
			c->container = id; /* the outermost one below the domain's root counts */
		if (bpf_map_lookup_elem(&domains, &id)) {
			c->domain = id;
			c->domain_level = level;
		}
	}
	margin = margin_pages(c->css);
	if (margin <= SLACK_PAGES && margin < c->smallest_margin) {
		c->smallest_margin = margin;
		c->target_level = level;
	}
	c->css = css_parent(c->css);
	return 0;
}

static __always_inline void note_reclaim(u64 now, bool global)
{
	struct climb c = { .css = task_css((void *)bpf_get_current_task()), .smallest_margin = ~0ULL };
	struct ua_container_state *container;
	struct ua_domain_state *domain;

	if (global)
		global_reclaim_ns = now;
	bpf_loop(MAX_LEVELS, climb_step, &c, 0);
	if (!c.domain || (!global && c.smallest_margin == ~0ULL))
		return;
	domain = bpf_map_lookup_elem(&domain_state, &c.domain);
	container = bpf_map_lookup_elem(&container_state, &c.container);
	if (global || c.target_level >= c.domain_level) {
		if (domain) {
			domain->reclaim_ns = now;
			__sync_fetch_and_add(&domain->reclaims, 1);
		}
		if (container)
			__sync_fetch_and_add(&container->node_reclaims, 1);
	} else {
		if (domain)
			__sync_fetch_and_add(&domain->own_limit_reclaims, 1);
		if (container)
			__sync_fetch_and_add(&container->own_reclaims, 1);
	}
}

/* ---- walk over the cgroups ----------------------------------------------------------------------- */

struct walk {
	u64 now;
	u64 css, top;
	u64 domain_css, domain;
	u64 container_css, container;
	u64 killable_css; /* containers below it may be killed */
	u32 descending;
	u32 finished;
	u32 file_refaults;
	u32 ignored; /* registrations */
};

/* Only the holder of `ticking` walks. In memory of a map, because the verifier of Linux 7.3 follows a local through all steps. */
static struct walk walking;

struct sum {
	u64 memcg;
	u64 offset;  /* of the anonymous counter */
	u64 to_file; /* from there to the file counter */
	u64 value[UA_SERIES];
};

static long sum_step(u32 i, struct sum *s)
{
	u32 cpu = i % possible_cpus, node = i / possible_cpus;
	u64 per_node, statistics;

	per_node = peek(u64, s->memcg + bpf_core_field_offset(struct mem_cgroup, nodeinfo) + node * sizeof(void *));
	if (!per_node)
		return 0;
	statistics = (u64)BPF_CORE_READ((struct mem_cgroup_per_node *)per_node, lruvec_stats_percpu);
	statistics += cpu_offset[cpu & (UA_MAX_CPUS - 1)] + s->offset;
	s->value[UA_ANONYMOUS] += peek(u64, statistics);
	s->value[UA_FILE] += peek(u64, statistics + s->to_file);
	return 0;
}

static __always_inline u64 statistic(u32 index)
{
	return bpf_core_field_offset(struct lruvec_stats_percpu, state) + index * sizeof(long);
}

/*
 * What stands at the places where the mapped anonymous pages and the refaults of the caller's own cgroup are expected.
 * The loader maps pages of its own in between: the place of one is right if it grew by these, of the other if it did not.
 */
SEC("syscall")
int places(struct ua_places *found)
{
	struct sum mapped = { .memcg = (u64)MEMCG(task_css((void *)bpf_get_current_task())) };
	struct sum refaults = { .memcg = mapped.memcg };

	mapped.offset = statistic(mapped_index);
	refaults.offset = statistic(refault_index);
	refaults.to_file = sizeof(long);
	bpf_loop(possible_cpus * possible_nodes, sum_step, &mapped, 0);
	bpf_loop(possible_cpus * possible_nodes, sum_step, &refaults, 0);
	found->mapped = mapped.value[UA_ANONYMOUS];
	found->refaults = refaults.value[UA_ANONYMOUS] + refaults.value[UA_FILE];
	return 0;
}

static __always_inline struct ua_container_state *state_of(u64 id)
{
	struct ua_container_state *state = bpf_map_lookup_elem(&container_state, &id);
	u32 zero = 0;

	if (state)
		return state;
	state = bpf_map_lookup_elem(&blank, &zero);
	if (!state)
		return NULL;
	bpf_map_update_elem(&container_state, &id, state, BPF_NOEXIST);
	return bpf_map_lookup_elem(&container_state, &id);
}

/* The walk meets a registered container of this domain. */
static __always_inline void enter_container(struct walk *w, u64 id, struct ua_container *registered)
{
	struct ua_container_state *state = state_of(id);
	u64 css = w->css; /* BPF_CORE_READ would relocate w->css too */
	struct mem_cgroup *memcg = MEMCG(css);
	struct cgroup *cgroup;
	u64 memory, swap;

	if (!state)
		return;
	w->container_css = w->css;
	w->container = id;
	cgroup = BPF_CORE_READ(CSS(css), cgroup);
	memory = usage_pages(&memcg->memory) << PAGE_SHIFT;
	if (unified) {
		swap = usage_pages(&memcg->swap) << PAGE_SHIFT;
	} else {
		swap = usage_pages(&memcg->memsw) << PAGE_SHIFT;
		swap = swap > memory ? swap - memory : 0;
	}
	if (!state->first_seen_ns)
		state->first_seen_ns = w->now;
	state->domain = w->domain;
	state->cgroup = (u64)cgroup ^ mask;
	state->level = BPF_CORE_READ(cgroup, level);
	state->populated = is_populated(cgroup);
	state->killable = w->killable_css && registered->flags & UA_KILLABLE;
	w->ignored += !w->killable_css && registered->flags & UA_KILLABLE;
	state->seen_ns = w->now;
	state->start_ns = registered->start_ns ?: state->first_seen_ns;
	state->memory = memory;
	state->swap = swap;
	state->scanned[UA_ANONYMOUS] = 0;
	state->scanned[UA_FILE] = 0;
}

static __always_inline void add_refaults(struct walk *w)
{
	struct ua_container_state *state = bpf_map_lookup_elem(&container_state, &w->container);
	struct sum s = { .memcg = (u64)MEMCG(w->css) };

	if (!state)
		return;
	s.offset = statistic(refault_index);
	s.to_file = (UA_FILE + 2 * w->file_refaults) * sizeof(long);
	bpf_loop(possible_cpus * possible_nodes, sum_step, &s, 0);
	state->scanned[UA_ANONYMOUS] += s.value[UA_ANONYMOUS];
	state->scanned[UA_FILE] += s.value[UA_FILE];
}

static __always_inline bool is_killable_root(struct walk *w, u64 id)
{
	struct ua_killable *found = bpf_map_lookup_elem(&killable, &id);

	return found && found->domain == w->domain;
}

static __always_inline void leave_container(struct walk *w)
{
	struct ua_container_state *state;
	struct ua_container *registered;

	if (!w->container_css)
		return;
	state = bpf_map_lookup_elem(&container_state, &w->container);
	registered = bpf_map_lookup_elem(&containers, &w->container);
	if (state)
		state->seen_ns = 0;
	if (registered && !(registered->flags & UA_KILLABLE)) /* a killable one was counted when it was entered */
		w->ignored++;
	w->container_css = 0;
}

static __always_inline void visit(struct walk *w)
{
	u64 id = css_id(w->css);
	struct ua_container *registered = bpf_map_lookup_elem(&containers, &id);
	bool killable_root;

	if (!w->domain_css && bpf_map_lookup_elem(&domains, &id)) {
		struct ua_domain_state *domain = bpf_map_lookup_elem(&domain_state, &id);

		w->domain_css = w->css;
		w->domain = id;
		w->file_refaults = domain ? domain->settings.file_refaults : UA_REFAULTS_WORKINGSET;
	}
	killable_root = w->domain_css && !w->killable_css && is_killable_root(w, id);
	if (killable_root || w->css == w->domain_css) {
		/* Neither this one nor what holds it is a container: all that are in it would be hidden. */
		leave_container(w);
		w->ignored += !!registered;
	} else if (registered && !w->container_css) {
		if (w->domain_css && registered->domain == w->domain &&
		    ua_acceptable(registered->score, registered->flags))
			enter_container(w, id, registered);
		else
			w->ignored++;
	}
	if (killable_root)
		w->killable_css = w->css; /* from here on strictly below it */
	if (w->container_css)
		add_refaults(w);
}

static __always_inline void leave(struct walk *w)
{
	if (w->css == w->container_css)
		w->container_css = 0;
	if (w->css == w->killable_css)
		w->killable_css = 0;
	if (w->css == w->domain_css)
		w->domain_css = 0;
}

/* Depth first, one move a step; the lists are RCU-safe and every read may fail harmlessly. */
static long walk_step(u32 step, void *unused)
{
	struct walk *w = &walking;
	u64 head, next, parent;

	if (w->descending) {
		visit(w);
		head = w->css + bpf_core_field_offset(struct cgroup_subsys_state, children);
		next = peek(u64, head);
		if (next && next != head) {
			w->css = next - bpf_core_field_offset(struct cgroup_subsys_state, sibling);
			return 0;
		}
		w->descending = 0;
	}
	leave(w);
	if (w->css == w->top) {
		w->finished = 1;
		return 1;
	}
	parent = css_parent(w->css);
	if (!parent)
		return 1;
	next = peek(u64, w->css + bpf_core_field_offset(struct cgroup_subsys_state, sibling));
	if (next && next != parent + bpf_core_field_offset(struct cgroup_subsys_state, children)) {
		w->css = next - bpf_core_field_offset(struct cgroup_subsys_state, sibling);
		w->descending = 1;
	} else {
		w->css = parent;
	}
	return 0;
}

static long root_step(u32 level, u64 *css)
{
	u64 parent = css_parent(*css);

	if (!parent)
		return 1;
	*css = parent;
	return 0;
}

/* ---- judging ------------------------------------------------------------------------------------- */

struct judge {
	u64 now;
	u32 exact;
};

static __always_inline void clear_series(struct ua_container_state *state)
{
	__builtin_memset(state->series, 0, sizeof(state->series));
}

static __always_inline u64 age_ms(struct ua_container_state *state, u64 now)
{
	return elapsed(state->start_ns, now) / MILLION;
}

static __always_inline u64 candidate_rank(struct ua_container *registered, struct ua_container_state *state,
					  struct ua_settings *values, u64 now)
{
	if (!ua_acceptable(registered->score, registered->flags) || !state->killable || state->seen_ns != now || !state->populated ||
	    state->given_up_ns)
		return 0;
	return ua_rank(values->policy, state->memory + state->swap, age_ms(state, now), registered->score);
}

static long judge_container(void *map, u64 *key, struct ua_container_state *state, struct judge *j)
{
	struct ua_container *registered;
	struct ua_domain_state *domain;
	struct ua_settings *values;
	struct ua_thresholds limits;
	struct ua_sample *sample;
	u64 id = *key, owner, rank, memory, anonymous, file, own, node;
	u32 counts;
	int thrash_anonymous, thrash_file;

	registered = bpf_map_lookup_elem(&containers, &id);
	if (!registered) {
		bpf_map_delete_elem(&container_state, &id);
		return 0;
	}
	if (state->seen_ns != j->now)
		return 0;
	owner = state->domain;
	domain = bpf_map_lookup_elem(&domain_state, &owner);
	if (!domain)
		return 0;
	values = &domain->settings;
	if (state->epoch != domain->epoch) {
		clear_series(state);
		state->epoch = domain->epoch;
	}
	own = state->own_reclaims - state->own_before;
	node = state->node_reclaims - state->node_before;
	state->own_before += own;
	state->node_before += node;
	counts = domain->pressured && own <= node;

	anonymous = j->exact ? state->exact[UA_ANONYMOUS] : state->scanned[UA_ANONYMOUS];
	file = j->exact ? state->exact[UA_FILE] : state->scanned[UA_FILE];
	limits.tolerance_ns = values->cgth_time_ms * MILLION;
	limits.flat_ns = ua_flat_ns(values->flat_ms, interval_ns);
	limits.min_pages = values->min_pages;
	thrash_anonymous = ua_observe(&state->series[UA_ANONYMOUS], j->now, anonymous, counts, &limits);
	thrash_file = ua_observe(&state->series[UA_FILE], j->now, file, counts, &limits);

	memory = state->memory + state->swap;
	sample = &state->samples[state->samples_taken++ % UA_RING];
	sample->ns = j->now;
	sample->anonymous = anonymous;
	sample->file = file;
	sample->memory = memory;
	sample->counted = counts;

	if ((thrash_anonymous || thrash_file) && !domain->trigger) {
		u32 series = thrash_anonymous ? UA_ANONYMOUS : UA_FILE;

		domain->trigger = id;
		domain->trigger_series = series;
		domain->trigger_streak_ns = ua_streak_ns(&state->series[series & 1]);
	}
	rank = candidate_rank(registered, state, values, j->now);
	/* A victim that is dying, or will be given up, is no candidate. */
	if (rank && id != domain->victim &&
	    ua_better(rank, memory, id, domain->best_rank, domain->best_memory, domain->best)) {
		domain->best = id;
		domain->best_rank = rank;
		domain->best_memory = memory;
	}
	return 0;
}

/* Before the walk: from here on the pass knows only settings within their ranges. */
static long adopt_settings(void *map, u64 *key, struct ua_domain_state *domain, void *unused)
{
	struct ua_settings *written = bpf_map_lookup_elem(&settings, key);
	struct ua_domain *limits = bpf_map_lookup_elem(&domains, key);

	if (written && limits)
		ua_clamp(written, limits, &domain->settings);
	else
		domain->settings.cgth_time_ms = 0;
	return 0;
}

static long prepare_domain(void *map, u64 *key, struct ua_domain_state *domain, struct judge *j)
{
	u64 last = newest(domain->reclaim_ns, global_reclaim_ns);

	domain->pressured = last && elapsed(last, j->now) <= ua_flat_ns(domain->settings.flat_ms, interval_ns);
	domain->trigger = 0;
	domain->best = 0;
	domain->best_rank = 0;
	domain->best_memory = 0;
	return 0;
}

struct ranking {
	u64 now;
	u64 domain;
	u32 sequence_slot;
};

static long rank_candidate(void *map, u64 *key, struct ua_container_state *state, struct ranking *r)
{
	struct ua_container *registered = bpf_map_lookup_elem(&containers, key);
	u64 owner = r->domain;
	struct ua_domain_state *domain = bpf_map_lookup_elem(&domain_state, &owner);
	struct ua_decision *decision = bpf_map_lookup_elem(&decisions, &r->sequence_slot);
	struct ua_candidate *entry;
	u64 rank;
	u32 i;

	if (!registered || !domain || !decision || state->domain != r->domain)
		return 0;
	rank = candidate_rank(registered, state, &domain->settings, r->now);
	if (!rank)
		return 0;
	i = decision->candidates++;
	if (i >= UA_RANKING)
		return 0;
	entry = &decision->ranking[i & (UA_RANKING - 1)];
	entry->container = *key;
	entry->memory = state->memory + state->swap;
	entry->age_ms = age_ms(state, r->now);
	entry->rank = rank;
	entry->score = registered->score;
	return 0;
}

static __always_inline void emit(u32 kind, u64 container, u64 number, s32 pid)
{
	struct ua_event *event = bpf_ringbuf_reserve(&work, sizeof(*event), 0);

	if (!event) {
		__sync_fetch_and_add(&counters.ring_full, 1);
		return;
	}
	event->ns = bpf_ktime_get_ns();
	event->sequence = number;
	event->container = container;
	event->kind = kind;
	event->pid = pid;
	bpf_ringbuf_submit(event, 0);
}

static __always_inline void arm(u64 domain, u64 id, struct ua_container_state *state, u64 number)
{
	u32 i;

	for (i = 0; i < UA_MAX_DOMAINS; i++) {
		struct kill_slot *slot = &slots[i];

		if (slot->active && slot->domain != domain)
			continue;
		slot->cgroup = state->cgroup ^ mask;
		slot->level = state->level;
		slot->id = id;
		slot->domain = domain;
		slot->sequence = number;
		slot->active = 1;
		pending_kills = 1;
		return;
	}
}

static __always_inline void decide(u64 domain_id, struct ua_domain_state *domain, u64 now)
{
	struct ua_container_state *victim;
	struct ua_decision *decision;
	struct ranking r = {};
	u64 id = domain->best;
	u32 slot;

	domain->epoch++; /* clears the samples of all containers of the domain */
	victim = id ? bpf_map_lookup_elem(&container_state, &id) : NULL;
	if (!victim) {
		domain->no_candidate++;
		return;
	}
	r.sequence_slot = slot = (sequence + 1) % UA_DECISIONS;
	decision = bpf_map_lookup_elem(&decisions, &slot);
	if (!decision)
		return;
	__builtin_memset(decision, 0, sizeof(*decision));
	decision->domain = domain_id;
	decision->trigger = domain->trigger;
	decision->series = domain->trigger_series;
	decision->streak_ns = domain->trigger_streak_ns;
	decision->victim = id;
	decision->decision_ns = bpf_ktime_get_ns();
	decision->memory = victim->memory + victim->swap;
	decision->cgth_time_ms = domain->settings.cgth_time_ms;
	decision->policy = domain->settings.policy;
	r.now = now;
	r.domain = domain_id;
	bpf_for_each_map_elem(&container_state, rank_candidate, &r, 0);
	decision->sequence = ++sequence;
	domain->kills++;
	domain->victim = id;
	domain->victim_ns = decision->decision_ns;
	domain->victim_sequence = decision->sequence;
	arm(domain_id, id, victim, decision->sequence);
}

static long judge_domain(void *map, u64 *key, struct ua_domain_state *domain, struct judge *j)
{
	u64 id = *key, dying = domain->victim;
	struct ua_container_state *victim;

	if (dying) {
		victim = bpf_map_lookup_elem(&container_state, &dying);
		if (!victim || victim->seen_ns != j->now || !victim->populated) {
			domain->victim = 0;
			domain->last_gone_ns = j->now;
		} else if (elapsed(domain->victim_ns, j->now) <= domain->settings.victim_timeout_ms * MILLION) {
			/* A process forked during the first pass: signal whoever is left. */
			arm(id, dying, victim, domain->victim_sequence);
			return 0;
		} else {
			victim->given_up_ns = j->now;
			domain->victim = 0;
			domain->survivors++;
			if (domain->pressured && domain->best) {
				domain->trigger = dying;
				domain->trigger_streak_ns = j->now - domain->victim_ns;
			}
		}
	}
	if (domain->trigger && domain->pressured)
		decide(id, domain, j->now);
	return 0;
}

/* ---- killing ------------------------------------------------------------------------------------- */

static __always_inline bool below(struct task_struct *task, u64 cgroup, u32 level)
{
	u64 css = task_css(task), own, ancestor;

	own = (u64)BPF_CORE_READ(CSS(css), cgroup);
	if (own == cgroup)
		return true;
	if ((u32)BPF_CORE_READ((struct cgroup *)own, level) <= level)
		return false;
	ancestor = peek(u64, own + bpf_core_field_offset(struct cgroup, ancestors) + (u64)level * sizeof(void *));
	return ancestor == cgroup;
}

/* Counters of the pass under way; in globals because the verifier follows locals through the loop. */
static u32 pass_signals, pass_failures;

/* SIGKILL to every process of the container in this slot, nested cgroups included. */
__noinline int kill_pass(u32 index, u32 executor)
{
	struct bpf_iter_task tasks;
	struct bpf_iter_num attempts;
	struct task_struct *task, *held;
	struct ua_decision *decision;
	struct kill_slot *slot;
	u64 victim, number;
	u32 level, entry;
	s32 pid;

	if (!can_signal || index >= UA_MAX_DOMAINS)
		return 0;
	slot = &slots[index];
	if (!slot->active)
		return 0;
	victim = slot->cgroup;
	level = slot->level;
	number = slot->sequence;
	entry = number % UA_DECISIONS;
	/* The address may be stale: it must still be the cgroup of that number. */
	if (BPF_CORE_READ((struct cgroup *)victim, kn, id) != slot->id) {
		slot->active = 0;
		return 0;
	}
	slot->active = 0;
	pass_signals = 0;
	pass_failures = 0;

	bpf_rcu_read_lock();
	bpf_iter_task_new(&tasks, NULL, 0);
	while ((task = bpf_iter_task_next(&tasks))) {
		int result = -1;

		if (task->flags & PF_KTHREAD)
			continue;
		if (BPF_CORE_READ(task, signal, flags) & SIGNAL_GROUP_EXIT)
			continue; /* has its SIGKILL */
		/* A process whose first thread has gone still has others. */
		if ((task->flags & PF_EXITING) && !BPF_CORE_READ(task, signal, live.counter))
			continue;
		if (!below(task, victim, level))
			continue;
		held = bpf_task_acquire(task);
		if (!held)
			continue;
		pid = held->tgid;
		bpf_iter_num_new(&attempts, 0, 20000);
		while (bpf_iter_num_next(&attempts)) {
			result = bpf_send_signal_task(held, SIGKILL, PIDTYPE_TGID, 0);
			if (result != -EBUSY)
				break;
			__sync_fetch_and_add(&counters.signal_retries, 1);
		}
		bpf_iter_num_destroy(&attempts);
		bpf_task_release(held);
		if (result) {
			pass_failures++;
			continue;
		}
		pass_signals++;
		decision = bpf_map_lookup_elem(&decisions, &entry);
		if (decision && !decision->passes) {
			decision->last_signal_ns = bpf_ktime_get_ns();
			if (!decision->first_signal_ns)
				decision->first_signal_ns = decision->last_signal_ns;
		}
		emit(UA_EVENT_SIGNALLED, slot->id, number, pid);
	}
	bpf_iter_task_destroy(&tasks);
	bpf_rcu_read_unlock();

	decision = bpf_map_lookup_elem(&decisions, &entry);
	if (decision) {
		decision->signals += pass_signals;
		decision->failures += pass_failures;
		if (!decision->passes)
			decision->executor = executor;
		decision->passes++;
	}
	return 0;
}

/* Carries out what the judge decided, unless this is a kernel thread: its signals would be refused. */
static __always_inline void carry_out(u32 executor)
{
	u32 i;

	if (!pending_kills)
		return;
	if (can_signal && !(((struct task_struct *)bpf_get_current_task_btf())->flags & PF_KTHREAD)) {
		if (__sync_val_compare_and_swap(&pending_kills, 1, 0) != 1)
			return;
		for (i = 0; i < UA_MAX_DOMAINS; i++)
			kill_pass(i, executor);
	}
}

/* Tells the helper what only it can do. Called once per period at most. */
static __always_inline void ask_helper(void)
{
	u32 i;

	if (can_signal) {
		__sync_fetch_and_add(&counters.handovers, 1);
		emit(UA_EVENT_HANDOVER, 0, sequence, 0);
		return;
	}
	if (__sync_val_compare_and_swap(&pending_kills, 1, 0) != 1)
		return;
	for (i = 0; i < UA_MAX_DOMAINS; i++) {
		if (!slots[i].active)
			continue;
		slots[i].active = 0;
		emit(UA_EVENT_KILL, slots[i].id, slots[i].sequence, 0);
	}
}

/* ---- the clock ----------------------------------------------------------------------------------- */

static __always_inline void scan(u64 now)
{
	struct walk *w = &walking;
	struct judge j = { .now = now };
	struct ua_control *options;
	u32 zero = 0;
	u64 top;

	options = bpf_map_lookup_elem(&control, &zero);
	j.exact = options && options->source == UA_SOURCE_EXACT;
	__builtin_memset(w, 0, sizeof(*w));
	w->now = now;
	w->descending = 1;
	top = task_css((void *)bpf_get_current_task());
	bpf_loop(MAX_LEVELS, root_step, &top, 0);
	w->top = w->css = top;
	bpf_for_each_map_elem(&domain_state, adopt_settings, NULL, 0);
	bpf_loop(MAX_WALK, walk_step, NULL, 0);
	if (!w->finished)
		counters.walk_truncated++;
	counters.registrations_ignored = w->ignored;
	bpf_for_each_map_elem(&domain_state, prepare_domain, &j, 0);
	bpf_for_each_map_elem(&container_state, judge_container, &j, 0);
	bpf_for_each_map_elem(&domain_state, judge_domain, &j, 0);
}

static __always_inline void pass(u64 now)
{
	struct ua_control *options;
	u64 took, period;
	u32 zero = 0;

	if (__sync_val_compare_and_swap(&ticking, 0, 1))
		return;
	if (now >= next_tick_ns) {
		options = bpf_map_lookup_elem(&control, &zero);
		period = (options ? options->period_ms : 100) * MILLION;
		scan(now);
		took = bpf_ktime_get_ns() - now;
		counters.ticks++;
		counters.tick_nanos += took;
		counters.max_tick_nanos = newest(counters.max_tick_nanos, took);
		interval_ns = newest(period, took * SCAN_SHARE);
		next_tick_ns = now + interval_ns;
		if (pending_kills && (!can_signal ||
				      (((struct task_struct *)bpf_get_current_task_btf())->flags & PF_KTHREAD)))
			ask_helper();
	}
	__sync_lock_test_and_set(&ticking, 0);
}

/*
 * Before Linux 7 a program of a tracepoint is not preempted. Since then the task that makes the pass may be, and if it is a
 * best-effort one it comes back late: all others would see nothing meanwhile.
 */
static __always_inline void tick(u64 now)
{
	if (now < next_tick_ns)
		return;
	if (bpf_preempt_disable && bpf_preempt_enable)
		bpf_preempt_disable();
	pass(now);
	if (bpf_preempt_disable && bpf_preempt_enable)
		bpf_preempt_enable();
}

/* ---- hooks --------------------------------------------------------------------------------------- */

SEC("tp_btf/mm_vmscan_memcg_reclaim_begin")
int BPF_PROG(memcg_reclaim_begin)
{
	u64 now = bpf_ktime_get_ns();

	note_reclaim(now, false);
	tick(now);
	carry_out(UA_BY_RECLAIMER);
	return 0;
}

SEC("tp_btf/mm_vmscan_direct_reclaim_begin")
int BPF_PROG(direct_reclaim_begin)
{
	u64 now = bpf_ktime_get_ns();

	note_reclaim(now, true);
	tick(now);
	carry_out(UA_BY_RECLAIMER);
	return 0;
}

/* Every batch of pages, in the reclaiming process or in kswapd: one reclaim may last for seconds. */
SEC("tp_btf/mm_vmscan_lru_shrink_inactive")
int BPF_PROG(shrink_inactive)
{
	u64 now = bpf_ktime_get_ns();

	if (now >= next_tick_ns) {
		if (((struct task_struct *)bpf_get_current_task_btf())->flags & PF_KTHREAD)
			global_reclaim_ns = now; /* kswapd: the whole machine is short of memory */
		tick(now);
	}
	carry_out(UA_BY_RECLAIMER);
	return 0;
}

struct owner {
	u64 css;
	u64 container;
};

static long owner_step(u32 level, struct owner *o)
{
	u64 id = css_id(o->css);

	if (bpf_map_lookup_elem(&container_state, &id)) {
		o->container = id;
		return 1;
	}
	o->css = css_parent(o->css);
	return !o->css;
}

/* The data source `exact`: every refault as it is counted, at a price (docs). */
SEC("tp_btf/mod_memcg_lruvec_state")
int BPF_PROG(count_refault, struct mem_cgroup *memcg, int item, int value)
{
	u32 base = bpf_core_enum_value(enum node_stat_item, WORKINGSET_REFAULT_BASE);
	struct owner owner = { .css = (u64)memcg + bpf_core_field_offset(struct mem_cgroup, css) };
	struct ua_container_state *state;
	struct ua_domain_state *domain;
	u32 position = item - base;
	u64 id;

	if (position > 5 || value <= 0)
		return 0;
	bpf_loop(MAX_LEVELS, owner_step, &owner, 0);
	state = bpf_map_lookup_elem(&container_state, &owner.container);
	if (!state)
		return 0;
	id = state->domain;
	domain = bpf_map_lookup_elem(&domain_state, &id);
	if (position == UA_ANONYMOUS || (domain && position == UA_FILE + 2 * domain->settings.file_refaults))
		__sync_fetch_and_add(&state->exact[position & 1], value);
	return 0;
}

/* Run by the helper, a process, when kswapd had a decision and no process came along to carry it out. */
SEC("syscall")
int handover(void *ctx)
{
	carry_out(UA_BY_HANDOVER);
	return 0;
}
