/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Declarations shared by the BPF programs and user space: the layout of every pinned map. Times are
 * CLOCK_MONOTONIC nanoseconds. Memory is in bytes unless a name says pages. A cgroup is identified by the
 * 64-bit inode number of its directory in the memory hierarchy (`stat -c %i`). The structures have no padding
 * (checked below), so that every build of this version reads them alike.
 */
#ifndef UA_KILLER_H
#define UA_KILLER_H

#define UA_MAP_VERSION 8 /* 8: tells which build of the programs is loaded */
#define UA_MAX_DOMAINS 8
#define UA_MAX_CONTAINERS 1024
#define UA_MAX_KILLABLE 64
#define UA_PATH 1016
#define UA_RING 64      /* samples kept per container */
#define UA_DECISIONS 64 /* decisions kept */
#define UA_RANKING 16   /* candidates kept per decision */
#define UA_MAX_CPUS 512
/* history of the pages a container has read, in steps of 2^UA_HISTORY_SHIFT nanoseconds (about a second) */
#define UA_HISTORY 64
#define UA_HISTORY_SHIFT 30
#define UA_REASON 184
#define UA_MAX_AGENTS 16
#define UA_CARRY_OUT_MS 1000 /* a decision that was not carried out within this time has become stale */
#define UA_HELPER_SILENT_MS 3000 /* a helper that has been silent for longer than this is not running */

enum ua_tier { UA_TIER_KERNEL_KILL = 1, UA_TIER_KERNEL_DETECT = 2, UA_TIER_USER = 3 };
enum ua_policy { UA_POLICY_MEMORY_PER_TIME = 0, UA_POLICY_SCORE = 1 };
/*
 * The refaults of file pages that count: all of them; only those of pages evicted so recently that they would
 * fit in memory without the anonymous pages; or, of the latter, only those of pages that were in use when they
 * were evicted (the kernel's own notion of thrash). These three values are distances in the kernel's list of
 * counters. The programs count the last kind themselves: refaults of pages that would still be cached if
 * killable containers held no memory.
 */
enum ua_refaults { UA_REFAULTS_ANY = 0, UA_REFAULTS_RECENT = 1, UA_REFAULTS_WORKINGSET = 2, UA_REFAULTS_FITTING = 3 };
/* Two counters of refaults, and the memory that a container is entitled to and does not get. */
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
	__u32 period_ms; /* between two samples, 10 to 1000 */
	__u64 loaded_ns;
	__u64 programs; /* which build of them, see own_programs() */
	char reason[UA_REASON]; /* why this tier was chosen and not a better one */
};

/* Map `helper`, one entry, written by the helper several times per second while it runs. */
struct ua_helper {
	__u64 alive_ns;
	__u32 pid;
	__u32 reserved;
	__u32 agents[UA_MAX_AGENTS]; /* NodeManagers that use the socket; 0: none */
};

/* Map `counters`, one entry, written by the programs. */
struct ua_counters {
	__u64 ticks;
	__u64 tick_nanos;
	__u64 max_tick_nanos;
	__u64 walk_truncated; /* passes cut short because one walk may not visit all cgroups */
	__u64 handovers;      /* decisions made by a kernel thread */
	__u64 signal_retries;
	__u64 ring_full;
	/* in the last pass: out of range, for a foreign cgroup, or killable where root does not allow it */
	__u64 registrations_ignored;
	/* entries of `container_state` and `walls` that a pass could not add: what they stand for was not observed */
	__u64 table_full;
};

/* Map `domains`: root cgroup -> limits. Only root writes it. */
struct ua_domain {
	__u32 min_cgth_time_ms;
	__u32 max_cgth_time_ms;
};

/*
 * Map `settings`: root cgroup -> settings that the NodeManager may change at run time. The values are not
 * trusted: the detectors use the copy made by ua_clamp().
 */
struct ua_settings {
	__u32 cgth_time_ms;      /* tolerated duration of thrash, within the domain's limits; 0: never kill */
	__u32 flat_ms;           /* a series may go without growth for this long before its streak ends */
	__u32 min_pages;         /* growth below this within flat_ms counts as none */
	__u32 policy;            /* enum ua_policy */
	__u32 file_refaults;     /* enum ua_refaults */
	__u32 victim_timeout_ms; /* if a victim is still alive after this time, the next candidate is chosen */
	/* tolerated time without progress for a container that is owed memory; 0: never kill for that */
	__u32 owed_time_ms;
	__u32 owed_percent;      /* of the entitlement: a smaller deficit is not owed */
	__u32 owed_progress_percent; /* of the owed memory: growth by this much is progress */
	__u32 reserved;
};

