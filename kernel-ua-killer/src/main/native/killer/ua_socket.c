// SPDX-License-Identifier: Apache-2.0
/*
 * A Unix socket for the group, where the kernel keeps unprivileged processes from pinned maps (before Linux 5.19). A
 * request is a line with the words of the command line, an answer a line of JSON. Whoever may connect is trusted no
 * more than with the maps, and what he sends not at all: lines, clients and times are bounded, and all of this runs in
 * a thread of its own at normal priority.
 */
#include "ua_helper.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define MAX_CLIENTS 8
#define MAX_LINE 8192
#define MAX_WORDS 3
#define PATIENCE_NS 10000000000ULL /* for the next whole request, and for taking the answer */
#define STACK (128 * 1024)

struct client {
	int fd; /* -1: free */
	size_t got;
	char *answer;
	size_t answer_size, sent;
	u64 deadline_ns;
	bool last; /* close after this answer */
	char line[MAX_LINE];
};

static struct client clients[MAX_CLIENTS];
static struct registry registry;
static struct maps maps;
static int listener = -1;

/* ---- requests ------------------------------------------------------------------------------------ */

struct request {
	const char *word[MAX_WORDS];
	int words;
	const char *domain;
	u64 score, age_ms;
};

/* The helper is root: nobody may learn through it which files exist elsewhere. */
static int refuse_foreign(const char *path, struct ua_error *error)
{
	size_t length = strlen(memory_mount());

	if (strncmp(path, memory_mount(), length) || (path[length] && path[length] != '/') || strstr(path, "/.."))
		return refuse(error, EXIT_USAGE, "%s: give the whole path of a cgroup below %s", path, memory_mount());
	return EXIT_OK;
}

