// SPDX-License-Identifier: Apache-2.0
/* The command line of all parts of ua-killer: the killer, the network shaper, the counters and the memory limit. */
#include "counters/ua_counters.h"
#include "killer/ua_helper.h"
#include "memory-limit/ua_limit.h"
#include "memory-limit/ua_reclaim.h"
#include "shaper/ua_network.h"

#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
	"ua-killer: ends memory thrash inside the kernel\n"
	"\n"
	"A domain is the memory cgroup of one node. Containers are registered below it: watched ones may trigger a kill,\n"
	"killable ones may be killed. When the kernel reclaims memory for the domain and a container's refaults keep growing for\n"
	"cgth_time, the killable container that frees most memory per second of execution time is killed at once, as a whole.\n"
	"\n"
	"  ua-killer load [--group G] [--source lite|exact] [--period-ms N] [--tier 1|2|3]\n"
	"                                 attach to the kernel in the best tier it allows (1 kills in the kernel, 2 detects\n"
	"                                 there, 3 does all in the helper); stays until `unload`. Replaces programs of another\n"
	"                                 build while no helper runs; domains and settings have to be set again then. G, the\n"
	"                                 group of the NodeManager's user, may connect to the helper's socket and create\n"
	"                                 cgroups below those of --killable-below; the maps belong to root\n"
	"  ua-killer reap [--threads N] [--no-release] [--socket PATH [--user NAME --service UNIT|--pid-file PATH]]\n"
	"                                 the helper: releases a victim's memory quickly, kills processes that a pass\n"
	"                                 missed, kills in tiers 2 and 3; runs in the foreground\n"
	"                                 (conf/charon-ua-killer.service); --no-release only observes victims, to compare;\n"
	"                                 --socket accepts root and, of the processes of NAME, the one that is the main\n"
	"                                 process of UNIT in systemd, or is named by a file that is root's in directories\n"
	"                                 that are root's: the NodeManager (" UA_SOCKET "\n"
	"                                 unless --socket or --bpffs is given)\n"
	"  ua-killer unload               detach; nothing is left\n"
	"  ua-killer domain add CGROUP|host [--killable-below CGROUP]... [--promote-to CGROUP] [--min-cgth-ms N] [--max-cgth-ms N]\n"
	"                                 root only; host: the whole machine. Containers may be killed below the cgroups of\n"
	"                                 --killable-below (such as /charon/best-effort), and nowhere else; these cgroups are created\n"
	"                                 if missing, belong to root, and the group of `load` may create cgroups in them.\n"
	"                                 --promote-to: where `move` puts containers that may no longer be killed; created and owned\n"
	"                                 in the same way\n"
	"  ua-killer domain remove CGROUP|host\n"
	"  ua-killer tree add CGROUP --user NAME [--group G] [--process PID]\n"
	"                                 root only, cgroup v2: creates the cgroups of a NodeManager that runs as NAME, which may\n"
	"                                 move processes inside CGROUP but not out of it. The NodeManager runs in CGROUP/nodemanager:\n"
	"                                 start it there, or give its PID. CGROUP belongs to root; the controllers are enabled in it\n"
	"  ua-killer tree remove CGROUP   only while it holds no process\n"
	"  ua-killer move CGROUP --domain CGROUP        to the cgroup of --promote-to, where it may not be killed\n"
	"  ua-killer register CGROUP --domain CGROUP [--score 1..1000 | --entitled BYTES] [--age-ms N]\n"
	"                                 without a score: watched only; --entitled: memory that it may hold, page cache included\n"
	"  ua-killer unregister CGROUP|ID\n"
	"  ua-killer set KEY VALUE [--domain CGROUP]    all domains if none is given; keys:\n"
	"      cgth-time-ms N          tolerated thrash (3000; 0: never kill)\n"
	"      flat-ms N               time that a series may stall (100..60000; 1000)\n"
	"      min-pages N             a series that grows less than this within flat-ms stalls (1..1000000; 10)\n"
	"      policy P                memory-per-time | score\n"
	"      file-refaults R         any | recent | workingset (default) | fitting: which refaults of file pages count (fitting: of\n"
	"                              pages that would still be in memory if killable containers held none)\n"
	"      victim-timeout-ms N     a victim alive after this: next candidate (100..60000; 2000)\n"
	"      owed-time-ms N          time without progress, for a container that holds less than its entitlement and whose\n"
	"                              tasks reclaim for the domain while killable containers hold memory, until one of\n"
	"                              these is killed (0: never; 100..600000)\n"
	"      owed-percent N          of its entitlement: a container that lacks less is not owed (1..100; 1)\n"
	"      owed-progress-percent N of the missing memory: growth by this much is progress (1..100; 10)\n"
	"      period-ms N             time between samples (10..1000; 100), root only\n"
	"  ua-killer status               tier, domains, containers, kills\n"
	"  ua-killer watch [--since N] [--count N]      decisions as they happen\n"
	"  ua-killer samples CGROUP       the measured series of a container\n"
	"  ua-killer self-test            checks whether this kernel works: loads, attaches, runs the rules, leaves nothing\n"
	"  ua-killer network limit --device DEV --cgroup CGROUP --rate BYTES_PER_S [--give-way-on BYTES_PER_S]\n"
	"                                 limits the traffic that this cgroup and those below it send through the device\n"
	"                                 (1000..1000000000000 bytes/s); other traffic is never limited. CGROUP is in the unified\n"
	"                                 hierarchy (v2). --give-way-on: on a link with this capacity, best-effort's packets are\n"
	"                                 dropped at once while other traffic fills it; 125000 bytes/s always pass\n"
	"  ua-killer network show --device DEV          the limit and the traffic sent; needs no privilege\n"
	"  ua-killer network clear --device DEV         remove the limit, also one left by a killed process or on a removed device\n"
	"  ua-killer network self-test --device DEV     checks whether `limit` works, on a device of its own\n"
	"  ua-killer counters --cgroup CGROUP [--foreground CGROUP]... [--events hardware|software]\n"
	"                                 cycles, instructions, and the nanoseconds that their counters were wanted and ran,\n"
	"                                 one line for each line of standard input, since the previous line: of the node\n"
	"                                 without CGROUP, which is best-effort's, or of the foreground's cgroups. Ends with\n"
	"                                 standard input. software: CPU time and page faults, for tests\n"
	"  ua-killer counters self-test --cgroup CGROUP [--foreground CGROUP]...      checks whether it works\n"
	"  ua-killer memory-limit --cgroup CGROUP --boundary CGROUP|host [--freezer CGROUP]\n"
	"                                 moves the memory limit of CGROUP, which is best-effort's: every 20 ms it reads its use and\n"
	"                                 the use of the boundary, of which the rest belongs to others. A line of NAME=NUMBER pairs\n"
	"                                 on standard input, once a second, tells how much others may keep: number boundary reserve\n"
	"                                 others swap excess owed claim clean [swap-limit swappiness enforce freeze];\n"
	"                                 lines of JSON report the changes. After 3 s without input the limit is only lowered. Ends\n"
	"                                 with standard input; the limit stays. --freezer: may be frozen while memory is short\n"
	"  ua-killer memory-limit remove --cgroup CGROUP --boundary CGROUP|host [--freezer CGROUP] [--limit-bytes N]\n"
	"                                 removes the limit, or restores the previous one, and thaws --freezer\n"
	"  ua-killer memory-limit rules   runs the law on the numbers of standard input (for tests)\n"
	"  ua-killer reclaim              reclaims a little memory from running containers, one after the other: each line of\n"
	"                                 standard input is number=N bytes=N files=0|1 [from=LIMIT to=LIMIT most=BYTES\n"
	"                                 swappiness=N] cgroup=PATH, and is answered by a line of JSON. v1: the limit becomes TO and\n"
	"                                 at once FROM again, if it is FROM and the container holds at most MOST above TO\n"
	"  ua-killer rules                runs the kernel's own rules on the numbers of standard input (for tests)\n"
	"  ua-killer --socket PATH register|unregister|move|set|status ...   the same commands through the helper's socket, and\n"
	"  ua-killer --socket PATH decisions N          the decisions after number N; replies are lines of JSON\n"
	"  ua-killer --socket PATH domains | registrations ID | samples ID | update ID CHANGE...\n"
	"                                 for programs: cgroups by id, many changes at once:\n"
	"                                 +ID:START_NANOS:SCORE:ENTITLED_BYTES or -ID\n"
	"\n"
	"Everywhere: --json, --bpffs DIR (" UA_BPFFS ", created and removed by load and unload; another must exist).\n"
	"Example, as root:\n"
	"  ua-killer load --group yarn && ua-killer domain add host --killable-below /charon/best-effort\n"
	"Exit codes: 0 done, 1 failed, 2 wrong arguments, 3 wrong state (not loaded, already loaded), 4 permission,\n"
	"5 reap: the killer was unloaded (systemd must not start the helper again, because its unit would load it).\n";

