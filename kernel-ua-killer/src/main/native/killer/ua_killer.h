/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the BPF programs and the user-space side share: the layout of every pinned map.
 * Times are CLOCK_MONOTONIC nanoseconds, memory is bytes unless a name says pages, identifiers of
 * cgroups are the 64-bit inode numbers of their directories in the memory hierarchy (`stat -c %i`).
 * They are free of padding (checked below), so that every build of this version reads them alike.
 */
#ifndef UA_KILLER_H
#define UA_KILLER_H

#define UA_MAP_VERSION 6 /* since they know the wall around best-effort, and what containers are entitled to */
#define UA_MAX_DOMAINS 8
#define UA_MAX_CONTAINERS 1024
#define UA_MAX_KILLABLE 64
#define UA_PATH 1016
#define UA_RING 64      /* samples kept of each container */
#define UA_DECISIONS 64 /* decisions kept */
#define UA_RANKING 16   /* candidates kept of each decision */
#define UA_MAX_CPUS 512
#define UA_HISTORY 64   /* of how much a container has read, in steps of 2^UA_HISTORY_SHIFT nanoseconds, about a second */
#define UA_HISTORY_SHIFT 30
#define UA_REASON 192
#define UA_MAX_AGENTS 16
#define UA_CARRY_OUT_MS 1000 /* what was decided and not carried out for so long was for another moment */
#define UA_HELPER_SILENT_MS 3000 /* a helper that has not been heard of for so long does not run */

enum ua_tier { UA_TIER_KERNEL_KILL = 1, UA_TIER_KERNEL_DETECT = 2, UA_TIER_USER = 3 };
enum ua_policy { UA_POLICY_MEMORY_PER_TIME = 0, UA_POLICY_SCORE = 1 };
/*
 * Which refaults of file pages count: all; those of pages evicted so recently that they would fit without the anonymous
 * memory; or of these only pages that had been in use when they were evicted (the kernel's own notion of thrash).
 * These values are distances in the kernel's list of counters. The last one is counted here: pages that would still be there
 * if those who may be killed held nothing.
 */
enum ua_refaults { UA_REFAULTS_ANY = 0, UA_REFAULTS_RECENT = 1, UA_REFAULTS_WORKINGSET = 2, UA_REFAULTS_FITTING = 3 };
/* Two counters of refaults, and memory that a container is entitled to and does not get. */
enum ua_series_kind { UA_ANONYMOUS = 0, UA_FILE = 1, UA_SERIES = 2, UA_OWED = 2 };
enum ua_source { UA_SOURCE_LITE = 0, UA_SOURCE_EXACT = 1 };
enum ua_flags { UA_KILLABLE = 1 };
enum ua_executor { UA_BY_NOBODY = 0, UA_BY_RECLAIMER = 1, UA_BY_HANDOVER = 2, UA_BY_HELPER = 3 };
enum ua_event_kind { UA_EVENT_SIGNALLED = 1, UA_EVENT_HANDOVER = 2, UA_EVENT_KILL = 3, UA_EVENT_OWED = 4 };

/* Map `control`, one entry, written by root. */
struct ua_control {
	__u32 version;
	__u32 tier;
	__u32 source;
	__u32 period_ms; /* between two samples, 10..1000 */
	__u64 loaded_ns;
	char reason[UA_REASON]; /* why this tier and not a better one */
};

/* Map `helper`, one entry, written by the helper several times per second while it runs. */
struct ua_helper {
	__u64 alive_ns;
	__u32 pid;
	__u32 reserved;
	__u32 agents[UA_MAX_AGENTS]; /* processes that register containers over the socket; 0: none */
};

/* Map `counters`, one entry, written by the programs. */
struct ua_counters {
	__u64 ticks;
	__u64 tick_nanos;
	__u64 max_tick_nanos;
	__u64 walk_truncated; /* more cgroups than one walk may visit */
	__u64 handovers;      /* decisions taken by a kernel thread */
	__u64 signal_retries;
	__u64 ring_full;
	__u64 registrations_ignored; /* in the last pass: out of range, of a foreign cgroup, killable where root does not allow it */
};

/* Map `domains`: root cgroup -> limits. Only root writes it. */
struct ua_domain {
	__u32 min_cgth_time_ms;
	__u32 max_cgth_time_ms;
};

/*
 * Map `settings`: root cgroup -> what the NodeManager may change while everything runs. What is written there is not believed:
 * the detectors use ua_clamp()'s copy.
 */
