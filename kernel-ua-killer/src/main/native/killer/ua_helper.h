/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations shared by the user-space files of the killer: its commands and the helper (`reap`). */
#ifndef UA_HELPER_H
#define UA_HELPER_H

#include "ua_common.h"
#include "ua_killer.h"

#define UA_BPFFS "/run/charon/bpffs" /* default of --bpffs */
/* default of --socket if --bpffs is the default, too; the same as in conf/charon-site.xml */
#define UA_SOCKET "/run/charon/ua-killer.sock"
#define LINK_PREFIX "link_" /* prefix of the pins of attached programs */
#define UA_PROTOCOL 2 /* version of the socket's protocol; the Java client knows exactly one */

struct options {
	const char *bpffs;  /* where bpffs is mounted or will be */
	const char *group; /* may create cgroups below the killable roots and use the socket; NULL: root only */
	bool json;
	u32 source;
	u32 period_ms;
	u32 tier; /* the best tier to try */
	int threads;
	bool no_release; /* reap: only observe how victims exit, for comparison */
	const char *socket; /* served by reap, used by the other commands; NULL: none */
	/*
	 * reap: the user whose NodeManager may connect, besides root; NULL: root only. tree: the owner of the
	 * tree
	 */
	const char *user;
	const char *service; /* reap: the unit whose main process is the NodeManager */
	const char *pid_file; /* reap: alternatively, the file with the NodeManager's process id */
};

/* ua_cgroup.c */
const char *memory_mount(void);
bool memory_unified(void);
bool generations_evict(void); /* ua_lru.c */
u64 cgroup_id(const char *path);                          /* fails if the path is not a memory cgroup */
int find_cgroup(const char *path, u64 *id, struct ua_error *error);
int cgroup_named(const char *text, u64 *id, struct ua_error *error); /* by path or number */
bool cgroup_path(u64 id, char *path, size_t size);        /* needs CAP_DAC_READ_SEARCH */
bool cgroup_gone(u64 id); /* only if certain: a cgroup that cannot be examined is not gone */
bool cgroup_is_below(const char *path, const char *root); /* strictly */
bool cgroup_number(const char *path, const char *file, const char *key, u64 *value);
int cgroup_signal(const char *path, void (*found)(s32 pid, void *argument), void *argument);
int cgroup_move(const char *path, int processes); /* into the cgroup whose cgroup.procs is open */
int cgroup_full_path(const char *option, const char *text, char path[UA_PATH], struct ua_error *error);
bool cgroup_empty(const char *path);
void cgroup_add_counts(const char *path);
u64 cgroup_memory(const char *path);

/* ua_kernel_files.c */
/*
 * Reads the numbers of a kernel list such as 0-3,8-11. Returns their count, at most `most`, or 0 if the file cannot
 * be read or is not such a list.
 */
u32 read_list(const char *path, u16 *numbers, u32 most);
bool process_start(pid_t process, u64 *ticks); /* clock ticks from boot; false: not known */

/* ua_maps.c */
struct maps {
	int control, helper, domains, settings, containers, container_state, domain_state, decisions, releases, counters,
		killable, walls;
};
void pin_directory(const struct options *o, char *path, size_t size);
gid_t pin_group(const struct options *o); /* the group of `load --group` */
int open_pin(const struct options *o, const char *name, bool write);
void open_maps(const struct options *o, struct maps *m);
bool is_loaded(const struct options *o);
struct ua_control read_control(int map);
struct ua_control loaded_control(const struct options *o);
bool is_current(const struct options *o, u64 loaded_ns);
u64 last_decision(const struct maps *m);
unsigned attached_programs(const struct options *o);
bool next_key(int map, u64 *key, bool *started);

/* Some of the registered containers, read by one system call instead of two for each. Zeroed before the first call. */
#define CONTAINERS_AT_ONCE 128
struct container_batch {
	bool started, complete;
	u32 position, count;
	u64 ids[CONTAINERS_AT_ONCE];
	struct ua_container containers[CONTAINERS_AT_ONCE];
};
bool next_containers(int map, struct container_batch *b);
void delete_keys(int map, bool (*unwanted)(u64 key, const void *argument), const void *argument);

