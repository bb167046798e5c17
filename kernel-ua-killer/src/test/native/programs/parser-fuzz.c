// SPDX-License-Identifier: Apache-2.0
/*
 * Feeds the parsers of kernel files and of netlink replies with texts as the kernel writes them, with damaged
 * ones and with arbitrary bytes, built with AddressSanitizer and UndefinedBehaviorSanitizer. Nothing is asked of
 * the kernel and no process is signalled: the linker redirects the calls that would do so to this file.
 * Arguments: an empty directory, which plays the mount point of the memory cgroups, their version, seconds, and
 * a seed.
 */
#include "ua_helper.h"
#include "ua_limit_files.h"
#include "ua_netlink.h"
#include "ua_traffic.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
			exit(1); \
		} \
	} while (0)
#define PROCESS 123456789 /* above the kernel's highest process number */
#define DEVICE 7

static u64 seed;
static const char *mount_directory;
static char mounts[64];            /* plays /proc/self/mountinfo */
static const char *process_file; /* plays a file below /proc/PID; NULL: it cannot be opened */
static int signalled;
static bool no_memory;

static u64 next(u64 below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

/* ---- redirected calls ---------------------------------------------------------------------------- */

FILE *__real_fopen(const char *name, const char *mode);
void *__real_realloc(void *memory, size_t size);

FILE *__wrap_fopen(const char *name, const char *mode)
{
	if (!strcmp(name, "/proc/self/mountinfo"))
		return __real_fopen(mounts, mode);
	if (strncmp(name, "/proc/", 6))
		return __real_fopen(name, mode);
	return process_file ? fmemopen((void *)process_file, strlen(process_file) + 1, "r") : NULL;
}

void *__wrap_realloc(void *memory, size_t size)
{
	return no_memory ? NULL : __real_realloc(memory, size);
}

long __wrap_syscall(long number, ...)
{
	if (number == SYS_pidfd_send_signal)
		signalled++;
	return number == SYS_pidfd_open ? eventfd(0, EFD_CLOEXEC) : 0;
}

static char *reply; /* plays what the kernel sends */
static size_t reply_length;

ssize_t __wrap_sendto(int fd, const void *data, size_t size, int flags, const struct sockaddr *to, socklen_t length)
{
	return size;
}

/* The reply ends where the buffer ends, so that the sanitizer sees a read behind it. */
ssize_t __wrap_recv(int fd, void *buffer, size_t size, int flags)
{
	struct nlmsghdr *filler = buffer;

	if (!reply_length) {
		errno = EAGAIN;
		return -1;
	}
	memset(buffer, 0, size);
	filler->nlmsg_len = size - reply_length;
	memcpy((char *)buffer + size - reply_length, reply, reply_length);
	reply_length = 0;
	return size;
}

/* ---- texts --------------------------------------------------------------------------------------- */

static void damage(char *text, size_t length)
{
	static const char marks[] = " \n:/-=,0123456789kBmax";

	for (u64 i = next(3) ? 0 : next(6); i && length; i--)
		text[next(length)] = next(2) ? marks[next(sizeof(marks) - 1)] : (char)next(256);
}

static const char *number(char text[32])
{
	static const char *const odd[] = { "max", "", "-1", "18446744073709551615", "9223372036854775807", "9007199254740993",
					   "99999999999999999999999", " 5", "0x10" };

	if (!next(5))
		return odd[next(sizeof(odd) / sizeof(*odd))];
	snprintf(text, 32, "%llu", next(3) ? next(1ULL << 20) : next(1ULL << 63));
	return text;
}

/* Lines as in memory.stat, /proc/meminfo and /proc/vmstat. */
static size_t write_lines(char *text, size_t size)
{
	static const char *const keys[] = { "total_active_file", "total_inactive_file", "total_dirty", "total_writeback", "active_file",
					    "inactive_file", "file_dirty", "file_writeback", "Active(file)", "Inactive(file)", "Dirty",
					    "Writeback", "MemTotal", "MemFree", "Hugetlb", "pgscan_kswapd", "workingset_refault_anon" };
	size_t length = 0;
	char value[32];

	for (u64 i = next(next(9) ? 30 : 900); i && length < size - 80; i--)
		length += snprintf(text + length, size - length, "%s%s%s%s%s", keys[next(sizeof(keys) / sizeof(*keys))],
				   next(2) ? " " : ": ", number(value), next(3) ? "" : " kB", next(9) ? "\n" : "");
	damage(text, length);
	return length;
}

static int file_of(const char *text, size_t length)
{
	int fd = memfd_create("file", MFD_CLOEXEC);

	CHECK(fd >= 0 && write(fd, text, length) == (ssize_t)length);
	return fd;
}

static void write_file(const char *directory, const char *name, const char *text, size_t length)
{
	char path[PATH_MAX];
	int fd;

	CHECK(snprintf(path, sizeof(path), "%s/%s", directory, name) < (int)sizeof(path));
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	CHECK(fd >= 0 && write(fd, text, length) == (ssize_t)length);
	close(fd);
}

/* ---- tests ------------------------------------------------------------------------------------ */

static void values(void)
{
	static const char *const names[] = { "any", "recent", "workingset" };
	u64 low = next(100), high = low + next(1ULL << next(64)), value;
	char made[32], *text = strdup(number(made));
	struct ua_error error;
	u32 choice;

	damage(text, strlen(text));
	if (!parse_number("key", text, low, high, &value, &error)) {
		CHECK(value >= low && value <= high && *text && strspn(text, "0123456789") == strlen(text));
		CHECK(value == strtoull(text, NULL, 10));
	} else {
		CHECK(error.code == EXIT_USAGE && *error.text);
	}
	CHECK(parse_choice("key", text, names, 3, &choice, &error) == EXIT_USAGE && choice == 3);
	CHECK(!parse_choice("key", names[next(3)], names, 3, &choice, &error) && choice < 3);
	CHECK(open_cgroup_at("--cgroup", text, NULL, &error) < 0 && error.code == EXIT_USAGE);
	free(text);
}

static void memory_limit_files(void)
{
	static char text[20000];
	struct limit_files f = { .machine = next(2), .unified = next(2), .freezer = -1 };
	char value[32];
	const char *made;

	f.stat = file_of(text, write_lines(text, sizeof(text)));
	f.node_use = file_of(text, write_lines(text, sizeof(text)));
	made = number(value);
	f.limit = file_of(made, strlen(made));
	made = number(value);
	f.swap_limit = file_of(made, strlen(made));
	f.swap_use = f.swap_limit;
	CHECK(files_clean(f.stat, f.machine, f.unified) >= 0);
	CHECK(files_dirty(&f) >= 0 && files_under_writeback(&f) >= 0);
	files_node_use(&f);
	if (file_read_number(f.limit) >= 0)
		CHECK(file_read_number(f.limit) <= UA_LIMIT_NONE);
	files_set_limit(&f, next(2) ? UA_LIMIT_NONE : (s64)next(1ULL << 62), next(2) ? -1 : (s64)next(1ULL << 62));
	close(f.stat);
	close(f.node_use);
	close(f.limit);
	close(f.swap_limit);
}

static void cgroup_files(void)
{
	static char text[20000];
	u64 value;

	write_file(mount_directory, "memory.stat", text, write_lines(text, sizeof(text)));
	cgroup_number(mount_directory, "memory.stat", next(2) ? "pgscan_kswapd" : NULL, &value);
	write_file(mount_directory, "memory.stat", "pgscan 1\npgscan_kswapd 42\n", 26);
	CHECK(cgroup_number(mount_directory, "memory.stat", "pgscan_kswapd", &value) && value == 42);
}

/* ---- /proc/PID/cgroup ---------------------------------------------------------------------------- */

static int signals_to(const char *container, const char *text)
{
	signalled = 0;
	process_file = text;
	cgroup_signal(container, NULL, NULL);
	return signalled;
}

/* A process gets a signal if the kernel shows it in the container, and not if the kernel shows it elsewhere. */
static void processes(const char *container)
{
	static char text[20000], deep[9000];
	const char *inside = container + strlen(mount_directory);
	const char *form = memory_unified() ? "3:cpu:/%s\n0::%s%s\n" : "9:cpu,cpuacct:/%s\n4:hugetlb,memory:%s%s\n0::/x\n";

	/* The user chooses the names of cgroups, and of each hierarchy the kernel shows one path, of any length. */
	memset(deep, 0, sizeof(deep));
	memset(deep, 'd', next(sizeof(deep) - 64));
	strcat(deep, next(2) ? ":memory:/" : "0::/");
	snprintf(text, sizeof(text), form, deep, inside, next(2) ? "" : "/nested");
	CHECK(signals_to(container, text) == 1);
	snprintf(text, sizeof(text), form, "", inside, "-other");
	CHECK(signals_to(container, text) == 0);
	snprintf(deep + strlen(deep) - 1, 64, "%s", inside);
	snprintf(text, sizeof(text), form, deep, "/elsewhere", "");
	CHECK(signals_to(container, text) == 0);
	CHECK(signals_to(container, NULL) == 1); /* unknown, but it is listed twice */
	damage(text, strlen(text));
	signals_to(container, text);
}

/*
 * A container whose only process is in a nested cgroup is not empty, also while no memory is free to walk there. Nor is one
 * whose list of processes cannot be read: it is a directory here.
 */
static void emptiness(const char *container)
{
	char path[PATH_MAX];

	CHECK(!cgroup_empty(container));
	no_memory = true;
	CHECK(!cgroup_empty(container));
	no_memory = false;
	CHECK(snprintf(path, sizeof(path), "%s/unreadable", mount_directory) < PATH_MAX - 32);
	CHECK(!mkdir(path, 0700) || errno == EEXIST);
	write_file(path, "cgroup.procs", "", 0);
	CHECK(cgroup_empty(path));
	strcat(path, "/cgroup.procs");
	CHECK(!unlink(path) && !mkdir(path, 0700));
	*strrchr(path, '/') = 0;
	CHECK(!cgroup_empty(path));
	strcat(path, "/cgroup.procs");
	CHECK(!rmdir(path));
}

/* On cgroup v2, the list of processes that keep forking grows while it is read; a pipe that is always filled plays it. */
static void endless_list(void)
{
	char path[PATH_MAX];
	u64 began;
	pid_t writer;

	CHECK(snprintf(path, sizeof(path), "%s/endless", mount_directory) < PATH_MAX - 32);
	CHECK(!mkdir(path, 0700));
	strcat(path, "/cgroup.procs");
	CHECK(!mkfifo(path, 0600));
	writer = fork();
	CHECK(writer >= 0);
	if (!writer) {
		FILE *list = fopen(path, "we");

		while (list && fprintf(list, "%d\n", PROCESS) > 0)
			;
		_exit(0);
	}
	*strrchr(path, '/') = 0;
	began = now_ns();
	alarm(30);
	signals_to(path, NULL); /* the kernel hides where a process is, so that the list is read again for each */
	alarm(0);
	CHECK(now_ns() - began < 10000000000ULL);
	CHECK(waitpid(writer, NULL, 0) == writer);
}

static void make_container(char container[PATH_MAX])
{
	static const char *const nested[] = { "", "/one", "/one/two" };
	char path[PATH_MAX];
	int length;

	CHECK(snprintf(container, PATH_MAX / 2, "%s/container", mount_directory) < PATH_MAX / 2);
	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s%s", container, nested[i]);
		CHECK(!mkdir(path, 0700));
		length = i == 2 ? snprintf(path + PATH_MAX / 2, 32, "%d\n", PROCESS) : 0;
		write_file(path, "cgroup.procs", path + PATH_MAX / 2, length);
	}
}

