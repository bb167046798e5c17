// SPDX-License-Identifier: Apache-2.0
/* Parsers of files in /proc and /sys that do not belong to a cgroup. */
#include "ua_helper.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define START_FIELD 22 /* of /proc/PID/stat, starttime in proc(5) */

/* Parses a number up to `most` and advances past it. Returns whether there was one. */
static bool take_number(char **at, unsigned long long most, unsigned long long *number)
{
	char *end;

	if (!isdigit((unsigned char)**at))
		return false;
	*number = strtoull(*at, &end, 10); /* ULLONG_MAX if it is too large */
	*at = end;
	return *number <= most;
}

static u32 parse_list(char *at, u16 *numbers, u32 most)
{
	unsigned long long from, to, next = 0;
	u32 count = 0;

	for (;; at++) {
		if (!take_number(&at, UINT16_MAX, &from))
			return 0;
		to = from;
		if (*at == '-') {
			at++;
			if (!take_number(&at, UINT16_MAX, &to))
				return 0;
		}
		if (from < next || to < from)
			return 0;
		for (next = to + 1; from < next && count < most; from++)
			numbers[count++] = from;
		if (*at != ',')
			return *at && *at != '\n' ? 0 : count;
	}
}

u32 read_list(const char *path, u16 *numbers, u32 most)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	u32 count = 0;

	if (file && getline(&line, &size, file) > 0)
		count = parse_list(line, numbers, most);
	free(line);
	if (file)
		fclose(file);
	return count;
}

/*
 * The process chooses its own name, the second field, which may contain spaces and parentheses. No later field
 * contains a parenthesis.
 */
bool process_start(pid_t process, u64 *ticks)
{
	char name[64], text[2048], *field;
	unsigned long long number;
	size_t got;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/stat", process);
	file = fopen(name, "re");
	if (!file)
		return false;
	got = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[got] = 0;
	field = strrchr(text, ')');
	for (int i = 2; field && i < START_FIELD; i++)
		field = strchr(field + 1, ' ');
	if (!field)
		return false;
	field++;
	if (!take_number(&field, INT64_MAX, &number) || *field != ' ')
		return false;
	*ticks = number;
	return true;
}
