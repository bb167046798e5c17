/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reclaims memory from best-effort in short steps, in a thread of normal priority, so that its reclaim does not
 * occupy a processor at real-time priority.
 */
#ifndef UA_LIMIT_STEPS_H
#define UA_LIMIT_STEPS_H

#include "ua_limit_files.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

struct steps {
	const struct limit_files *files;
	sem_t wake;
	/* Written by the sampling thread. */
	_Atomic s64 goal;	/* memory that best-effort may hold */
	_Atomic s64 margin;	/* by which it may still grow while it holds more */
	_Atomic s64 swap_limit;
	_Atomic int swappiness;
	_Atomic bool due;	/* it holds more, and steps are needed */
	/* Written by both threads: the limit that the kernel enforces. */
	_Atomic s64 limit;
	_Atomic bool again;	/* it has to be written again, because swap is, or is to be, limited differently */
	/* For the report, which resets them. */
	_Atomic u64 taken, interrupted, refused, bytes;
	_Atomic int reason;	/* errno of the last refusal */
	pthread_mutex_t passing; /* held while memory.high or swappiness is written: neither may outlive the process */
	bool ended;		/* guarded by it: both stay as they were */
	struct avoided_swap avoided; /* guarded by it */
};
int steps_start(struct steps *s, const struct limit_files *files, struct ua_error *error);
void steps_end(struct steps *s);

/* The memory that best-effort could not free even by dropping all its clean page cache, and by which it may still grow. */
s64 steps_floor(s64 use, s64 clean, s64 margin);

#endif