struct ua_settings {
	__u32 cgth_time_ms;      /* tolerated thrash, within the domain's limits; 0: never kill */
	__u32 flat_ms;           /* a series may stand still this long without ending */
	__u32 min_pages;         /* growth below this within flat_ms is standing still */
	__u32 policy;            /* enum ua_policy */
	__u32 file_refaults;     /* enum ua_refaults */
	__u32 victim_timeout_ms; /* a victim alive after this: next candidate */
	__u32 owed_time_ms;      /* tolerated time without progress of a container that is owed memory; 0: never kill for that */
	__u32 owed_percent;      /* of what it is entitled to: missing less is not owed */
	__u32 owed_progress_percent; /* of what it is owed: growth by that much is progress */
	__u32 reserved;
};

/*
 * Map `killable`: cgroup -> where it was found. Containers of the domain may be killed strictly below it and nowhere else.
 * Only root writes it.
 */
struct ua_killable {
	__u64 domain;
	char path[UA_PATH]; /* to find it again */
	char promoted[UA_PATH]; /* where containers go that may be killed no more; empty: the helper moves none */
};

/* Ranges of the settings and of registrations. */
#define UA_MIN_FLAT_MS 100
#define UA_MAX_FLAT_MS 60000
#define UA_MIN_PAGES 1
#define UA_MAX_PAGES 1000000
#define UA_MIN_VICTIM_TIMEOUT_MS 100
#define UA_MAX_VICTIM_TIMEOUT_MS 60000
#define UA_MIN_OWED_TIME_MS 100
#define UA_MAX_OWED_TIME_MS 600000
#define UA_MIN_OWED_PERCENT 1
#define UA_MAX_OWED_PERCENT 100
#define UA_MAX_SCORE 1000
#define UA_MAX_ENTITLED (1ULL << 53)

/* Map `containers`: cgroup -> registration. Counts only below the root of its domain. */
struct ua_container {
	__u64 domain;
	__u64 start_ns; /* 0: when first seen */
	__s32 score;    /* 1..1000 for killable containers */
	__u32 flags;    /* enum ua_flags */
	__u64 entitled; /* bytes that a watched container has a right to; 0: not known */
};

/* One counter's history, as far as the rule needs it. See ua_rules.h. */
struct ua_series {
	__u64 value;
	__u64 sampled_ns;
	__u64 mark_value;
	__u64 mark_ns;
	__u64 streak_start_ns;
};

/* How long a container has been owed memory. See ua_rules.h. */
struct ua_owed {
	__u64 since_ns; /* 0: it is not */
	__u64 mark_ns;  /* its last progress */
	__u64 mark_use;
};

struct ua_sample {
	__u64 ns;
	__u64 anonymous; /* refaults so far, pages */
	__u64 file;
	__u64 memory;
	__u64 owed;    /* bytes */
	__u32 counted; /* 0: no pressure of the node in this sample */
	__u32 reserved;
};

/* Map `container_state`: written by the detector. */
struct ua_container_state {
	__u64 domain;
	__u64 cgroup; /* masked kernel address */
	__u32 level;
	__u32 populated;
	__u32 killable; /* registered so, and below a cgroup of the map `killable` */
	__u32 refills;  /* since the pass before its tasks reclaimed for the domain or the wall, or read pages of files in */
	__u64 wall;     /* the cgroup of the map `killable` that it is in; 0: none */
	__u64 seen_ns;
	__u64 first_seen_ns;
	__u64 start_ns;
	__u64 memory;
	__u64 swap;
	__u64 anonymous; /* pages, those of shared memory and locked ones included */
	__u64 epoch;
	__u64 scanned[UA_SERIES]; /* sum under construction */
	__u64 exact[UA_SERIES];   /* counted by the statistics tracepoint */
	__u64 inserted; /* pages of files that its tasks read into the page cache, by a sample of them */
	__u64 fitting;  /* of these, those that count as UA_REFAULTS_FITTING */
	__u64 inserted_before;
	__u64 fitting_before;
	__u64 history_step;
	__u64 history[UA_HISTORY]; /* `inserted` at the begin of each step */
	__u64 own_reclaims;
	__u64 node_reclaims;
	__u64 wall_reclaims;
	__u64 own_before;
	__u64 node_before;
	__u64 wall_before;
	__u64 node_reclaim_ns;
	__u64 given_up_ns; /* survived its kill */
	__u64 samples_taken;
	struct ua_owed owed;
	struct ua_series series[UA_SERIES];
	struct ua_sample samples[UA_RING];
};

/* Map `walls`: cgroup of the map `killable` -> what happened at its own limit. Written by the detector. */
struct ua_wall {
	__u64 reclaim_ns;
	__u64 reclaims;
};

