// SPDX-License-Identifier: Apache-2.0
#include "ua_common.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <unistd.h>

void allow_many_files(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files))
		return;
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
}

int open_cgroup_at(const char *option, const char *path, bool *unified, struct ua_error *error)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct statfs fs;

	if (fd < 0 || fstatfs(fd, &fs)) {
		refuse(error, EXIT_USAGE, "%s %s: %s", option, path, strerror(errno));
	} else if (fs.f_type != CGROUP2_SUPER_MAGIC && fs.f_type != CGROUP_SUPER_MAGIC) {
		refuse(error, EXIT_USAGE, "%s %s: not a cgroup", option, path);
	} else {
		if (unified)
			*unified = fs.f_type == CGROUP2_SUPER_MAGIC;
		return fd;
	}
	if (fd >= 0)
		close(fd);
	return -1;
}
