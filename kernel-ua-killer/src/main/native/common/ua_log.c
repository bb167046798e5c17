// SPDX-License-Identifier: Apache-2.0
/* Messages to the operator, and the clock that every record uses. */
#include "ua_common.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

/* A message may contain names of cgroups, which the users of containers choose. */
static void print(const char *format, va_list arguments)
{
	char text[2 * PATH_MAX];

	vsnprintf(text, sizeof(text), format, arguments);
	flockfile(stderr); /* threads do not mix their messages */
	fputs("ua-killer: ", stderr);
	print_text(stderr, text);
	fputc('\n', stderr);
	funlockfile(stderr);
}

void warn(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print(format, arguments);
	va_end(arguments);
}

_Noreturn void fail(enum exit_code code, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print(format, arguments);
	va_end(arguments);
	exit(code);
}

int refuse(struct ua_error *error, enum exit_code code, const char *format, ...)
{
	va_list arguments;

	error->code = code;
	va_start(arguments, format);
	vsnprintf(error->text, sizeof(error->text), format, arguments);
	va_end(arguments);
	return code;
}

u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}
