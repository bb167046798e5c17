/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The control law of the limit around best-effort, evaluated every 20 ms. The Java class
 * io.charon.core.law.memorylimit.MemoryLimitLaw implements the same law and explains it; a test runs both on
 * the same numbers. Bytes and nanoseconds.
 */
#ifndef UA_LIMIT_LAW_H
#define UA_LIMIT_LAW_H

#include "ua_common.h"

typedef __s64 s64;

#define UA_LIMIT_HOLD_NS 10000000000LL	/* time without a lowering before the limit rises */
#define UA_LIMIT_MAX_STEP_NS 1000000000LL
#define UA_LIMIT_STEP_PERCENT 2		/* maximum rise per second, in percent of the boundary */
#define UA_LIMIT_MIN_BYTES (32LL << 20)	/* minimum limit: no process can run with less */
#define UA_LIMIT_NONE INT64_MAX
#define UA_LIMIT_MAX_INPUT (1ULL << 50)	/* maximum of the values from the NodeManager, so that products stay in range */

enum ua_limit_move { UA_LIMIT_STAY, UA_LIMIT_TAKE, UA_LIMIT_KEEP, UA_LIMIT_GIVE };

struct ua_limit_law {
	bool sampled;
	s64 limit, lowered, last;
};

/* Values of the NodeManager's last sample; others: all memory that is not best-effort's. */
struct ua_limit_basis {
	s64 boundary, reserve, others, swap, excess, owed, claim;
	bool grow_into_excess; /* the kernel reclaims it first: what others are entitled to is protected */
};

struct ua_limit_sample {
	s64 now, node, best_effort, clean_grown;
};

struct ua_limit_decision {
	enum ua_limit_move move;
	s64 due, free, excess;
};

static inline s64 ua_limit_min(s64 a, s64 b)
{
	return a < b ? a : b;
}

static inline s64 ua_limit_max(s64 a, s64 b)
{
	return a > b ? a : b;
}

static inline s64 ua_limit_others(const struct ua_limit_sample *sample, const struct ua_limit_basis *basis)
{
	return ua_limit_max(0, sample->node - sample->best_effort) + basis->swap;
}

static inline s64 ua_limit_excess(s64 grown, const struct ua_limit_sample *sample, const struct ua_limit_basis *basis)
{
	s64 added = grown <= 0 ? grown : ua_limit_max(0, ua_limit_min(sample->clean_grown, grown - basis->owed));

	return ua_limit_max(0, basis->excess + added);
}

static inline enum ua_limit_move ua_limit_lower(struct ua_limit_law *law, s64 entitlement, s64 target)
{
	enum ua_limit_move move = law->limit > ua_limit_max(0, entitlement) ? UA_LIMIT_TAKE : UA_LIMIT_KEEP;

	if (law->limit <= ua_limit_max(0, target))
		return UA_LIMIT_STAY;
	law->limit = ua_limit_max(0, target);
	return move;
}

static inline enum ua_limit_move ua_limit_raise(struct ua_limit_law *law, s64 goal, s64 slack, s64 now, s64 boundary,
						bool may_raise)
{
	s64 waited = now - law->lowered - UA_LIMIT_HOLD_NS, elapsed, step;

	if (!may_raise || waited < 0 || law->limit >= goal - slack)
		return UA_LIMIT_STAY;
	elapsed = ua_limit_min(ua_limit_min(waited, now - law->last), UA_LIMIT_MAX_STEP_NS);
	step = ua_limit_max(0, elapsed) / 1000 * (boundary / 100 * UA_LIMIT_STEP_PERCENT / 1000) / 1000;
	law->limit = ua_limit_min(law->limit + step, goal);
	return step > 0 ? UA_LIMIT_GIVE : UA_LIMIT_STAY;
}

/* The limit that the kernel enforces. */
static inline s64 ua_limit_enforced(const struct ua_limit_law *law)
{
	return ua_limit_max(law->limit, UA_LIMIT_MIN_BYTES);
}

/* A quarter of the reserve: for less than this, the limit is not raised and no container is killed. */
static inline s64 ua_limit_slack(const struct ua_limit_basis *basis)
{
	return basis->reserve / 4;
}

static inline struct ua_limit_decision ua_limit_decide(struct ua_limit_law *law, const struct ua_limit_sample *sample,
						     const struct ua_limit_basis *basis, bool may_raise)
{
	s64 others = ua_limit_others(sample, basis), slack = ua_limit_slack(basis);
	struct ua_limit_decision d = { .excess = ua_limit_excess(others - basis->others, sample, basis) };
	s64 room = basis->boundary - others - basis->reserve, entitlement = room + d.excess, target;

	if (!law->sampled || sample->now < law->lowered)
		law->lowered = sample->now; /* the clock went back: the hold time begins again */
	law->sampled = true;
	target = basis->grow_into_excess ?
			 entitlement :
			 ua_limit_min(entitlement, ua_limit_max(room, sample->best_effort + slack));
	d.move = ua_limit_lower(law, entitlement, target);
	if (d.move != UA_LIMIT_STAY)
		law->lowered = sample->now;
	else
		d.move = ua_limit_raise(law, (basis->grow_into_excess ? entitlement : room) - basis->claim, slack, sample->now,
					basis->boundary, may_raise);
	law->last = sample->now;
	d.due = ua_limit_max(0, sample->best_effort - law->limit);
	d.free = basis->boundary - sample->node;
	return d;
}

#endif
