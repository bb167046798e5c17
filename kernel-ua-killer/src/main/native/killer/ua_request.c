// SPDX-License-Identifier: Apache-2.0
/*
 * One request on the helper's socket: a line of arguments, with a line of JSON as the reply. Commands for
 * people are those of the command line; programs name cgroups by number and change many at once. The input is not
 * trusted.
 */
#include "ua_helper.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

#define MAX_ARGUMENTS 512
#define SHOWN_REFUSALS 8

struct request {
	bool root; /* the requester is root */
	char *argument[MAX_ARGUMENTS];
	int arguments;
	const char *domain;
	u64 score, age_ms, entitled;
};

void requests_open(const struct options *o, struct requests *r)
{
	r->options = o;
	open_maps(o, &r->maps);
	r->registry = (struct registry){
		.domains = r->maps.domains, .settings = open_pin(o, "settings", true),
		.containers = open_pin(o, "containers", true), .killable = r->maps.killable, .control = -1,
	};
}

/* The helper runs as root: a requester must not learn from it which files exist elsewhere. */
static int refuse_foreign(const char *path, struct ua_error *error)
{
	size_t length = strlen(memory_mount());

	if (isdigit((unsigned char)*path))
		return EXIT_OK;
	if (strncmp(path, memory_mount(), length) || (path[length] && path[length] != '/') || strstr(path, "/.."))
		return refuse(error, EXIT_USAGE, "%s: give the whole path of a cgroup below %s", path, memory_mount());
	return EXIT_OK;
}

static int parse_option(const char *option, const char *value, struct request *r, struct ua_error *error)
{
	if (!strcmp(option, "--domain")) {
		r->domain = value;
		return refuse_foreign(value, error);
	}
	if (!strcmp(option, "--score"))
		return parse_number(option, value, 1, UA_MAX_SCORE, &r->score, error);
	if (!strcmp(option, "--age-ms"))
		return parse_number(option, value, 0, 1ULL << 40, &r->age_ms, error);
	if (!strcmp(option, "--entitled"))
		return parse_number(option, value, 1, UA_MAX_ENTITLED, &r->entitled, error);
	return refuse(error, EXIT_USAGE, "%s: no such option", option);
}

