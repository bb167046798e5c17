/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules: when a series of refaults is thrash, when memory is owed, and who is the better victim. Pure functions, the
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
 * A page that comes back from a file costs about 59 us (bench thrash-model): what loses less than 1 % of its time is no thrash
 * (ours). In pages per second.
 */
#define UA_FITTING_LEAST 170
/* Of what is read, at least one in so many pages would still be there (ours): else more memory would not help. */
#define UA_FITTING_SHARE 20

/* Growth of this counter within flat_ns below that is standing still. */
static inline __u64 ua_fitting_least(__u32 min_pages, __u64 flat_ns)
{
	__u64 least = flat_ns / 1000000 * UA_FITTING_LEAST / 1000;

	return least > min_pages ? least : min_pages;
}

/*
 * What a container had read at a moment, by its history; -1: that is too long ago. Between two steps it read evenly.
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

/* Whether a registration is one that `register` could have written: killable with a score, or watched, maybe with a right. */
static inline int ua_acceptable(const struct ua_container *c)
{
	return c->flags == UA_KILLABLE ? c->score >= 1 && c->score <= UA_MAX_SCORE && !c->entitled :
					 !c->flags && !c->score && c->entitled <= UA_MAX_ENTITLED;
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

/* Missing less than this of what a container is entitled to is not owed. */
static inline __u64 ua_owed_least(__u64 entitled, const struct ua_settings *s)
{
	return entitled / 100 * s->owed_percent;
}

/* What a container lacks of its right, as far as those that may be killed could give it back; 0: nothing worth a look. */
static inline __u64 ua_owed_bytes(__u64 use, __u64 entitled, __u64 killable, const struct ua_settings *s)
{
	__u64 least = ua_owed_least(entitled, s), missing = entitled > use ? entitled - use : 0;

	return missing > least && killable > least ? missing : 0;
}

/*
 * One more look at a container that has a right. It is owed memory while it holds less than that, those that may be killed
 * hold some, and its own tasks reclaim for the domain (`reclaims`): they want memory and find none free. Nothing is asked
 * about its pages: whether the kernel remembers them, or when they were in use. Returns whether that has lasted for
 * owed_time_ms without progress: whose use grows is being served, and a reader of more than its right fills that and stops
 * being owed.
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

/* Who is younger counts as this old (ours): none of those who are has caused thrash that lasted for cgth_time. */
#define UA_YOUNGEST_MS 3000

/* Rank of a candidate, the highest dies: bytes freed per second of execution time, or the score. 0: never. */
static inline __u64 ua_rank(__u32 policy, __u64 frees, __u64 age_ms, __s32 score)
{
	if (score <= 0)
		return 0;
	if (policy == UA_POLICY_SCORE)
		return (__u64)score;
	return frees * 1000 / (age_ms > UA_YOUNGEST_MS ? age_ms : UA_YOUNGEST_MS) + 1;
}

/*
 * Bytes that a death frees: anonymous and shared memory with swap. Page cache that nobody refills is free already, for
 * whoever reclaims; where page cache is what is missing (file thrash, owed memory), that of a container which refills it
 * all the time counts too, because it comes back as long as its owner lives.
 */
static inline __u64 ua_frees(__u64 memory, __u64 swap, __u64 anonymous, int refills, __u32 series)
{
	return (refills && series != UA_ANONYMOUS ? memory : anonymous < memory ? anonymous : memory) + swap;
}

/* Ties: the one that frees more, then the younger cgroup. */
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