/* Map `domain_state`: written by the detector. */
struct ua_domain_state {
	__u64 reclaim_ns; /* last reclaim that served the whole domain */
	__u64 reclaims;
	__u64 own_limit_reclaims; /* by containers at their own limit: no pressure of the node */
	__u64 agent_reclaims;     /* by the helper or a NodeManager: they take back, and lack nothing */
	__u64 killable_memory;    /* that killable containers with processes hold, at the last pass */
	__u64 owed_ns;            /* last event UA_EVENT_OWED */
	__u64 owed_events;
	__u64 epoch;
	__u64 kills;
	__u64 no_candidate;
	__u64 survivors; /* victims alive after victim_timeout_ms */
	__u64 trigger;
	__u32 trigger_series;
	__u32 pressured;
	__u64 trigger_streak_ns;
	__u64 trigger_wall; /* the wall whose pressure alone it is; 0: the domain's */
	__u64 best;
	__u64 best_rank;
	__u64 best_frees;
	__u64 victim; /* dying */
	__u64 victim_ns;
	__u64 victim_sequence;
	__u64 last_gone_ns;
	struct ua_settings settings; /* as they apply, within their ranges */
};

struct ua_candidate {
	__u64 container;
	__u64 frees; /* bytes, what its death frees */
	__u64 age_ms;
	__u64 rank;
	__s32 score;
	__u32 reserved;
};

/* Map `decisions`: entry sequence % UA_DECISIONS. A reader checks `sequence` before and after. */
struct ua_decision {
	__u64 sequence; /* from 1; 0: empty */
	__u64 domain;
	__u64 trigger;
	__u64 victim;
	__u64 decision_ns;
	__u64 first_signal_ns;
	__u64 last_signal_ns;
	__u64 streak_ns; /* how long the trigger had thrashed */
	__u64 memory;    /* of the victim, at the decision */
	__u64 wall;      /* whose pressure it was; 0: the domain's */
	__u32 series;    /* enum ua_series_kind */
	__u32 cgth_time_ms;
	__u32 policy;
	__u32 signals;
	__u32 failures; /* signals the kernel refused */
	__u32 passes;
	__u32 executor;
	__u32 candidates;
	struct ua_candidate ranking[UA_RANKING]; /* not sorted; the first UA_RANKING found */
};

/* Map `releases`: what the reaper did, entry sequence % UA_DECISIONS. */
struct ua_release {
	__u64 sequence;
	__u64 first_ns;
	__u64 last_ns; /* memory of the last process released */
	__u64 gone_ns; /* container empty */
	__u64 memory_after;
	__u32 processes;
	__u32 released;    /* by process_mrelease */
	__u32 already_gone; /* exit was faster */
	__u32 signals;     /* sent by the helper: tier 2, tier 3 or the backstop */
};

/* Ring `work`: to the reaper. */
struct ua_event {
	__u64 ns;
	__u64 sequence;
	__u64 container;
	__u32 kind; /* enum ua_event_kind */
	__s32 pid;
};

/* A victim whose processes still need signals; kept among the programs' variables. */
struct kill_slot {
	__u64 cgroup;
	__u64 id;
	__u64 domain;
	__u64 sequence;
	__u64 armed_ns;
	__u32 level;
	__u32 active;
};

/* Argument of the `rules` program: lets a test run the very code of the detector. */
struct ua_rules_call {
	struct ua_series series;
	__u64 now_ns;
	__u64 value;
	__u64 tolerance_ns;
	__u64 flat_ns;
	__u64 min_pages;
	__u32 counts;
	__u32 thrashing; /* out */
	__u64 memory;
	__u64 swap;
	__u64 anonymous; /* bytes */
	__u64 age_ms;
	__u32 refills;
	__u32 kind; /* enum ua_series_kind: what there is a victim for */
	__s32 score;
	__u32 policy;
	__u64 rank; /* out */
};

/* Argument of the `places` program: what stands in this CPU's statistics where these counters are expected. */
struct ua_places {
	__u64 mapped; /* anonymous pages */
	__u64 refaults;
};

_Static_assert(sizeof(struct ua_control) == 24 + UA_REASON, "padding");
_Static_assert(sizeof(struct ua_container) == 32, "padding");
_Static_assert(sizeof(struct ua_settings) == 40, "padding");
_Static_assert(sizeof(struct ua_killable) == 8 + 2 * UA_PATH, "padding");
_Static_assert(sizeof(struct ua_decision) == 112 + UA_RANKING * 40, "padding");
_Static_assert(sizeof(struct ua_release) == 56, "padding");
_Static_assert(sizeof(struct ua_rules_call) == 144, "padding");

#endif
