/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules: when a series of refaults is thrash, when memory is owed, and which of two candidates is the
 * better victim. Pure functions, compiled from the same source for the BPF programs and for the user-space
 * tier. The Java classes io.charon.killer.ThrashDetector and VictimChoice implement the same rules; a
 * differential test compares them.
 */
#ifndef UA_RULES_H
#define UA_RULES_H

#include "ua_killer.h"

struct ua_thresholds {
	__u64 tolerance_ns; /* cgth_time */
	__u64 flat_ns;
	__u64 min_pages;
};

static inline __u32 ua_within(__u32 value, __u32 low, __u32 high)
{
	return value < low ? low : value > high ? high : value;
}

/*
 * Computes the settings in effect from the written ones: each value is clamped to its range, and an unknown
 * choice is replaced by the default.
 */
static inline void ua_clamp(const struct ua_settings *written, const struct ua_domain *limits, struct ua_settings *s)
{
	s->cgth_time_ms = written->cgth_time_ms;
	if (s->cgth_time_ms)
		s->cgth_time_ms = ua_within(s->cgth_time_ms, limits->min_cgth_time_ms, limits->max_cgth_time_ms);
	s->flat_ms = ua_within(written->flat_ms, UA_MIN_FLAT_MS, UA_MAX_FLAT_MS);
	s->min_pages = ua_within(written->min_pages, UA_MIN_PAGES, UA_MAX_PAGES);
	s->policy = written->policy == UA_POLICY_SCORE ? UA_POLICY_SCORE : UA_POLICY_MEMORY_PER_TIME;
	s->file_refaults = written->file_refaults;
	if (s->file_refaults > UA_REFAULTS_FITTING)
		s->file_refaults = UA_REFAULTS_WORKINGSET;
	s->victim_timeout_ms =
		ua_within(written->victim_timeout_ms, UA_MIN_VICTIM_TIMEOUT_MS, UA_MAX_VICTIM_TIMEOUT_MS);
	s->owed_time_ms = written->owed_time_ms;
	if (s->owed_time_ms)
		s->owed_time_ms = ua_within(s->owed_time_ms, UA_MIN_OWED_TIME_MS, UA_MAX_OWED_TIME_MS);
	s->owed_percent = ua_within(written->owed_percent, UA_MIN_OWED_PERCENT, UA_MAX_OWED_PERCENT);
	s->owed_progress_percent =
		ua_within(written->owed_progress_percent, UA_MIN_OWED_PERCENT, UA_MAX_OWED_PERCENT);
	s->reserved = 0;
}

/*
 * Minimum rate of fitting refaults, in pages per second. Reading a page of 4 KiB back from a file costs 59 us
 * (bench thrash-model). A container that loses less than 1 % of its time to this does not thrash (our choice).
 */
#define UA_FITTING_LEAST 170
/*
 * At least one in this many pages read has to be a fitting refault (our choice): otherwise more memory would
 * not help.
 */
#define UA_FITTING_SHARE 20

/* Growth of the fitting refaults below this within flat_ns counts as none. */
static inline __u64 ua_fitting_least(__u32 min_pages, __u64 flat_ns)
{
	__u64 least = flat_ns / 1000000 * UA_FITTING_LEAST / 1000;

	return least > min_pages ? least : min_pages;
}

/*
 * Returns the number of pages that a container had read at a time in the past, from its history, or -1 if that
 * is too long ago. Interpolates linearly between two steps.
 */
static inline __u64 ua_inserted_at(const __u64 *history, __u64 step, __u64 inserted, __u64 ns)
{
	__u64 at = ns >> UA_HISTORY_SHIFT, from, to, part = ns & ((1ULL << UA_HISTORY_SHIFT) - 1);

	if (at > step)
		return inserted;
	if (step - at >= UA_HISTORY)
		return -1ULL;
	from = history[at & (UA_HISTORY - 1)];
	to = at == step ? inserted : history[(at + 1) & (UA_HISTORY - 1)];
	return to > from ? from + ((to - from) * (part >> 10) >> (UA_HISTORY_SHIFT - 10)) : from;
}