/* ---- /proc/PID/stat and lists ---------------------------------------------------------------------- */

/* The process chooses its name, up to 63 characters for a kernel thread. */
static void start_of_process(void)
{
	static const char marks[] = ") (\nRS0123456789";
	char name[64], text[4096];
	u64 ticks = next(1ULL << next(63)), found = 0;
	size_t length = next(sizeof(name)), at;

	for (size_t i = 0; i < length; i++)
		name[i] = next(2) ? marks[next(sizeof(marks) - 1)] : (char)(1 + next(255));
	name[length] = 0;
	at = snprintf(text, sizeof(text), "%d (%s) S", PROCESS, name);
	for (int field = 4; field <= 52; field++)
		at += field == 22 ? snprintf(text + at, sizeof(text) - at, " %llu", ticks) :
				    snprintf(text + at, sizeof(text) - at, " %lld", (long long)next(1ULL << 63) * (next(2) ? 1 : -1));
	snprintf(text + at, sizeof(text) - at, "\n");
	process_file = text;
	CHECK(process_start(PROCESS, &found) && found == ticks);
	damage(text, strlen(text));
	process_start(PROCESS, &found);
	process_file = "1 (a) S 1 1 1 0 -1 4194560 1 1 1 1 1 1 1 1 20 0 1 0 "; /* the next field is missing */
	CHECK(!process_start(PROCESS, &found));
	process_file = "1 (a) S 1 1 1 0 -1 4194560 1 1 1 1 1 1 1 1 20 0 1 0 -7 1\n";
	CHECK(!process_start(PROCESS, &found));
	process_file = NULL;
	CHECK(!process_start(PROCESS, &found));
}

