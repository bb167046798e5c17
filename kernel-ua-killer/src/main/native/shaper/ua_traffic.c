// SPDX-License-Identifier: Apache-2.0
/* Links, qdiscs and filters through rtnetlink: each function does one step. */
#include "ua_traffic.h"
#include "ua_netlink.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/gen_stats.h>
#include <linux/if_ether.h>
#include <linux/pkt_cls.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <linux/tc_act/tc_mirred.h>
#include <stdlib.h>
#include <string.h>

#define SHAPER_HANDLE TC_H_MAKE(0xca10U << 16, 0)
#define CLSACT_HANDLE TC_H_MAKE(TC_H_CLSACT, 0)
#define EGRESS TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_EGRESS)
#define INGRESS TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_INGRESS)

/* Comes after the filters that others may add later, so that those see best-effort's packets, too. */
#define FILTER_PREFERENCE 0xca10
#define FILTER_HANDLE 1

#define MIN_BURST 16384ULL /* ten full Ethernet frames; the kernel splits longer packets of segmentation offload */
#define MIN_QUEUE 65536ULL
#define MIN_BRIEF_BURST 8192ULL /* the same amount may wait */
#define BRIEF_BURSTS_PER_SECOND 1000
#define BURSTS_PER_SECOND 200 /* a burst is 5 ms at the rate */
#define QUEUES_PER_SECOND 20  /* packets wait at most 50 ms; then a loss tells the sender to slow down */
#define MAX_QUEUE (1ULL << 30)

static int refuse_step(struct ua_error *error, int code, const char *reason, const char *step, const char *device)
{
	const char *cure = "";

	if (code == -EPERM)
		cure = "; this needs CAP_NET_ADMIN";
	else if (code == -ENOENT || code == -EOPNOTSUPP)
		cure = "; the kernel needs ifb, sch_tbf, sch_ingress, cls_bpf and act_mirred (modprobe them)";
	return refuse(error, code == -EPERM ? EXIT_PERMISSION : EXIT_FAILED, "%s: %s: %s%s%s%s", device, step, strerror(-code),
		      reason[0] ? ": " : "", reason, cure);
}

/* ---- links --------------------------------------------------------------------------------------- */

/* Returns whether the message describes a link. */
static bool read_link(const struct nlmsghdr *message, struct traffic_link *link)
{
	const struct ifinfomsg *fixed = netlink_fixed(message, sizeof(*fixed));
	struct rtnl_link_stats64 statistics = {};

	if (message->nlmsg_type != RTM_NEWLINK || !fixed)
		return false;
	memset(link, 0, sizeof(*link));
	link->index = fixed->ifi_index;
	netlink_text(netlink_find(message, sizeof(*fixed), IFLA_IFNAME), link->name, sizeof(link->name));
	netlink_text(netlink_find(message, sizeof(*fixed), IFLA_IFALIAS), link->note, sizeof(link->note));
	netlink_text(netlink_inside(netlink_find(message, sizeof(*fixed), IFLA_LINKINFO), IFLA_INFO_KIND), link->kind,
		     sizeof(link->kind));
	netlink_value(netlink_find(message, sizeof(*fixed), IFLA_STATS64), &statistics, sizeof(statistics));
	link->sent_bytes = statistics.tx_bytes;
	return true;
}

static void keep_link(const struct nlmsghdr *message, void *link)
{
	read_link(message, link);
}

int traffic_find_link(const char *name, struct traffic_link *link, struct ua_error *error)
{
	struct ifinfomsg fixed = {};
	struct netlink_request r;
	char reason[NETLINK_REASON];
	int code;

	memset(link, 0, sizeof(*link));
	netlink_begin(&r, RTM_GETLINK, 0, &fixed, sizeof(fixed));
	netlink_put_text(&r, IFLA_IFNAME, name);
	code = netlink_ask(&r, keep_link, link, reason);
	return code && code != -ENODEV ? refuse_step(error, code, reason, "finding the device", name) : EXIT_OK;
}

