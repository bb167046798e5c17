// SPDX-License-Identifier: Apache-2.0
/* The command line of the kernel UA killer. */
#include "ua_internal.h"

#include <bpf/bpf.h>
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char help[] =
	"ua-killer: ends memory thrash inside the kernel\n"
	"\n"
	"A domain is the memory cgroup of one node. Containers are registered below it: watched ones may trigger a kill,\n"
	"killable ones may die. When the kernel reclaims memory for the domain and a container's refaults keep growing for\n"
	"cgth_time, the killable container with the largest memory per second of execution time dies, at once and whole.\n"
	"\n"
	"  ua-killer load [--group G] [--source lite|exact] [--period-ms N] [--tier 1|2|3]\n"
	"                                 attach to the kernel in the best tier it allows (1 kills in the kernel, 2 detects\n"
	"                                 there, 3 does all in the helper); stays until `unload`\n"
	"  ua-killer reap [--threads N] [--no-release]\n"
	"                                 the helper: returns a victim's memory quickly, finishes what a pass missed,\n"
	"                                 kills in tiers 2 and 3; runs in the foreground (conf/charon-ua-killer.service);\n"
	"                                 --no-release only watches victims die, to compare\n"
	"  ua-killer unload               detach; nothing stays\n"
	"  ua-killer domain add CGROUP [--min-cgth-ms N] [--max-cgth-ms N]      root only\n"
	"  ua-killer domain remove CGROUP\n"
	"  ua-killer register CGROUP --domain CGROUP [--score 1..1000] [--age-ms N]   without a score: watched only\n"
	"  ua-killer unregister CGROUP|ID\n"
	"  ua-killer set KEY VALUE [--domain CGROUP]    all domains if none is given; keys:\n"
	"      cgth-time-ms N          tolerated thrash (3000; 0: never kill)\n"
	"      flat-ms N               a series may stand still this long (100..60000; 1000)\n"
	"      min-pages N             growth below this within flat-ms is standing still (1..1000000; 10)\n"
	"      policy P                memory-per-time | score\n"
	"      file-refaults R         any | recent | workingset: which refaults of file pages count (workingset: of\n"
	"                              pages that were in use when they were evicted)\n"
	"      victim-timeout-ms N     a victim alive after this: next candidate (100..60000; 2000)\n"
	"      period-ms N             time between samples (10..1000; 100), root only\n"
	"  ua-killer status               tier, domains, containers, kills\n"
	"  ua-killer watch [--since N] [--count N]      decisions as they happen\n"
	"  ua-killer samples CGROUP       the measured series of a container\n"
	"  ua-killer self-test            would it work here? loads, attaches, runs the rules, leaves nothing\n"
	"  ua-killer rules                runs the kernel's own rules on the numbers of standard input (for tests)\n"
	"\n"
	"Everywhere: --json, --bpffs DIR (/sys/fs/bpf). Example, as root:\n"
	"  ua-killer load --group yarn && ua-killer domain add /sys/fs/cgroup/memory/hadoop-yarn\n"
	"Exit codes: 0 done, 1 failed, 2 wrong arguments, 3 wrong state (not loaded, loaded already), 4 permission.\n";

void warn(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fprintf(stderr, "ua-killer: ");
	vfprintf(stderr, format, arguments);
	fprintf(stderr, "\n");
	va_end(arguments);
}

_Noreturn void fail(enum exit_code code, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fprintf(stderr, "ua-killer: ");
	vfprintf(stderr, format, arguments);
	fprintf(stderr, "\n");
	va_end(arguments);
	exit(code);
}

u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static u64 number(const char *what, const char *text, u64 low, u64 high)
{
	char *end;
	unsigned long long value;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || *end || !isdigit((unsigned char)*text) || value < low || value > high)
		fail(EXIT_USAGE, "%s %s: give a whole number from %llu to %llu", what, text, low, high);
	return value;
}

static int one_of(const char *what, const char *text, const char *const *names, int count)
{
	for (int i = 0; i < count; i++)
		if (!strcmp(text, names[i]))
			return i;
	fprintf(stderr, "ua-killer: %s %s: give one of", what, text);
	for (int i = 0; i < count; i++)
		fprintf(stderr, " %s", names[i]);
	fprintf(stderr, "\n");
	exit(EXIT_USAGE);
}

