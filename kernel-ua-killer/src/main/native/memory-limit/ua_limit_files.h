/* SPDX-License-Identifier: Apache-2.0 */
/* The files of the cgroups, in both cgroup versions. */
#ifndef UA_LIMIT_FILES_H
#define UA_LIMIT_FILES_H

#include "ua_limit.h"
#include "ua_limit_law.h"

#include <limits.h>
#include <unistd.h>

#define MAX_CGROUPS 2000 /* maximum number of cgroups whose swappiness is changed */

struct limit_files {
	bool unified;
	bool non_blocking;	/* writing memory.max neither reclaims nor kills in the writing thread */
	int directory;
	int use, stat, limit;
	int swap_use;		/* v1: use of memory and swap together; -1: not counted by the kernel */
	int swap_limit;		/* v1: limit of memory and swap together; v2: limit of swap; -1: none */
	int high, reclaim;	/* v2; -1: none */
	int node_use, node_stat; /* both are /proc/meminfo if the node is the machine */
	int freezer;		/* cgroup.freeze; -1: none */
	bool machine;
	char path[PATH_MAX];
};

/* For no limit, v1 shows 2^63 less one page, whatever the page size. No machine has half of that. */
static inline s64 limit_or_none(s64 bytes)
{
	return bytes >= UA_LIMIT_NONE / 2 ? UA_LIMIT_NONE : bytes;
}

/* The kernel counts limits in pages. */
static inline s64 whole_pages(s64 bytes)
{
	return bytes & -sysconf(_SC_PAGESIZE);
}

int files_open(const struct limited *l, struct limit_files *f, struct ua_error *error);
int files_lock(const struct limit_files *f, struct ua_error *error);

/* The functions that return a number return -errno on failure. */
s64 file_read_number(int fd); /* UA_LIMIT_NONE for "max" and for the large number that v1 shows for no limit */
int file_write_number(int fd, s64 bytes); /* UA_LIMIT_NONE: no limit */
s64 files_node_use(const struct limit_files *f);
s64 files_clean(int stat, bool machine, bool unified); /* file pages that could be dropped at once */
/* Bytes of best-effort's file pages that are dirty and not yet under writeback, and of those under writeback. */
s64 files_dirty(const struct limit_files *f);
s64 files_under_writeback(const struct limit_files *f);
bool files_swap_free(s64 *bytes);

int files_set_limit(const struct limit_files *f, s64 bytes, s64 swap_bytes);
/*
 * v2: swap has a limit of its own. What best-effort has in swap above it stays there, and nothing follows. A negative number
 * leaves the limit as it is.
 */
int files_limit_swap(const struct limit_files *f, s64 swap_bytes);

/* The swappiness that v1's cgroups had before it became 0, by their number: paths are used again. */
struct avoided_swap {
	int others; /* of cgroups that were made since */
	size_t count;
	struct {
		ino_t cgroup;
		s64 swappiness;
	} was[MAX_CGROUPS];
};
void files_avoid_swap(const struct limit_files *f, struct avoided_swap *a);
void files_restore_swappiness(const struct limit_files *f, struct avoided_swap *a, int others);

/* Interrupts a write of this thread that takes too long: the kernel gives up with EINTR and keeps the old value. */
struct write_timer {
	timer_t timer;
};
int write_timer_init(struct write_timer *t);
void write_timer_start(struct write_timer *t, s64 nanos);
void write_timer_stop(struct write_timer *t);

#endif
