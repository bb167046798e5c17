// SPDX-License-Identifier: Apache-2.0
/* Words of the command line, and text in JSON. */
#include "ua_common.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int parse_number(const char *what, const char *text, u64 low, u64 high, u64 *value, struct ua_error *error)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 10);
	if (errno || *end || !isdigit((unsigned char)*text) || *value < low || *value > high)
		return refuse(error, EXIT_USAGE, "%s %s: give a whole number from %llu to %llu", what, text, low, high);
	return EXIT_OK;
}

int parse_choice(const char *what, const char *text, const char *const *names, u32 count, u32 *value,
		 struct ua_error *error)
{
	char all[256] = "";

	for (*value = 0; *value < count; ++*value) {
		if (!strcmp(text, names[*value]))
			return EXIT_OK;
		strncat(all, " ", sizeof(all) - strlen(all) - 1);
		strncat(all, names[*value], sizeof(all) - strlen(all) - 1);
	}
	return refuse(error, EXIT_USAGE, "%s %s: give one of%s", what, text, all);
}

void print_json_string(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++)
		if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else if ((unsigned char)*text < 0x20)
			fprintf(out, "\\u%04x", *text);
		else
			fputc(*text, out);
	fputc('"', out);
}
