// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0
/*
 * Distinguishes best-effort packets from all others where they leave the machine, by the cgroup of the sending
 * socket. The filter's action (ua_traffic.c) then sends them through the shaper; all others continue untouched.
 *
 * If best-effort yields, all packets are counted as they leave, as if they filled a queue that drains at the
 * rate of the link, which may be anywhere on the path. While this queue is longer than a threshold, best-effort
 * packets are dropped at the entrance of the shaper. Their senders slow down within a round trip and use the
 * rest of the link.
 */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

#define SECOND 1000000000ULL
#define MAX_QUEUE_NS 100000000ULL /* ns; if more seems to wait, packets were lost on the path */
/* ns; best-effort may save up its minimum rate for this time and send it as a burst */
#define BURST_NS (SECOND / 4)
#define ADMITTED 0xca10 /* mark of packets that were admitted, because the shaper returns them to the device */
#define TC_ACT_UNSPEC -1 /* continues and keeps its mark */
#define TC_ACT_SHOT 2

/* Set by the loader before the program is loaded. */
const volatile u64 cgroup = 0; /* best-effort's parent in the unified hierarchy */
const volatile u32 level = 0;  /* its distance from the root of the hierarchy */
const volatile u64 link = 0;   /* capacity of the link, bytes per second; 0: best-effort does not yield */
const volatile u64 yield_ns = 0; /* length of the queue at which best-effort yields, ns */
const volatile u64 min_rate = 1;  /* what best-effort may always send, bytes per second */

struct queue {
	struct bpf_spin_lock lock;
	u64 idle_at; /* when everything sent so far has left the link, ns */
	u64 used_until;  /* until when best-effort has used its minimum rate, ns */
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct queue);
} queues SEC(".maps");

static u64 max_u64(u64 a, u64 b)
{
	return a > b ? a : b;
}

static void enqueue(struct queue *q, u64 bytes)
{
	u64 now = bpf_ktime_get_ns(), duration = bytes * SECOND / link;

	bpf_spin_lock(&q->lock);
	q->idle_at = max_u64(q->idle_at, now) + duration;
	if (q->idle_at > now + MAX_QUEUE_NS)
		q->idle_at = now + MAX_QUEUE_NS;
	bpf_spin_unlock(&q->lock);
}

/*
 * -1: a match, without a class of its own. A packet without a local socket, such as a forwarded one, never
 * matches. Packets that the shaper returns pass this filter again; for them, the kernel skips the action.
 */
SEC("tc")
int is_best_effort(struct __sk_buff *skb)
{
	u32 only = 0;
	struct queue *q;

	if (skb->tc_index != ADMITTED && bpf_skb_ancestor_cgroup_id(skb, level) == cgroup)
		return -1;
	if (link && (q = bpf_map_lookup_elem(&queues, &only)))
		enqueue(q, skb->wire_len);
	return 0;
}

/* All packets that reach the shaper are best-effort's. */
SEC("tc")
int yield_or_admit(struct __sk_buff *skb)
{
	u64 now = bpf_ktime_get_ns(), cost = skb->wire_len * SECOND / min_rate;
	struct queue *q;
	bool admitted = true;
	u32 only = 0;

	q = bpf_map_lookup_elem(&queues, &only);
	if (!q)
		return TC_ACT_UNSPEC;
	bpf_spin_lock(&q->lock);
	if (q->idle_at > now + yield_ns) {
		admitted = q->used_until <= now;
		if (admitted)
			q->used_until = max_u64(q->used_until, now - BURST_NS) + cost;
	}
	bpf_spin_unlock(&q->lock);
	if (!admitted)
		return TC_ACT_SHOT;
	skb->tc_index = ADMITTED;
	return TC_ACT_UNSPEC;
}