static int parse(char *line, struct request *r, struct ua_error *error)
{
	char *rest, *word, *value;

	for (word = strtok_r(line, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		if (strncmp(word, "--", 2)) {
			if (r->words == MAX_WORDS)
				return refuse(error, EXIT_USAGE, "%s: one word too many", word);
			r->word[r->words++] = word;
			continue;
		}
		value = strtok_r(NULL, " ", &rest);
		if (!value)
			return refuse(error, EXIT_USAGE, "%s: the value is missing", word);
		if (!strcmp(word, "--domain")) {
			r->domain = value;
			if (refuse_foreign(value, error))
				return error->code;
		} else if (!strcmp(word, "--score")) {
			if (parse_number(word, value, 1, 1000, &r->score, error))
				return error->code;
		} else if (!strcmp(word, "--age-ms")) {
			if (parse_number(word, value, 0, 1ULL << 40, &r->age_ms, error))
				return error->code;
		} else {
			return refuse(error, EXIT_USAGE, "%s: no such option", word);
		}
	}
	return r->words ? EXIT_OK : refuse(error, EXIT_USAGE, "an empty request");
}

static int execute(char *line, FILE *out, struct ua_error *error)
{
	struct request r = {};
	const char *command;
	u64 since;
	int code;

	if (parse(line, &r, error))
		return error->code;
	command = r.word[0];
	if (!strcmp(command, "register") && r.words == 2) {
		if (!r.domain)
			return refuse(error, EXIT_USAGE, "register: --domain CGROUP is missing");
		code = refuse_foreign(r.word[1], error);
		if (!code)
			code = register_container(&registry, r.word[1], r.domain, r.score, r.age_ms, error);
	} else if (!strcmp(command, "unregister") && r.words == 2) {
		code = *r.word[1] == '/' ? refuse_foreign(r.word[1], error) :
					   parse_number("cgroup", r.word[1], 1, ULLONG_MAX, &since, error);
		if (!code)
			code = unregister_container(&registry, r.word[1], error);
	} else if (!strcmp(command, "set") && r.words == 3) {
		code = set_value(&registry, r.word[1], r.word[2], r.domain, error);
	} else if (!strcmp(command, "status") && r.words == 1) {
		print_status(out, &maps);
		return EXIT_OK;
	} else if (!strcmp(command, "decisions") && r.words == 2) {
		if (parse_number("decisions", r.word[1], 0, LLONG_MAX, &since, error))
			return error->code;
		print_decisions(out, &maps, since);
		return EXIT_OK;
	} else {
		return refuse(error, EXIT_USAGE,
			      "%s: give register CGROUP --domain CGROUP, unregister CGROUP, set KEY VALUE, status or decisions N",
			      command);
	}
	if (!code)
		fprintf(out, "{\"done\":true}\n");
	return code;
}

static bool is_text(const char *line, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if ((unsigned char)line[i] < 0x20 || line[i] == 0x7f)
			return false;
	return true;
}

static void drop(struct client *c)
{
	close(c->fd);
	free(c->answer);
	c->fd = -1;
	c->answer = NULL;
}

/* The first line of what was received gets its answer; the client leaves if there is no memory for one. */
static void answer(struct client *c)
{
	char *end = memchr(c->line, '\n', c->got), request[MAX_LINE];
	struct ua_error error = {};
	size_t length;
	FILE *out;

	if (!end && c->got < MAX_LINE)
		return;
	out = open_memstream(&c->answer, &c->answer_size);
	if (!out) {
		drop(c);
		return;
	}
	length = end ? (size_t)(end - c->line) : c->got;
	if (!end) {
		c->last = true;
		refuse(&error, EXIT_USAGE, "the line is longer than %d bytes", MAX_LINE - 1);
	} else if (!is_text(c->line, length)) {
		refuse(&error, EXIT_USAGE, "the line has control characters");
	} else {
		memcpy(request, c->line, length);
		request[length] = 0;
		execute(request, out, &error);
	}
	if (end) {
		c->got -= length + 1;
		memmove(c->line, end + 1, c->got);
	}
	if (error.code) {
		fprintf(out, "{\"error\":");
		print_json_string(out, error.text);
		fprintf(out, ",\"exitCode\":%d}\n", error.code);
	}
	c->sent = 0;
	if (fclose(out) || !c->answer)
		drop(c);
}

/* ---- clients ------------------------------------------------------------------------------------- */

static void receive(struct client *c)
{
	ssize_t got = recv(c->fd, c->line + c->got, MAX_LINE - c->got, MSG_DONTWAIT);

	if (got > 0)
		c->got += got;
	else if (got == 0 || (errno != EAGAIN && errno != EINTR))
		drop(c);
}

static void deliver(struct client *c)
{
	ssize_t sent = send(c->fd, c->answer + c->sent, c->answer_size - c->sent, MSG_DONTWAIT | MSG_NOSIGNAL);

	if (sent < 0 && errno != EAGAIN && errno != EINTR) {
		drop(c);
		return;
	}
	if (sent > 0)
		c->sent += sent;
	if (c->sent < c->answer_size)
		return;
	free(c->answer);
	c->answer = NULL;
	c->deadline_ns = now_ns() + PATIENCE_NS;
	if (c->last)
		drop(c);
}

static bool has_line(const struct client *c)
{
	return c->fd >= 0 && !c->answer && memchr(c->line, '\n', c->got);
}

/* One request of each client in turn. */
static void attend(struct client *c, short events)
{
	if (events && c->answer)
		deliver(c);
	else if (events)
		receive(c);
	if (c->fd >= 0 && !c->answer)
		answer(c);
	if (c->fd >= 0 && now_ns() > c->deadline_ns)
		drop(c);
}

static void welcome(void)
{
	int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0) {
		usleep(100000); /* out of descriptors: the queue stays readable */
		return;
	}
	for (int i = 0; i < MAX_CLIENTS; i++)
		if (clients[i].fd < 0) {
			clients[i].fd = fd;
			clients[i].got = 0;
			clients[i].last = false;
			clients[i].deadline_ns = now_ns() + PATIENCE_NS;
			return;
		}
	close(fd);
}

static void *serve(void *unused)
{
	struct pollfd waiting[MAX_CLIENTS + 1];

	for (;;) {
		bool busy = false;
		int used = 0;

		for (int i = 0; i < MAX_CLIENTS; i++) {
			struct client *c = &clients[i];

			waiting[i] = (struct pollfd){ .fd = c->fd, .events = c->answer ? POLLOUT : POLLIN };
			used += c->fd >= 0;
			busy |= has_line(c);
		}
		/* With all places taken, others wait in the queue until one leaves or loses patience. */
		waiting[MAX_CLIENTS] = (struct pollfd){ .fd = used < MAX_CLIENTS ? listener : -1, .events = POLLIN };
		poll(waiting, MAX_CLIENTS + 1, busy ? 0 : used ? 1000 : -1);
		for (int i = 0; i < MAX_CLIENTS; i++)
			if (waiting[i].fd >= 0)
				attend(&clients[i], waiting[i].revents);
		if (waiting[MAX_CLIENTS].revents)
			welcome();
	}
	return NULL;
}

