/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of traffic control that the limit of best-effort's sending is made of. */
#ifndef UA_TRAFFIC_H
#define UA_TRAFFIC_H

#include "ua_common.h"

#include <net/if.h>

#define SHAPER_KIND "ifb"
#define FILTER_NAME "charon-best-effort:" /* and the number of the cgroup */

/* A network device. */
struct traffic_link {
	int index; /* 0: there is none */
	char name[IFNAMSIZ];
	char kind[16]; /* empty: hardware */
	char note[128]; /* the alias that `ip link` shows */
	u64 sent_bytes;
};

/* What stands on a device's two hooks for filters. */
struct traffic_hooks {
	bool clsact;
	bool ingress_only; /* a qdisc of kind ingress: clsact does not go beside it */
	int foreign_egress, foreign_ingress; /* filters of others */
	bool ours;
	u64 cgroup; /* that ours looks for */
};

struct traffic_shaper {
	u64 rate; /* bytes per second */
	u64 dropped; /* packets */
	u64 waiting; /* bytes */
};

/* All return an exit code, with its reason in the error. */
int traffic_find_link(const char *name, struct traffic_link *link, struct ua_error *error); /* index 0: not there */
typedef void (*traffic_each)(const struct traffic_link *link, void *argument);
int traffic_links(traffic_each each, void *argument, struct ua_error *error);
int traffic_make_link(const char *name, const char *note, struct traffic_link *link, struct ua_error *error);
int traffic_remove_link(const struct traffic_link *link, struct ua_error *error);

/* Brief: bursts and queue are short, because what waits in it goes even when all else has stopped. */
u64 traffic_brief_burst(u64 rate);
int traffic_set_rate(const struct traffic_link *shaper, u64 rate, bool brief, struct ua_error *error);
int traffic_read_shaper(const struct traffic_link *shaper, struct traffic_shaper *values, struct ua_error *error);

int traffic_read_hooks(const struct traffic_link *device, struct traffic_hooks *hooks, struct ua_error *error);
int traffic_make_clsact(const struct traffic_link *device, struct ua_error *error);
int traffic_remove_clsact(const struct traffic_link *device, struct ua_error *error);
int traffic_put_filter(const struct traffic_link *device, const struct traffic_link *shaper, u64 cgroup, int program,
		       struct ua_error *error);
int traffic_put_door(const struct traffic_link *shaper, int program, struct ua_error *error);
int traffic_remove_filter(const struct traffic_link *device, struct ua_error *error);

#endif