/* ---- domains ------------------------------------------------------------------------------------- */

static void refuse_nesting(int domains, const char *path)
{
	char other[PATH_MAX];
	bool started = false;
	u64 id = 0;

	while (next_key(domains, &id, &started)) {
		if (!cgroup_path(id, other, sizeof(other)))
			continue;
		if (cgroup_is_below(path, other) || cgroup_is_below(other, path))
			fail(EXIT_USAGE, "%s and the domain %s contain one another; a domain may not lie inside another", path,
			     other);
	}
}

static int domain_add(const struct options *o, const char *path, u64 low, u64 high)
{
	struct ua_domain limits = { low, high };
	struct ua_settings values = {
		.cgth_time_ms = 3000, .flat_ms = 1000, .min_pages = 10, .file_refaults = UA_REFAULTS_WORKINGSET,
		.victim_timeout_ms = 2000,
	};
	struct ua_domain_state state = {};
	int domains = open_pin(o, "domains", true);
	u64 id = cgroup_id(path);

	if (low > high)
		fail(EXIT_USAGE, "--min-cgth-ms %llu is above --max-cgth-ms %llu", low, high);
	refuse_nesting(domains, path);
	/* The domain itself comes last: from then on it counts. */
	if (bpf_map_update_elem(open_pin(o, "settings", true), &id, &values, BPF_ANY) ||
	    bpf_map_update_elem(open_pin(o, "domain_state", true), &id, &state, BPF_ANY) ||
	    bpf_map_update_elem(domains, &id, &limits, BPF_ANY))
		fail(EXIT_FAILED, "%s: %s", path,
		     errno == E2BIG ? "the table of domains is full (8); remove one" : strerror(errno));
	if (!o->json)
		printf("domain %s (%llu)\n", path, id);
	return EXIT_OK;
}

static u64 id_or_path(const char *text)
{
	return isdigit((unsigned char)*text) ? number("cgroup", text, 1, ULLONG_MAX) : cgroup_id(text);
}

static int domain_remove(const struct options *o, const char *path)
{
	int containers = open_pin(o, "containers", true);
	u64 id = id_or_path(path), key = 0, gone[UA_MAX_CONTAINERS];
	struct ua_container c;
	bool started = false;
	int count = 0;

	if (bpf_map_delete_elem(open_pin(o, "domains", true), &id))
		fail(EXIT_STATE, "%s: no such domain; see `ua-killer status`", path);
	bpf_map_delete_elem(open_pin(o, "settings", true), &id);
	bpf_map_delete_elem(open_pin(o, "domain_state", true), &id);
	while (count < UA_MAX_CONTAINERS && next_key(containers, &key, &started))
		if (!bpf_map_lookup_elem(containers, &key, &c) && c.domain == id)
			gone[count++] = key;
	while (count)
		bpf_map_delete_elem(containers, &gone[--count]);
	return EXIT_OK;
}

/* ---- containers ---------------------------------------------------------------------------------- */

static int register_container(const struct options *o, const char *path, const char *domain, u64 score, u64 age_ms)
{
	struct ua_container c = { .score = score, .flags = score ? UA_KILLABLE : 0 };
	u64 id = cgroup_id(path), age_ns = age_ms * 1000000, now = now_ns();
	struct ua_domain limits;

	c.domain = cgroup_id(domain);
	c.start_ns = age_ns < now ? now - age_ns : 1;
	if (bpf_map_lookup_elem(open_pin(o, "domains", false), &c.domain, &limits))
		fail(EXIT_STATE, "%s is no domain; root adds it with `ua-killer domain add`", domain);
	if (!cgroup_is_below(path, domain))
		fail(EXIT_USAGE, "%s is not below the domain %s; only containers of the domain can be registered", path, domain);
	if (bpf_map_update_elem(open_pin(o, "containers", true), &id, &c, BPF_ANY))
		fail(EXIT_FAILED, "%s: %s", path,
		     errno == E2BIG ? "the table of containers is full (1024); unregister finished ones" : strerror(errno));
	return EXIT_OK;
}

static int unregister_container(const struct options *o, const char *name)
{
	u64 id = id_or_path(name);

	if (bpf_map_delete_elem(open_pin(o, "containers", true), &id))
		fail(EXIT_STATE, "%s: not registered", name);
	return EXIT_OK;
}

/* ---- settings ------------------------------------------------------------------------------------ */

