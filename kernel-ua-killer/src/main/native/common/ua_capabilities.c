// SPDX-License-Identifier: Apache-2.0
/* Capabilities of the file that are permitted but not in effect (setcap ...=p): only the commands that need them use them. */
#include "ua_common.h"

#include <errno.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

void use_capability(int capability)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {};

	if (syscall(SYS_capget, &header, sets))
		return;
	sets[CAP_TO_INDEX(capability)].effective |= sets[CAP_TO_INDEX(capability)].permitted & CAP_TO_MASK(capability);
	if (syscall(SYS_capset, &header, sets))
		warn("capabilities cannot be used: %s", strerror(errno));
}

/* For good: whoever takes over this process from here on gets nothing. */
void drop_capabilities(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {};

	if (syscall(SYS_capset, &header, none) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		fail(EXIT_PERMISSION, "capabilities cannot be dropped: %s", strerror(errno));
}
