/* SPDX-License-Identifier: Apache-2.0 */
/* The files of the cgroups, in both versions. */
#ifndef UA_LIMIT_FILES_H
#define UA_LIMIT_FILES_H

#include "ua_limit.h"
#include "ua_limit_law.h"

struct limit_files {
	bool unified;
	bool non_blocking;	/* memory.max is set without reclaim and without a kill in whoever writes */
	int directory;
	int use, stat, limit;
	int swap_use;		/* v1: memory with swap, -1 if the kernel does not count it */
	int swap_limit;		/* v1: of memory with swap; v2: of swap; -1: none */
	int high, reclaim;	/* v2; -1: none */
	int node_use, node_stat; /* /proc/meminfo, both, where the node is the machine */
	int freezer;		/* cgroup.freeze, -1: none */
	bool machine;
	char path[4096];
};

int files_open(const struct limited *l, struct limit_files *f, struct ua_error *error);
int files_lock(const struct limit_files *f, struct ua_error *error);

/* All of them: a negative number is -errno. */
s64 file_read_number(int fd); /* "max", and what v1 says for none: UA_LIMIT_NONE */
int file_write_number(int fd, s64 bytes); /* UA_LIMIT_NONE: no limit */
s64 files_node_use(const struct limit_files *f);
s64 files_clean(int stat, bool machine, bool unified); /* file pages that could be dropped at once */
/* Of best-effort's file pages: what no disk has been asked to take yet, and what one is taking. */
s64 files_dirty(const struct limit_files *f);
s64 files_under_writeback(const struct limit_files *f);
bool files_swap_free(s64 *bytes);

int files_set_limit(const struct limit_files *f, s64 bytes, s64 swap_bytes);
void files_set_swappiness(const struct limit_files *f, int value, int only_where);

/* Ends a write of this thread that takes longer: the kernel gives up with EINTR and leaves the old value. */
struct write_timer {
	timer_t timer;
};
int write_timer_init(struct write_timer *t);
void write_timer_start(struct write_timer *t, s64 nanos);
void write_timer_stop(struct write_timer *t);

#endif
