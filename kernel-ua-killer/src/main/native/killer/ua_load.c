// SPDX-License-Identifier: Apache-2.0
/*
 * Loads the programs in the best tier that this kernel allows, and pins programs and maps so that they work
 * without any process. The pins are prepared in a directory with another name and appear by one rename, so that
 * no process ever sees only some of them.
 */
#include "ua_helper.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <string.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "ua_killer.skel.h"

#define BPF_FS 0xcafe4a11
#define LOCK_PREFIX "/run/charon-ua-killer"
#define PROBE_BYTES (2UL << 20) /* written in less than a time slice */
#define PROBE_ERROR (PROBE_BYTES / 16)
#define PROBES 20
#define ENOUGH_PROBES 3

static char complaint[UA_REASON]; /* libbpf's first warning in this attempt */

static int keep_complaint(enum libbpf_print_level level, const char *format, va_list arguments)
{
	if (level == LIBBPF_WARN && strncmp(format, "libbpf: failed to load object", 29) &&
	    !strstr(format, "LOAD LOG") && !complaint[0]) {
		vsnprintf(complaint, sizeof(complaint), format, arguments);
		complaint[strcspn(complaint, "\n")] = 0;
	}
	return 0;
}

#define MAX_NODES 1024

/* Counts up to the highest number; for numbers in a gap, the kernel has no statistics. */
static u32 count_nodes(void)
{
	u16 nodes[MAX_NODES];
	u32 count = read_list("/sys/devices/system/node/possible", nodes, MAX_NODES);

	return count ? nodes[count - 1] + 1 : 1;
}

static bool kernel_has(struct btf *btf, const char *function)
{
	return btf && btf__find_by_name_kind(btf, function, BTF_KIND_FUNC) > 0;
}

int run_program(int fd, void *context, size_t size)
{
	LIBBPF_OPTS(bpf_test_run_opts, run, .ctx_in = context, .ctx_size_in = size);

	if (bpf_prog_test_run_opts(fd, &run))
		return -errno;
	return run.retval ? -EINVAL : 0;
}

static bool prepare_cpus(struct ua_killer_bpf *skeleton)
{
	u16 cpus[UA_MAX_CPUS + 1];
	u32 count = read_list("/sys/devices/system/cpu/possible", cpus, UA_MAX_CPUS + 1);

	if (!count || count > UA_MAX_CPUS) {
		snprintf(complaint, sizeof(complaint), "%s possible CPUs; 1 to %d are supported", count ? "too many" : "unknown",
			 UA_MAX_CPUS);
		return false;
	}
	skeleton->rodata->possible_cpus = count;
	memcpy((void *)skeleton->rodata->cpu_number, cpus, count * sizeof(*cpus));
	return true;
}

static bool prepare(struct ua_killer_bpf *skeleton, const struct options *o, u32 tier)
{
	struct bpf_program *program;
	u64 mask = 0;

	if (tier == UA_TIER_USER) { /* only maps */
		bpf_object__for_each_program(program, skeleton->obj)
			bpf_program__set_autoload(program, false);
		return true;
	}
	if (!prepare_cpus(skeleton) || getrandom(&mask, sizeof(mask), 0) != sizeof(mask))
		return false;
	skeleton->rodata->possible_nodes = count_nodes();
	skeleton->rodata->can_signal = tier == UA_TIER_KERNEL_KILL;
	skeleton->rodata->unified = memory_unified();
	skeleton->rodata->mask = mask;
	skeleton->rodata->page_shift = __builtin_ctzl(sysconf(_SC_PAGESIZE));
	bpf_program__set_autoload(skeleton->progs.count_refault, o->source == UA_SOURCE_EXACT);
	return true;
}

static bool grew(u64 before, u64 after)
{
	return after - before + PROBE_ERROR >= PROBE_BYTES && after - before <= PROBE_BYTES + PROBE_ERROR;
}

/*
 * Fills memory, private or shared, and reads the counters at these positions before and after. Every byte is written, so that the
 * number of pages is the kernel's, whatever page size the programs were given. The counters of one CPU are exact, so
 * a probe that nobody interrupts is wrong by a few pages at most.
 */
