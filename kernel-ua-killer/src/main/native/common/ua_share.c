// SPDX-License-Identifier: Apache-2.0
#include "ua_common.h"

#include <linux/sched.h>
#include <sys/syscall.h>
#include <unistd.h>

/* sched_attr of sched_setattr(2): <linux/sched/types.h> and <sched.h> cannot be included together before glibc 2.41. */
struct share {
	u32 size, policy;
	u64 flags;
	s32 nice;
	u32 priority;
	u64 runtime_ns, deadline_ns, period_ns;
};

int take_processor_share(u64 runtime_ns, u64 period_ns)
{
	struct share share = {
		.size = sizeof(share),
		.policy = SCHED_DEADLINE,
		.flags = SCHED_FLAG_RESET_ON_FORK,
		.runtime_ns = runtime_ns,
		.deadline_ns = period_ns,
		.period_ns = period_ns,
	};

	return syscall(SYS_sched_setattr, 0, &share, 0);
}
