// SPDX-License-Identifier: Apache-2.0
/* The pinned maps, which belong to root. */
#include "ua_helper.h"

#include <bpf/bpf.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void pin_directory(const struct options *o, char *path, size_t size)
{
	if (snprintf(path, size, "%s/charon", o->bpffs) >= (int)size)
		fail(EXIT_USAGE, "--bpffs %s: the path is too long", o->bpffs);
}

gid_t pin_group(const struct options *o)
{
	char directory[PATH_MAX];
	struct stat status;

	pin_directory(o, directory, sizeof(directory));
	return stat(directory, &status) ? 0 : status.st_gid;
}

bool is_loaded(const struct options *o)
{
	char path[PATH_MAX];

	pin_directory(o, path, sizeof(path) - 16);
	strcat(path, "/control");
	return !access(path, F_OK);
}

static int open_any(const struct options *o, const char *name, bool write)
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
		fail(EXIT_PERMISSION, "%s: permission denied; this needs root", path);
	fail(EXIT_FAILED, "%s: %s", path, strerror(errno));
}

struct ua_control read_control(int map)
{
	struct ua_control control = {};
	u32 zero = 0;

	if (bpf_map_lookup_elem(map, &zero, &control))
		fail(EXIT_FAILED, "control map: %s", strerror(errno));
	return control;
}

/* Whatever its version is, which the caller has to check before anything else. */
struct ua_control loaded_control(const struct options *o)
{
	int map = open_any(o, "control", false);
	struct ua_control control = read_control(map);

	close(map);
	return control;
}

/* Maps of another version hold structures of other sizes, so they are neither read nor written. */
static void require_version(const struct options *o)
{
	u32 version = loaded_control(o).version;

	if (version != UA_MAP_VERSION)
		fail(EXIT_STATE, "the loaded killer has map version %u, this ua-killer needs %d; stop its helper and load again",
		     version, UA_MAP_VERSION);
}

int open_pin(const struct options *o, const char *name, bool write)
{
	require_version(o);
	return open_any(o, name, write);
}

/* Whether the loaded killer still is the one that was loaded at that time, not another one at the same path. */
bool is_current(const struct options *o, u64 loaded_ns)
{
	return is_loaded(o) && loaded_control(o).loaded_ns == loaded_ns;
}

void open_maps(const struct options *o, struct maps *m)
{
	m->control = open_pin(o, "control", false);
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
	m->walls = open_pin(o, "walls", false);
}

/* Counts the programs that are attached: each is attached as long as its link is pinned. */
unsigned attached_programs(const struct options *o)
{
	char directory[PATH_MAX];
	struct dirent *pin;
	unsigned count = 0;
	DIR *listing;

	pin_directory(o, directory, sizeof(directory));
	listing = opendir(directory);
	if (!listing)
		return 0;
	while ((pin = readdir(listing)))
		count += !strncmp(pin->d_name, LINK_PREFIX, strlen(LINK_PREFIX));
	closedir(listing);
	return count;
}

/* Walks the keys of a hash map: set *started to false before the first call. */
bool next_key(int map, u64 *key, bool *started)
{
	u64 previous = *key;
	bool found = !bpf_map_get_next_key(map, *started ? &previous : NULL, key);

	*started = true;
	return found;
}

/* Returns whether there are any more. */
bool next_containers(int map, struct container_batch *b)
{
	u32 from = b->position;

	if (b->complete)
		return false;
	b->count = CONTAINERS_AT_ONCE;
	b->complete = bpf_map_lookup_batch(map, b->started ? &from : NULL, &b->position, b->ids, b->containers, &b->count, NULL);
	b->started = true;
	return (!b->complete || errno == ENOENT) && b->count; /* ENOENT: these are the last ones */
}

/* Deletes the entries of a hash map that are unwanted. */
void delete_keys(int map, bool (*unwanted)(u64 key, const void *argument), const void *argument)
{
	u64 key, next;
	bool more = !bpf_map_get_next_key(map, NULL, &key);

	while (more) {
		more = !bpf_map_get_next_key(map, &key, &next); /* before it is deleted: the walk would begin anew */
		if (unwanted(key, argument))
			bpf_map_delete_elem(map, &key);
		key = next;
	}
}

/* Returns the number of the newest decision, or 0 if there was none since the killer was loaded. */
u64 last_decision(const struct maps *m)
{
	struct ua_decision d;
	u64 last = 0;

	for (u32 i = 0; i < UA_DECISIONS; i++)
		if (!bpf_map_lookup_elem(m->decisions, &i, &d) && d.sequence > last)
			last = d.sequence;
	return last;
}