static u32 list_of(const char *text, u16 *numbers, u32 most)
{
	char path[PATH_MAX];

	write_file(mount_directory, "list", text, strlen(text));
	snprintf(path, sizeof(path), "%s/list", mount_directory);
	return read_list(path, numbers, most);
}

static void lists(void)
{
	static const char *const none[] = { "", "\n", ",", "-1", "3-1", "1,0", "0,0", "0-2,2", "0-", "0-3,", "0x3", " 1", "0-3 4", "65536",
					    "0-18446744073709551616" };
	static u16 expected[65536], found[65536];
	char text[20000];
	u32 count = 0, most = 1 + next(700), from = 0, kept;
	size_t length = 0;

	for (u64 i = 1 + next(40); i && length < sizeof(text) - 32; i--) {
		u32 to;

		from += next(200);
		to = from + next(3) * next(100);
		length += snprintf(text + length, sizeof(text) - length, from == to ? "%s%u" : "%s%u-%u", length ? "," : "", from, to);
		for (; from <= to; from++)
			expected[count++] = from;
	}
	snprintf(text + length, sizeof(text) - length, "%s", next(9) ? "\n" : "");
	kept = count < most ? count : most;
	CHECK(list_of(text, found, most) == kept && !memcmp(found, expected, kept * sizeof(*found)));
	CHECK(!list_of(none[next(sizeof(none) / sizeof(*none))], found, most));
	damage(text, strlen(text));
	kept = list_of(text, found, most);
	CHECK(kept <= most);
	for (u32 i = 1; i < kept; i++)
		CHECK(found[i - 1] < found[i]);
	CHECK(!read_list("/nowhere", found, most));
}

