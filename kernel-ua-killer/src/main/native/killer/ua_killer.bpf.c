// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0
/*
 * Detects thrash and ends it inside the kernel's reclaim path. The programs run only while the kernel reclaims.
 * Every hook is a tracepoint, because kernels under lockdown refuse to patch their text.
 *
 *   reclaim begins        note which limit it serves: the domain, the limit around best-effort, or one container at its own limit
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
#define PF_MEMALLOC 0x00000800 /* the task reclaims */
#define PF_KSWAPD 0x00020000
#define PF_KTHREAD 0x00200000
#define SIGNAL_GROUP_EXIT 0x00000004
#define SIGKILL 9
#define E2BIG 7
#define EBUSY 16
/* in effect none: a climb ends at the root, and no memory holds this many nested cgroups */
#define MAX_LEVELS (1 << 20)
#define MAX_WALK 65536       /* maximum number of steps of one walk over the cgroup tree */
/*
 * If usage is this close below a limit, that limit made the kernel reclaim. In pages of any size, because the
 * kernel charges memory in batches of 64 pages.
 */
#define SLACK_PAGES 1024
#define SCAN_SHARE 50        /* a scan uses at most 1/50 of one CPU */
/* a container whose tasks have not reclaimed for this many passes is not short of memory */
#define RECLAIM_INTERVALS 3
#define PAGES_PER_SAMPLE 64  /* one page of a file in this many is followed */
#define MAX_FOLLOWED 8       /* maximum number of pages followed per folio */
#define MAX_EVICTED (128 * 1024)
#define AFTER_RECLAIM_NS 10000000000ULL /* file pages read are examined for this long after a reclaim */
/*
 * A victim that starts new processes is pursued beyond its timeout, for at least this many timeouts and passes. Then another
 * container has its turn, because a victim must not be able to protect all others.
 */
#define PURSUED_TIMEOUTS 5
#define PURSUED_PASSES 50
#define OWED_EVENT_NS 20000000ULL /* minimum time between two events of a domain */
/* counters of a cgroup that a pass reads; those of its lists and its working set come first */
#define STATISTICS 32
#define MILLION 1000000ULL
#ifndef COMPACT_REFAULT_INDEX
/* after five LRU lists and two slab counters, Linux 6.11 to 7.3; a test builds a wrong value */
#define COMPACT_REFAULT_INDEX 7
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
extern void bpf_preempt_disable(void) __ksym __weak; /* since Linux 6.11 */
extern void bpf_preempt_enable(void) __ksym __weak;
extern int bpf_send_signal_task(struct task_struct *task, int sig, enum pid_type type, u64 value) __ksym __weak;

/* Set by the loader before the programs are loaded. */
const volatile u32 possible_cpus = 1;
const volatile u16 cpu_number[UA_MAX_CPUS] = {}; /* numbers of the possible CPUs, which may have gaps */
const volatile u32 possible_nodes = 1;
const volatile u32 can_signal = 1; /* 0: the kernel lacks bpf_send_signal_task, so the helper kills */
const volatile u32 unified = 0;    /* 1: the memory controller is on cgroup v2 */
const volatile u64 mask = 0;       /* random: hides kernel addresses in maps that the group can read */
const volatile u32 page_shift = 12; /* log2 of the page size */
#ifndef PAGE_SHIFT
#define PAGE_SHIFT page_shift /* a test builds a wrong value */
#endif

/* Found by the `setup` program. */
u64 cpu_offset[UA_MAX_CPUS];
u32 refault_index; /* index of WORKINGSET_REFAULT_ANON in the per-CPU statistics */
u32 mapped_index;  /* index of NR_ANON_MAPPED; NR_FILE_MAPPED follows */
u32 shared_index;  /* index of NR_SHMEM; 0 if it is not known */

/* State of the passes. */
u64 next_tick_ns;
u64 interval_ns; /* planned time from the previous pass to this one */
u64 last_took_ns; /* duration of the previous pass */
u64 ticking;
u64 global_reclaim_ns;
u64 any_reclaim_ns;
u64 sequence;
u32 pending_kills;
u32 newly_signalled[UA_DECISIONS]; /* by the last pass for each decision, number % UA_DECISIONS */

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

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, UA_MAX_KILLABLE);
	__type(key, u64);
	__type(value, struct ua_root_reclaims);
} walls SEC(".maps");

/* When file pages were evicted that have not been read again. */
struct page_key {
	u64 mapping; /* its kernel address: never exposed */
	u64 index;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, MAX_EVICTED);
	__type(key, struct page_key);
	__type(value, u64);
} evicted SEC(".maps");

/* Filled by the helper; defined here so that they are pinned and owned like the other maps. */
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

/* A zeroed container state, which is too large for the BPF stack. */
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

#define read_kernel(type, address)                                                                              \
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

	return read_kernel(u64, (u64)set + bpf_core_field_offset(struct css_set, subsys) + subsystem * sizeof(void *));
}

static __always_inline u64 usage_pages(struct page_counter *counter)
{
	return BPF_CORE_READ(counter, usage.counter);
}

/* Pages that this cgroup may still use before it reaches the limit at which the kernel reclaims it. */
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

/* Linux 7.3 moved this counter from the cgroup to its subsystem states. */
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

static __always_inline u64 max_u64(u64 a, u64 b)
{
	return a > b ? a : b;
}

/* Other CPUs record times during a pass, so `from` may be the later one. */
static __always_inline u64 elapsed(u64 from, u64 to)
{
	return to > from ? to - from : 0;
}

/* ---- setup ------------------------------------------------------------------------------------- */

static u64 scratch;

