// SPDX-License-Identifier: Apache-2.0
/*
 * Which pages does this kernel evict? With its multi-generational LRU (MGLRU) refaults stand in the same counters and reclaim
 * comes by the same tracepoints, so the killer works as ever; but which file pages count as used when they were evicted is
 * decided otherwise, so file-refaults "workingset" and "recent" mean something else.
 */
#include "ua_helper.h"

#include <stdlib.h>

#define GENERATIONS "/sys/kernel/mm/lru_gen/enabled" /* hexadecimal; bit 0: in use */

bool generations_evict(void)
{
	FILE *file = fopen(GENERATIONS, "re");
	char text[32] = "";
	bool enabled = file && fgets(text, sizeof(text), file) && strtoul(text, NULL, 16) & 1;

	if (file)
		fclose(file);
	return enabled;
}