static int or_fail(int code, const struct ua_error *error)
{
	if (code)
		fail(code, "%s", error->text);
	return code;
}

static u64 number(const char *what, const char *text, u64 low, u64 high)
{
	struct ua_error error;
	u64 value;

	or_fail(parse_number(what, text, low, high, &value, &error), &error);
	return value;
}

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
	OPTION_KILLABLE,
	OPTION_PROMOTE,
	OPTION_PROCESS,
	OPTION_DOMAIN,
	OPTION_SCORE,
	OPTION_ENTITLED,
	OPTION_AGE,
	OPTION_SINCE,
	OPTION_COUNT,
	OPTION_SOCKET,
	OPTION_USER,
	OPTION_SERVICE,
	OPTION_PID_FILE,
	OPTION_DEVICE,
	OPTION_CGROUP,
	OPTION_RATE,
	OPTION_GIVE_WAY_ON,
	OPTION_FOREGROUND,
	OPTION_EVENTS,
	OPTION_BOUNDARY,
	OPTION_FREEZER,
	OPTION_LIMIT_BYTES
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
	{ "killable-below", required_argument, NULL, OPTION_KILLABLE },
	{ "promote-to", required_argument, NULL, OPTION_PROMOTE },
	{ "process", required_argument, NULL, OPTION_PROCESS },
	{ "domain", required_argument, NULL, OPTION_DOMAIN },
	{ "score", required_argument, NULL, OPTION_SCORE },
	{ "entitled", required_argument, NULL, OPTION_ENTITLED },
	{ "age-ms", required_argument, NULL, OPTION_AGE },
	{ "since", required_argument, NULL, OPTION_SINCE },
	{ "count", required_argument, NULL, OPTION_COUNT },
	{ "socket", required_argument, NULL, OPTION_SOCKET },
	{ "user", required_argument, NULL, OPTION_USER },
	{ "service", required_argument, NULL, OPTION_SERVICE },
	{ "pid-file", required_argument, NULL, OPTION_PID_FILE },
	{ "device", required_argument, NULL, OPTION_DEVICE },
	{ "cgroup", required_argument, NULL, OPTION_CGROUP },
	{ "rate", required_argument, NULL, OPTION_RATE },
	{ "give-way-on", required_argument, NULL, OPTION_GIVE_WAY_ON },
	{ "foreground", required_argument, NULL, OPTION_FOREGROUND },
	{ "events", required_argument, NULL, OPTION_EVENTS },
	{ "boundary", required_argument, NULL, OPTION_BOUNDARY },
	{ "freezer", required_argument, NULL, OPTION_FREEZER },
	{ "limit-bytes", required_argument, NULL, OPTION_LIMIT_BYTES },
	{}
};

