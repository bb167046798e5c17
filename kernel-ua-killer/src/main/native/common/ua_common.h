/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations shared by the killer, the shaper, the counters and the memory limit, which do not know one another. */
#ifndef UA_COMMON_H
#define UA_COMMON_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

typedef __u64 u64;
typedef __u32 u32;
typedef __u16 u16;
typedef __s32 s32;

enum exit_code { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_STATE = 3, EXIT_PERMISSION = 4, EXIT_UNLOADED = 5 };

/* The reason for a refusal, for code that must not end the process. */
struct ua_error {
	enum exit_code code;
	char text[1024];
};

/* ua_log.c; a message says what failed, where, and how to cure it. */
_Noreturn void fail(enum exit_code code, const char *format, ...) __attribute__((format(printf, 2, 3)));
int refuse(struct ua_error *error, enum exit_code code, const char *format, ...) __attribute__((format(printf, 3, 4)));
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
u64 now_ns(void);

/*
 * ua_open.c; returns -1 if the path given for the option is not a cgroup. Sets `*unified` (true: cgroup v2)
 * unless it is NULL.
 */
int open_cgroup_at(const char *option, const char *path, bool *unified, struct ua_error *error);
void allow_many_files(void); /* raises the number of files that this process may open as far as it may */

/* ua_capabilities.c */
void use_capability(int capability);
void drop_capabilities(void);

/*
 * ua_share.c; lets the calling thread run before every other thread, real-time ones included, for at most `runtime_ns`
 * of each period: by SCHED_DEADLINE, which, unlike a real-time priority, no cgroup forbids. Returns -1 and sets errno if
 * the caller lacks CAP_SYS_NICE or may not use every processor.
 */
int take_processor_share(u64 runtime_ns, u64 period_ns);

/* ua_text.c */
int parse_number(const char *what, const char *text, u64 low, u64 high, u64 *value, struct ua_error *error);
int parse_choice(const char *what, const char *text, const char *const *names, u32 count, u32 *value,
		 struct ua_error *error);
void print_json_string(FILE *out, const char *text);
void print_text(FILE *out, const char *text); /* to a terminal */

#endif