/* ---- netlink ------------------------------------------------------------------------------------- */

static size_t add_attributes(char *at, size_t space, int depth)
{
	static const int types[] = { IFLA_IFNAME, IFLA_IFALIAS, IFLA_LINKINFO, IFLA_INFO_KIND, IFLA_STATS64, TCA_KIND, TCA_OPTIONS,
				     TCA_STATS2, TCA_TBF_PARMS, TCA_TBF_RATE64, NLMSGERR_ATTR_MSG };
	size_t length = 0;

	for (u64 i = next(5); i && length + 64 < space; i--) {
		struct nlattr *attribute = (struct nlattr *)(at + length);
		size_t size = depth && !next(2) ? add_attributes(at + length + NLA_HDRLEN, space - length - NLA_HDRLEN, depth - 1) :
						  next(next(5) ? 40 : space - length - 16);

		if (length + NLA_ALIGN(NLA_HDRLEN + size) > space)
			break;
		attribute->nla_type = types[next(sizeof(types) / sizeof(*types))] | (next(4) ? 0 : NLA_F_NESTED);
		attribute->nla_len = next(9) ? NLA_HDRLEN + size : next(65536);
		length += NLA_ALIGN(NLA_HDRLEN + size);
	}
	return length;
}

static size_t make_message(char *at, size_t space)
{
	static const int types[] = { NLMSG_NOOP, NLMSG_ERROR, NLMSG_DONE, RTM_NEWLINK, RTM_NEWQDISC, RTM_NEWTFILTER };
	static const int flags[] = { 0, NLM_F_MULTI, NLM_F_ACK_TLVS, NLM_F_ACK_TLVS | NLM_F_CAPPED };
	struct nlmsghdr *message = (struct nlmsghdr *)at;
	struct tcmsg *fixed = NLMSG_DATA(message);
	size_t length = NLMSG_HDRLEN;

	memset(at, 0, space);
	message->nlmsg_type = types[next(sizeof(types) / sizeof(*types))];
	message->nlmsg_flags = flags[next(sizeof(flags) / sizeof(*flags))];
	if (next(4)) {
		for (size_t i = 0; i < sizeof(*fixed); i++)
			((char *)fixed)[i] = next(2) ? 0 : next(256);
		fixed->tcm_ifindex = DEVICE;
		fixed->tcm_handle = next(2) ? 0xca10U << 16 : next(4);
		fixed->tcm_parent = next(2) ? TC_H_CLSACT : next(4);
		length += NLMSG_ALIGN(sizeof(*fixed));
		length += add_attributes(at + length, space - length, 2);
	} else {
		length += next(40);
	}
	message->nlmsg_len = next(9) ? length : next(space);
	damage(at + NLMSG_HDRLEN, length - NLMSG_HDRLEN);
	return NLMSG_ALIGN(length);
}