/* ---- start --------------------------------------------------------------------------------------- */

static void set_address(const char *path, struct sockaddr_un *address)
{
	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if (snprintf(address->sun_path, sizeof(address->sun_path), "%s", path) >= (int)sizeof(address->sun_path))
		fail(EXIT_USAGE, "--socket %s: the path is longer than %zu bytes", path, sizeof(address->sun_path) - 1);
}

static void open_listener(const char *path, gid_t group)
{
	struct sockaddr_un address;
	struct stat status;
	mode_t before;
	int probe;

	set_address(path, &address);
	listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (listener < 0 || probe < 0)
		fail(EXIT_FAILED, "--socket: %s", strerror(errno));
	if (!lstat(path, &status)) {
		/* A helper that was killed leaves its socket; nobody listens there. */
		if (!S_ISSOCK(status.st_mode))
			fail(EXIT_USAGE, "--socket %s: there is a file of another kind", path);
		if (!connect(probe, (struct sockaddr *)&address, sizeof(address)) || errno != ECONNREFUSED)
			fail(EXIT_STATE, "--socket %s: another helper serves it", path);
		unlink(path);
	}
	close(probe);
	before = umask(0117);
	if (bind(listener, (struct sockaddr *)&address, sizeof(address)))
		fail(EXIT_FAILED, "--socket %s: %s", path, strerror(errno));
	umask(before);
	if (lchown(path, -1, group)) {
		unlink(path);
		fail(EXIT_PERMISSION, "--socket %s: cannot give it to group %u (%s); the helper needs that group or CAP_CHOWN",
		     path, group, strerror(errno));
	}
	if (listen(listener, MAX_CLIENTS))
		fail(EXIT_FAILED, "--socket %s: %s", path, strerror(errno));
}

/* Starts the thread. Called before the helper becomes real-time, so that the thread does not. */
void socket_serve(const struct options *o)
{
	char path[PATH_MAX + 64], directory[PATH_MAX];
	pthread_attr_t attributes;
	struct stat status;
	pthread_t thread;

	pin_directory(o, directory, sizeof(directory));
	snprintf(path, sizeof(path), "%s/containers", directory);
	if (stat(path, &status))
		fail(EXIT_STATE, "%s: %s", path, strerror(errno));
	open_maps(o, &maps);
	registry = (struct registry){
		.domains = maps.domains, .settings = open_pin(o, "settings", true),
		.containers = open_pin(o, "containers", true), .killable = maps.killable, .control = -1,
	};
	for (int i = 0; i < MAX_CLIENTS; i++)
		clients[i].fd = -1;
	open_listener(o->socket, status.st_gid);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK);
	if (pthread_create(&thread, &attributes, serve, NULL))
		fail(EXIT_FAILED, "cannot start a thread: %s", strerror(errno));
	pthread_attr_destroy(&attributes);
}

/* ---- the other end ------------------------------------------------------------------------------- */

/* Sends one request and prints its answer, with the exit code that the command line would have had. */
int socket_request(const struct options *o, const char *line)
{
	static const char refused[] = "{\"error\":", code[] = ",\"exitCode\":";
	struct sockaddr_un address;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	size_t size = 0;
	int result = EXIT_FAILED;
	char *text = NULL;
	FILE *stream;

	set_address(o->socket, &address);
	if (strchr(line, '\n'))
		fail(EXIT_USAGE, "a request is one line");
	if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)))
		fail(errno == EACCES ? EXIT_PERMISSION : EXIT_STATE, "--socket %s: %s; `ua-killer reap --socket` serves it", o->socket,
		     strerror(errno));
	/* A line that is too long is answered before it was sent to its end. */
	signal(SIGPIPE, SIG_IGN);
	dprintf(fd, "%s\n", line);
	stream = fdopen(fd, "r");
	if (!stream || getline(&text, &size, stream) < 0)
		fail(EXIT_FAILED, "--socket %s: no answer", o->socket);
	fclose(stream);
	if (strncmp(text, refused, sizeof(refused) - 1)) {
		fputs(text, stdout);
		free(text);
		return EXIT_OK;
	}
	for (char *at = text, *next; (next = strstr(at, code)); at = next + 1)
		result = atoi(next + sizeof(code) - 1); /* the last one: the text may hold the word too */
	fputs(text, stderr);
	free(text);
	return result;
}