struct arguments {
	struct options o;
	const char *domain, *device, *cgroup, *killable[UA_MAX_KILLABLE];
	int killables;
	struct counted counted;
	const char *promoted, *boundary, *freezer;
	u64 low, high, process, score, entitled, age_ms, since, rate, link, limit_bytes;
	int count;
	int operands;
	char **operand;
};

static void add_foreground(struct counted *counted, const char *cgroup)
{
	if (counted->foregrounds == UA_MAX_FOREGROUND)
		fail(EXIT_USAGE, "--foreground: at most %d cgroups", UA_MAX_FOREGROUND);
	counted->foreground[counted->foregrounds++] = cgroup;
}

static void add_killable(struct arguments *a, const char *cgroup)
{
	if (a->killables == UA_MAX_KILLABLE)
		fail(EXIT_USAGE, "--killable-below: at most %d cgroups", UA_MAX_KILLABLE);
	a->killable[a->killables++] = cgroup;
}

static void parse(int argc, char **argv, struct arguments *a)
{
	static const char *const sources[] = { "lite", "exact" };
	static const char *const events[] = { "hardware", "software" };
	struct ua_error error;
	u32 choice;
	int option;

	while ((option = getopt_long(argc, argv, "h", long_options, NULL)) != -1) {
		switch (option) {
		case 'j': a->o.json = true; break;
		case 'h': fputs(help, stdout); exit(EXIT_OK);
		case OPTION_BPFFS: a->o.bpffs = optarg; break;
		case OPTION_GROUP: a->o.group = optarg; break;
		case OPTION_SOURCE:
			or_fail(parse_choice("--source", optarg, sources, 2, &a->o.source, &error), &error);
			break;
		case OPTION_PERIOD: a->o.period_ms = number("--period-ms", optarg, 10, 1000); break;
		case OPTION_TIER: a->o.tier = number("--tier", optarg, 1, 3); break;
		case OPTION_THREADS: a->o.threads = number("--threads", optarg, 1, 64); break;
		case OPTION_NO_RELEASE: a->o.no_release = true; break;
		case OPTION_MIN: a->low = number("--min-cgth-ms", optarg, 1, 3600000); break;
		case OPTION_MAX: a->high = number("--max-cgth-ms", optarg, 1, 3600000); break;
		case OPTION_KILLABLE: add_killable(a, optarg); break;
		case OPTION_PROMOTE: a->promoted = optarg; break;
		case OPTION_PROCESS: a->process = number("--process", optarg, 1, INT_MAX); break;
		case OPTION_DOMAIN: a->domain = domain_root(optarg); break;
		case OPTION_SCORE: a->score = number("--score", optarg, 1, 1000); break;
		case OPTION_ENTITLED: a->entitled = number("--entitled", optarg, 1, UA_MAX_ENTITLED); break;
		case OPTION_AGE: a->age_ms = number("--age-ms", optarg, 0, 1ULL << 40); break;
		case OPTION_SINCE: a->since = number("--since", optarg, 0, LLONG_MAX); break;
		case OPTION_SOCKET: a->o.socket = optarg; break;
		case OPTION_USER: a->o.user = optarg; break;
		case OPTION_SERVICE: a->o.service = optarg; break;
		case OPTION_PID_FILE: a->o.pid_file = optarg; break;
		case OPTION_DEVICE: a->device = optarg; break;
		case OPTION_CGROUP: a->cgroup = optarg; break;
		case OPTION_RATE: a->rate = number("--rate", optarg, 1000, 1000000000000); break;
		case OPTION_GIVE_WAY_ON: a->link = number("--give-way-on", optarg, 125000, 1000000000000); break;
		case OPTION_FOREGROUND: add_foreground(&a->counted, optarg); break;
		case OPTION_EVENTS:
			or_fail(parse_choice("--events", optarg, events, 2, &choice, &error), &error);
			a->counted.software = choice;
			break;
		case OPTION_BOUNDARY: a->boundary = optarg; break;
		case OPTION_FREEZER: a->freezer = optarg; break;
		case OPTION_LIMIT_BYTES: a->limit_bytes = number("--limit-bytes", optarg, 1 << 20, 1ULL << 60); break;
		case OPTION_COUNT: a->count = number("--count", optarg, 1, 1000000); break;
		default: fail(EXIT_USAGE, "see `ua-killer --help`");
		}
	}
	a->operands = argc - optind;
	a->operand = argv + optind;
}

