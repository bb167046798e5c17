// SPDX-License-Identifier: Apache-2.0
/* Parsing of command-line values, and output of text as JSON or to a terminal. */
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

/*
 * Returns the code point at the start of the text and its length in bytes, or -1 for a byte that is not valid
 * UTF-8. The user of a container chooses the names of its cgroups, so they may hold any bytes.
 */
static int character(const char *text, size_t *length)
{
	static const int lowest[] = { 0, 0x80, 0x800, 0x10000 };
	const unsigned char *byte = (const unsigned char *)text;
	int more = *byte < 0x80 ? 0 : *byte >> 5 == 6 ? 1 : *byte >> 4 == 14 ? 2 : *byte >> 3 == 30 ? 3 : -1, value;

	*length = 1;
	if (more <= 0)
		return more ? -1 : *byte;
	value = *byte & (0x3f >> more);
	for (int i = 1; i <= more; i++) {
		if (byte[i] >> 6 != 2)
			return -1;
		value = value << 6 | (byte[i] & 0x3f);
	}
	if (value < lowest[more] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
		return -1;
	*length = more + 1;
	return value;
}

static bool is_control(int value)
{
	return value < 0x20 || (value >= 0x7f && value < 0xa0);
}

/* The output is always valid UTF-8: each invalid byte becomes the replacement character. */
void print_json_string(FILE *out, const char *text)
{
	size_t length;

	fputc('"', out);
	for (; *text; text += length) {
		int value = character(text, &length);

		if (value < 0)
			fputs("\\ufffd", out);
		else if (is_control(value))
			fprintf(out, "\\u%04x", value);
		else if (value == '"' || value == '\\')
			fprintf(out, "\\%c", value);
		else
			fwrite(text, 1, length, out);
	}
	fputc('"', out);
}

/* The output never moves the cursor or changes the terminal: control characters and invalid bytes are escaped. */
void print_text(FILE *out, const char *text)
{
	size_t length;

	for (; *text; text += length) {
		int value = character(text, &length);

		if (value < 0 || is_control(value))
			for (size_t i = 0; i < length; i++)
				fprintf(out, "\\x%02x", (unsigned char)text[i]);
		else
			fwrite(text, 1, length, out);
	}
}
