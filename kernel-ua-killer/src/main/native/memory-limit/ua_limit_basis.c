// SPDX-License-Identifier: Apache-2.0
#include "ua_limit_basis.h"

#include <string.h>

enum { NUMBER, BOUNDARY, RESERVE, OTHERS, SWAP, EXCESS, OWED, CLAIM, CLEAN, NEEDED };
enum { SWAP_LIMIT = NEEDED, SWAPPABLE, SWAPPINESS, DIRTY_PERCENT, ENFORCE, FREEZE, WORDS };

static const char *const words[WORDS] = {
	"number", "boundary", "reserve", "others", "swap", "excess", "owed", "claim", "clean",
	"swap-limit", "swappable", "swappiness", "dirty-percent", "enforce", "freeze",
};

static const u64 highest[WORDS] = {
	[SWAPPINESS] = 200, [DIRTY_PERCENT] = 100, [ENFORCE] = 1, [FREEZE] = 1,
};

static int parse_word(char *word, u64 *value, u32 *seen, struct ua_error *error)
{
	char *equals = strchr(word, '=');
	u32 i;

	if (equals)
		*equals = 0;
	for (i = 0; i < WORDS && strcmp(word, words[i]); i++)
		;
	if (!equals || i == WORDS)
		return refuse(error, EXIT_USAGE, "%.40s: no such word", word);
	if (*seen & 1U << i)
		return refuse(error, EXIT_USAGE, "%s: given twice", word);
	*seen |= 1U << i;
	return parse_number(word, equals + 1, 0, highest[i] ? highest[i] : UA_LIMIT_HIGHEST, &value[i], error);
}

/* Parses "boundary=1 reserve=1 ...", in any order. A line with an error changes nothing. */
int basis_parse(char *line, struct handed_over *h, struct ua_error *error)
{
	u64 value[WORDS] = {};
	u32 seen = 0;
	char *rest;

	for (char *word = strtok_r(line, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		if (parse_word(word, value, &seen, error))
			return error->code;
	for (int i = 0; i < NEEDED; i++)
		if (!(seen & 1U << i))
			return refuse(error, EXIT_USAGE, "%s is missing", words[i]);
	*h = (struct handed_over){
		.basis = { value[BOUNDARY], value[RESERVE], value[OTHERS], value[SWAP], value[EXCESS], value[OWED],
			   value[CLAIM] },
		.number = value[NUMBER],
		.clean = value[CLEAN],
		.swap_limit = seen & 1U << SWAP_LIMIT ? (s64)value[SWAP_LIMIT] : -1,
		.swappable = value[SWAPPABLE],
		.swappiness = seen & 1U << SWAPPINESS ? (int)value[SWAPPINESS] : -1,
		.dirty_percent = value[DIRTY_PERCENT],
		.enforce = value[ENFORCE],
		.freeze = value[FREEZE],
	};
	return EXIT_OK;
}