/*
 * Map `killable`: cgroup -> where it was found. Containers of the domain may be killed strictly below these
 * cgroups and nowhere else. Only root writes it.
 */
struct ua_killable {
	__u64 domain;
	char path[UA_PATH]; /* to find it again */
	/* where containers are moved when they may no longer be killed; empty: the helper moves none */
	char promoted[UA_PATH];
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

/* Map `containers`: cgroup -> registration. A registration is valid only below the root of its domain. */
struct ua_container {
	__u64 domain;
	__u64 start_ns; /* 0: the time when it was first seen */
	__s32 score;    /* 1 to 1000 for killable containers, 0 for watched ones */
	__u32 flags;    /* enum ua_flags */
	__u64 entitled; /* bytes that a watched container is entitled to; 0: not known */
};

/* The part of a counter's history that the rule needs. See ua_rules.h. */
struct ua_series {
	__u64 value;
	__u64 sampled_ns;
	__u64 mark_value;
	__u64 mark_ns;
	__u64 streak_start_ns;
};

/* How long a container has been owed memory. See ua_rules.h. */
struct ua_owed {
	__u64 since_ns; /* 0: it is not owed memory */
	__u64 mark_ns;  /* its last progress */
	__u64 mark_use;
};

struct ua_sample {
	__u64 ns;
	__u64 anonymous; /* refaults so far, in pages */
	__u64 file;
	__u64 memory;
	__u64 owed;    /* bytes */
	__u32 counted; /* 0: growth in this sample does not count as pressure of the node */
	__u32 reserved;
};

/* Map `container_state`: written by the detector. */
struct ua_container_state {
	__u64 domain;
	__u64 cgroup; /* masked kernel address */
	__u32 level;
	__u32 populated;
	__u32 killable; /* registered as killable, and below a cgroup of the map `killable` */
	/*
	 * UA_REFILLS: since the previous pass, its tasks reclaimed for the domain or at the limit around best-effort, or
	 * read file pages; above that, the number of passes in which it still counts as wanting memory
	 */
	__u32 refills;
	__u64 killable_root; /* the cgroup of the map `killable` that contains it; 0: none */
	__u64 seen_ns;
	__u64 first_seen_ns;
	__u64 start_ns;
	__u64 memory;
	__u64 swap;
	__u64 anonymous; /* in pages, with mapped shared memory and locked pages, without files in memory that nobody has mapped */
	__u64 epoch;
	__u64 scanned[UA_SERIES]; /* sum under construction */
	__u64 exact[UA_SERIES];   /* counted by the statistics tracepoint */
	__u64 inserted; /* file pages that its tasks read into the page cache, estimated from a sample */
	__u64 fitting;  /* the part of these that counts as UA_REFAULTS_FITTING */
	__u64 inserted_before;
	__u64 fitting_before;
	__u64 history_step;
	__u64 history[UA_HISTORY]; /* `inserted` at the beginning of each step */
	__u64 own_reclaims;
	__u64 node_reclaims;
	__u64 root_reclaims;
	__u64 own_before;
	__u64 node_before;
	__u64 root_before;
	__u64 node_reclaim_ns;
	__u64 given_up_ns; /* when it was given up, because it survived its kill; 0: never */
	__u64 samples_taken;
	struct ua_owed owed;
	struct ua_series series[UA_SERIES];
	struct ua_sample samples[UA_RING];
};

/* Map `walls`: cgroup of the map `killable` -> reclaim at that cgroup's own limit. Written by the detector. */
struct ua_root_reclaims {
	__u64 reclaim_ns;
	__u64 reclaims;
};

/* Map `domain_state`: written by the detector. */
struct ua_domain_state {
	__u64 reclaim_ns; /* last reclaim that served the whole domain */
	__u64 reclaims;
	__u64 own_limit_reclaims; /* by containers at their own limit: no pressure of the node */
	/* by the helper or a NodeManager, which reclaim on purpose and are not short of memory */
	__u64 agent_reclaims;
	__u64 killable_memory;    /* held by killable containers with processes, at the last pass */
	__u64 owed_ns;            /* last event UA_EVENT_OWED */
	__u64 owed_events;
	__u64 epoch;
	__u64 kills;
	__u64 no_candidate;
	__u64 survivors; /* victims still alive after victim_timeout_ms */
	__u64 trigger;
	__u32 trigger_series;
	__u32 pressured;
	__u64 trigger_streak_ns;
	__u64 trigger_root; /* the cgroup of the map `walls` that alone is under pressure; 0: the domain is */
	__u64 best;
	__u64 best_rank;
	__u64 best_frees;
	__u64 victim; /* being killed */
	__u64 victim_ns;
	__u64 victim_sequence;
	__u64 last_gone_ns;
	struct ua_settings settings; /* in effect, within their ranges */
};

struct ua_candidate {
	__u64 container;
	__u64 frees; /* bytes that killing it frees */
	__u64 age_ms;
	__u64 rank;
	__s32 score;
	__u32 reserved;
};

/* Map `decisions`: entry sequence % UA_DECISIONS. A reader checks `sequence` before and after. */
struct ua_decision {
	__u64 sequence; /* from 1; 0: empty entry */
	__u64 domain;
	__u64 trigger;
	__u64 victim;
	__u64 decision_ns;
	__u64 first_signal_ns;
	__u64 last_signal_ns;
	__u64 streak_ns; /* how long the trigger had thrashed, or had been owed memory without progress */
	__u64 memory;    /* of the victim, at the time of the decision */
	__u64 killable_root; /* the cgroup of the map `walls` that was under pressure; 0: the domain was */
	__u32 series;    /* enum ua_series_kind */
	__u32 cgth_time_ms;
	__u32 policy;
	__u32 signals;
	__u32 failures; /* signals that the kernel refused */
	__u32 passes;
	__u32 executor;
	__u32 candidates;
	struct ua_candidate ranking[UA_RANKING]; /* unsorted; the first UA_RANKING that were found */
};

/* Map `releases`: actions of the helper's reaper, entry sequence % UA_DECISIONS. */
struct ua_release {
	__u64 sequence;
	__u64 first_ns;
	__u64 last_ns; /* when the memory of the last process was released */
	__u64 gone_ns; /* when the container was empty */
	__u64 memory_after;
	__u32 processes;
	__u32 released;    /* by process_mrelease */
	__u32 already_gone; /* exited before process_mrelease */
	__u32 signals;     /* sent by the helper: tier 2, tier 3 or the backstop */
};

/* Ring `work`: events for the helper. */
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

/* Argument of the `rules` program, with which a test runs the detector's own code. */
struct ua_rules_call {
	struct ua_series series;
	__u64 now_ns;
	__u64 value;
	__u64 tolerance_ns;
	__u64 flat_ns;
	__u64 min_pages;
	__u32 counts;
	__u32 thrashing; /* output */
	__u64 memory;
	__u64 swap;
	__u64 anonymous; /* bytes */
	__u64 age_ms;
	__u32 refills;
	__u32 kind; /* enum ua_series_kind: the reason to choose a victim */
	__s32 score;
	__u32 policy;
	__u64 rank; /* output */
};

/*
 * Argument of the `places` program: the values in this CPU's statistics where these counters are expected, in
 * bytes.
 */
struct ua_places {
	__u64 mapped; /* anonymous pages */
	__u64 refaults;
	__u64 mapped_files;
	__u64 shared;
};

/* Every version has this size: the kernel copies an entry whole, also for a ua-killer of another version. */
_Static_assert(sizeof(struct ua_control) == 216, "padding");
_Static_assert(sizeof(struct ua_container) == 32, "padding");
_Static_assert(sizeof(struct ua_settings) == 40, "padding");
_Static_assert(sizeof(struct ua_killable) == 8 + 2 * UA_PATH, "padding");
_Static_assert(sizeof(struct ua_decision) == 112 + UA_RANKING * 40, "padding");
_Static_assert(sizeof(struct ua_release) == 56, "padding");
_Static_assert(sizeof(struct ua_rules_call) == 144, "padding");

#endif