static bool is(const struct arguments *a, const char *command, int operands)
{
	if (strcmp(a->operand[0], command))
		return false;
	if (a->operands != operands)
		fail(EXIT_USAGE, "%s: wrong number of arguments; see `ua-killer --help`", command);
	return true;
}

static int run_domain(const struct arguments *a)
{
	struct domain_limits limits = { a->low, a->high, a->killable, a->killables, a->promoted };

	if (!strcmp(a->operand[1], "add"))
		return domain_add(&a->o, domain_root(a->operand[2]), &limits);
	if (!strcmp(a->operand[1], "remove"))
		return domain_remove(&a->o, domain_root(a->operand[2]));
	fail(EXIT_USAGE, "domain %s: give add or remove", a->operand[1]);
}

static int run_tree(const struct arguments *a)
{
	if (!strcmp(a->operand[1], "add"))
		return tree_add(&a->o, a->operand[2], a->process);
	if (!strcmp(a->operand[1], "remove"))
		return tree_remove(&a->o, a->operand[2]);
	fail(EXIT_USAGE, "tree %s: give add or remove", a->operand[1]);
}

static int run_move(const struct arguments *a)
{
	struct ua_error error;
	u64 id, domain;
	int moved;

	if (!a->domain)
		fail(EXIT_USAGE, "move: --domain CGROUP is missing");
	or_fail(cgroup_named(a->operand[1], &id, &error), &error);
	or_fail(cgroup_named(a->domain, &domain, &error), &error);
	return or_fail(move_container(&a->o, open_pin(&a->o, "killable", false), id, domain, &moved, &error), &error);
}

