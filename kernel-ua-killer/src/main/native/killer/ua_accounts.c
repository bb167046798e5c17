// SPDX-License-Identifier: Apache-2.0
/*
 * Users and groups by name or number. Reads the files in /etc directly: a static binary cannot use the name
 * services.
 */
#include "ua_helper.h"

#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#define NO_GROUP ((gid_t)-1)

static bool is_number(const char *name, unsigned long *number)
{
	char *end;

	*number = strtoul(name, &end, 10);
	return *name && !*end;
}

/* The group is the user's primary group, or NO_GROUP for a number that is not in /etc/passwd. */
static bool look_up(const char *name, uid_t *user, gid_t *group)
{
	FILE *file = fopen("/etc/passwd", "re");
	struct passwd *entry;
	unsigned long number;
	bool numeric = is_number(name, &number), found = false;

	*group = NO_GROUP;
	*user = number;
	while (file && !found && (entry = fgetpwent(file)))
		if (numeric ? entry->pw_uid == number : !strcmp(entry->pw_name, name)) {
			*user = entry->pw_uid;
			*group = entry->pw_gid;
			found = true;
		}
	if (file)
		fclose(file);
	return found || numeric;
}

uid_t account_user(const char *name)
{
	uid_t user;
	gid_t group;

	if (!look_up(name, &user, &group))
		fail(EXIT_USAGE, "--user %s: not in /etc/passwd; give the name or number of the NodeManager's user", name);
	return user;
}

/* Returns the named group or, if none is named, the primary group of the NodeManager's user. */
gid_t account_group_of(const char *user, const char *group)
{
	uid_t id;
	gid_t own;

	if (group)
		return account_group(group);
	if (!look_up(user, &id, &own) || own == NO_GROUP)
		fail(EXIT_USAGE, "--user %s: its group is not in /etc/passwd; give --group as well", user);
	return own;
}

gid_t account_group(const char *name)
{
	struct group *group;
	unsigned long number;
	FILE *file;
	gid_t id;

	if (!name)
		return 0;
	if (is_number(name, &number))
		return number;
	file = fopen("/etc/group", "re");
	while (file && (group = fgetgrent(file)))
		if (!strcmp(group->gr_name, name)) {
			id = group->gr_gid;
			fclose(file);
			return id;
		}
	fail(EXIT_USAGE, "--group %s: not in /etc/group; give the name or number of the group of the NodeManager's user",
	     name);
}
