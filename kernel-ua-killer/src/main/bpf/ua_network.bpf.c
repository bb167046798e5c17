// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0
/*
 * Tells best-effort packets from all others where they leave the machine, by the cgroup of the socket that sends them. The
 * filter's action (ua_traffic.c) then leads them through the shaper; all others go on untouched.
 */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

/* Set by the loader before the program is loaded. */
const volatile u64 cgroup = 0; /* the best-effort parent in the unified hierarchy */
const volatile u32 level = 0;  /* its distance from the hierarchy's root */

/* -1: a match, without a class of its own. A packet without a socket here, such as a forwarded one, never matches. */
SEC("tc")
int is_best_effort(struct __sk_buff *skb)
{
	return bpf_skb_ancestor_cgroup_id(skb, level) == cgroup ? -1 : 0;
}
