/* SPDX-License-Identifier: Apache-2.0 */
/* What the source files of the helper share. */
#ifndef UA_INTERNAL_H
#define UA_INTERNAL_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

typedef __u64 u64;
typedef __u32 u32;
typedef __s32 s32;

#include "ua_killer.h"

enum exit_code { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_STATE = 3, EXIT_PERMISSION = 4 };

#define UA_BPFFS "/run/charon/bpffs" /* unless --bpffs says otherwise; conf/charon-site.xml has the same */

struct options {
	const char *bpffs;  /* where bpffs is or will be mounted */
	const char *group; /* may use the maps; NULL: root only */
	bool json;
	u32 source;
	u32 period_ms;
	u32 tier; /* best tier to try */
	int threads;
	bool no_release; /* reap: only watch victims die, to compare */
	const char *socket; /* reap serves it, other commands go through it; NULL: none */
};

/* Why something was refused, for those who cannot end the process. */
struct ua_error {
	enum exit_code code;
	char text[1024];
};

/* ua_log.c; a message says what went wrong, where, and the cure. */
_Noreturn void fail(enum exit_code code, const char *format, ...) __attribute__((format(printf, 2, 3)));
int refuse(struct ua_error *error, enum exit_code code, const char *format, ...) __attribute__((format(printf, 3, 4)));
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
u64 now_ns(void);

/* ua_capabilities.c */
void use_capability(int capability);
void drop_capabilities(void);

/* ua_cgroup.c */
const char *memory_mount(void);
bool memory_unified(void);
u64 cgroup_id(const char *path);                          /* fails if it is no memory cgroup */
int find_cgroup(const char *path, u64 *id, struct ua_error *error);
bool cgroup_path(u64 id, char *path, size_t size);        /* needs CAP_DAC_READ_SEARCH */
bool cgroup_is_below(const char *path, const char *root); /* strictly */
bool cgroup_number(const char *path, const char *file, const char *key, u64 *value);
int cgroup_signal(const char *path, void (*found)(s32 pid, void *argument), void *argument);
bool cgroup_empty(const char *path);
u64 cgroup_memory(const char *path);

/* ua_maps.c */
struct maps {
	int control, helper, domains, settings, containers, container_state, domain_state, decisions, releases, counters;
};
void pin_directory(const struct options *o, char *path, size_t size);
int open_pin(const struct options *o, const char *name, bool write);
void open_maps(const struct options *o, struct maps *m);
bool is_loaded(const struct options *o);
bool next_key(int map, u64 *key, bool *started);

/* ua_registry.c; all return an exit code, with its reason in the error. */
struct registry {
	int domains, settings, containers;
	int control; /* -1: the caller may not change it */
};
int parse_number(const char *what, const char *text, u64 low, u64 high, u64 *value, struct ua_error *error);
int parse_choice(const char *what, const char *text, const char *const *names, u32 count, u32 *value,
		 struct ua_error *error);
int register_container(const struct registry *r, const char *path, const char *domain, u64 score, u64 age_ms,
		       struct ua_error *error);
int unregister_container(const struct registry *r, const char *name, struct ua_error *error);
int set_value(const struct registry *r, const char *key, const char *text, const char *domain, struct ua_error *error);

/* ua_socket.c */
void socket_serve(const struct options *o);
int socket_request(const struct options *o, const char *line);

/* ua_load.c */
int command_load(const struct options *o);
int command_unload(const struct options *o);
int command_self_test(const struct options *o);
int command_rules(const struct options *o);
int run_program(int fd, void *context, size_t size);

/* ua_reaper.c */
int command_reap(const struct options *o);

/* ua_user.c */
struct detector_actions {
	void (*alive)(void); /* called several times per second */
	void (*kill)(u64 container, u64 sequence);
};
void user_detector_run(const struct options *o, const struct detector_actions *actions, volatile bool *stop);

/* ua_network.c */
int command_network_limit(const struct options *o, const char *device, const char *cgroup, u64 rate, u64 link);
int command_network_show(const struct options *o, const char *device);
int command_network_clear(const struct options *o, const char *device);
int command_network_self_test(const struct options *o, const char *device);

/* ua_counters.c */
#define UA_MAX_FOREGROUND 256
struct counted {
	const char *best_effort; /* counted against the node, and who may write it may count */
	const char *foreground[UA_MAX_FOREGROUND];
	int foregrounds; /* 0: the node minus best-effort */
	bool software;   /* CPU time and page faults in place of cycles and instructions, for tests */
};
int command_counters(const struct options *o, const struct counted *c);
int command_counters_self_test(const struct options *o, const struct counted *c);

/* ua_print.c */
int command_status(const struct options *o);
int command_watch(const struct options *o, u64 since, int count);
int command_samples(const struct options *o, const char *cgroup);
void print_json_string(FILE *out, const char *text);
void print_status(FILE *out, const struct maps *m);
void print_decisions(FILE *out, const struct maps *m, u64 since);

#endif
