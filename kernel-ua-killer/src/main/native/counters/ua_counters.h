/* SPDX-License-Identifier: Apache-2.0 */
/* `ua-killer counters`: cycles and instructions of the foreground. */
#ifndef UA_COUNTERS_H
#define UA_COUNTERS_H

#include "ua_common.h"

#define UA_MAX_FOREGROUND 256

struct counted {
	const char *best_effort; /* counted against the node, and who may write it may count */
	const char *foreground[UA_MAX_FOREGROUND];
	int foregrounds; /* 0: the node minus best-effort */
	bool software;   /* CPU time and page faults in place of cycles and instructions, for tests */
};
int command_counters(const struct counted *c, bool json);
int command_counters_self_test(const struct counted *c, bool json);

#endif
