/* SPDX-License-Identifier: Apache-2.0 */
/* `ua-killer memory-limit`: the limit around best-effort, adjusted every 20 ms. */
#ifndef UA_LIMIT_H
#define UA_LIMIT_H

#include "ua_common.h"

struct limited {
	const char *cgroup;   /* best-effort's cgroup, whose limit is moved */
	const char *boundary; /* the node's cgroup, or NULL: the whole machine */
	const char *freezer;  /* best-effort's cgroup in the freezer's hierarchy, or NULL: never freeze */
};
int command_memory_limit(const struct limited *l);
int command_memory_limit_remove(const struct limited *l, u64 bytes);
int command_memory_limit_rules(void);

#endif