static int parse(char *line, struct request *r, struct ua_error *error)
{
	char *rest, *word, *value;

	for (word = strtok_r(line, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		if (strncmp(word, "--", 2)) {
			if (r->arguments == MAX_ARGUMENTS)
				return refuse(error, EXIT_USAGE, "more than %d arguments", MAX_ARGUMENTS);
			r->argument[r->arguments++] = word;
			continue;
		}
		value = strtok_r(NULL, " ", &rest);
		if (!value)
			return refuse(error, EXIT_USAGE, "%s: the value is missing", word);
		if (parse_option(word, value, r, error))
			return error->code;
	}
	return r->arguments ? EXIT_OK : refuse(error, EXIT_USAGE, "an empty request");
}

static int print_done(int code, FILE *out)
{
	if (!code)
		fprintf(out, "{\"done\":true}\n");
	return code;
}

static int run_register(const struct requests *r, const struct request *q, FILE *out, struct ua_error *error)
{
	const char *path = q->argument[1];

	if (!q->domain)
		return refuse(error, EXIT_USAGE, "register: --domain CGROUP is missing");
	if (refuse_foreign(path, error))
		return error->code;
	return print_done(register_container(&r->registry, path, q->domain, q->score, q->age_ms, q->entitled, error), out);
}

static int run_unregister(const struct requests *r, const struct request *q, FILE *out, struct ua_error *error)
{
	if (refuse_foreign(q->argument[1], error))
		return error->code;
	return print_done(unregister_container(&r->registry, q->argument[1], error), out);
}

/* The error states, too, how many processes may have been moved. */
static int run_move(const struct requests *r, const struct request *q, FILE *out, struct ua_error *error)
{
	u64 id, domain;
	int moved;

	if (!q->domain)
		return refuse(error, EXIT_USAGE, "move: --domain CGROUP is missing");
	if (refuse_foreign(q->argument[1], error) || cgroup_named(q->argument[1], &id, error) ||
	    cgroup_named(q->domain, &domain, error) ||
	    move_container(r->options, r->registry.killable, id, domain, &moved, error))
		return error->code;
	fprintf(out, "{\"moved\":%d}\n", moved);
	return EXIT_OK;
}

/*
 * The settings that a NodeManager makes for its domain and checks every second. The other settings stay as root
 * made them, because a change would go unnoticed.
 */
static bool may_node_manager_set(const char *key)
{
	return !strcmp(key, "cgth-time-ms") || !strcmp(key, "policy") || !strcmp(key, "owed-time-ms");
}

static int run_set(const struct requests *r, const struct request *q, FILE *out, struct ua_error *error)
{
	if (!q->root && !may_node_manager_set(q->argument[1]))
		return refuse(error, EXIT_PERMISSION, "%s: only root may set it; a NodeManager may set cgth-time-ms, policy and owed-time-ms",
			      q->argument[1]);
	return print_done(set_value(&r->registry, q->argument[1], q->argument[2], q->domain, error), out);
}

/* -ID removes a registration, +ID:START:SCORE:ENTITLED registers a container. */
static int apply_change(const struct registry *r, u64 domain, char *item, u64 *id, struct ua_error *error)
{
	char *start = strchr(item, ':'), *score = start ? strchr(start + 1, ':') : NULL;
	char *entitled = score ? strchr(score + 1, ':') : NULL;
	u64 start_ns, points, bytes;
	bool add = *item == '+';

	*id = 0;
	if ((add && !entitled) || (!add && (*item != '-' || start)))
		return refuse(error, EXIT_USAGE, "%s: give +ID:START_NANOS:SCORE:ENTITLED_BYTES or -ID", item);
	if (add) {
		*start++ = 0;
		*score++ = 0;
		*entitled++ = 0;
	}
	if (parse_number("cgroup", item + 1, 1, ULLONG_MAX, id, error))
		return error->code;
	if (!add)
		return unregister_number(r, *id, domain, error);
	if (parse_number("start", start, 0, LLONG_MAX, &start_ns, error) ||
	    parse_number("score", score, 0, UA_MAX_SCORE, &points, error) ||
	    parse_number("entitled", entitled, 0, UA_MAX_ENTITLED, &bytes, error))
		return error->code;
	return register_number(r, *id, domain, points, start_ns, bytes, error);
}

/* A refused change does not prevent the other changes. */
static int run_update(const struct requests *r, const struct request *q, FILE *out, struct ua_error *error)
{
	struct ua_error refusal;
	int refused = 0;
	u64 domain, id;

	if (parse_number("domain", q->argument[1], 1, ULLONG_MAX, &domain, error))
		return error->code;
	fprintf(out, "{\"refused\":[");
	for (int i = 2; i < q->arguments; i++) {
		if (!apply_change(&r->registry, domain, q->argument[i], &id, &refusal))
			continue;
		fprintf(out, "%s{\"id\":%llu", refused++ ? "," : "", id);
		if (refused <= SHOWN_REFUSALS) {
			fprintf(out, ",\"error\":");
			print_json_string(out, refusal.text);
		}
		fprintf(out, "}");
	}
	fprintf(out, "]}\n");
	return EXIT_OK;
}

static int run_decisions(const struct requests *r, const struct request *q, FILE *out, struct ua_error *error)
{
	u64 since;

	if (!parse_number("decisions", q->argument[1], 0, LLONG_MAX, &since, error))
		print_decisions(out, &r->maps, since);
	return error->code;
}

static int run_registrations(const struct requests *r, const struct request *q, FILE *out, struct ua_error *error)
{
	u64 domain;

	if (!parse_number("domain", q->argument[1], 1, ULLONG_MAX, &domain, error))
		print_registrations(out, &r->maps, domain);
	return error->code;
}

static int run_samples(const struct requests *r, const struct request *q, FILE *out, struct ua_error *error)
{
	u64 container;

	if (!parse_number("container", q->argument[1], 1, ULLONG_MAX, &container, error))
		print_samples(out, &r->maps, container);
	return error->code;
}

static int run_status(const struct requests *r, const struct request *q, FILE *out, struct ua_error *error)
{
	print_status(out, &r->maps);
	return EXIT_OK;
}

static int run_domains(const struct requests *r, const struct request *q, FILE *out, struct ua_error *error)
{
	print_domains(out, &r->maps, attached_programs(r->options));
	return EXIT_OK;
}

static const struct {
	const char *name;
	int min_arguments, max_arguments; /* the name included */
	int (*run)(const struct requests *r, const struct request *q, FILE *out, struct ua_error *error);
} commands[] = {
	{ "register", 2, 2, run_register },
	{ "unregister", 2, 2, run_unregister },
	{ "move", 2, 2, run_move },
	{ "set", 3, 3, run_set },
	{ "status", 1, 1, run_status },
	{ "decisions", 2, 2, run_decisions },
	{ "domains", 1, 1, run_domains },
	{ "registrations", 2, 2, run_registrations },
	{ "samples", 2, 2, run_samples },
	{ "update", 3, MAX_ARGUMENTS, run_update },
};

static int execute(const struct requests *r, bool root, char *line, FILE *out, struct ua_error *error)
{
	struct request q = { .root = root };

	if (parse(line, &q, error))
		return error->code;
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(q.argument[0], commands[i].name) && q.arguments >= commands[i].min_arguments && q.arguments <= commands[i].max_arguments)
			return commands[i].run(r, &q, out, error);
	return refuse(error, EXIT_USAGE,
		      "%s: give register CGROUP --domain CGROUP, unregister CGROUP, move CGROUP --domain CGROUP, set KEY VALUE, status or decisions N; programs: domains, registrations ID, samples ID or update ID CHANGE...",
		      q.argument[0]);
}

static bool is_text(const char *line, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if ((unsigned char)line[i] < 0x20 || line[i] == 0x7f)
			return false;
	return true;
}

void print_refusal(FILE *out, const struct ua_error *error)
{
	fprintf(out, "{\"error\":");
	print_json_string(out, error->text);
	fprintf(out, ",\"exitCode\":%d}\n", error->code);
}

/*
 * Answers a request of root (`root`) or the NodeManager. The line needs room for a terminating zero, and is
 * overwritten.
 */
void request_answer(const struct requests *r, bool root, char *line, size_t length, FILE *out)
{
	struct ua_error error = {};

	line[length] = 0;
	if (!is_text(line, length))
		refuse(&error, EXIT_USAGE, "the line contains control characters");
	else
		execute(r, root, line, out, &error);
	if (error.code)
		print_refusal(out, &error);
}