struct visit {
	traffic_each each;
	void *argument;
};

static void visit_link(const struct nlmsghdr *message, void *argument)
{
	struct visit *visit = argument;
	struct traffic_link link;

	if (read_link(message, &link))
		visit->each(&link, visit->argument);
}

int traffic_links(traffic_each each, void *argument, struct ua_error *error)
{
	struct visit visit = { each, argument };
	struct ifinfomsg fixed = {};
	struct netlink_request r;
	char reason[NETLINK_REASON];
	int code;

	netlink_begin(&r, RTM_GETLINK, NLM_F_DUMP, &fixed, sizeof(fixed));
	code = netlink_ask(&r, visit_link, &visit, reason);
	return code ? refuse_step(error, code, reason, "listing", "network devices") : EXIT_OK;
}

static int write_note(const struct traffic_link *link, const char *note, struct ua_error *error)
{
	struct ifinfomsg fixed = { .ifi_index = link->index, .ifi_flags = IFF_UP, .ifi_change = IFF_UP };
	struct netlink_request r;
	char reason[NETLINK_REASON];
	int code;

	netlink_begin(&r, RTM_NEWLINK, 0, &fixed, sizeof(fixed));
	netlink_put_text(&r, IFLA_IFALIAS, note);
	code = netlink_ask(&r, NULL, NULL, reason);
	return code ? refuse_step(error, code, reason, "bringing it up", link->name) : EXIT_OK;
}

int traffic_make_link(const char *name, const char *note, struct traffic_link *link, struct ua_error *error)
{
	struct ua_error unused;
	struct ifinfomsg fixed = {};
	struct netlink_request r;
	char reason[NETLINK_REASON];
	struct nlattr *nest;
	int code;

	netlink_begin(&r, RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, &fixed, sizeof(fixed));
	netlink_put_text(&r, IFLA_IFNAME, name);
	nest = netlink_open(&r, IFLA_LINKINFO);
	netlink_put_text(&r, IFLA_INFO_KIND, SHAPER_KIND);
	netlink_close(&r, nest);
	code = netlink_ask(&r, NULL, NULL, reason);
	if (code)
		return refuse_step(error, code, reason, "creating the device", name);
	if (traffic_find_link(name, link, error))
		return error->code;
	if (!link->index)
		return refuse(error, EXIT_FAILED, "%s: it was removed right after it was created", name);
	if (write_note(link, note, error)) {
		traffic_remove_link(link, &unused);
		return error->code;
	}
	return EXIT_OK;
}

int traffic_remove_link(const struct traffic_link *link, struct ua_error *error)
{
	struct ifinfomsg fixed = { .ifi_index = link->index };
	struct netlink_request r;
	char reason[NETLINK_REASON];
	int code;

	netlink_begin(&r, RTM_DELLINK, 0, &fixed, sizeof(fixed));
	code = netlink_ask(&r, NULL, NULL, reason);
	return code && code != -ENODEV ? refuse_step(error, code, reason, "removing the device", link->name) : EXIT_OK;
}

/* ---- the shaper ---------------------------------------------------------------------------------- */

static u64 at_least(u64 least, u64 value)
{
	return value > least ? value : least;
}

static u64 at_most(u64 most, u64 value)
{
	return value < most ? value : most;
}

u64 traffic_brief_burst(u64 rate)
{
	return at_most(MAX_QUEUE, at_least(MIN_BRIEF_BURST, rate / BRIEF_BURSTS_PER_SECOND));
}

