// SPDX-License-Identifier: Apache-2.0
/*
 * Limits the traffic that best-effort may send through one network device:
 *
 *   device, hook clsact egress: a filter asks the classifier (ua_network.bpf.c) whether a packet is best-effort's
 *     best-effort: into the shaper, an ifb device with a token bucket; from there back to the device
 *     all others:  continue unchanged
 *   shaper, hook clsact egress, if best-effort yields: a filter drops packets for which the others leave no room
 *
 * The device's own queueing is unchanged, so the foreground can be neither limited nor delayed by a queue of
 * ours. All state is in the kernel: the name of the shaper holds the device's number; its note, whether we
 * added clsact and, if best-effort yields, the rate of the link; the name of the filter holds the cgroup.
 */
#include "ua_network.h"
#include "ua_traffic.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <mntent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "ua_network.skel.h"

#define SHAPER_PREFIX "charon-be" /* followed by the number of the device */
#define PROBE "charon-probe"
#define WITH_CLSACT ", with clsact"
#define GIVES_WAY ", gives way on a link of " /* followed by its bytes/s */
/* ns, added to best-effort's own bursts (our choice): more than requests cause, less than a file transfer does */
#define YIELD_NS 200000ULL
/* bytes/s that best-effort may always send: containers that lose their heartbeat lose their work */
#define MIN_RATE 125000ULL
#define MAX_ORPHANS 64
#define ROOT_INODE 1 /* inode of the root of the cgroup hierarchy, unless a namespace hides it */

/* The parts of a limit on one device. */
struct network {
	struct traffic_link device, shaper;
	struct traffic_hooks hooks;
};

/* ---- names --------------------------------------------------------------------------------------- */

