// SPDX-License-Identifier: Apache-2.0
/* The pinned maps, as any permitted process sees them. */
#include "ua_helper.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

void pin_directory(const struct options *o, char *path, size_t size)
{
	if (snprintf(path, size, "%s/charon", o->bpffs) >= (int)size)
		fail(EXIT_USAGE, "--bpffs %s: the path is too long", o->bpffs);
}

bool is_loaded(const struct options *o)
{
	char path[PATH_MAX];

	pin_directory(o, path, sizeof(path) - 16);
	strcat(path, "/control");
	return !access(path, F_OK);
}

int open_pin(const struct options *o, const char *name, bool write)
{
	LIBBPF_OPTS(bpf_obj_get_opts, opts, .file_flags = write ? 0 : BPF_F_RDONLY);
	char directory[PATH_MAX], path[PATH_MAX + 64];
	int fd;

	pin_directory(o, directory, sizeof(directory));
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	fd = bpf_obj_get_opts(path, &opts);
	if (fd >= 0)
		return fd;
	if (errno == ENOENT)
		fail(EXIT_STATE, "%s: not loaded; run `ua-killer load` first (or give --bpffs as it was loaded)", path);
	if (errno == EACCES || errno == EPERM)
		fail(EXIT_PERMISSION, "%s: permission denied; this needs root%s", path,
		     write ? ", or the group given to `load --group` for containers and settings" :
			     " or the group given to `load --group`, and every directory above must be searchable");
	fail(EXIT_FAILED, "%s: %s", path, strerror(errno));
}

void open_maps(const struct options *o, struct maps *m)
{
	struct ua_control control;
	u32 zero = 0;

	m->control = open_pin(o, "control", false);
	if (bpf_map_lookup_elem(m->control, &zero, &control))
		fail(EXIT_FAILED, "control map: %s", strerror(errno));
	if (control.version != UA_MAP_VERSION)
		fail(EXIT_STATE, "the loaded killer has map version %u, this helper knows %d; unload and load again",
		     control.version, UA_MAP_VERSION);
	m->helper = open_pin(o, "helper", false);
	m->domains = open_pin(o, "domains", false);
	m->settings = open_pin(o, "settings", false);
	m->containers = open_pin(o, "containers", false);
	m->container_state = open_pin(o, "container_state", false);
	m->domain_state = open_pin(o, "domain_state", false);
	m->decisions = open_pin(o, "decisions", false);
	m->releases = open_pin(o, "releases", false);
	m->counters = open_pin(o, "counters", false);
	m->killable = open_pin(o, "killable", false);
}

/* Walks the keys of a hash map: set *started to false before the first call. */
bool next_key(int map, u64 *key, bool *started)
{
	u64 previous = *key;
	bool found = !bpf_map_get_next_key(map, *started ? &previous : NULL, key);

	*started = true;
	return found;
}

/* The number of the newest decision; 0 if none was taken since the killer was loaded. */
u64 last_decision(const struct maps *m)
{
	struct ua_decision d;
	u64 last = 0;

	for (u32 i = 0; i < UA_DECISIONS; i++)
		if (!bpf_map_lookup_elem(m->decisions, &i, &d) && d.sequence > last)
			last = d.sequence;
	return last;
}