static void change(struct ua_settings *values, const struct ua_domain *limits, const char *key, const char *text)
{
	static const char *const policies[] = { "memory-per-time", "score" };
	static const char *const refaults[] = { "any", "recent", "workingset" };

	if (!strcmp(key, "cgth-time-ms")) {
		u64 ms = number(key, text, 0, UINT_MAX);

		if (ms && (ms < limits->min_cgth_time_ms || ms > limits->max_cgth_time_ms))
			fail(EXIT_USAGE, "cgth-time-ms %s: this domain allows 0 (off) or %u to %u; root sets the limits with `domain add`",
			     text, limits->min_cgth_time_ms, limits->max_cgth_time_ms);
		values->cgth_time_ms = ms;
	} else if (!strcmp(key, "flat-ms"))
		values->flat_ms = number(key, text, 100, 60000);
	else if (!strcmp(key, "min-pages"))
		values->min_pages = number(key, text, 1, 1000000);
	else if (!strcmp(key, "victim-timeout-ms"))
		values->victim_timeout_ms = number(key, text, 100, 60000);
	else if (!strcmp(key, "policy"))
		values->policy = one_of(key, text, policies, 2);
	else if (!strcmp(key, "file-refaults"))
		values->file_refaults = one_of(key, text, refaults, 3);
	else
		fail(EXIT_USAGE, "%s: no such key; see `ua-killer --help`", key);
}

static int set_value(const struct options *o, const char *key, const char *text, const char *domain)
{
	u64 id = 0, only = domain ? cgroup_id(domain) : 0;
	struct ua_settings values;
	struct ua_domain limits;
	bool started = false, found = false;
	int domains, settings;

	if (!strcmp(key, "period-ms")) {
		struct ua_control control;
		int map = open_pin(o, "control", true);
		u32 zero = 0;

		if (bpf_map_lookup_elem(map, &zero, &control))
			fail(EXIT_FAILED, "control map: %s", strerror(errno));
		control.period_ms = number(key, text, 10, 1000);
		if (bpf_map_update_elem(map, &zero, &control, BPF_ANY))
			fail(EXIT_FAILED, "control map: %s", strerror(errno));
		return EXIT_OK;
	}
	domains = open_pin(o, "domains", false);
	settings = open_pin(o, "settings", true);
	while (next_key(domains, &id, &started)) {
		if ((only && id != only) || bpf_map_lookup_elem(domains, &id, &limits) ||
		    bpf_map_lookup_elem(settings, &id, &values))
			continue;
		found = true;
		change(&values, &limits, key, text);
		if (bpf_map_update_elem(settings, &id, &values, BPF_EXIST))
			fail(EXIT_FAILED, "settings map: %s", strerror(errno));
	}
	if (!found)
		fail(EXIT_STATE, "%s: no such domain; add it with `ua-killer domain add`", domain ? domain : "(any)");
	return EXIT_OK;
}

/* ---- command line -------------------------------------------------------------------------------- */

enum {
	OPTION_BPFFS = 256,
	OPTION_GROUP,
	OPTION_SOURCE,
	OPTION_PERIOD,
	OPTION_TIER,
	OPTION_THREADS,
	OPTION_NO_RELEASE,
	OPTION_MIN,
	OPTION_MAX,
	OPTION_DOMAIN,
	OPTION_SCORE,
	OPTION_AGE,
	OPTION_SINCE,
	OPTION_COUNT
};

static const struct option long_options[] = {
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
	{ "bpffs", required_argument, NULL, OPTION_BPFFS },
	{ "group", required_argument, NULL, OPTION_GROUP },
	{ "source", required_argument, NULL, OPTION_SOURCE },
	{ "period-ms", required_argument, NULL, OPTION_PERIOD },
	{ "tier", required_argument, NULL, OPTION_TIER },
	{ "threads", required_argument, NULL, OPTION_THREADS },
	{ "no-release", no_argument, NULL, OPTION_NO_RELEASE },
	{ "min-cgth-ms", required_argument, NULL, OPTION_MIN },
	{ "max-cgth-ms", required_argument, NULL, OPTION_MAX },
	{ "domain", required_argument, NULL, OPTION_DOMAIN },
	{ "score", required_argument, NULL, OPTION_SCORE },
	{ "age-ms", required_argument, NULL, OPTION_AGE },
	{ "since", required_argument, NULL, OPTION_SINCE },
	{ "count", required_argument, NULL, OPTION_COUNT },
	{}
};