static int check_name(const char *device, struct ua_error *error)
{
	size_t length = strlen(device);

	if (!length || length >= IFNAMSIZ || !strcmp(device, ".") || !strcmp(device, "..") ||
	    strspn(device, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-") != length)
		return refuse(error, EXIT_USAGE, "--device: give the name of a network device: 1 to %d of A-Z a-z 0-9 _ . -",
			      IFNAMSIZ - 1);
	return EXIT_OK;
}

/* With file capabilities, users other than root run this: check the permissions of the caller. */
static bool may_write(int cgroup)
{
	return !faccessat(cgroup, ".", W_OK, 0);
}

/* Determines the depth below the root of the hierarchy, and closes the descriptor. */
static int find_level(int cgroup, dev_t hierarchy, u32 *level)
{
	struct stat status;

	for (*level = 0; !fstat(cgroup, &status) && status.st_dev == hierarchy; ++*level) {
		int parent;

		if (status.st_ino == ROOT_INODE) {
			close(cgroup);
			return 0;
		}
		parent = openat(cgroup, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
		close(cgroup);
		if (parent < 0)
			return -1;
		cgroup = parent;
	}
	close(cgroup);
	return -1;
}

/*
 * Determines the number of a cgroup and its depth, by which the kernel compares. Everything is read through one
 * descriptor, because paths can be swapped.
 */
static int find_unified(const char *path, u64 *id, u32 *level, struct ua_error *error)
{
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC), code = EXIT_OK;
	struct stat status;
	struct statfs fs;

	if (fd < 0 || fstat(fd, &status) || fstatfs(fd, &fs)) {
		code = refuse(error, EXIT_USAGE, "--cgroup %s: %s", path, strerror(errno));
	} else if (fs.f_type != CGROUP2_SUPER_MAGIC) {
		code = refuse(error, EXIT_USAGE,
			      "--cgroup %s: not a cgroup of the unified hierarchy (v2); if v1 is also in use, v2 is usually mounted at /sys/fs/cgroup/unified",
			      path);
	} else if (!may_write(fd)) {
		code = refuse(error, EXIT_PERMISSION, "--cgroup %s: limiting a cgroup needs write permission on it", path);
	}
	if (code) {
		if (fd >= 0)
			close(fd);
		return code;
	}
	*id = status.st_ino;
	if (find_level(fd, status.st_dev, level))
		return refuse(error, EXIT_FAILED,
			      "--cgroup %s: the root of the hierarchy is not visible here (a cgroup namespace); run this outside the namespace",
			      path);
	if (!*level)
		return refuse(error, EXIT_USAGE, "--cgroup %s is the root: that would limit everything", path);
	return EXIT_OK;
}

static bool is_own(const struct traffic_link *link, int *device)
{
	char *end;
	long number;

	if (strcmp(link->kind, SHAPER_KIND) || strncmp(link->name, SHAPER_PREFIX, strlen(SHAPER_PREFIX)))
		return false;
	number = strtol(link->name + strlen(SHAPER_PREFIX), &end, 10);
	*device = number;
	return number > 0 && !*end;
}

/* The capacity of the link, in bytes per second, for which best-effort yields; 0: it does not. */
static u64 yield_rate(const struct traffic_link *shaper)
{
	const char *found = strstr(shaper->note, GIVES_WAY);

	return found ? strtoull(found + strlen(GIVES_WAY), NULL, 10) : 0;
}

/* ---- reading ------------------------------------------------------------------------------------- */

static int read_network(const char *name, struct network *n, struct ua_error *error)
{
	char shaper[IFNAMSIZ];
	int index;

	memset(n, 0, sizeof(*n));
	if (check_name(name, error) || traffic_find_link(name, &n->device, error))
		return error->code;
	if (!n->device.index)
		return EXIT_OK;
	snprintf(shaper, sizeof(shaper), SHAPER_PREFIX "%d", n->device.index);
	if (traffic_find_link(shaper, &n->shaper, error) || traffic_read_hooks(&n->device, &n->hooks, error))
		return error->code;
	if (n->shaper.index && !is_own(&n->shaper, &index))
		return refuse(error, EXIT_STATE, "%s is not a %s device of Charon; rename it", shaper, SHAPER_KIND);
	return EXIT_OK;
}

static int require_device(const char *name, struct network *n, struct ua_error *error)
{
	if (read_network(name, n, error))
		return error->code;
	return n->device.index ? EXIT_OK :
				 refuse(error, EXIT_STATE, "%s: no such network device; `ip link` lists them", name);
}

/* Filters of others would not see the packets that pass through the shaper. */
static int refuse_foreign(const struct network *n, struct ua_error *error)
{
	if (n->hooks.ingress_only)
		return refuse(error, EXIT_STATE,
			      "%s has a qdisc of kind ingress, which clsact cannot be combined with; replace it with clsact (tc qdisc show dev %s)",
			      n->device.name, n->device.name);
	if (n->hooks.foreign_egress)
		return refuse(error, EXIT_STATE,
			      "%s has egress filters of other programs, which would not see best-effort's packets (tc filter show dev %s egress)",
			      n->device.name, n->device.name);
	return EXIT_OK;
}

/* ---- permissions --------------------------------------------------------------------------------- */

static u64 sought;
static bool found_foreign;

static int visit_directory(const char *path, const struct stat *status, int type, struct FTW *at)
{
	int fd;

	if ((type != FTW_D && type != FTW_DNR) || status->st_ino != sought)
		return 0;
	fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	found_foreign = fd >= 0 && !may_write(fd);
	if (fd >= 0)
		close(fd);
	return 1;
}

/*
 * The limit of a cgroup that the caller may not write belongs to another user. The limit of a removed cgroup
 * belongs to none.
 */
static int refuse_others_limit(const struct network *n, struct ua_error *error)
{
	struct mntent *entry;
	FILE *mounts;

	if (!getuid() || !n->hooks.ours)
		return EXIT_OK;
	mounts = setmntent("/proc/self/mounts", "re");
	if (!mounts)
		return refuse(error, EXIT_FAILED, "/proc/self/mounts: %s", strerror(errno));
	sought = n->hooks.cgroup;
	found_foreign = false;
	while ((entry = getmntent(mounts)))
		if (!strcmp(entry->mnt_type, "cgroup2") && nftw(entry->mnt_dir, visit_directory, 16, FTW_PHYS | FTW_MOUNT) == 1)
			break;
	endmntent(mounts);
	return found_foreign ? refuse(error, EXIT_PERMISSION,
				      "%s: the existing limit belongs to a cgroup that this user may not write (number %llu)",
				      n->device.name, n->hooks.cgroup) :
			       EXIT_OK;
}

/* ---- removing ------------------------------------------------------------------------------------ */

/* The filter goes first: without its shaper it would drop everything that best-effort sends. */
static int uninstall(const struct network *n, struct ua_error *error)
{
	bool clsact = n->shaper.index && n->hooks.clsact && strstr(n->shaper.note, WITH_CLSACT) &&
		      !n->hooks.foreign_egress && !n->hooks.foreign_ingress;

	if (n->hooks.ours && traffic_remove_filter(&n->device, error))
		return error->code;
	if (clsact && traffic_remove_clsact(&n->device, error))
		return error->code;
	return n->shaper.index ? traffic_remove_link(&n->shaper, error) : EXIT_OK;
}

struct orphans {
	struct traffic_link shaper[MAX_ORPHANS];
	bool alive[MAX_ORPHANS];
	int count;
};

static void collect(const struct traffic_link *link, void *argument)
{
	struct orphans *orphans = argument;
	int device;

	if (orphans->count < MAX_ORPHANS && is_own(link, &device))
		orphans->shaper[orphans->count++] = *link;
}

static void mark_alive(const struct traffic_link *link, void *argument)
{
	struct orphans *orphans = argument;
	int device;

	for (int i = 0; i < orphans->count; i++)
		if (is_own(&orphans->shaper[i], &device) && device == link->index)
			orphans->alive[i] = true;
}

/* A device that vanished took its filter with it, but not the shaper. */
static int remove_orphans(struct ua_error *error)
{
	struct orphans orphans = {};

	if (traffic_links(collect, &orphans, error) || traffic_links(mark_alive, &orphans, error))
		return error->code;
	for (int i = 0; i < orphans.count; i++)
		if (!orphans.alive[i] && traffic_remove_link(&orphans.shaper[i], error))
			return error->code;
	return EXIT_OK;
}

/* ---- installing ---------------------------------------------------------------------------------- */

/* The requested limit. */
struct limit_request {
	u64 cgroup;
	u32 level;
	u64 rate, link; /* bytes per second; link 0: best-effort does not yield */
};

static u64 yield_ns(u64 link)
{
	return YIELD_NS + (link ? traffic_brief_burst(link) * 1000000000ULL / link : 0);
}

static int load_programs(const struct limit_request *request, struct ua_network_bpf **skeleton, struct ua_error *error)
{
	libbpf_set_print(NULL);
	*skeleton = ua_network_bpf__open();
	if (*skeleton) {
		(*skeleton)->rodata->cgroup = request->cgroup;
		(*skeleton)->rodata->level = request->level;
		(*skeleton)->rodata->link = request->link;
		(*skeleton)->rodata->yield_ns = yield_ns(request->link);
		(*skeleton)->rodata->min_rate = MIN_RATE;
		if (!ua_network_bpf__load(*skeleton))
			return EXIT_OK;
	}
	refuse(error, errno == EPERM ? EXIT_PERMISSION : EXIT_FAILED,
	       "the kernel refuses the classifiers: %s; it needs BPF programs of type sched_cls, and CAP_BPF with CAP_NET_ADMIN",
	       strerror(errno));
	ua_network_bpf__destroy(*skeleton);
	return error->code;
}

static int set(const struct network *n, const struct limit_request *request, const struct ua_network_bpf *programs, struct ua_error *error)
{
	if (traffic_set_rate(&n->shaper, request->rate, request->link, error))
		return error->code;
	if (request->link && traffic_put_admission_filter(&n->shaper, bpf_program__fd(programs->progs.yield_or_admit), error))
		return error->code;
	return traffic_put_filter(&n->device, &n->shaper, request->cgroup, bpf_program__fd(programs->progs.is_best_effort),
				  error);
}

static int build(struct network *n, const struct limit_request *request, const struct ua_network_bpf *programs, struct ua_error *error)
{
	char shaper[IFNAMSIZ], note[128], way[64] = "";

	snprintf(shaper, sizeof(shaper), SHAPER_PREFIX "%d", n->device.index);
	if (request->link)
		snprintf(way, sizeof(way), GIVES_WAY "%llu", request->link);
	/*
	 * The note is written before clsact is added: if this process is killed in between, the note names a
	 * clsact that is missing, which does no harm.
	 */
	snprintf(note, sizeof(note), "Charon: best-effort egress of %s%s%s", n->device.name, way,
		 n->hooks.clsact ? "" : WITH_CLSACT);
	if (traffic_make_link(shaper, note, &n->shaper, error))
		return error->code;
	if (request->link && traffic_make_clsact(&n->shaper, error))
		return error->code;
	if (!n->hooks.clsact && traffic_make_clsact(&n->device, error))
		return error->code;
	return set(n, request, programs, error);
}

/* All or nothing. */
static int install(struct network *n, const struct limit_request *request, const struct ua_network_bpf *programs,
		   struct ua_error *error)
{
	struct ua_error second;
	struct network made;

	if (!build(n, request, programs, error))
		return EXIT_OK;
	if (read_network(n->device.name, &made, &second) || uninstall(&made, &second)) {
		size_t length = strlen(error->text);

		snprintf(error->text + length, sizeof(error->text) - length, "; the parts already created remain: %.400s", second.text);
	}
	return error->code;
}

static int limit(const char *device, const struct limit_request *request, struct ua_error *error)
{
	struct ua_network_bpf *programs;
	struct network n;
	bool alike;
	int code;

	if (require_device(device, &n, error) || refuse_others_limit(&n, error))
		return error->code;
	/* Beside filters that others added later, a limit that stays as it is would help nobody. */
	if (!n.hooks.ours && refuse_foreign(&n, error))
		return error->code;
	alike = n.shaper.index && n.hooks.ours && yield_rate(&n.shaper) == request->link;
	if (alike && n.hooks.cgroup == request->cgroup)
		return traffic_set_rate(&n.shaper, request->rate, request->link, error);
	if (load_programs(request, &programs, error))
		return error->code;
	if (alike) { /* the cgroup was created again */
		code = set(&n, request, programs, error);
	} else {
		code = uninstall(&n, error); /* removes another limit, or an incomplete one of a killed process */
		if (!code)
			code = remove_orphans(error);
		if (!code)
			code = require_device(device, &n, error);
		if (!code)
			code = install(&n, request, programs, error);
	}
	ua_network_bpf__destroy(programs); /* the filters keep the programs alive */
	return code;
}

/* ---- commands ------------------------------------------------------------------------------------ */

static void require_no_error(int code, const struct ua_error *error)
{
	if (code)
		fail(code, "%s", error->text);
}

static void use_capabilities(void)
{
	use_capability(CAP_NET_ADMIN);
	use_capability(CAP_BPF);
}

static void print_limit(const struct network *n, const struct traffic_shaper *shaper, bool json)
{
	u64 foreground = n->device.sent_bytes > n->shaper.sent_bytes ? n->device.sent_bytes - n->shaper.sent_bytes : 0;
	bool limited = n->shaper.index && n->hooks.ours;

	if (json) {
		printf("{\"device\":");
		print_json_string(stdout, n->device.name);
		printf(",\"sentBytes\":%llu,\"limited\":%s", n->device.sent_bytes, limited ? "true" : "false");
		if (limited)
			printf(",\"shaper\":\"%s\",\"cgroup\":%llu,\"rateBytesPerSecond\":%llu,\"givesWayBytesPerSecond\":%llu,\"bestEffortBytes\":%llu,\"foregroundBytes\":%llu,\"droppedPackets\":%llu,\"waitingBytes\":%llu",
			       n->shaper.name, n->hooks.cgroup, shaper->rate, yield_rate(&n->shaper), n->shaper.sent_bytes, foreground,
			       shaper->dropped, shaper->waiting);
		printf("}\n");
	} else if (!limited) {
		printf("%s: not limited\n", n->device.name);
	} else {
		printf("%s: cgroup %llu may send %llu bytes/s, through %s%s\n", n->device.name, n->hooks.cgroup, shaper->rate,
		       n->shaper.name, yield_rate(&n->shaper) ? ", and yields to all other traffic" : "");
		printf("  best-effort sent %llu bytes since then, %llu packets dropped, %llu bytes are queued; the device sent another %llu bytes\n",
		       n->shaper.sent_bytes, shaper->dropped, shaper->waiting, foreground);
	}
}

int command_network_show(const char *device, bool json)
{
	struct traffic_shaper shaper = {};
	struct ua_error error;
	struct network n;

	require_no_error(require_device(device, &n, &error), &error);
	if (n.shaper.index && n.hooks.ours)
		require_no_error(traffic_read_shaper(&n.shaper, &shaper, &error), &error);
	print_limit(&n, &shaper, json);
	return EXIT_OK;
}

int command_network_limit(const char *device, const char *cgroup, u64 rate, u64 link, bool json)
{
	struct limit_request request = { .rate = rate, .link = link };
	struct ua_error error;

	use_capabilities();
	require_no_error(find_unified(cgroup, &request.cgroup, &request.level, &error), &error);
	require_no_error(limit(device, &request, &error), &error);
	if (json)
		printf("{\"device\":\"%s\",\"limited\":true,\"cgroup\":%llu,\"rateBytesPerSecond\":%llu,\"givesWayBytesPerSecond\":%llu}\n",
		       device, request.cgroup, rate, link);
	else
		printf("%s: cgroup %llu may send %llu bytes/s%s\n", device, request.cgroup, rate,
		       link ? ", and yields to all other traffic" : "");
	return EXIT_OK;
}

/* Also works for a device that no longer exists. */
int command_network_clear(const char *device, bool json)
{
	struct ua_error error;
	struct network n;

	use_capabilities();
	require_no_error(read_network(device, &n, &error), &error);
	require_no_error(refuse_others_limit(&n, &error), &error);
	require_no_error(uninstall(&n, &error), &error);
	require_no_error(remove_orphans(&error), &error);
	if (!json)
		printf("%s: no limit of Charon is left\n", device);
	return EXIT_OK;
}

/* Builds a complete limit on a device of our own that carries no traffic, and removes it. */
static int try_on_probe(struct ua_error *error)
{
	struct limit_request request = { .cgroup = ULLONG_MAX, .level = 1, .rate = 1000000, .link = 2000000 };
	struct traffic_link probe;
	struct ua_error second;
	struct network n;
	int code;

	if (traffic_find_link(PROBE, &probe, error))
		return error->code;
	if (probe.index && !strcmp(probe.kind, SHAPER_KIND) && traffic_remove_link(&probe, error))
		return error->code;
	if (traffic_make_link(PROBE, "Charon: self-test", &probe, error))
		return error->code;
	code = limit(PROBE, &request, error);
	if (!code && !(code = read_network(PROBE, &n, error)))
		code = uninstall(&n, error);
	if (traffic_remove_link(&probe, &second) && !code)
		*error = second, code = second.code;
	return code;
}

int command_network_self_test(const char *device, bool json)
{
	struct ua_error error;
	struct network n;

	use_capabilities();
	require_no_error(require_device(device, &n, &error), &error);
	require_no_error(refuse_foreign(&n, &error), &error);
	require_no_error(try_on_probe(&error), &error);
	if (json)
		printf("{\"passed\":true}\n");
	else
		printf("%s: best-effort can be limited\n", device);
	return EXIT_OK;
}