static int run_register(const struct arguments *a)
{
	struct ua_error error;
	struct registry r;

	if (!a->domain)
		fail(EXIT_USAGE, "register: --domain CGROUP is missing");
	r = (struct registry){
		.domains = open_pin(&a->o, "domains", false), .containers = open_pin(&a->o, "containers", true),
		.killable = open_pin(&a->o, "killable", false),
	};
	return or_fail(register_container(&r, a->operand[1], a->domain, a->score, a->age_ms, a->entitled, &error), &error);
}

static int run_unregister(const struct arguments *a)
{
	struct registry r = { .containers = open_pin(&a->o, "containers", true) };
	struct ua_error error;

	return or_fail(unregister_container(&r, a->operand[1], &error), &error);
}

static int run_set(const struct arguments *a)
{
	bool period = !strcmp(a->operand[1], "period-ms");
	struct registry r = {
		.control = period ? open_pin(&a->o, "control", true) : -1,
		.domains = open_pin(&a->o, "domains", false),
		.settings = period ? -1 : open_pin(&a->o, "settings", true),
	};
	struct ua_error error;

	return or_fail(set_value(&r, a->operand[1], a->operand[2], a->domain, &error), &error);
}

static int run_network(const struct arguments *a)
{
	const char *command = a->operand[1];

	if (!a->device)
		fail(EXIT_USAGE, "network %s: --device DEV is missing", command);
	if (!strcmp(command, "limit")) {
		if (!a->cgroup || !a->rate)
			fail(EXIT_USAGE, "network limit: --cgroup CGROUP and --rate BYTES_PER_S are needed");
		return command_network_limit(a->device, a->cgroup, a->rate, a->link, a->o.json);
	}
	if (!strcmp(command, "show"))
		return command_network_show(a->device, a->o.json);
	if (!strcmp(command, "clear"))
		return command_network_clear(a->device, a->o.json);
	if (!strcmp(command, "self-test"))
		return command_network_self_test(a->device, a->o.json);
	fail(EXIT_USAGE, "network %s: give limit, show, clear or self-test", command);
}

static int run_counters(struct arguments *a)
{
	if (!a->cgroup)
		fail(EXIT_USAGE, "counters: --cgroup CGROUP, best-effort's cgroup, is missing");
	a->counted.best_effort = a->cgroup;
	if (a->operands == 1)
		return command_counters(&a->counted, a->o.json);
	if (a->operands == 2 && !strcmp(a->operand[1], "self-test"))
		return command_counters_self_test(&a->counted, a->o.json);
	fail(EXIT_USAGE, "counters: the only subcommand is self-test");
}