/* ua_registry.c; all functions return an exit code and leave the reason in the error. */
struct registry {
	int domains, settings, containers, killable;
	int control; /* -1: the caller may not change it */
};
int register_container(const struct registry *r, const char *path, const char *domain, u64 score, u64 age_ms, u64 entitled,
		       struct ua_error *error);
int register_number(const struct registry *r, u64 id, u64 domain, u64 score, u64 start_ns, u64 entitled, struct ua_error *error);
int unregister_container(const struct registry *r, const char *name, struct ua_error *error);
int unregister_number(const struct registry *r, u64 id, u64 domain, struct ua_error *error);
int set_value(const struct registry *r, const char *key, const char *text, const char *domain, struct ua_error *error);

/* ua_accounts.c */
uid_t account_user(const char *name);
gid_t account_group(const char *name); /* root's for NULL */
gid_t account_group_of(const char *user, const char *group);

/* ua_domain.c */
const char *domain_root(const char *text);
struct domain_limits {
	u64 low, high; /* range of cgth-time-ms */
	const char *const *killable; /* paths below which containers may be killed */
	int killables;
	const char *promoted; /* where a container is moved when it may no longer be killed; NULL: not moved */
};
int domain_add(const struct options *o, const char *path, const struct domain_limits *limits);
int domain_remove(const struct options *o, const char *path);

/* ua_killable.c */
void killable_set(const struct options *o, u64 domain, const char *root, const struct domain_limits *limits);
void killable_refresh(const struct options *o);
bool killable_is_found(u64 key);
bool killable_holds(int map, u64 domain, const char *path);
bool killable_is_in(int map, u64 domain, const char *path);
bool killable_directly_above(int map, u64 domain, const char *path, struct ua_killable *found);
int killable_open_promoted(const char *path, gid_t group, struct ua_error *error);
int give_cgroup(int directory, gid_t group, mode_t mode);

/* ua_move.c */
int move_container(const struct options *o, int killable, u64 container, u64 domain, int *moved, struct ua_error *error);

/* ua_tree.c */
int tree_add(const struct options *o, const char *cgroup, pid_t process);
int tree_remove(const struct options *o, const char *cgroup);

/* ua_request.c */
#define UA_LINE 8192 /* maximum length of a request, its end included */
struct requests {
	const struct options *options;
	struct registry registry;
	struct maps maps;
};
void requests_open(const struct options *o, struct requests *r);
void request_answer(const struct requests *r, bool root, char *line, size_t length, FILE *out);
void print_refusal(FILE *out, const struct ua_error *error);

/* ua_peer.c */
struct peer {
	pid_t process;
	uid_t user;
};
void peer_configure(const struct options *o);
bool peer_is_accepted(int connection, struct peer *peer, struct ua_error *error);

/* ua_socket.c */
void socket_serve(const struct options *o);
void socket_agents(u32 agents[UA_MAX_AGENTS]);
int socket_request(const struct options *o, const char *line);

/* ua_load.c */
u64 own_programs(void); /* differs between builds of the programs */
int command_load(const struct options *o);
int command_unload(const struct options *o);
int command_self_test(const struct options *o);
int command_rules(const struct options *o);
int run_program(int fd, void *context, size_t size);

/* ua_notify.c */
void notify_open(void);
void notify_alive(void); /* the first call reports that the helper is ready */

/* ua_reaper.c */
int command_reap(const struct options *o);

/* ua_user.c */
struct detector_actions {
	void (*alive)(void); /* called several times per second */
	void (*kill)(u64 container, u64 sequence);
};
void user_detector_run(const struct options *o, const struct detector_actions *actions, volatile bool *stop);

/* ua_print.c */
int command_status(const struct options *o);
int command_watch(const struct options *o, u64 since, int count);
int command_samples(const struct options *o, const char *cgroup);
void print_status(FILE *out, const struct maps *m);
void print_decisions(FILE *out, const struct maps *m, u64 since);
void print_domains(FILE *out, const struct maps *m, unsigned programs);
void print_registrations(FILE *out, const struct maps *m, u64 domain);
void print_samples(FILE *out, const struct maps *m, u64 container);

#endif