/*
 * Finds out what user space cannot learn: the offset of every CPU's copy of per-CPU data (from the copies of
 * our own map, since the kernel hides its symbol) and the position of the refault counters. Kernels before 6.11
 * index the counters by enum node_stat_item. Later ones use a compact list, in which the mapped anonymous pages
 * follow the workingset counters.
 */
SEC("syscall")
int setup(void *ctx)
{
	u32 zero = 0, cpu;
	u64 base, map;

	scratch = (u64)&cpu_probe;
	barrier_var(scratch);
	map = *(volatile u64 *)&scratch;
	base = read_kernel(u64, map + bpf_core_field_offset(struct bpf_array, pptrs));
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
		shared_index = bpf_core_enum_value(enum node_stat_item, NR_SHMEM);
	} else {
		refault_index = COMPACT_REFAULT_INDEX;
		mapped_index = refault_index + 1 + bpf_core_enum_value(enum node_stat_item, WORKINGSET_NODERECLAIM) -
			       bpf_core_enum_value(enum node_stat_item, WORKINGSET_REFAULT_BASE);
		shared_index = mapped_index + 5; /* after mapped, all, dirty and written file pages */
	}
	return 0;
}

/* Runs the rules on given numbers, for the differential test against Java. */
SEC("syscall")
int rules(struct ua_rules_call *call)
{
	struct ua_thresholds limits = { call->tolerance_ns, call->flat_ns, call->min_pages };
	struct ua_series series = call->series;

	call->thrashing = ua_observe(&series, call->now_ns, call->value, call->counts, &limits);
	call->series = series;
	call->rank = ua_rank(call->policy, ua_frees(call->memory, call->swap, call->anonymous, call->refills, call->kind), call->age_ms,
			     call->score);
	return 0;
}

/* ---- which limit a reclaim serves ------------------------------------------------------------------ */

struct climb {
	u64 css;
	u64 container, container_css, domain;
	u64 root, root_domain;
	u32 root_level;
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
		struct ua_killable *around = bpf_map_lookup_elem(&killable, &id);

