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
#define UA_LIMIT_LONGEST_STEP_NS 1000000000LL
#define UA_LIMIT_STEP_PERCENT 2		/* maximum rise per second, in percent of the boundary */
#define UA_LIMIT_LEAST (32LL << 20)	/* minimum limit: no process can run with less */
#define UA_LIMIT_NONE INT64_MAX
#define UA_LIMIT_HIGHEST (1ULL << 50)	/* maximum of the values from the NodeManager, so that products stay in range */

enum ua_limit_move { UA_LIMIT_STAY, UA_LIMIT_TAKE, UA_LIMIT_KEEP, UA_LIMIT_GIVE };

struct ua_limit_law {
	bool grows_into_excess, looked;
	s64 wall, lowered, last;
};

/* Values of the NodeManager's last sample; others: all memory that is not best-effort's. */
struct ua_limit_basis {
	s64 boundary, reserve, others, swap, excess, owed, claim;
};

struct ua_limit_look {
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

static inline s64 ua_limit_others(const struct ua_limit_look *look, const struct ua_limit_basis *basis)
{
	return ua_limit_max(0, look->node - look->best_effort) + basis->swap;
}

static inline s64 ua_limit_excess(s64 grown, const struct ua_limit_look *look, const struct ua_limit_basis *basis)
{
	s64 more = grown <= 0 ? grown : ua_limit_max(0, ua_limit_min(look->clean_grown, grown - basis->owed));

	return ua_limit_max(0, basis->excess + more);
}

static inline enum ua_limit_move ua_limit_lower(struct ua_limit_law *law, s64 right, s64 room, s64 held_and_slack)
{
	s64 most = law->grows_into_excess ? right : ua_limit_min(right, ua_limit_max(room, held_and_slack));
	enum ua_limit_move move = law->wall > ua_limit_max(0, right) ? UA_LIMIT_TAKE : UA_LIMIT_KEEP;

	if (law->wall <= ua_limit_max(0, most))
		return UA_LIMIT_STAY;
	law->wall = ua_limit_max(0, most);
	return move;
}

static inline enum ua_limit_move ua_limit_raise(struct ua_limit_law *law, s64 goal, s64 slack, s64 now, s64 boundary,
						bool may_raise)
{
	s64 waited = now - law->lowered - UA_LIMIT_HOLD_NS, elapsed, step;

	if (!may_raise || waited < 0 || law->wall >= goal - slack)
		return UA_LIMIT_STAY;
	elapsed = ua_limit_min(ua_limit_min(waited, now - law->last), UA_LIMIT_LONGEST_STEP_NS);
	step = ua_limit_max(0, elapsed) / 1000 * (boundary / 100 * UA_LIMIT_STEP_PERCENT / 1000) / 1000;
	law->wall = ua_limit_min(law->wall + step, goal);
	return step > 0 ? UA_LIMIT_GIVE : UA_LIMIT_STAY;
}

/* The limit that the kernel enforces. */
static inline s64 ua_limit_enforced(const struct ua_limit_law *law)
{
	return ua_limit_max(law->wall, UA_LIMIT_LEAST);
}

/* A quarter of the reserve: for less than this, the limit is not raised and no container is killed. */
static inline s64 ua_limit_slack(const struct ua_limit_basis *basis)
{
	return basis->reserve / 4;
}

static inline struct ua_limit_decision ua_limit_look(struct ua_limit_law *law, const struct ua_limit_look *look,
						     const struct ua_limit_basis *basis, bool may_raise)
{
	s64 others = ua_limit_others(look, basis), slack = ua_limit_slack(basis);
	struct ua_limit_decision d = { .excess = ua_limit_excess(others - basis->others, look, basis) };
	s64 room = basis->boundary - others - basis->reserve, right = room + d.excess;

	if (!law->looked || look->now < law->lowered)
		law->lowered = look->now; /* the clock went back: the hold time begins again */
	law->looked = true;
	d.move = ua_limit_lower(law, right, room, look->best_effort + slack);
	if (d.move != UA_LIMIT_STAY)
		law->lowered = look->now;
	else
		d.move = ua_limit_raise(law, (law->grows_into_excess ? right : room) - basis->claim, slack, look->now,
					basis->boundary, may_raise);
	law->last = look->now;
	d.due = ua_limit_max(0, look->best_effort - law->wall);
	d.free = basis->boundary - look->node;
	return d;
}

#endif