static bool probe_places(struct ua_killer_bpf *skeleton, int sharing)
{
	char *memory = mmap(NULL, PROBE_BYTES, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS, -1, 0);
	struct ua_places before, after;
	int error;

	if (memory == MAP_FAILED)
		return false;
	madvise(memory, PROBE_BYTES, MADV_NOHUGEPAGE);
	error = run_program(bpf_program__fd(skeleton->progs.places), &before, sizeof(before));
	memset(memory, 1, PROBE_BYTES);
	error = error ?: run_program(bpf_program__fd(skeleton->progs.places), &after, sizeof(after));
	munmap(memory, PROBE_BYTES);
	if (error)
		return false;
	if (sharing == MAP_SHARED)
		return grew(before.shared, after.shared) && grew(before.mapped_files, after.mapped_files);
	return grew(before.mapped, after.mapped) && after.refaults - before.refaults <= PROBE_ERROR;
}

/*
 * Checks that the programs read the intended counters, and count pages of the right size: memory that this
 * process maps has to appear at the position of the mapped pages and not among the refaults. The check reads
 * only one CPU, on which this process stays, so that other processes of the same cgroup disturb the numbers only
 * when they interrupt it. They then change them by any amount, so that one right probe may be chance. Where shared
 * memory is counted elsewhere, files in memory count as freed by a kill.
 */
static bool places_are_right(struct ua_killer_bpf *skeleton, int sharing)
{
	cpu_set_t allowed, here;
	int right = 0;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return false;
	CPU_ZERO(&here);
	CPU_SET(sched_getcpu(), &here);
	if (sched_setaffinity(0, sizeof(here), &here))
		return false;
	for (int attempt = 0; attempt < PROBES && right < ENOUGH_PROBES; attempt++) {
		usleep(attempt * 1000); /* lets processes that waited for this CPU run before the next attempt */
		right += probe_places(skeleton, sharing);
	}
	sched_setaffinity(0, sizeof(allowed), &allowed);
	return right == ENOUGH_PROBES;
}

/* Loads one tier. Returns NULL and leaves a complaint if the kernel refuses. */
static struct ua_killer_bpf *try_tier(const struct options *o, u32 tier, struct btf *btf)
{
	struct ua_killer_bpf *skeleton;

	complaint[0] = 0;
	if (tier == UA_TIER_KERNEL_KILL && !kernel_has(btf, "bpf_send_signal_task")) {
		snprintf(complaint, sizeof(complaint),
			 btf ? "the kernel has no bpf_send_signal_task (6.13 or newer has)" :
			       "the kernel has no BTF (/sys/kernel/btf/vmlinux)");
		return NULL;
	}
	if (tier != UA_TIER_USER && !libbpf_probe_bpf_prog_type(BPF_PROG_TYPE_SYSCALL, NULL)) {
		snprintf(complaint, sizeof(complaint),
			 "the kernel has no BPF programs of type syscall (5.14 or newer has)");
		return NULL;
	}
	skeleton = ua_killer_bpf__open();
	if (!skeleton || !prepare(skeleton, o, tier) || ua_killer_bpf__load(skeleton)) {
		if (!complaint[0])
			snprintf(complaint, sizeof(complaint), "loading: %s", strerror(errno));
		ua_killer_bpf__destroy(skeleton);
		return NULL;
	}
	if (tier != UA_TIER_USER) {
		int error = run_program(bpf_program__fd(skeleton->progs.setup), NULL, 0);

		if (error) {
			snprintf(complaint, sizeof(complaint), "setup program: %s", strerror(-error));
			ua_killer_bpf__destroy(skeleton);
			return NULL;
		}
		if (!places_are_right(skeleton, MAP_SHARED))
			skeleton->bss->shared_index = 0;
		if (!places_are_right(skeleton, MAP_PRIVATE)) {
			snprintf(complaint, sizeof(complaint),
				 "the page size or the place of the refault counters of this kernel is not as expected");
			ua_killer_bpf__destroy(skeleton);
			return NULL;
		}
	}
	return skeleton;
}

static struct ua_killer_bpf *load_best(const struct options *o, struct ua_control *control)
{
	struct btf *btf = btf__load_vmlinux_btf();
	char reason[UA_REASON] = "";
	u32 tier;

	libbpf_set_print(keep_complaint);
	if (libbpf_get_error(btf))
		btf = NULL;
	for (tier = o->tier; tier <= UA_TIER_USER; tier++) {
		struct ua_killer_bpf *skeleton = try_tier(o, tier, btf);

		if (skeleton) {
			control->tier = tier;
			if (tier == UA_TIER_KERNEL_KILL)
				snprintf(control->reason, UA_REASON, "the kernel supports all programs");
			else if (o->tier == tier)
				snprintf(control->reason, UA_REASON, "requested with --tier %u", tier);
			else
				snprintf(control->reason, UA_REASON, "%s", reason);
			btf__free(btf);
			return skeleton;
		}
		snprintf(reason, sizeof(reason), "%s", complaint); /* why not this one */
	}
	fail(geteuid() ? EXIT_PERMISSION : EXIT_FAILED, "the kernel refuses even BPF maps: %s%s", reason,
	     geteuid() ? "; run as root" : "");
}