static void keep_text(const struct traffic_link *link, void *argument)
{
	CHECK(strlen(link->name) < sizeof(link->name) && strlen(link->kind) < sizeof(link->kind) &&
	      strlen(link->note) < sizeof(link->note));
}

static void make_reply(void)
{
	static char space[16384] __attribute__((aligned(NLMSG_ALIGNTO)));

	reply = space;
	reply_length = 0;
	for (u64 i = 1 + next(4); i; i--)
		reply_length += make_message(space + reply_length, 2048);
}

static void replies(void)
{
	struct traffic_link device = { .index = DEVICE, .name = "test" }, found;
	struct traffic_shaper values;
	struct traffic_hooks hooks;
	struct ua_error error;

	make_reply();
	traffic_links(keep_text, NULL, &error);
	make_reply();
	if (!traffic_find_link("test", &found, &error))
		keep_text(&found, NULL);
	make_reply();
	traffic_read_shaper(&device, &values, &error);
	make_reply();
	traffic_read_hooks(&device, &hooks, &error);
}

int main(int argc, char **argv)
{
	char container[PATH_MAX], line[PATH_MAX + 64];
	u64 end, rounds = 0;
	int descriptor;
	bool unified;

	CHECK(argc == 5);
	mount_directory = argv[1];
	unified = !strcmp(argv[2], "2");
	end = now_ns() + strtoull(argv[3], NULL, 10) * 1000000000ULL;
	seed = strtoull(argv[4], NULL, 10) * 2 + 1;
	snprintf(line, sizeof(line), "24 23 0:22 / %s rw - cgroup%s none rw%s\n", mount_directory, unified ? "2" : "", unified ? "" : ",memory");
	snprintf(mounts, sizeof(mounts), "/proc/self/fd/%d", file_of(line, strlen(line)));
	CHECK(!strcmp(memory_mount(), mount_directory) && memory_unified() == unified);
	make_container(container);
	endless_list();
	for (; now_ns() < end; rounds++) {
		values();
		memory_limit_files();
		cgroup_files();
		processes(container);
		emptiness(container);
		start_of_process();
		lists();
		for (int i = 0; i < 5; i++)
			replies();
	}
	descriptor = dup(0);
	CHECK(descriptor < 16); /* none is left open */
	printf("%llu rounds with cgroup v%s\n", rounds, argv[2]);
	return 0;
}
