/* SPDX-License-Identifier: Apache-2.0 */
/* `ua-killer memory-limit`: the limit around best-effort, looked at every 20 ms. */
#ifndef UA_LIMIT_H
#define UA_LIMIT_H

#include "ua_common.h"

struct limited {
	const char *cgroup;   /* best-effort's, whose limit is moved */
	const char *boundary; /* the node's cgroup, or NULL: the whole machine */
	const char *freezer;  /* best-effort's cgroup in the hierarchy that freezes, or NULL: nobody is frozen */
};
int command_memory_limit(const struct limited *l);
int command_memory_limit_remove(const struct limited *l, u64 bytes);
int command_memory_limit_rules(void);

#endif
