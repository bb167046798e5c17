/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps few of best-effort's pages dirty: what the disk has not taken yet cannot be dropped, and whoever needs the memory waits
 * for the disk.
 */
#ifndef UA_LIMIT_DIRTY_H
#define UA_LIMIT_DIRTY_H

#include "ua_limit_files.h"

#include <stdatomic.h>

struct dirty {
	const struct limit_files *files;
	/* Written by who looks. */
	_Atomic s64 most;	/* bytes that may be dirty; negative: nobody looks */
	/* For the report. */
	_Atomic s64 held;	/* bytes at the last look */
	_Atomic u64 started;	/* files whose writing back was begun; taken away */
	_Atomic int reason;	/* errno of the last look's last refusal */
	u64 rested;		/* the thread's own: the processor time at its last rest, microseconds */
};
int dirty_start(struct dirty *d, const struct limit_files *files, struct ua_error *error);

#endif