int traffic_set_rate(const struct traffic_link *shaper, u64 rate, bool brief, struct ua_error *error)
{
	struct tcmsg fixed = { .tcm_ifindex = shaper->index, .tcm_parent = TC_H_ROOT, .tcm_handle = SHAPER_HANDLE };
	u32 burst = brief ? traffic_brief_burst(rate) : at_most(MAX_QUEUE, at_least(MIN_BURST, rate / BURSTS_PER_SECOND));
	u64 waiting = brief ? burst : at_least(MIN_QUEUE, rate / QUEUES_PER_SECOND);
	struct tc_tbf_qopt values = {
		.rate = { .rate = at_most(UINT32_MAX, rate), .linklayer = TC_LINKLAYER_ETHERNET },
		.limit = burst + at_most(MAX_QUEUE, waiting),
	};
	struct netlink_request r;
	char reason[NETLINK_REASON];
	struct nlattr *nest;
	int code;

	netlink_begin(&r, RTM_NEWQDISC, NLM_F_CREATE | NLM_F_REPLACE, &fixed, sizeof(fixed));
	netlink_put_text(&r, TCA_KIND, "tbf");
	nest = netlink_open(&r, TCA_OPTIONS);
	netlink_put(&r, TCA_TBF_PARMS, &values, sizeof(values));
	netlink_put(&r, TCA_TBF_BURST, &burst, sizeof(burst));
	if (rate > UINT32_MAX)
		netlink_put(&r, TCA_TBF_RATE64, &rate, sizeof(rate));
	netlink_close(&r, nest);
	code = netlink_ask(&r, NULL, NULL, reason);
	return code ? refuse_step(error, code, reason, "setting the rate of the token bucket", shaper->name) : EXIT_OK;
}

struct shaper_search {
	int index;
	bool found;
	struct traffic_shaper *values;
};

static void read_shaper(const struct nlmsghdr *message, void *argument)
{
	const struct tcmsg *fixed = netlink_fixed(message, sizeof(*fixed));
	const struct nlattr *options, *statistics;
	struct shaper_search *search = argument;
	struct gnet_stats_queue queue = {};
	struct tc_tbf_qopt values = {};

	if (!fixed || fixed->tcm_ifindex != search->index || fixed->tcm_handle != SHAPER_HANDLE)
		return;
	options = netlink_find(message, sizeof(*fixed), TCA_OPTIONS);
	statistics = netlink_find(message, sizeof(*fixed), TCA_STATS2);
	search->found = netlink_value(netlink_inside(options, TCA_TBF_PARMS), &values, sizeof(values));
	search->values->rate = values.rate.rate;
	netlink_value(netlink_inside(options, TCA_TBF_RATE64), &search->values->rate, sizeof(u64));
	netlink_value(netlink_inside(statistics, TCA_STATS_QUEUE), &queue, sizeof(queue));
	search->values->dropped = queue.drops;
	search->values->waiting = queue.backlog;
}

static int dump_qdiscs(const struct traffic_link *device, netlink_each each, void *argument, struct ua_error *error)
{
	struct tcmsg fixed = { .tcm_ifindex = device->index };
	struct netlink_request r;
	char reason[NETLINK_REASON];
	int code;

	netlink_begin(&r, RTM_GETQDISC, NLM_F_DUMP, &fixed, sizeof(fixed));
	code = netlink_ask(&r, each, argument, reason);
	return code ? refuse_step(error, code, reason, "listing its qdiscs", device->name) : EXIT_OK;
}

int traffic_read_shaper(const struct traffic_link *shaper, struct traffic_shaper *values, struct ua_error *error)
{
	struct shaper_search search = { .index = shaper->index, .values = values };

	memset(values, 0, sizeof(*values));
	if (dump_qdiscs(shaper, read_shaper, &search, error))
		return error->code;
	return search.found ? EXIT_OK : refuse(error, EXIT_STATE, "%s: its token bucket was removed", shaper->name);
}

/* ---- hooks and filters --------------------------------------------------------------------------- */

/*
 * Not by libbpf's bpf_tc_attach: it makes direct-action filters only, under the name of the program. The name of ours
 * holds the cgroup. And ifb drops packets that a direct-action program redirects, because these lack the number of the
 * device that they came from (skb_iif), which mirred sets.
 */

struct hook_search {
	int index;
	bool egress;
	struct traffic_hooks *hooks;
};

