/* SPDX-License-Identifier: Apache-2.0 */
/* What the NodeManager hands over, a line a second on standard input. */
#ifndef UA_LIMIT_BASIS_H
#define UA_LIMIT_BASIS_H

#include "ua_limit_law.h"

struct handed_over {
	struct ua_limit_basis basis;
	u64 number;	     /* given back in reports */
	s64 clean;	     /* file pages of others that could be dropped, at the slow look */
	s64 swap_limit;	     /* what best-effort may have in swap; -1: as it is */
	s64 swappable;	     /* what of best-effort may be pushed out to swap now */
	int swappiness;	     /* of best-effort's cgroups outside of steps; -1: theirs is not touched */
	int dirty_percent;   /* of the limit, how much of best-effort's memory may be dirty pages; 0: nobody looks */
	bool enforce, freeze;
};
int basis_parse(char *line, struct handed_over *h, struct ua_error *error);

#endif