/*
 * Whether `register` could have written this registration: killable with a score, or watched with an optional
 * entitlement.
 */
static inline int ua_acceptable(const struct ua_container *c)
{
	return c->flags == UA_KILLABLE ? c->score >= 1 && c->score <= UA_MAX_SCORE && !c->entitled :
					 !c->flags && !c->score && c->entitled <= UA_MAX_ENTITLED;
}

/*
 * How long a series may go without growth before its streak ends. Passes may be rare, because each takes long
 * and all together may use only a small share of a CPU; the pause between two samples must not end every
 * streak.
 */
static inline __u64 ua_flat_ns(__u32 flat_ms, __u64 interval_ns)
{
	__u64 flat = flat_ms * 1000000ULL, pauses = 3 * interval_ns;

	return flat > pauses ? flat : pauses;
}

/* How long the counter has been growing, up to its last growth. */
static inline __u64 ua_streak_ns(const struct ua_series *s)
{
	return s->streak_start_ns ? s->mark_ns - s->streak_start_ns : 0;
}

/*
 * Adds one sample. A streak begins with the sample before the first growth and lasts as long as the counter
 * grows by min_pages in every flat_ns. (The code of the paper's authors requires strict growth from second to
 * second. At a finer period, one sample without growth is normal when the machine thrashes so hard that little
 * moves.) If there was no sample for flat_ns, no task reclaimed, and the streak ends. Growth is skipped if it
 * must not count, because the container is at its own limit or the node is not under pressure. Returns whether
 * the streak, from its start to its last growth, has lasted for the tolerance: a burst that has ended does not
 * become thrash by the passing of time.
 */
static inline int ua_observe(struct ua_series *s, __u64 now, __u64 value, int counts,
			     const struct ua_thresholds *t)
{
	__u64 previous_ns = s->sampled_ns, previous = s->value;

	s->sampled_ns = now;
	s->value = value;
	if (!previous_ns || now - previous_ns > t->flat_ns || value < previous) {
		s->mark_value = value;
		s->mark_ns = now;
		s->streak_start_ns = 0;
		return 0;
	}
	if (!counts)
		s->mark_value += value - previous;
	if (value - s->mark_value >= t->min_pages) {
		if (!s->streak_start_ns)
			s->streak_start_ns = previous_ns;
		s->mark_value = value;
		s->mark_ns = now;
	} else if (now - s->mark_ns > t->flat_ns) {
		s->streak_start_ns = 0;
		s->mark_value = value;
		s->mark_ns = now;
	}
	return t->tolerance_ns && ua_streak_ns(s) >= t->tolerance_ns;
}

/* The part of the entitlement that may be missing without being owed, in bytes. */
static inline __u64 ua_owed_least(__u64 entitled, const struct ua_settings *s)
{
	return entitled / 100 * s->owed_percent;
}

/*
 * The memory that a container lacks of its entitlement, in bytes, or 0 if the deficit is small or if killable
 * containers hold too little to make up for it.
 */
static inline __u64 ua_owed_bytes(__u64 use, __u64 entitled, __u64 killable, const struct ua_settings *s)
{
	__u64 least = ua_owed_least(entitled, s), missing = entitled > use ? entitled - use : 0;

	return missing > least && killable > least ? missing : 0;
}

/*
 * Adds one sample of a container with an entitlement. The container is owed memory while it holds less than its
 * entitlement, killable containers hold memory, and its own tasks reclaim for the domain (`reclaims`): they
 * need memory and find none free. The rule does not ask whether the kernel remembers the container's pages or
 * when they were in use. Returns whether this has lasted for owed_time_ms without progress. A container whose
 * use grows is being served, and a container that reads more than its entitlement fills the entitlement and is
 * then no longer owed.
 */