static void read_qdisc(const struct nlmsghdr *message, void *argument)
{
	const struct tcmsg *fixed = netlink_fixed(message, sizeof(*fixed));
	struct hook_search *search = argument;
	char kind[16];

	if (!fixed || fixed->tcm_ifindex != search->index || fixed->tcm_parent != TC_H_CLSACT)
		return;
	netlink_text(netlink_find(message, sizeof(*fixed), TCA_KIND), kind, sizeof(kind));
	search->hooks->clsact |= !strcmp(kind, "clsact");
	search->hooks->ingress_only |= !strcmp(kind, "ingress");
}

static void read_filter(const struct nlmsghdr *message, void *argument)
{
	const struct tcmsg *fixed = netlink_fixed(message, sizeof(*fixed));
	struct hook_search *search = argument;
	char name[64];

	if (message->nlmsg_type != RTM_NEWTFILTER || !fixed || fixed->tcm_ifindex != search->index || !fixed->tcm_handle)
		return; /* without a handle: only the head of a list of filters */
	netlink_text(netlink_inside(netlink_find(message, sizeof(*fixed), TCA_OPTIONS), TCA_BPF_NAME), name, sizeof(name));
	if (search->egress && !strncmp(name, FILTER_NAME, strlen(FILTER_NAME)) &&
	    TC_H_MAJ(fixed->tcm_info) >> 16 == FILTER_PREFERENCE && fixed->tcm_handle == FILTER_HANDLE) {
		search->hooks->ours = true;
		search->hooks->cgroup = strtoull(name + strlen(FILTER_NAME), NULL, 10);
	} else if (search->egress) {
		search->hooks->foreign_egress++;
	} else {
		search->hooks->foreign_ingress++;
	}
}

static int dump_filters(const struct traffic_link *device, bool egress, struct traffic_hooks *hooks,
			struct ua_error *error)
{
	struct tcmsg fixed = { .tcm_ifindex = device->index, .tcm_parent = egress ? EGRESS : INGRESS };
	struct hook_search search = { device->index, egress, hooks };
	struct netlink_request r;
	char reason[NETLINK_REASON];
	int code;

	netlink_begin(&r, RTM_GETTFILTER, NLM_F_DUMP, &fixed, sizeof(fixed));
	code = netlink_ask(&r, read_filter, &search, reason);
	return code ? refuse_step(error, code, reason, "listing its filters", device->name) : EXIT_OK;
}

int traffic_read_hooks(const struct traffic_link *device, struct traffic_hooks *hooks, struct ua_error *error)
{
	struct hook_search search = { .index = device->index, .hooks = hooks };

	memset(hooks, 0, sizeof(*hooks));
	if (dump_qdiscs(device, read_qdisc, &search, error))
		return error->code;
	if (!hooks->clsact)
		return EXIT_OK;
	if (dump_filters(device, true, hooks, error))
		return error->code;
	return dump_filters(device, false, hooks, error);
}

static int change_clsact(const struct traffic_link *device, int type, int flags, const char *step,
			 struct ua_error *error)
{
	struct tcmsg fixed = {
		.tcm_ifindex = device->index, .tcm_parent = TC_H_CLSACT, .tcm_handle = CLSACT_HANDLE,
	};
	struct netlink_request r;
	char reason[NETLINK_REASON];
	int code;

	netlink_begin(&r, type, flags, &fixed, sizeof(fixed));
	netlink_put_text(&r, TCA_KIND, "clsact");
	code = netlink_ask(&r, NULL, NULL, reason);
	return code ? refuse_step(error, code, reason, step, device->name) : EXIT_OK;
}

int traffic_make_clsact(const struct traffic_link *device, struct ua_error *error)
{
	return change_clsact(device, RTM_NEWQDISC, NLM_F_CREATE | NLM_F_EXCL, "adding clsact", error);
}

