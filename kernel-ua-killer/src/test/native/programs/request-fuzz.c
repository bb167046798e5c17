// SPDX-License-Identifier: Apache-2.0
/*
 * Sends random requests to the helper's parsers, with maps that are really loaded, for some seconds. The
 * sanitizers that it is built with end it at the first error, and so does a reply that is not one line of valid
 * JSON. Arguments: bpffs, seconds, seed, and cgroups of a domain, the domain first.
 */
#include "ua_helper.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* This program holds no programs of the kernel. */
u64 own_programs(void)
{
	return 0;
}

static unsigned int state;
static char arguments[64][4096];
static int argument_count;

static unsigned int some(unsigned int below)
{
	state = state * 1103515245 + 12345;
	return (state >> 8) % below;
}

/* ---- what is valid ------------------------------------------------------------------------------- */

static const char *value(const char *at);

static bool continues(const unsigned char *byte, int count)
{
	for (int i = 1; i <= count; i++)
		if ((byte[i] & 0xc0) != 0x80)
			return false;
	return true;
}

static const char *string(const char *at)
{
	if (*at++ != '"')
		return NULL;
	while (*at != '"') {
		const unsigned char *byte = (const unsigned char *)at;
		int more = *byte < 0x80 ? 0 : *byte >= 0xc2 && *byte < 0xe0 ? 1 : *byte >= 0xe0 && *byte < 0xf0 ? 2 :
			   *byte >= 0xf0 && *byte < 0xf5 ? 3 : -1;

		if (*byte < 0x20 || *byte == 0x7f || more < 0 || !continues(byte, more))
			return NULL;
		if (*byte == 0xe0 && byte[1] < 0xa0)
			return NULL;
		if (*byte == 0xed && byte[1] > 0x9f)
			return NULL;
		if (*byte == '\\') {
			at++;
			if (*at == 'u' && strspn(at + 1, "0123456789abcdef") >= 4)
				at += 4;
			else if (*at != '"' && *at != '\\')
				return NULL;
		}
		at += more + 1;
	}
	return at + 1;
}

static const char *list(const char *at, char end, bool named)
{
	at++;
	if (*at == end)
		return at + 1;
	for (;; at++) {
		if (named) {
			at = string(at);
			if (!at || *at++ != ':')
				return NULL;
		}
		at = value(at);
		if (!at || *at == end)
			return at ? at + 1 : NULL;
		if (*at != ',')
			return NULL;
	}
}

static const char *value(const char *at)
{
	static const char *const constants[] = { "true", "false", "null" };
	char *end;

	if (*at == '{')
		return list(at, '}', true);
	if (*at == '[')
		return list(at, ']', false);
	if (*at == '"')
		return string(at);
	for (int i = 0; i < 3; i++)
		if (!strncmp(at, constants[i], strlen(constants[i])))
			return at + strlen(constants[i]);
	strtod(at, &end);
	return end == at ? NULL : end;
}

static void require_json(const char *reply, const char *of)
{
	const char *end = value(reply);

	if (end && !strcmp(end, "\n"))
		return;
	fprintf(stderr, "no line of JSON: %s\nof: %s\n", reply, of);
	exit(1);
}

/* ---- what is sent -------------------------------------------------------------------------------- */

static void add_argument(const char *argument)
{
	snprintf(arguments[argument_count++], sizeof(arguments[0]), "%s", argument);
}

static size_t write_words(char *line, size_t size)
{
	size_t length = 0;
	int count = 1 + (some(20) ? some(6) : some(600));

	for (int i = 0; i < count && length < size - 1; i++) {
		const char *first = arguments[some(argument_count)], *second = arguments[some(argument_count)];
		const char *form = some(4) ? "%s" : some(2) ? "+%s:%s:7:0" : some(2) ? "-%s" : "--%s %s";

		length += snprintf(line + length, size - length, form, first, second);
		if (length < size - 1)
			length += snprintf(line + length, size - length, " ");
	}
	return length < size ? length : size - 1;
}

/* Overwrites a few bytes with separators, digits or arbitrary bytes. */
static void damage(char *line, size_t length)
{
	static const char marks[] = ":+- /.\"\\0123456789";

	for (unsigned int i = some(6); i && length; i--)
		line[some(length)] = some(2) ? marks[some(sizeof(marks) - 1)] : (char)some(256);
}

static void send_request(const struct requests *r)
{
	static char space[UA_LINE];
	size_t length = write_words(space, UA_LINE), size;
	char *line, *reply = NULL;
	FILE *out;

	damage(space, length);
	line = malloc(length + 1); /* not a byte more than the socket provides */
	memcpy(line, space, length);
	out = open_memstream(&reply, &size);
	request_answer(r, some(2), line, length, out);
	fclose(out);
	space[length] = 0;
	require_json(reply, space);
	free(reply);
	free(line);
}

static void write_text(void)
{
	char text[64], *reply = NULL;
	size_t size;
	FILE *out = open_memstream(&reply, &size);
	unsigned int length = some(sizeof(text) - 1);

	for (unsigned int i = 0; i < length; i++)
		text[i] = some(3) ? 0x80 + some(0x80) : 1 + some(0x7f);
	text[length] = 0;
	print_json_string(out, text);
	fputc('\n', out);
	fclose(out);
	require_json(reply, "a name");
	free(reply);
	reply = NULL;
	out = open_memstream(&reply, &size);
	print_text(out, text);
	fclose(out);
	for (size_t i = 0; i < size; i++)
		if ((unsigned char)reply[i] < 0x20 || reply[i] == 0x7f) {
			fprintf(stderr, "a control character reaches the terminal\n");
			exit(1);
		}
	free(reply);
}

int main(int argc, char **argv)
{
	static const char *const known[] = {
		"register", "unregister", "set", "status", "decisions", "domains", "registrations", "samples", "update", "domain",
		"score", "age-ms", "--domain", "--score", "--age-ms", "cgth-time-ms", "flat-ms", "min-pages", "policy", "period-ms",
		"file-refaults", "victim-timeout-ms", "score", "memory-per-time", "any", "recent", "0", "1", "7", "1000", "1001",
		"18446744073709551615", "18446744073709551616", "9223372036854775807", "-1", "1e3", "/", "/sys/fs/cgroup/../../etc",
	};
	struct options o = { .bpffs = argv[1] };
	struct requests requests;
	unsigned long sent = 0;
	u64 end;

	state = atoi(argv[3]);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		add_argument(known[i]);
	for (int i = 4; i < argc; i++) {
		struct stat status;
		char number[32];

		add_argument(argv[i]);
		if (stat(argv[i], &status))
			fail(EXIT_USAGE, "%s: no such cgroup", argv[i]);
		snprintf(number, sizeof(number), "%lu", status.st_ino);
		add_argument(number);
	}
	requests_open(&o, &requests);
	end = now_ns() + atoi(argv[2]) * 1000000000ULL;
	while (now_ns() < end) {
		send_request(&requests);
		write_text();
		sent++;
	}
	printf("%lu requests\n", sent);
	return 0;
}
