// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0
/*
 * Tells best-effort packets from all others where they leave the machine, by the cgroup of the socket that sends them. The
 * filter's action (ua_traffic.c) then leads them through the shaper; all others go on untouched.
 *
 * Where best-effort gives way, all packets are counted as they leave, as if they filled a queue that drains at the rate of the
 * link, wherever on the way that is. While this queue is longer than a little, best-effort packets are dropped at the shaper's
 * door: its senders slow down within a round trip, and have what the others leave.
 */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

#define SECOND 1000000000ULL
#define LONGEST_QUEUE 100000000ULL /* ns; what is said to wait longer was lost on the way */
#define SAVED (SECOND / 4)	   /* best-effort's least may come in bursts of what it saved for so long */
#define LET_IN 0xca10 /* the mark of packets that went through the door: the shaper gives them back to the device */
#define TC_ACT_UNSPEC -1 /* goes on, and keeps its mark */
#define TC_ACT_SHOT 2

/* Set by the loader before the program is loaded. */
const volatile u64 cgroup = 0; /* the best-effort parent in the unified hierarchy */
const volatile u32 level = 0;  /* its distance from the hierarchy's root */
const volatile u64 link = 0;   /* what the link carries, bytes per second; 0: best-effort gives no way */
const volatile u64 patience = 0; /* how long that queue may be before best-effort gives way, ns */
const volatile u64 least = 1;  /* what best-effort may send even then, bytes per second */

struct queue {
	struct bpf_spin_lock lock;
	u64 empty; /* when all that was sent has left the link, ns */
	u64 owed;  /* until when best-effort has had its least, ns */
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct queue);
} queues SEC(".maps");

static u64 later(u64 a, u64 b)
{
	return a > b ? a : b;
}

static void occupy(struct queue *q, u64 bytes)
{
	u64 now = bpf_ktime_get_ns(), takes = bytes * SECOND / link;

	bpf_spin_lock(&q->lock);
	q->empty = later(q->empty, now) + takes;
	if (q->empty > now + LONGEST_QUEUE)
		q->empty = now + LONGEST_QUEUE;
	bpf_spin_unlock(&q->lock);
}

/*
 * -1: a match, without a class of its own. A packet without a socket here, such as a forwarded one, never matches. What the
 * shaper gives back comes by, too; the kernel then skips the action.
 */
SEC("tc")
int is_best_effort(struct __sk_buff *skb)
{
	u32 only = 0;
	struct queue *q;

	if (skb->tc_index != LET_IN && bpf_skb_ancestor_cgroup_id(skb, level) == cgroup)
		return -1;
	if (link && (q = bpf_map_lookup_elem(&queues, &only)))
		occupy(q, skb->wire_len);
	return 0;
}

/* All that comes to the shaper is best-effort. */
SEC("tc")
int gives_way(struct __sk_buff *skb)
{
	u64 now = bpf_ktime_get_ns(), owes = skb->wire_len * SECOND / least;
	struct queue *q;
	bool goes = true;
	u32 only = 0;

	q = bpf_map_lookup_elem(&queues, &only);
	if (!q)
		return TC_ACT_UNSPEC;
	bpf_spin_lock(&q->lock);
	if (q->empty > now + patience) {
		goes = q->owed <= now;
		if (goes)
			q->owed = later(q->owed, now - SAVED) + owes;
	}
	bpf_spin_unlock(&q->lock);
	if (!goes)
		return TC_ACT_SHOT;
	skb->tc_index = LET_IN;
	return TC_ACT_UNSPEC;
}
