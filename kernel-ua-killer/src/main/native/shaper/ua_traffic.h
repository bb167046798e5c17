/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of traffic control that make up the limit on best-effort's traffic. */
#ifndef UA_TRAFFIC_H
#define UA_TRAFFIC_H

#include "ua_common.h"

#include <net/if.h>

#define SHAPER_KIND "ifb"
#define FILTER_NAME "charon-best-effort:" /* followed by the number of the cgroup */

/* A network device. */
struct traffic_link {
	int index; /* 0: there is none */
	char name[IFNAMSIZ];
	char kind[16]; /* empty: hardware */
	char note[128]; /* the alias that `ip link` shows */
	u64 sent_bytes;
};

/* The contents of a device's two hooks for filters. */
struct traffic_hooks {
	bool clsact;
	bool ingress_only; /* a qdisc of kind ingress, beside which clsact is not possible */
	int foreign_egress, foreign_ingress; /* filters of others */
	bool ours;
	u64 cgroup; /* the cgroup that our filter matches */
};

struct traffic_shaper {
	u64 rate; /* bytes per second */
	u64 dropped; /* packets */
	u64 waiting; /* bytes */
};

/* All functions return an exit code and leave the reason in the error. */
int traffic_find_link(const char *name, struct traffic_link *link, struct ua_error *error); /* index 0: not found */
typedef void (*traffic_each)(const struct traffic_link *link, void *argument);
int traffic_links(traffic_each each, void *argument, struct ua_error *error);
int traffic_make_link(const char *name, const char *note, struct traffic_link *link, struct ua_error *error);
int traffic_remove_link(const struct traffic_link *link, struct ua_error *error);

/* brief: bursts and queue are short, because packets in the queue are sent even when best-effort has to stop. */
u64 traffic_brief_burst(u64 rate);
int traffic_set_rate(const struct traffic_link *shaper, u64 rate, bool brief, struct ua_error *error);
int traffic_read_shaper(const struct traffic_link *shaper, struct traffic_shaper *values, struct ua_error *error);

int traffic_read_hooks(const struct traffic_link *device, struct traffic_hooks *hooks, struct ua_error *error);
int traffic_make_clsact(const struct traffic_link *device, struct ua_error *error);
int traffic_remove_clsact(const struct traffic_link *device, struct ua_error *error);
int traffic_put_filter(const struct traffic_link *device, const struct traffic_link *shaper, u64 cgroup, int program,
		       struct ua_error *error);
int traffic_put_admission_filter(const struct traffic_link *shaper, int program, struct ua_error *error);
int traffic_remove_filter(const struct traffic_link *device, struct ua_error *error);

#endif