/* ---- pins ---------------------------------------------------------------------------------------- */

static void remove_pins(const char *directory)
{
	char path[PATH_MAX];
	struct dirent *entry;
	DIR *listing = opendir(directory);

	if (!listing)
		return;
	while ((entry = readdir(listing)))
		if (entry->d_name[0] != '.' &&
		    snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name) < (int)sizeof(path))
			unlink(path);
	closedir(listing);
	rmdir(directory);
}

static void pin(int fd, const char *directory, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	if (bpf_obj_pin(fd, path) || chown(path, 0, 0) || chmod(path, 0600)) {
		int error = errno;

		remove_pins(directory);
		fail(EXIT_FAILED, "pinning %s: %s", path, strerror(error));
	}
}

static void pin_all(struct ua_killer_bpf *s, const char *directory, u32 tier)
{
	struct {
		struct bpf_map *map;
		const char *name;
	} maps[] = {
		{ s->maps.control, "control" },
		{ s->maps.domains, "domains" },
		{ s->maps.killable, "killable" },
		{ s->maps.walls, "walls" },
		{ s->maps.settings, "settings" },
		{ s->maps.containers, "containers" },
		{ s->maps.container_state, "container_state" },
		{ s->maps.domain_state, "domain_state" },
		{ s->maps.decisions, "decisions" },
		{ s->maps.releases, "releases" },
		{ s->maps.data_counters, "counters" },
		{ s->maps.helper, "helper" },
		{ s->maps.work, "work" },
	};
	struct bpf_program *program;
	char name[128];

	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
		pin(bpf_map__fd(maps[i].map), directory, maps[i].name);
	if (tier == UA_TIER_USER)
		return;
	pin(bpf_program__fd(s->progs.handover), directory, "handover");
	bpf_object__for_each_program(program, s->obj) {
		struct bpf_link *link;

		if (!bpf_program__autoload(program) || bpf_program__type(program) != BPF_PROG_TYPE_TRACING)
			continue;
		link = bpf_program__attach(program);
		if (libbpf_get_error(link)) {
			int error = errno;

			remove_pins(directory);
			fail(EXIT_FAILED, "attaching %s: %s %s", bpf_program__name(program), strerror(error), complaint);
		}
		snprintf(name, sizeof(name), LINK_PREFIX "%s", bpf_program__name(program));
		pin(bpf_link__fd(link), directory, name);
	}
}

/* Removes what a killed loader left behind: its links would still be attached. */
static void remove_unfinished(const char *bpffs)
{
	char path[PATH_MAX];
	struct dirent *entry;
	DIR *listing = opendir(bpffs);

	while (listing && (entry = readdir(listing)))
		if (!strncmp(entry->d_name, "charon-loading", 14) &&
		    snprintf(path, sizeof(path), "%s/%s", bpffs, entry->d_name) < (int)sizeof(path))
			remove_pins(path);
	if (listing)
		closedir(listing);
}

/*
 * Locks out other loaders until this process ends. The lock is a file of root's, because any user may hold a lock of a
 * directory that he may read. Beside the directory, such as beside /sys/fs/bpf, there may be no place for a file.
 */
static void lock(const char *bpffs, char path[PATH_MAX])
{
	struct stat held, named;
	char real[PATH_MAX];
	int fd;

	if (!realpath(bpffs, real))
		fail(EXIT_STATE, "%s: not loaded; %s", bpffs, strerror(errno));
	for (char *at = real; *at; at++)
		if (*at == '/')
			*at = '-';
	if (snprintf(path, PATH_MAX, LOCK_PREFIX "%s.lock", real) >= PATH_MAX)
		fail(EXIT_USAGE, "--bpffs %s: the path is too long", bpffs);
	fd = open(path, O_RDONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0 || fstat(fd, &held))
		fail(EXIT_FAILED, "%s: %s", path, strerror(errno));
	if (held.st_uid || held.st_mode & 077)
		fail(EXIT_PERMISSION, "%s: other users may lock this file; remove it", path);
	/* The process that held it before may have removed it. */
	if (flock(fd, LOCK_EX | LOCK_NB) || stat(path, &named) || named.st_ino != held.st_ino)
		fail(EXIT_STATE, "another ua-killer is loading or unloading in %s; try again", bpffs);
}

static bool is_mounted(const char *bpffs)
{
	struct statfs status;

	return !statfs(bpffs, &status) && status.f_type == BPF_FS;
}

