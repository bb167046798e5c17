/* SPDX-License-Identifier: Apache-2.0 */
/* Takes memory back from best-effort, in steps that end: a thread of normal priority, so that its reclaim holds no processor. */
#ifndef UA_LIMIT_STEPS_H
#define UA_LIMIT_STEPS_H

#include "ua_limit_files.h"

#include <semaphore.h>
#include <stdatomic.h>

struct steps {
	const struct limit_files *files;
	sem_t wake;
	/* Written by who looks. */
	_Atomic s64 goal;	/* what best-effort may hold */
	_Atomic s64 swappable;
	_Atomic s64 swap_limit;
	_Atomic int swappiness;
	_Atomic bool due;	/* it holds more, and steps are to be taken */
	/* Written by both: what the kernel enforces. */
	_Atomic s64 limit;
	/* For the report, which takes them away. */
	_Atomic u64 taken, interrupted, refused, bytes;
	_Atomic int reason;	/* errno of the last refusal */
};
int steps_start(struct steps *s, const struct limit_files *files, struct ua_error *error);

/* What best-effort could not drop even if all its clean page cache went, and 5 % more. */
s64 steps_floor(s64 use, s64 clean);

#endif
