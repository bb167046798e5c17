// SPDX-License-Identifier: Apache-2.0
#include "ua_limit_basis.h"

#include <string.h>

enum { NUMBER, BOUNDARY, RESERVE, OTHERS, SWAP, EXCESS, OWED, CLAIM, CLEAN, REQUIRED };
enum { SWAP_LIMIT = REQUIRED, SWAPPINESS, DIRTY_PERCENT, GROW_INTO_EXCESS, ENFORCE, FREEZE, KEYS };

static const char *const keys[KEYS] = {
	"number", "boundary", "reserve", "others", "swap", "excess", "owed", "claim", "clean",
	"swap-limit", "swappiness", "dirty-percent", "grow-into-excess", "enforce", "freeze",
};

static const u64 maximum[KEYS] = {
	[SWAPPINESS] = 200, [DIRTY_PERCENT] = 100, [GROW_INTO_EXCESS] = 1, [ENFORCE] = 1, [FREEZE] = 1,
};

static int parse_pair(char *pair, u64 *value, u32 *seen, struct ua_error *error)
{
	char *equals = strchr(pair, '=');
	u32 i;

	if (equals)
		*equals = 0;
	for (i = 0; i < KEYS && strcmp(pair, keys[i]); i++)
		;
	if (!equals || i == KEYS)
		return refuse(error, EXIT_USAGE, "%.40s: unknown key", pair);
	if (*seen & 1U << i)
		return refuse(error, EXIT_USAGE, "%s: given twice", pair);
	*seen |= 1U << i;
	return parse_number(pair, equals + 1, 0, maximum[i] ? maximum[i] : UA_LIMIT_MAX_INPUT, &value[i], error);
}

/* Parses "boundary=1 reserve=1 ...", in any order. A line with an error changes nothing. */
int basis_parse(char *line, struct limit_input *input, struct ua_error *error)
{
	u64 value[KEYS] = {};
	u32 seen = 0;
	char *rest;

	for (char *pair = strtok_r(line, " ", &rest); pair; pair = strtok_r(NULL, " ", &rest))
		if (parse_pair(pair, value, &seen, error))
			return error->code;
	for (int i = 0; i < REQUIRED; i++)
		if (!(seen & 1U << i))
			return refuse(error, EXIT_USAGE, "%s is missing", keys[i]);
	*input = (struct limit_input){
		.basis = { value[BOUNDARY], value[RESERVE], value[OTHERS], value[SWAP], value[EXCESS], value[OWED],
			   value[CLAIM], value[GROW_INTO_EXCESS] },
		.number = value[NUMBER],
		.clean = value[CLEAN],
		.swap_limit = !(seen & 1U << SWAP_LIMIT)		? -1 :
			      value[SWAP_LIMIT] == UA_LIMIT_MAX_INPUT ? UA_LIMIT_NONE :
									(s64)value[SWAP_LIMIT],
		.swappiness = seen & 1U << SWAPPINESS ? (int)value[SWAPPINESS] : -1,
		.dirty_percent = value[DIRTY_PERCENT],
		.enforce = value[ENFORCE],
		.freeze = value[FREEZE],
	};
	return EXIT_OK;
}
