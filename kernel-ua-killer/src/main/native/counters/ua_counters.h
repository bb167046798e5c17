/* SPDX-License-Identifier: Apache-2.0 */
/* `ua-killer counters`: cycles and instructions of the foreground. */
#ifndef UA_COUNTERS_H
#define UA_COUNTERS_H

#include "ua_common.h"

#define UA_MAX_FOREGROUND 256

struct counted {
	const char *best_effort; /* subtracted from the node; write access to it permits counting */
	const char *foreground[UA_MAX_FOREGROUND];
	int foregrounds; /* 0: the node minus best-effort */
	bool software;   /* for tests: CPU time and page faults instead of cycles and instructions */
};
int command_counters(const struct counted *c, bool json);
int command_counters_self_test(const struct counted *c, bool json);

#endif
