/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two rules: when a series of refaults is thrash, and who is the better victim. Pure functions, the
 * same source for the BPF programs and for the user-space tier; io.charon.killer.ThrashDetector and
 * VictimChoice are their Java twins, and a differential test holds them together.
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

/* What applies of settings that somebody wrote: each in its range, an unknown choice is the default. */
static inline void ua_clamp(const struct ua_settings *written, const struct ua_domain *limits, struct ua_settings *s)
{
	s->cgth_time_ms = written->cgth_time_ms;
	if (s->cgth_time_ms)
		s->cgth_time_ms = ua_within(s->cgth_time_ms, limits->min_cgth_time_ms, limits->max_cgth_time_ms);
	s->flat_ms = ua_within(written->flat_ms, UA_MIN_FLAT_MS, UA_MAX_FLAT_MS);
	s->min_pages = ua_within(written->min_pages, UA_MIN_PAGES, UA_MAX_PAGES);
	s->policy = written->policy == UA_POLICY_SCORE ? UA_POLICY_SCORE : UA_POLICY_MEMORY_PER_TIME;
	s->file_refaults = written->file_refaults;
	if (s->file_refaults > UA_REFAULTS_WORKINGSET)
		s->file_refaults = UA_REFAULTS_WORKINGSET;
	s->victim_timeout_ms =
		ua_within(written->victim_timeout_ms, UA_MIN_VICTIM_TIMEOUT_MS, UA_MAX_VICTIM_TIMEOUT_MS);
}

/* Whether a registration is one that `register` could have written: killable with a score, or watched without. */
static inline int ua_acceptable(__s32 score, __u32 flags)
{
	return flags == UA_KILLABLE ? score >= 1 && score <= UA_MAX_SCORE : !flags && !score;
}

/*
 * How long a series may stand still without ending. Passes that come seldom (each takes long, and together they may take
 * only so much of a CPU) would otherwise end every series by the pause between two samples.
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
 * One more sample. A streak begins with the sample before the first growth and lives as long as the
 * counter grows by min_pages in every flat_ns. (The authors' code wants strict growth from second to
 * second; one flat sample at a finer period is normal when the machine thrashes so hard that little
 * moves.) No sample for flat_ns means that nobody reclaimed: the streak ends. Growth that must not
 * count (the container is at its own limit, or the node is not under pressure) is skipped over.
 * Returns whether the streak has lasted for the tolerance, from its start to its last growth: a burst that is over
 * does not become thrash by waiting.
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

/* Rank of a candidate, the highest dies: bytes per second of execution time, or the score. 0: never. */
static inline __u64 ua_rank(__u32 policy, __u64 memory, __u64 age_ms, __s32 score)
{
	if (score <= 0)
		return 0;
	if (policy == UA_POLICY_SCORE)
		return (__u64)score;
	return memory * 1000 / (age_ms ? age_ms : 1) + 1;
}

/* Ties: the larger one, then the younger cgroup. */
static inline int ua_better(__u64 rank, __u64 memory, __u64 id, __u64 best_rank, __u64 best_memory,
			    __u64 best)
{
	if (rank != best_rank)
		return rank > best_rank;
	if (memory != best_memory)
		return memory > best_memory;
	return id > best;
}

#endif