static int run_memory_limit(const struct arguments *a)
{
	struct limited l = { a->cgroup, NULL, a->freezer };

	if (a->operands == 2 && !strcmp(a->operand[1], "rules"))
		return command_memory_limit_rules();
	if (!a->cgroup || !a->boundary)
		fail(EXIT_USAGE, "memory-limit: --cgroup CGROUP, best-effort's cgroup, and --boundary CGROUP|host are needed");
	if (strcmp(a->boundary, "host"))
		l.boundary = a->boundary;
	if (a->operands == 1)
		return command_memory_limit(&l);
	if (a->operands == 2 && !strcmp(a->operand[1], "remove"))
		return command_memory_limit_remove(&l, a->limit_bytes);
	fail(EXIT_USAGE, "memory-limit: the only subcommands are remove and rules");
}

/* Sends the same command to the helper, which carries it out. */
static int run_over_socket(const struct arguments *a)
{
	char *line = NULL;
	size_t size;
	FILE *out = open_memstream(&line, &size);
	int code;

	if (!out)
		fail(EXIT_FAILED, "out of memory");
	for (int i = 0; i < a->operands; i++)
		fprintf(out, "%s%s", i ? " " : "", a->operand[i]);
	if (a->domain)
		fprintf(out, " --domain %s", a->domain);
	if (a->score)
		fprintf(out, " --score %llu", a->score);
	if (a->age_ms)
		fprintf(out, " --age-ms %llu", a->age_ms);
	if (a->entitled)
		fprintf(out, " --entitled %llu", a->entitled);
	fclose(out);
	code = socket_request(&a->o, line);
	free(line);
	return code;
}

int main(int argc, char **argv)
{
	struct arguments a = {
		.o = { .bpffs = UA_BPFFS, .period_ms = 100, .tier = UA_TIER_KERNEL_KILL },
		.low = 100, .high = 600000, .since = -1,
	};

	setlinebuf(stderr); /* a message is one write, not one for each character */
	parse(argc, argv, &a);
	if (!a.operands) {
		fputs(help, stderr);
		return EXIT_USAGE;
	}
	if (a.o.socket && strcmp(a.operand[0], "reap"))
		return run_over_socket(&a);
	if (is(&a, "load", 1))
		return command_load(&a.o);
	if (is(&a, "unload", 1))
		return command_unload(&a.o);
	if (is(&a, "reap", 1)) {
		/* A helper for another set of pins needs its own socket, given with --socket. */
		if (!a.o.socket && !strcmp(a.o.bpffs, UA_BPFFS))
			a.o.socket = UA_SOCKET;
		return command_reap(&a.o);
	}
	if (is(&a, "status", 1))
		return command_status(&a.o);
	if (is(&a, "watch", 1))
		return command_watch(&a.o, a.since, a.count);
	if (is(&a, "samples", 2))
		return command_samples(&a.o, a.operand[1]);
	if (is(&a, "self-test", 1))
		return command_self_test(&a.o);
	if (is(&a, "reclaim", 1))
		return command_reclaim();
	if (is(&a, "rules", 1))
		return command_rules(&a.o);
	if (is(&a, "domain", 3))
		return run_domain(&a);
	if (is(&a, "tree", 3))
		return run_tree(&a);
	if (is(&a, "move", 2))
		return run_move(&a);
	if (is(&a, "register", 2))
		return run_register(&a);
	if (is(&a, "unregister", 2))
		return run_unregister(&a);
	if (is(&a, "set", 3))
		return run_set(&a);
	if (is(&a, "network", 2))
		return run_network(&a);
	if (!strcmp(a.operand[0], "counters"))
		return run_counters(&a);
	if (!strcmp(a.operand[0], "memory-limit"))
		return run_memory_limit(&a);
	fail(EXIT_USAGE, "%s: no such command; see `ua-killer --help`", a.operand[0]);
}