int traffic_remove_clsact(const struct traffic_link *device, struct ua_error *error)
{
	return change_clsact(device, RTM_DELQDISC, 0, "removing clsact", error);
}

static void begin_filter(struct netlink_request *r, const struct traffic_link *device, int type, int flags)
{
	struct tcmsg fixed = {
		.tcm_ifindex = device->index, .tcm_parent = EGRESS, .tcm_handle = FILTER_HANDLE,
		.tcm_info = TC_H_MAKE((u32)FILTER_PREFERENCE << 16, htons(ETH_P_ALL)),
	};

	netlink_begin(r, type, flags, &fixed, sizeof(fixed));
	netlink_put_text(r, TCA_KIND, "bpf");
}

/* A matching packet is taken off the device's path and passed to the shaper, which returns it when it may be sent. */
static void put_redirect(struct netlink_request *r, const struct traffic_link *shaper)
{
	struct tc_mirred values = { .action = TC_ACT_STOLEN, .eaction = TCA_EGRESS_REDIR, .ifindex = shaper->index };
	struct nlattr *actions = netlink_open(r, TCA_BPF_ACT), *first = netlink_open(r, 1), *options;

	netlink_put_text(r, TCA_ACT_KIND, "mirred");
	options = netlink_open(r, TCA_ACT_OPTIONS);
	netlink_put(r, TCA_MIRRED_PARMS, &values, sizeof(values));
	netlink_close(r, options);
	netlink_close(r, first);
	netlink_close(r, actions);
}

/* Replaces our filter if there is one; the caller has checked whether it may be beside those of others. */
int traffic_put_filter(const struct traffic_link *device, const struct traffic_link *shaper, u64 cgroup, int program,
		       struct ua_error *error)
{
	u32 descriptor = program;
	struct netlink_request r;
	char reason[NETLINK_REASON], name[64];
	struct nlattr *nest;
	int code;

	snprintf(name, sizeof(name), FILTER_NAME "%llu", cgroup);
	begin_filter(&r, device, RTM_NEWTFILTER, NLM_F_CREATE | NLM_F_REPLACE);
	nest = netlink_open(&r, TCA_OPTIONS);
	put_redirect(&r, shaper);
	netlink_put(&r, TCA_BPF_FD, &descriptor, sizeof(descriptor));
	netlink_put_text(&r, TCA_BPF_NAME, name);
	netlink_close(&r, nest);
	code = netlink_ask(&r, NULL, NULL, reason);
	return code ? refuse_step(error, code, reason, "adding the filter", device->name) : EXIT_OK;
}

/* The program itself decides which packets are admitted. */
int traffic_put_admission_filter(const struct traffic_link *shaper, int program, struct ua_error *error)
{
	u32 descriptor = program, flags = TCA_BPF_FLAG_ACT_DIRECT;
	struct netlink_request r;
	char reason[NETLINK_REASON];
	struct nlattr *nest;
	int code;

	begin_filter(&r, shaper, RTM_NEWTFILTER, NLM_F_CREATE | NLM_F_REPLACE);
	nest = netlink_open(&r, TCA_OPTIONS);
	netlink_put(&r, TCA_BPF_FD, &descriptor, sizeof(descriptor));
	netlink_put_text(&r, TCA_BPF_NAME, "charon-gives-way");
	netlink_put(&r, TCA_BPF_FLAGS, &flags, sizeof(flags));
	netlink_close(&r, nest);
	code = netlink_ask(&r, NULL, NULL, reason);
	return code ? refuse_step(error, code, reason, "adding the filter that yields", shaper->name) : EXIT_OK;
}

int traffic_remove_filter(const struct traffic_link *device, struct ua_error *error)
{
	struct netlink_request r;
	char reason[NETLINK_REASON];
	int code;

	begin_filter(&r, device, RTM_DELTFILTER, 0);
	code = netlink_ask(&r, NULL, NULL, reason);
	return code ? refuse_step(error, code, reason, "removing the filter", device->name) : EXIT_OK;
}
