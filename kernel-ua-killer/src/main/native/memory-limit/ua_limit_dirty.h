/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps the number of best-effort's dirty pages small. A dirty page cannot be dropped before it is written, and
 * a task that needs the memory would wait for the disk.
 */
#ifndef UA_LIMIT_DIRTY_H
#define UA_LIMIT_DIRTY_H

#include "ua_limit_files.h"

#include <stdatomic.h>

struct dirty {
	const struct limit_files *files;
	/* Written by the sampling thread. */
	_Atomic s64 limit;	/* bytes that may be dirty; negative: not checked */
	/* For the report. */
	_Atomic s64 bytes;	/* dirty bytes at the last check */
	_Atomic u64 started;	/* files whose writeback was started; the report resets it */
	_Atomic int reason;	/* errno of the last failure in the last check */
	u64 rested;		/* only for the thread itself: its CPU time at its last rest, microseconds */
};
int dirty_start(struct dirty *d, const struct limit_files *files, struct ua_error *error);

#endif
