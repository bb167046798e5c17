// SPDX-License-Identifier: Apache-2.0
/*
 * Uses the file's capabilities, which are permitted but not effective (setcap ...=p), only in the commands that
 * need them.
 */
#include "ua_common.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Anyone who may execute a file with capabilities gains them, so the file's mode has to restrict who may execute it. */
static void require_guarded_file(void)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct stat status;
	char value[64];

	if (fd < 0) { /* a file that cannot be read can be executed all the same */
		if (getxattr("/proc/self/exe", "security.capability", value, sizeof(value)) <= 0 ||
		    stat("/proc/self/exe", &status))
			return;
	} else {
		bool bare = fgetxattr(fd, "security.capability", value, sizeof(value)) <= 0 || fstat(fd, &status);

		close(fd);
		if (bare)
			return;
	}
	if (status.st_uid || status.st_mode & (S_IXOTH | S_IWOTH | S_IWGRP))
		fail(EXIT_PERMISSION,
		     "this program has capabilities, and its mode is %04o and its owner %u: only root may write it and only one group may run it; "
		     "as root, with the group of the NodeManager's user: chown root:GROUP, chmod 0750, then setcap again",
		     status.st_mode & 07777, status.st_uid);
}

void use_capability(int capability)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {};

	if (getuid())
		require_guarded_file();
	if (syscall(SYS_capget, &header, sets))
		return;
	sets[CAP_TO_INDEX(capability)].effective |= sets[CAP_TO_INDEX(capability)].permitted & CAP_TO_MASK(capability);
	if (syscall(SYS_capset, &header, sets))
		warn("cannot raise capabilities: %s", strerror(errno));
}

/* Permanent: code that takes control of this process afterwards gains no capability. */
void drop_capabilities(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {};

	if (syscall(SYS_capset, &header, none) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		fail(EXIT_PERMISSION, "cannot drop capabilities: %s", strerror(errno));
}