		if (registered) {
			c->container = id; /* the outermost one below the domain's root counts */
			c->container_css = c->css;
		}
		if (around) {
			c->root = id;
			c->root_domain = around->domain;
			c->root_level = level;
		}
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

/*
 * Whether the helper, a NodeManager or a program that one of them started reclaims: they lower limits and reclaim
 * memory on purpose, and are not short of it. The first process of a container is started by a NodeManager, too, but
 * leaves the NodeManager's cgroup before the container runs.
 */
static __always_inline bool is_agent(u64 now)
{
	struct task_struct *task = (void *)bpf_get_current_task(), *starter = BPF_CORE_READ(task, real_parent);
	u32 zero = 0, process = bpf_get_current_pid_tgid() >> 32, parent = process, i;
	struct ua_helper *known = bpf_map_lookup_elem(&helper, &zero);

	/* If the helper has exited, other processes may have these process ids by now. */
	if (!known || elapsed(known->alive_ns, now) > UA_HELPER_SILENT_MS * MILLION)
		return false;
	if (task_css(starter) == task_css(task))
		parent = BPF_CORE_READ(starter, tgid);
	if (process == known->pid || parent == known->pid)
		return true;
	for (i = 0; i < UA_MAX_AGENTS; i++)
		if (known->agents[i] && (process == known->agents[i] || parent == known->agents[i]))
			return true;
	return false;
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

/* A task of this container reclaims for the domain. If the container is owed memory, the helper is notified at once. */
static __always_inline void note_owed(u64 now, struct climb *c, struct ua_domain_state *domain)
{
	struct ua_container *registered = bpf_map_lookup_elem(&containers, &c->container);
	u64 css = c->container_css, last = domain->owed_ns, use;

	if (!registered || !registered->entitled || registered->flags & UA_KILLABLE || elapsed(last, now) < OWED_EVENT_NS)
		return;
	use = usage_pages(&MEMCG(css)->memory) << PAGE_SHIFT;
	if (!ua_owed_bytes(use, registered->entitled, domain->killable_memory, &domain->settings))
		return;
	if (__sync_val_compare_and_swap(&domain->owed_ns, last, now) != last)
		return;
	__sync_fetch_and_add(&domain->owed_events, 1);
	emit(UA_EVENT_OWED, c->container, 0, 0);
}

/*
 * `global`: the reclaim serves the machine, not a limit. This alone does not mean that the machine is under
 * pressure, because the reclaim may serve one NUMA node or one allocation of many pages. The machine is short
 * of memory when kswapd works.
 */
static __always_inline void note_reclaim(u64 now, bool global)
{
	struct climb c = { .css = task_css((void *)bpf_get_current_task()), .smallest_margin = ~0ULL };
	struct ua_container_state *container;
	struct ua_domain_state *domain;
	struct ua_root_reclaims *root;

	any_reclaim_ns = now;
	bpf_loop(MAX_LEVELS, climb_step, &c, 0);
	if (!c.domain || (!global && c.smallest_margin == ~0ULL))
		return;
	domain = bpf_map_lookup_elem(&domain_state, &c.domain);
	if (domain && is_agent(now)) {
		__sync_fetch_and_add(&domain->agent_reclaims, 1);
		return;
	}
	container = bpf_map_lookup_elem(&container_state, &c.container);
	if (global || c.target_level >= c.domain_level) {
		if (domain) {
			if (!global)
				domain->reclaim_ns = now;
			__sync_fetch_and_add(&domain->reclaims, 1);
			note_owed(now, &c, domain);
		}
		if (container) {
			container->node_reclaim_ns = now;
			__sync_fetch_and_add(&container->node_reclaims, 1);
		}
	} else if (c.root && c.root_domain == c.domain && c.target_level == c.root_level) {
		root = bpf_map_lookup_elem(&walls, &c.root);
		if (root) {
			root->reclaim_ns = now;
			__sync_fetch_and_add(&root->reclaims, 1);
		}
		if (container)
			__sync_fetch_and_add(&container->root_reclaims, 1);
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
	u64 killable_root; /* the id of that cgroup */
	u64 killable_memory;
	u32 descending;
	u32 finished;
	u32 file_refaults;
	u32 ignored; /* ignored registrations */
};

/*
 * Used only by the holder of `ticking`. A global, because the verifier of Linux 7.3 follows a local variable
 * through all steps.
 */
static struct walk walking;

struct sum {
	u64 memcg;
	u32 first; /* index of the anonymous counter; the file counter follows */
	u32 to_file;
	u64 anonymous; /* pages on the lists, which include shared memory and locked pages of any kind */
	s64 kept;      /* files in memory less mapped files */
	u64 value[UA_SERIES];
};

static __always_inline u64 statistic(u32 index)
{
	return bpf_core_field_offset(struct lruvec_stats_percpu, state) + index * sizeof(long);
}

static long sum_step(u32 i, struct sum *s)
{
	u32 cpu = i % possible_cpus, node = i / possible_cpus;
	u64 per_node, statistics, state[STATISTICS] = {};

	per_node = read_kernel(u64, s->memcg + bpf_core_field_offset(struct mem_cgroup, nodeinfo) + node * sizeof(void *));
	if (!per_node)
		return 0;
	statistics = (u64)BPF_CORE_READ((struct mem_cgroup_per_node *)per_node, lruvec_stats_percpu);
	bpf_probe_read_kernel(state, sizeof(state), (void *)(statistics + cpu_offset[cpu & (UA_MAX_CPUS - 1)] + statistic(0)));
	s->anonymous += state[NR_INACTIVE_ANON] + state[NR_ACTIVE_ANON] + state[NR_UNEVICTABLE];
	s->kept += state[shared_index & (STATISTICS - 1)] - state[(mapped_index + 1) & (STATISTICS - 1)];
	s->value[UA_ANONYMOUS] += state[s->first & (STATISTICS - 1)];
	s->value[UA_FILE] += state[(s->first + s->to_file) & (STATISTICS - 1)];
	return 0;
}

struct place {
	u64 memcg;
	u32 cpu;
	struct ua_places found;
};

static long place_step(u32 i, struct place *p)
{
	u32 cpu = i % possible_cpus & (UA_MAX_CPUS - 1), node = i / possible_cpus;
	u64 per_node, statistics;

	if (cpu_number[cpu] != p->cpu)
		return 0;
	per_node = read_kernel(u64, p->memcg + bpf_core_field_offset(struct mem_cgroup, nodeinfo) + node * sizeof(void *));
	if (!per_node)
		return 0;
	statistics = (u64)BPF_CORE_READ((struct mem_cgroup_per_node *)per_node, lruvec_stats_percpu) + cpu_offset[cpu];
	p->found.mapped += read_kernel(u64, statistics + statistic(mapped_index));
	p->found.mapped_files += read_kernel(u64, statistics + statistic(mapped_index + 1));
	p->found.shared += read_kernel(u64, statistics + statistic(shared_index));
	p->found.refaults += read_kernel(u64, statistics + statistic(refault_index)) + read_kernel(u64, statistics + statistic(refault_index + 1));
	return 0;
}

/*
 * Reads the counters at the positions where the mapped pages, the shared memory and the refaults of the caller's
 * own cgroup are expected, as this CPU counts them, in bytes. The loader maps memory of its own between two calls:
 * the first position and the page size are right if its counter grew by the size of that memory, the second
 * position if its counter did not.
 */
SEC("syscall")
int places(struct ua_places *found)
{
	struct place p = { .memcg = (u64)MEMCG(task_css((void *)bpf_get_current_task())), .cpu = bpf_get_smp_processor_id() };

	bpf_loop(possible_cpus * possible_nodes, place_step, &p, 0);
	found->mapped = p.found.mapped << PAGE_SHIFT;
	found->refaults = p.found.refaults << PAGE_SHIFT;
	found->mapped_files = p.found.mapped_files << PAGE_SHIFT;
	found->shared = p.found.shared << PAGE_SHIFT;
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
	if (bpf_map_update_elem(&container_state, &id, state, BPF_NOEXIST) == -E2BIG)
		counters.table_full++;
	return bpf_map_lookup_elem(&container_state, &id);
}

/* The walk meets a registered container of this domain. */
static __always_inline void enter_container(struct walk *w, u64 id, struct ua_container *registered)
{
	struct ua_container_state *state = state_of(id);
	u64 css = w->css; /* BPF_CORE_READ would relocate w->css, too */
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
	state->killable_root = w->killable_css ? w->killable_root : 0;
	if (state->killable && state->populated)
		w->killable_memory += memory;
	w->ignored += !w->killable_css && registered->flags & UA_KILLABLE;
	state->seen_ns = w->now;
	state->start_ns = registered->start_ns ?: state->first_seen_ns;
	state->memory = memory;
	state->swap = swap;
	state->anonymous = 0;
	state->scanned[UA_ANONYMOUS] = 0;
	state->scanned[UA_FILE] = 0;
}

static __always_inline void add_refaults(struct walk *w)
{
	struct ua_container_state *state = bpf_map_lookup_elem(&container_state, &w->container);
	struct sum s = { .memcg = (u64)MEMCG(w->css) };

	if (!state)
		return;
	s.first = refault_index;
	s.to_file = UA_FILE + 2 * (w->file_refaults % UA_REFAULTS_FITTING);
	bpf_loop(possible_cpus * possible_nodes, sum_step, &s, 0);
	/* Files in memory that no process has mapped outlive the container. */
	if (shared_index && s.kept > 0)
		s.anonymous -= s.anonymous < (u64)s.kept ? s.anonymous : (u64)s.kept;
	state->anonymous += s.anonymous;
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
	bool is_root;

	if (!w->domain_css && bpf_map_lookup_elem(&domains, &id)) {
		struct ua_domain_state *domain = bpf_map_lookup_elem(&domain_state, &id);

		w->domain_css = w->css;
		w->domain = id;
		w->file_refaults = domain ? domain->settings.file_refaults : UA_REFAULTS_WORKINGSET;
	}
	is_root = w->domain_css && !w->killable_css && is_killable_root(w, id);
	if (is_root || w->css == w->domain_css) {
		/* Neither this cgroup nor one above it can be a container: it would hide all containers inside. */
		leave_container(w);
		w->ignored += !!registered;
	} else if (registered && !w->container_css) {
		if (w->domain_css && registered->domain == w->domain &&
		    ua_acceptable(registered))
			enter_container(w, id, registered);
		else
			w->ignored++;
	}
	if (is_root) {
		struct ua_root_reclaims none = {};

		w->killable_css = w->css; /* from here on, containers strictly below it */
		w->killable_root = id;
		if (bpf_map_update_elem(&walls, &id, &none, BPF_NOEXIST) == -E2BIG)
			counters.table_full++;
	}
	if (w->container_css)
		add_refaults(w);
}

static __always_inline void leave(struct walk *w)
{
	if (w->css == w->container_css)
		w->container_css = 0;
	if (w->css == w->killable_css)
		w->killable_css = 0;
	if (w->css == w->domain_css) {
		struct ua_domain_state *domain = bpf_map_lookup_elem(&domain_state, &w->domain);

		if (domain)
			domain->killable_memory = w->killable_memory;
		w->killable_memory = 0;
		w->domain_css = 0;
	}
}

/* Depth first, one move per step. The lists are RCU-safe, and every read may fail without harm. */
static long walk_step(u32 step, void *unused)
{
	struct walk *w = &walking;
	u64 head, next, parent;

	if (w->descending) {
		visit(w);
		head = w->css + bpf_core_field_offset(struct cgroup_subsys_state, children);
		next = read_kernel(u64, head);
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
	next = read_kernel(u64, w->css + bpf_core_field_offset(struct cgroup_subsys_state, sibling));
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
	__builtin_memset(&state->owed, 0, sizeof(state->owed));
}

static __always_inline bool is_recent(u64 moment, struct ua_domain_state *domain, u64 now)
{
	return moment && elapsed(moment, now) <= ua_flat_ns(domain->settings.flat_ms, interval_ns);
}

/* Whether the cgroup around best-effort is under pressure: its own limit makes the kernel reclaim. */
static __always_inline bool is_root_pressured(u64 root, struct ua_domain_state *domain, u64 now)
{
	struct ua_root_reclaims *found = bpf_map_lookup_elem(&walls, &root);

	return found && is_recent(found->reclaim_ns, domain, now);
}

static __always_inline u64 age_ms(struct ua_container_state *state, u64 now)
{
	return elapsed(state->start_ns, now) / MILLION;
}

/* Whether killing this container could relieve the pressure for which the domain is judged. */
static __always_inline bool is_candidate(struct ua_container *registered, struct ua_container_state *state,
					 struct ua_domain_state *domain, u64 now)
{
	return ua_acceptable(registered) && state->killable && state->seen_ns == now && state->populated && !state->given_up_ns &&
	       (!domain->trigger_root || domain->trigger_root == state->killable_root);
}

static __always_inline u64 frees(struct ua_container_state *state, u32 series)
{
	return ua_frees(state->memory, state->swap, state->anonymous << PAGE_SHIFT, state->refills & UA_REFILLS, series);
}

/*
 * Takes the reclaims since the previous pass, by the limit that they served. Returns whether growth of the
 * container's refaults counts.
 */
static __always_inline bool count_reclaims(struct ua_container_state *state, bool node_pressured, bool root_pressured)
{
	u64 own = state->own_reclaims - state->own_before;
	u64 node = state->node_reclaims - state->node_before;
	u64 root = state->root_reclaims - state->root_before;

	state->own_before += own;
	state->node_before += node;
	state->root_before += root;
	state->refills = ua_refills(state->refills, node || root, node || root);
	/*
	 * The limit around best-effort applies to killable containers. For any other container inside, it is
	 * like a limit of its own.
	 */
	if (!state->killable)
		return node_pressured && own + root <= node;
	return (node_pressured || root_pressured) && own <= node + root;
}

static volatile u64 forgotten;

/*
 * Returns the value, of which the verifier then knows nothing, because it does not follow what is in a map. If it
 * knew, it would follow the rest of the function once for each combination of such values: in Linux 7.3, 267,000
 * instead of 49,000 instructions. A program may have one million.
 */
static __always_inline u64 forget(u64 value)
{
	forgotten = value; /* only one pass runs at a time */
	return forgotten;
}

static long judge_container(void *map, u64 *key, struct ua_container_state *state, struct judge *j)
{
	struct ua_container *registered;
	struct ua_domain_state *domain;
	struct ua_settings *values;
	struct ua_thresholds limits;
	struct ua_sample *sample;
	u64 id = *key, owner, anonymous, file, read, fitting, owed = 0;
	bool root_pressured, reclaims, thrash_owed = false;
	u32 counts, file_counts;
	int thrash_anonymous, thrash_file;

	registered = bpf_map_lookup_elem(&containers, &id);
	if (!registered || state->seen_ns != j->now)
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
	root_pressured = forget(state->killable && is_root_pressured(state->killable_root, domain, j->now));
	counts = forget(count_reclaims(state, domain->pressured, root_pressured));

	anonymous = j->exact ? state->exact[UA_ANONYMOUS] : state->scanned[UA_ANONYMOUS];
	file = j->exact ? state->exact[UA_FILE] : state->scanned[UA_FILE];
	limits.tolerance_ns = values->cgth_time_ms * MILLION;
	limits.flat_ns = forget(ua_flat_ns(values->flat_ms, interval_ns));
	limits.min_pages = values->min_pages;
	thrash_anonymous = forget(ua_observe(&state->series[UA_ANONYMOUS], j->now, anonymous, counts, &limits));
	read = state->inserted - state->inserted_before;
	fitting = state->fitting - state->fitting_before;
	state->inserted_before += read;
	state->fitting_before += fitting;
	if (read)
		state->refills = ua_refills(state->refills, 1, 1);
	file_counts = counts;
	if (values->file_refaults == UA_REFAULTS_FITTING) {
		file = state->fitting;
		file_counts = forget(counts && fitting * UA_FITTING_SHARE >= read);
		limits.min_pages = forget(ua_fitting_least(values->min_pages, limits.flat_ns));
	}
	thrash_file = forget(ua_observe(&state->series[UA_FILE], j->now, file, file_counts, &limits));
	if (registered->entitled && !state->killable) {
		reclaims = state->node_reclaim_ns && elapsed(state->node_reclaim_ns, j->now) <= RECLAIM_INTERVALS * interval_ns;
		owed = forget(ua_owed_bytes(state->memory, registered->entitled, domain->killable_memory, values));
		thrash_owed = forget(ua_observe_owed(&state->owed, j->now, state->memory, registered->entitled, owed, reclaims, values) &&
				     values->cgth_time_ms);
		if (!state->owed.since_ns)
			owed = 0;
	}

	sample = &state->samples[state->samples_taken++ % UA_RING];
	sample->ns = j->now;
	sample->anonymous = anonymous;
	sample->file = file;
	sample->memory = state->memory + state->swap;
	sample->owed = owed;
	sample->counted = counts;

	if ((thrash_anonymous || thrash_file || thrash_owed) && !domain->trigger) {
		u32 series = thrash_anonymous ? UA_ANONYMOUS : thrash_file ? UA_FILE : UA_OWED;

		domain->trigger = id;
		domain->trigger_series = series;
		domain->trigger_streak_ns = series == UA_OWED ? j->now - state->owed.mark_ns :
								ua_streak_ns(&state->series[series & 1]);
		domain->trigger_root = domain->pressured ? 0 : state->killable_root;
	}
	return 0;
}

/* Runs before the walk, which needs the room: removes containers that are not registered any more. */
static long forget_container(void *map, u64 *key, struct ua_container_state *state, void *unused)
{
	if (!bpf_map_lookup_elem(&containers, key))
		bpf_map_delete_elem(&container_state, key);
	return 0;
}

/* The same for killable roots that were removed, or created again with another id. */
static long forget_root(void *map, u64 *key, struct ua_root_reclaims *root, void *unused)
{
	if (!bpf_map_lookup_elem(&killable, key))
		bpf_map_delete_elem(&walls, key);
	return 0;
}

/* Runs before the walk: from here on, the pass uses only settings within their ranges. */
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
	domain->pressured = is_recent(max_u64(domain->reclaim_ns, global_reclaim_ns), domain, j->now);
	domain->trigger = 0;
	domain->trigger_root = 0;
	return 0;
}

struct ranking {
	u64 now;
	u64 domain;
	u32 sequence_slot;
	u32 others; /* candidates other than the one that thrashes that want memory */
};

/* Finds the best victim. A container that is being killed or was given up is not a candidate. */
static long find_best(void *map, u64 *key, struct ua_container_state *state, struct ranking *r)
{
	struct ua_container *registered = bpf_map_lookup_elem(&containers, key);
	u64 owner = r->domain, id = *key, freed, rank;
	struct ua_domain_state *domain = bpf_map_lookup_elem(&domain_state, &owner);

	if (!registered || !domain || state->domain != r->domain || id == domain->victim ||
	    !is_candidate(registered, state, domain, r->now))
		return 0;
	r->others += id != domain->trigger && state->refills >> UA_WANTING_SHIFT;
	freed = frees(state, domain->trigger_series);
	rank = ua_rank(domain->settings.policy, freed, age_ms(state, r->now), registered->score);
	if (rank && ua_better(rank, freed, id, domain->best_rank, domain->best_frees, domain->best)) {
		domain->best = id;
		domain->best_rank = rank;
		domain->best_frees = freed;
	}
	return 0;
}

static long rank_candidate(void *map, u64 *key, struct ua_container_state *state, struct ranking *r)
{
	struct ua_container *registered = bpf_map_lookup_elem(&containers, key);
	u64 owner = r->domain;
	struct ua_domain_state *domain = bpf_map_lookup_elem(&domain_state, &owner);
	struct ua_decision *decision = bpf_map_lookup_elem(&decisions, &r->sequence_slot);
	struct ua_candidate *entry;
	u64 freed;
	u32 i;

	if (!registered || !domain || !decision || state->domain != r->domain || *key == domain->victim ||
	    !is_candidate(registered, state, domain, r->now))
		return 0;
	freed = frees(state, domain->trigger_series);
	i = decision->candidates++;
	if (i >= UA_RANKING)
		return 0;
	entry = &decision->ranking[i & (UA_RANKING - 1)];
	entry->container = *key;
	entry->frees = freed;
	entry->age_ms = age_ms(state, r->now);
	entry->rank = ua_rank(domain->settings.policy, freed, entry->age_ms, registered->score);
	entry->score = registered->score;
	return 0;
}

static __always_inline void arm(u64 domain, u64 id, struct ua_container_state *state, u64 number, u64 now)
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
		slot->armed_ns = now;
		slot->active = 1;
		pending_kills = 1;
		return;
	}
}

/* Stops waiting for the victim and disarms its slot, so that the old decision cannot kill later. */
static __always_inline void clear_victim(u64 domain_id, struct ua_domain_state *domain)
{
	u32 i;

	domain->victim = 0;
	for (i = 0; i < UA_MAX_DOMAINS; i++)
		if (slots[i].domain == domain_id)
			slots[i].active = 0;
}

/* How long a decision may wait for a process that carries it out. */
static __always_inline u64 carry_out_ns(void)
{
	return max_u64(UA_CARRY_OUT_MS * MILLION, RECLAIM_INTERVALS * interval_ns);
}

/* Whether the signals of a decision were sent. Without a helper, no process may have come to send them. */
static __always_inline bool was_carried_out(u64 number)
{
	u32 entry = number % UA_DECISIONS;
	struct ua_decision *decision = bpf_map_lookup_elem(&decisions, &entry);

	return decision && decision->sequence == number && decision->passes;
}

/*
 * Whether the last pass found processes that had received no signal. A new process is on the list of tasks before it is in its
 * cgroup, so a pass may miss one, which then forks again. A container of such processes can die.
 */
static __always_inline bool is_multiplying(u64 number)
{
	return was_carried_out(number) && newly_signalled[number % UA_DECISIONS];
}

static __always_inline bool is_pursued(u64 number, u64 waited, u64 timeout)
{
	u32 entry = number % UA_DECISIONS;
	struct ua_decision *decision = bpf_map_lookup_elem(&decisions, &entry);

	return is_multiplying(number) && decision && (decision->passes < PURSUED_PASSES || waited <= PURSUED_TIMEOUTS * timeout);
}

static __always_inline void decide(u64 domain_id, struct ua_domain_state *domain, u64 now)
{
	struct ua_container_state *victim;
	struct ua_decision *decision;
	struct ranking r = { .now = now, .domain = domain_id };
	u64 id;
	u32 slot;

	domain->best = 0;
	domain->best_rank = 0;
	domain->best_frees = 0;
	bpf_for_each_map_elem(&container_state, find_best, &r, 0);
	id = domain->best;
	victim = id ? bpf_map_lookup_elem(&container_state, &id) : NULL;
	if (victim && ua_helps_nobody(domain->trigger_root, domain->trigger_series, domain->trigger, id, r.others, victim->memory,
				      victim->anonymous << PAGE_SHIFT)) {
		clear_series(victim); /* of this one only: below another root, the next one to thrash has its turn */
		domain->no_candidate++;
		return;
	}
	domain->epoch++; /* clears the samples of all containers of the domain */
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
	decision->killable_root = domain->trigger_root;
	decision->cgth_time_ms = domain->trigger_series == UA_OWED ? domain->settings.owed_time_ms : domain->settings.cgth_time_ms;
	decision->policy = domain->settings.policy;
	bpf_for_each_map_elem(&container_state, rank_candidate, &r, 0);
	decision->sequence = ++sequence;
	domain->kills++;
	domain->victim = id;
	domain->victim_ns = decision->decision_ns;
	domain->victim_sequence = decision->sequence;
	arm(domain_id, id, victim, decision->sequence, now);
}

static long judge_domain(void *map, u64 *key, struct ua_domain_state *domain, struct judge *j)
{
	u64 id = *key, dying = domain->victim, timeout, waited;
	struct ua_container_state *victim;
	bool carried_out;

	if (dying) {
		carried_out = was_carried_out(domain->victim_sequence);
		victim = bpf_map_lookup_elem(&container_state, &dying);
		timeout = domain->settings.victim_timeout_ms * MILLION;
		waited = elapsed(domain->victim_ns, j->now);
		if (!victim || victim->seen_ns != j->now || !victim->populated || !victim->killable) {
			clear_victim(id, domain);
			domain->last_gone_ns = j->now;
		} else if ((waited <= timeout && (carried_out || waited <= carry_out_ns())) ||
			   is_pursued(domain->victim_sequence, waited, timeout)) {
			/*
			 * A process may have forked during the first pass: signal those that are left. If no
			 * signal was sent in time, the decision was about a shortage that may have ended.
			 */
			arm(id, dying, victim, domain->victim_sequence, j->now);
			return 0;
		} else {
			clear_victim(id, domain);
			domain->survivors += carried_out;
			if (is_multiplying(domain->victim_sequence)) {
				domain->victim = dying; /* in this pass only: for the next decision it is a candidate */
			} else if (carried_out) {
				victim->given_up_ns = j->now;
				/*
				 * Choose the next candidate at once, unless no task has reclaimed since: then
				 * the shortage has ended.
				 */
				if (waited <= timeout + ua_flat_ns(domain->settings.flat_ms, interval_ns) &&
				    (domain->pressured || is_root_pressured(victim->killable_root, domain, j->now))) {
					domain->trigger = dying;
					domain->trigger_streak_ns = waited;
					domain->trigger_root = domain->pressured ? 0 : victim->killable_root;
				}
			}
		}
	}
	if (domain->trigger && domain->settings.cgth_time_ms) /* a survivor is a trigger, whatever has been set since */
		decide(id, domain, j->now);
	if (domain->victim == dying)
		domain->victim = 0;
	return 0;
}

/* ---- killing ------------------------------------------------------------------------------------- */

static __always_inline bool is_below(struct task_struct *task, u64 cgroup, u32 level)
{
	u64 css = task_css(task), own, ancestor;

	own = (u64)BPF_CORE_READ(CSS(css), cgroup);
	if (own == cgroup)
		return true;
	if ((u32)BPF_CORE_READ((struct cgroup *)own, level) <= level)
		return false;
	ancestor = read_kernel(u64, own + bpf_core_field_offset(struct cgroup, ancestors) + (u64)level * sizeof(void *));
	return ancestor == cgroup;
}

/*
 * Whether the process has received its SIGKILL. One that dumps core counts as exiting as long as the dump lasts, but holds its
 * memory, and a SIGKILL ends the dump. That one stays pending, so that each process gets one signal only.
 */
static __always_inline bool is_killed(struct task_struct *task)
{
	if (!(BPF_CORE_READ(task, signal, flags) & SIGNAL_GROUP_EXIT))
		return false;
	return !BPF_CORE_READ(task, signal, core_state) ||
	       BPF_CORE_READ(task, signal, shared_pending.signal.sig[0]) & 1ULL << (SIGKILL - 1);
}

/*
 * A decision made in kswapd waits for a process. Without the helper, none may come along while the decision is
 * still valid. A container that was meanwhile promoted, or removed by the NodeManager, is no longer registered
 * as killable.
 */
static __always_inline bool is_order_valid(struct kill_slot *slot)
{
	u64 id = slot->id;
	struct ua_container *registered = bpf_map_lookup_elem(&containers, &id);

	return registered && registered->flags & UA_KILLABLE &&
	       elapsed(slot->armed_ns, bpf_ktime_get_ns()) <= carry_out_ns();
}

/* Counters of the current pass; globals, because the verifier follows locals through the loop. */
static u32 pass_signals, pass_failures;

/* Sends SIGKILL to every process of the container in this slot, including nested cgroups. */
__noinline int kill_pass(u32 index, u32 executor)
{
	struct bpf_iter_task tasks, threads;
	struct bpf_iter_num attempts;
	struct task_struct *task, *leader, *thread, *held;
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
	if (!is_order_valid(slot)) {
		slot->active = 0;
		return 0;
	}
	victim = slot->cgroup;
	level = slot->level;
	number = slot->sequence;
	entry = number % UA_DECISIONS;
	/* The address may be stale: check that it still is the cgroup with this id. */
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
		if (is_killed(task))
			continue;
		/* A process whose first thread has exited may still have others. */
		if ((task->flags & PF_EXITING) && !BPF_CORE_READ(task, signal, live.counter))
			continue;
		if (!is_below(task, victim, level))
			continue;
		held = bpf_task_acquire(task);
		if (!held)
			continue;
		if (held->flags & PF_EXITING) {
			/* The kernel sends no signal to an exiting thread, nor through it to its process. */
			leader = held;
			held = NULL;
			bpf_iter_task_new(&threads, leader, BPF_TASK_ITER_PROC_THREADS);
			while (!held && (thread = bpf_iter_task_next(&threads))) {
				if (!(thread->flags & PF_EXITING))
					held = bpf_task_acquire(thread);
			}
			bpf_iter_task_destroy(&threads);
			bpf_task_release(leader);
			if (!held)
				continue;
		}
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

	newly_signalled[number % UA_DECISIONS] = pass_signals;
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

/* Carries out pending decisions, unless this is a kernel thread, whose signals would be refused. */
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

/* Passes to the helper what only it can do. Called at most once per period. */
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
	bpf_for_each_map_elem(&container_state, forget_container, NULL, 0);
	bpf_for_each_map_elem(&walls, forget_root, NULL, 0);
	bpf_loop(MAX_WALK, walk_step, NULL, 0);
	if (!w->finished)
		counters.walk_truncated++;
	counters.registrations_ignored = w->ignored;
	bpf_for_each_map_elem(&domain_state, prepare_domain, &j, 0);
	bpf_for_each_map_elem(&container_state, judge_container, &j, 0);
	bpf_for_each_map_elem(&domain_state, judge_domain, &j, 0);
}

/*
 * Returns the time to the next pass. A single long pass is not charged: a hypervisor may have taken the CPU away
 * meanwhile, and a third of a second would blind the detector for 15 s. Passes that are all long are.
 */
static __always_inline u64 next_interval(u64 took, u64 period)
{
	u64 charged = last_took_ns && last_took_ns < took ? last_took_ns : took;

	last_took_ns = took;
	return max_u64(period, charged * SCAN_SHARE);
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
		counters.max_tick_nanos = max_u64(counters.max_tick_nanos, took);
		interval_ns = next_interval(took, period);
		next_tick_ns = now + interval_ns;
		if (pending_kills && (!can_signal ||
				      (((struct task_struct *)bpf_get_current_task_btf())->flags & PF_KTHREAD)))
			ask_helper();
	}
	__sync_lock_test_and_set(&ticking, 0);
}