static inline int ua_observe_owed(struct ua_owed *o, __u64 now, __u64 use, __u64 entitled, __u64 owed, int reclaims,
				  const struct ua_settings *s)
{
	__u64 owed_before;

	if (!owed || !reclaims) {
		o->since_ns = o->mark_ns = o->mark_use = 0;
		return 0;
	}
	if (!o->since_ns) {
		o->since_ns = o->mark_ns = now;
		o->mark_use = use;
		return 0;
	}
	owed_before = entitled - (o->mark_use < entitled ? o->mark_use : entitled);
	if (use > o->mark_use && use - o->mark_use >= owed_before / 100 * s->owed_progress_percent) {
		o->mark_ns = now;
		o->mark_use = use;
	}
	return s->owed_time_ms && now - o->mark_ns >= s->owed_time_ms * 1000000ULL;
}

/*
 * Containers younger than this count as this old (our choice): a container that young has not yet caused thrash
 * for cgth_time.
 */
#define UA_YOUNGEST_MS 3000

/*
 * The rank of a candidate; the highest is killed. It is the bytes freed per second of execution time, or the
 * score. 0: never killed.
 */
static inline __u64 ua_rank(__u32 policy, __u64 frees, __u64 age_ms, __s32 score)
{
	if (score <= 0)
		return 0;
	if (policy == UA_POLICY_SCORE)
		return (__u64)score;
	return frees * 1000 / (age_ms > UA_YOUNGEST_MS ? age_ms : UA_YOUNGEST_MS) + 1;
}

/*
 * Bytes that killing the container frees: its anonymous and mapped shared memory, and its swap. Page cache that no
 * task refills is already available to any task that reclaims. If page cache is the scarce resource (file
 * thrash, owed memory), the page cache of a container that keeps refilling it counts too, because it comes back
 * while the container lives.
 */
static inline __u64 ua_frees(__u64 memory, __u64 swap, __u64 anonymous, int refills, __u32 series)
{
	return (refills && series != UA_ANONYMOUS ? memory : anonymous < memory ? anonymous : memory) + swap;
}

/* What `refills` of a container says: that it refilled since the previous pass, and in how many further passes it wants memory. */
#define UA_REFILLS 1
#define UA_WANTING_SHIFT 1

/*
 * A container that wanted memory counts as wanting for this many passes (our choice; a second at the default period), because
 * it may wait for the disk or be throttled in between.
 */
#define UA_WANTING_PASSES 10

/* The next value of `refills`, by whether the container refilled, and whether it wanted memory, since the previous pass. */
static inline __u32 ua_refills(__u32 before, int refills, int wants)
{
	__u32 left = before >> UA_WANTING_SHIFT;

	left = wants ? UA_WANTING_PASSES : left ? left - 1 : 0;
	return (refills ? UA_REFILLS : 0) | left << UA_WANTING_SHIFT;
}

/*
 * Whether a kill would help nobody (our choice): a candidate at a killable root's limit reads files again that do not fit below
 * that limit, most of its memory is page cache, and no other candidate there wants memory. Nobody else would use the memory: a
 * launch counts on page cache anyway. Production is served, and the reader gets on, at the disk's speed. A container that
 * reads its own program again because its anonymous memory fills the limit is not spared.
 */
static inline int ua_helps_nobody(__u64 root, __u32 series, __u64 trigger, __u64 best, __u32 others, __u64 memory, __u64 anonymous)
{
	return root && series == UA_FILE && best == trigger && !others && anonymous < memory / 2;
}

/* Ties: the candidate that frees more is better, then the younger cgroup. */
static inline int ua_better(__u64 rank, __u64 frees, __u64 id, __u64 best_rank, __u64 best_frees,
			    __u64 best)
{
	if (rank != best_rank)
		return rank > best_rank;
	if (frees != best_frees)
		return frees > best_frees;
	return id > best;
}

#endif