static bool is_default(const char *bpffs)
{
	return !strcmp(bpffs, UA_BPFFS);
}

/* The default directory is on a file system that starts empty at each boot. */
static void make_default_place(void)
{
	char parent[] = UA_BPFFS;

	*strrchr(parent, '/') = 0;
	if ((mkdir(parent, 0755) && errno != EEXIST) || (mkdir(UA_BPFFS, 0755) && errno != EEXIST))
		fail(EXIT_FAILED, UA_BPFFS ": %s; create the directory", strerror(errno));
}

/* The mount and the directories stay if others still use them. */
static void remove_default_place(void)
{
	char parent[] = UA_BPFFS;

	*strrchr(parent, '/') = 0;
	if (umount2(UA_BPFFS, MNT_DETACH) || rmdir(UA_BPFFS) || rmdir(parent))
		return;
}

/* Two loaders that both mounted bpffs would hide each other's pins. */
static void lock_and_mount(const char *bpffs)
{
	char path[PATH_MAX];

	if (is_default(bpffs))
		make_default_place();
	if (access(bpffs, F_OK))
		fail(EXIT_USAGE, "--bpffs %s: %s; create the directory", bpffs, strerror(errno));
	lock(bpffs, path);
	if (!is_mounted(bpffs) && mount("bpf", bpffs, "bpf", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=0700"))
		fail(errno == EPERM ? EXIT_PERMISSION : EXIT_FAILED, "cannot mount bpffs on %s: %s", bpffs, strerror(errno));
}

static void require_root(const char *command)
{
	if (geteuid())
		fail(EXIT_PERMISSION, "%s needs root (it loads BPF programs and mounts bpffs)", command);
}

/* FNV-1a of the object file with the programs. */
u64 own_programs(void)
{
	u64 hash = 0xcbf29ce484222325ULL;
	const unsigned char *file;
	size_t size;

	file = ua_killer_bpf__elf_bytes(&size);
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ file[i]) * 0x100000001b3ULL;
	return hash;
}

/*
 * Programs of another build are replaced, so that an upgrade ends with the new ones. A helper would go on with the
 * maps of the old ones, or take the moment between both for an unload: so it has to end first. The lock keeps others
 * from starting until this process ends.
 */
static void require_replaceable(const struct options *o, const char *directory)
{
	struct ua_control loaded = loaded_control(o);
	int fd;

	if (loaded.version == UA_MAP_VERSION && loaded.programs == own_programs())
		fail(EXIT_STATE, "%s: already loaded; see `ua-killer status`, or run `ua-killer unload` first", directory);
	fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB))
		fail(EXIT_STATE, "%s: programs of another build of ua-killer are loaded, and their helper runs; stop it first, or run `ua-killer unload` (systemd: `systemctl restart charon-ua-killer` does all of it)",
		     directory);
	warn("programs of another build of ua-killer are replaced; domains and settings have to be set again: the unit does it for those that it names");
}

int command_load(const struct options *o)
{
	struct ua_control control = { .version = UA_MAP_VERSION, .source = o->source, .period_ms = o->period_ms };
	char directory[PATH_MAX], unfinished[PATH_MAX];
	struct ua_killer_bpf *skeleton;
	gid_t group;
	u32 zero = 0;

	require_root("load");
	group = account_group(o->group);
	lock_and_mount(o->bpffs);
	pin_directory(o, directory, sizeof(directory));
	if (is_loaded(o))
		require_replaceable(o, directory);
	remove_unfinished(o->bpffs);
	if (snprintf(unfinished, sizeof(unfinished), "%s/charon-loading-%d", o->bpffs, getpid()) >=
	    (int)sizeof(unfinished))
		fail(EXIT_USAGE, "--bpffs %s: the path is too long", o->bpffs);
	skeleton = load_best(o, &control);
	control.loaded_ns = now_ns();
	control.programs = own_programs();
	if (bpf_map_update_elem(bpf_map__fd(skeleton->maps.control), &zero, &control, BPF_ANY))
		fail(EXIT_FAILED, "control map: %s", strerror(errno));
	if (mkdir(unfinished, 0700))
		fail(EXIT_FAILED, "%s: %s", unfinished, strerror(errno));
	pin_all(skeleton, unfinished, control.tier);
	remove_pins(directory);
	/* The group gets no permission here; it is only recorded for `domain add` and `reap`. */
	if (chown(unfinished, 0, group) || rename(unfinished, directory)) {
		int error = errno;

		remove_pins(unfinished);
		fail(EXIT_FAILED, "%s: %s", directory, strerror(error));
	}
	if (!o->json)
		printf("loaded in tier %u (%s%s); pinned in %s\n", control.tier, control.reason,
		       generations_evict() ? "; the kernel evicts by generations, MGLRU" : "", directory);
	else {
		printf("{\"tier\":%u,\"reason\":", control.tier);
		print_json_string(stdout, control.reason);
		printf("}\n");
	}
	return EXIT_OK;
}

