/* SPDX-License-Identifier: Apache-2.0 */
/* The values from the NodeManager, one line per second on standard input. */
#ifndef UA_LIMIT_BASIS_H
#define UA_LIMIT_BASIS_H

#include "ua_limit_law.h"

struct limit_input {
	struct ua_limit_basis basis;
	u64 number;	     /* repeated in reports */
	s64 clean;	     /* file pages of others that could be dropped, at the NodeManager's last sample */
	s64 swap_limit;	     /* the swap that best-effort may use; -1: unchanged; UA_LIMIT_NONE: unlimited */
	int swappiness;	     /* v1: of tasks; 0 in best-effort's cgroups during steps; -1: never changed */
	int dirty_percent;   /* dirty pages that best-effort may have, in percent of the limit; 0: unlimited */
	bool enforce, freeze;
};
int basis_parse(char *line, struct limit_input *input, struct ua_error *error);

#endif
