// SPDX-License-Identifier: Apache-2.0
/*
 * Whether this kernel evicts by its multi-generational LRU (MGLRU). MGLRU uses the same refault counters and
 * reclaims through the same tracepoints, so the killer works unchanged. But it decides differently which file
 * pages were in use when they were evicted, so file-refaults "workingset" and "recent" have another meaning.
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