int command_unload(const struct options *o)
{
	char directory[PATH_MAX], locked[PATH_MAX];

	require_root("unload");
	lock(o->bpffs, locked);
	pin_directory(o, directory, sizeof(directory));
	remove_unfinished(o->bpffs);
	if (access(directory, F_OK)) {
		unlink(locked);
		fail(EXIT_STATE, "%s: not loaded", directory);
	}
	remove_pins(directory);
	if (!access(directory, F_OK))
		fail(EXIT_FAILED, "%s: could not be removed", directory);
	if (is_default(o->bpffs))
		remove_default_place();
	unlink(locked);
	if (!o->json)
		printf("unloaded; nothing is attached\n");
	return EXIT_OK;
}

/* Loads and attaches the programs for a moment, to tell what `load` would do on this machine. */
int command_self_test(const struct options *o)
{
	struct ua_control control = {};
	struct ua_killer_bpf *skeleton;
	struct ua_rules_call call = {
		.series = { 0, 1, 0, 1, 0 }, .now_ns = 500000000, .value = 100, .tolerance_ns = 1,
		.flat_ns = 1000000000, .min_pages = 10, .counts = 1, .memory = 4096, .anonymous = 4096, .age_ms = 4000, .score = 7,
	};
	int error = 0;

	require_root("self-test");
	skeleton = load_best(o, &control);
	if (control.tier != UA_TIER_USER) {
		error = ua_killer_bpf__attach(skeleton);
		if (!error)
			error = run_program(bpf_program__fd(skeleton->progs.rules), &call, sizeof(call));
		if (!error && (!call.thrashing || call.rank != 1025))
			error = -EINVAL;
	}
	ua_killer_bpf__destroy(skeleton);
	if (o->json) {
		printf("{\"tier\":%u,\"reason\":", control.tier);
		print_json_string(stdout, control.reason);
		printf(",\"passed\":%s}\n", error ? "false" : "true");
	} else {
		printf("tier %u: %s; programs %s\n", control.tier, control.reason,
		       error ? strerror(-error) : "load, attach and return the expected results");
	}
	return error ? EXIT_FAILED : EXIT_OK;
}

/*
 * One call of the rules per input line:
 *   value sampled mark_value mark streak_start now new_value tolerance flat min_pages counts memory swap anonymous
 *   age_ms refills kind score policy
 * and one line of results:
 *   value sampled mark_value mark streak_start thrashing rank
 */
int command_rules(const struct options *o)
{
	struct ua_control control = {};
	struct ua_killer_bpf *skeleton;
	struct ua_rules_call c;

	require_root("rules");
	skeleton = load_best(o, &control);
	if (control.tier == UA_TIER_USER)
		fail(EXIT_STATE, "rules: the kernel refuses BPF programs: %s", control.reason);

	for (;;) {
		int got, error;

		memset(&c, 0, sizeof(c));
		got = scanf("%llu %llu %llu %llu %llu %llu %llu %llu %llu %llu %u %llu %llu %llu %llu %u %u %d %u", &c.series.value,
			    &c.series.sampled_ns, &c.series.mark_value, &c.series.mark_ns, &c.series.streak_start_ns, &c.now_ns,
			    &c.value, &c.tolerance_ns, &c.flat_ns, &c.min_pages, &c.counts, &c.memory, &c.swap,
			    &c.anonymous, &c.age_ms, &c.refills, &c.kind, &c.score,
			    &c.policy);
		if (got == EOF) {
			ua_killer_bpf__destroy(skeleton);
			return EXIT_OK;
		}
		if (got != 19)
			fail(EXIT_USAGE, "rules: 19 numbers per line are expected, got %d", got);
		error = run_program(bpf_program__fd(skeleton->progs.rules), &c, sizeof(c));
		if (error)
			fail(EXIT_FAILED, "rules: %s", strerror(-error));
		printf("%llu %llu %llu %llu %llu %u %llu\n", c.series.value, c.series.sampled_ns, c.series.mark_value,
		       c.series.mark_ns, c.series.streak_start_ns, c.thrashing, c.rank);
		fflush(stdout);
	}
}