struct arguments {
	struct options o;
	const char *domain;
	u64 low, high, score, age_ms, since;
	int count;
	int words;
	char **word;
};

static void parse(int argc, char **argv, struct arguments *a)
{
	static const char *const sources[] = { "lite", "exact" };
	int option;

	while ((option = getopt_long(argc, argv, "h", long_options, NULL)) != -1) {
		switch (option) {
		case 'j': a->o.json = true; break;
		case 'h': fputs(help, stdout); exit(EXIT_OK);
		case OPTION_BPFFS: a->o.bpffs = optarg; break;
		case OPTION_GROUP: a->o.group = optarg; break;
		case OPTION_SOURCE: a->o.source = one_of("--source", optarg, sources, 2); break;
		case OPTION_PERIOD: a->o.period_ms = number("--period-ms", optarg, 10, 1000); break;
		case OPTION_TIER: a->o.tier = number("--tier", optarg, 1, 3); break;
		case OPTION_THREADS: a->o.threads = number("--threads", optarg, 1, 64); break;
		case OPTION_NO_RELEASE: a->o.no_release = true; break;
		case OPTION_MIN: a->low = number("--min-cgth-ms", optarg, 1, 3600000); break;
		case OPTION_MAX: a->high = number("--max-cgth-ms", optarg, 1, 3600000); break;
		case OPTION_DOMAIN: a->domain = optarg; break;
		case OPTION_SCORE: a->score = number("--score", optarg, 1, 1000); break;
		case OPTION_AGE: a->age_ms = number("--age-ms", optarg, 0, 1ULL << 40); break;
		case OPTION_SINCE: a->since = number("--since", optarg, 0, LLONG_MAX); break;
		case OPTION_COUNT: a->count = number("--count", optarg, 1, 1000000); break;
		default: fail(EXIT_USAGE, "see `ua-killer --help`");
		}
	}
	a->words = argc - optind;
	a->word = argv + optind;
}

static bool is(const struct arguments *a, const char *command, int words)
{
	if (strcmp(a->word[0], command))
		return false;
	if (a->words != words)
		fail(EXIT_USAGE, "%s: wrong number of arguments; see `ua-killer --help`", command);
	return true;
}

static int run_domain(const struct arguments *a)
{
	if (!strcmp(a->word[1], "add"))
		return domain_add(&a->o, a->word[2], a->low, a->high);
	if (!strcmp(a->word[1], "remove"))
		return domain_remove(&a->o, a->word[2]);
	fail(EXIT_USAGE, "domain %s: give add or remove", a->word[1]);
}

int main(int argc, char **argv)
{
	struct arguments a = {
		.o = { .bpffs = "/sys/fs/bpf", .period_ms = 100, .tier = UA_TIER_KERNEL_KILL },
		.low = 100, .high = 600000, .since = -1,
	};

	parse(argc, argv, &a);
	if (!a.words) {
		fputs(help, stderr);
		return EXIT_USAGE;
	}
	if (is(&a, "load", 1))
		return command_load(&a.o);
	if (is(&a, "unload", 1))
		return command_unload(&a.o);
	if (is(&a, "reap", 1))
		return command_reap(&a.o);
	if (is(&a, "status", 1))
		return command_status(&a.o);
	if (is(&a, "watch", 1))
		return command_watch(&a.o, a.since, a.count);
	if (is(&a, "samples", 2))
		return command_samples(&a.o, a.word[1]);
	if (is(&a, "self-test", 1))
		return command_self_test(&a.o);
	if (is(&a, "rules", 1))
		return command_rules(&a.o);
	if (is(&a, "domain", 3))
		return run_domain(&a);
	if (is(&a, "register", 2)) {
		if (!a.domain)
			fail(EXIT_USAGE, "register: --domain CGROUP is missing");
		return register_container(&a.o, a.word[1], a.domain, a.score, a.age_ms);
	}
	if (is(&a, "unregister", 2))
		return unregister_container(&a.o, a.word[1]);
	if (is(&a, "set", 3))
		return set_value(&a.o, a.word[1], a.word[2], a.domain);
	fail(EXIT_USAGE, "%s: no such command; see `ua-killer --help`", a.word[0]);
}