/*
 * Before Linux 7, a tracepoint program cannot be preempted. Since Linux 7, the task that runs the pass may be
 * preempted. A best-effort task would then continue late, and no other task could run a pass meanwhile.
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

/*
 * Called for every batch of pages, in the reclaiming process or in kswapd, because one reclaim may last for
 * seconds. Of the kernel threads, only kswapd shows that the machine is short of memory; others reclaim for a
 * cgroup above its memory.high, or reclaim memory that has long been idle.
 */
SEC("tp_btf/mm_vmscan_lru_shrink_inactive")
int BPF_PROG(shrink_inactive)
{
	u64 now = bpf_ktime_get_ns();

	if (((struct task_struct *)bpf_get_current_task_btf())->flags & PF_KSWAPD)
		any_reclaim_ns = global_reclaim_ns = now;
	tick(now);
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

/*
 * Counts the file pages that would still be cached when they are read again, had the killable containers held
 * no memory. Between its eviction and its return, the reader of a page has read a number of other pages. With
 * room for that many more pages it would have stayed, whatever the kernel remembers of it and however much
 * other containers have read meanwhile. One page in 64 stands for all (SHARDS, Waldspurger et al., FAST 2015).
 */
struct folio___nr {
	unsigned int _nr_pages;
} __attribute__((preserve_access_index));
struct folio___folio_nr {
	unsigned int _folio_nr_pages;
} __attribute__((preserve_access_index));

struct followed {
	struct page_key page;
	u64 end;
	u64 now;
	u64 others; /* pages that killable containers other than the reader hold */
	struct ua_container_state *reader;
};

static __always_inline u64 pages_of(struct folio *folio)
{
	struct folio___folio_nr *before = (void *)folio;
	struct folio___nr *since = (void *)folio;
	u64 pages = 1;

	if (!(read_kernel(u64, folio) >> bpf_core_enum_value(enum pageflags, PG_head) & 1))
		return 1;
	if (bpf_core_field_exists(since->_nr_pages))
		pages = BPF_CORE_READ(since, _nr_pages);
	else if (bpf_core_field_exists(before->_folio_nr_pages))
		pages = BPF_CORE_READ(before, _folio_nr_pages);
	return pages;
}

/* Finds the first page of a folio that is followed. Returns whether there is one. */
static __always_inline bool follow(struct folio *folio, struct followed *f)
{
	u64 index = BPF_CORE_READ(folio, index);

	f->page.mapping = (u64)BPF_CORE_READ(folio, mapping);
	f->page.index = index + (((f->page.mapping >> 6) * 0x9E3779B97F4A7C15ULL >> 58) - index) % PAGES_PER_SAMPLE;
	if (f->page.index == index) {
		f->end = index + pages_of(folio);
		return true;
	}
	if (f->page.index - index >= MAX_FOLLOWED * PAGES_PER_SAMPLE)
		return false;
	f->end = index + pages_of(folio);
	return f->page.index < f->end;
}

static long evict_step(u32 i, struct followed *f)
{
	bpf_map_update_elem(&evicted, &f->page, &f->now, BPF_ANY);
	f->page.index += PAGES_PER_SAMPLE;
	return f->page.index >= f->end;
}

SEC("tp_btf/mm_filemap_delete_from_page_cache")
int BPF_PROG(page_evicted, struct folio *folio)
{
	struct followed f = {};

	if (!(((struct task_struct *)bpf_get_current_task_btf())->flags & PF_MEMALLOC) || !follow(folio, &f))
		return 0;
	f.now = bpf_ktime_get_ns();
	bpf_loop(MAX_FOLLOWED, evict_step, &f, 0);
	return 0;
}

/* Steps in which the reader read nothing repeat the number of the previous step. */
static __always_inline void advance_history(struct ua_container_state *reader, u64 now)
{
	u64 step = now >> UA_HISTORY_SHIFT, from = reader->history_step;
	u32 i;

	if (step <= from)
		return;
	reader->history_step = step;
	if (!from || step - from > UA_HISTORY)
		from = step - UA_HISTORY;
	for (i = 0; i < UA_HISTORY; i++) {
		if (from >= step)
			break;
		from++;
		reader->history[from & (UA_HISTORY - 1)] = reader->inserted;
	}
}

static long insert_step(u32 i, struct followed *f)
{
	u64 *when = bpf_map_lookup_elem(&evicted, &f->page), read, then;
	struct ua_container_state *reader = f->reader;

	if (!reader)
		return 1;
	read = __sync_fetch_and_add(&reader->inserted, PAGES_PER_SAMPLE);
	if (when) {
		then = ua_inserted_at(reader->history, reader->history_step, read, *when);
		bpf_map_delete_elem(&evicted, &f->page);
		if (then <= read && read - then <= f->others)
			__sync_fetch_and_add(&reader->fitting, PAGES_PER_SAMPLE);
	}
	f->page.index += PAGES_PER_SAMPLE;
	return f->page.index >= f->end;
}

SEC("tp_btf/mm_filemap_add_to_page_cache")
int BPF_PROG(page_inserted, struct folio *folio)
{
	struct owner owner = {};
	struct ua_container_state *reader;
	struct ua_domain_state *domain;
	struct followed f = {};
	u64 id, others;

	if (!follow(folio, &f))
		return 0;
	f.now = bpf_ktime_get_ns();
	if (elapsed(any_reclaim_ns, f.now) > AFTER_RECLAIM_NS)
		return 0;
	owner.css = task_css((void *)bpf_get_current_task());
	bpf_loop(MAX_LEVELS, owner_step, &owner, 0);
	reader = bpf_map_lookup_elem(&container_state, &owner.container);
	if (!reader)
		return 0;
	id = reader->domain;
	domain = bpf_map_lookup_elem(&domain_state, &id);
	if (!domain)
		return 0;
	others = domain->killable_memory;
	if (reader->killable)
		others = others > reader->memory ? others - reader->memory : 0;
	f.others = others >> PAGE_SHIFT;
	advance_history(reader, f.now);
	f.reader = reader;
	bpf_loop(MAX_FOLLOWED, insert_step, &f, 0);
	return 0;
}

/* The data source `exact`: counts every refault at the moment the kernel does, at a cost (see the documentation). */
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

/* Run by the helper, a process, if kswapd made a decision and no process came along to carry it out. */
SEC("syscall")
int handover(void *ctx)
{
	carry_out(UA_BY_HANDOVER);
	return 0;
}
