// SPDX-License-Identifier: Apache-2.0
/*
 * The Unix socket through which the NodeManager talks to the helper, because the maps belong to root. A request
 * is a line of arguments, the reply a line of JSON. A peer that is not permitted (ua_peer.c) gets a refusal and is
 * disconnected at once, so that it occupies no slot. Lines, clients and times are bounded, and a separate
 * thread, which the kernel keeps within a share of a processor, does all of this.
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

#define MAX_CLIENTS UA_MAX_AGENTS
#define MAX_PER_PROCESS 4
#define BACKLOG 64                 /* maximum number of connections not yet accepted */
#define TIMEOUT_NS 60000000000ULL /* for the next complete request, and for reading the reply */
#define REPORT_NS 10000000000ULL     /* between two messages about refused peers */
#define STACK (128 * 1024)
/*
 * The share of a processor that this thread gets before any other: a NodeManager waits at most 200 ms for late replies,
 * also while hundreds of containers start. A weight does not help, because it counts only within the session or the
 * cgroup. Not more, so that peers who send without pause do not take the processors from production and from the threads
 * that kill.
 */
#define RUNTIME_NS 10000000ULL
#define PERIOD_NS 50000000ULL

struct client {
	int fd; /* -1: free */
	pid_t process;
	uid_t user;
	size_t got;
	char *reply;
	size_t reply_size, sent;
	u64 deadline_ns;
	bool last; /* close after this reply */
	char line[UA_LINE];
};

static struct client clients[MAX_CLIENTS];
static u32 agents[MAX_CLIENTS]; /* NodeManagers; read by another thread */
static struct requests requests;
static int listener = -1;

/* ---- clients ------------------------------------------------------------------------------------- */

static void close_client(struct client *c)
{
	close(c->fd);
	free(c->reply);
	c->fd = -1;
	c->reply = NULL;
	__atomic_store_n(&agents[c - clients], 0, __ATOMIC_RELAXED);
}

/* Reclaim by NodeManagers is no sign of a shortage. */
void socket_agents(u32 found[UA_MAX_AGENTS])
{
	for (int i = 0; i < UA_MAX_AGENTS; i++)
		found[i] = __atomic_load_n(&agents[i], __ATOMIC_RELAXED);
}

/* A NodeManager asks for the domains once a second, also while no registration changes. */
static bool is_of_node_manager(const char *line, size_t length)
{
	return !strncmp(line, "update ", 7) || (length == 7 && !strncmp(line, "domains", 7));
}

/* Processes the first received line. The client is dropped if there is no memory for the reply. */
static void process_line(struct client *c)
{
	char *end = memchr(c->line, '\n', c->got), request[UA_LINE];
	struct ua_error error = {};
	size_t length;
	FILE *out;

	if (!end && c->got < UA_LINE)
		return;
	out = open_memstream(&c->reply, &c->reply_size);
	if (!out) {
		close_client(c);
		return;
	}
	if (!end) {
		c->last = true;
		refuse(&error, EXIT_USAGE, "the line is longer than %d bytes", UA_LINE - 1);
		print_refusal(out, &error);
	} else {
		length = end - c->line;
		if (is_of_node_manager(c->line, length))
			__atomic_store_n(&agents[c - clients], c->process, __ATOMIC_RELAXED);
		memcpy(request, c->line, length);
		c->got -= length + 1;
		memmove(c->line, end + 1, c->got);
		request_answer(&requests, !c->user, request, length, out);
	}
	c->sent = 0;
	if (fclose(out) || !c->reply)
		close_client(c);
}

static void receive(struct client *c)
{
	ssize_t got = recv(c->fd, c->line + c->got, UA_LINE - c->got, MSG_DONTWAIT);

	if (got > 0)
		c->got += got;
	else if (got == 0 || (errno != EAGAIN && errno != EINTR))
		close_client(c);
}

static void send_reply(struct client *c)
{
	ssize_t sent = send(c->fd, c->reply + c->sent, c->reply_size - c->sent, MSG_DONTWAIT | MSG_NOSIGNAL);

	if (sent < 0 && errno != EAGAIN && errno != EINTR) {
		close_client(c);
		return;
	}
	if (sent > 0)
		c->sent += sent;
	if (c->sent < c->reply_size)
		return;
	free(c->reply);
	c->reply = NULL;
	c->deadline_ns = now_ns() + TIMEOUT_NS;
	if (c->last)
		close_client(c);
}

static bool has_line(const struct client *c)
{
	return c->fd >= 0 && !c->reply && memchr(c->line, '\n', c->got);
}

/* Serves one request of each client in turn. */
static void serve_client(struct client *c, short events)
{
	if (events && c->reply)
		send_reply(c);
	else if (events)
		receive(c);
	if (c->fd >= 0 && !c->reply)
		process_line(c);
	if (c->fd >= 0 && now_ns() > c->deadline_ns)
		close_client(c);
}

/* Sends as much of the refusal as fits into the socket's buffer: the helper never waits for a refused peer. */
static void refuse_peer(int fd, const struct ua_error *error)
{
	static u64 reported_ns;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (out) {
		print_refusal(out, error);
		if (!fclose(out) && send(fd, text, size, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 && errno != EPIPE)
			warn("cannot send a refusal: %s", strerror(errno));
	}
	free(text);
	close(fd);
	if (!reported_ns || now_ns() - reported_ns > REPORT_NS) {
		reported_ns = now_ns();
		warn("%s", error->text);
	}
}

/*
 * Finds a slot. A process that has used up its slots loses the one that has been silent for the longest time.
 * If all slots are in use, the client that has been silent for the longest time is dropped.
 */
static struct client *slot_for(pid_t process)
{
	struct client *free = NULL, *own = NULL, *oldest = NULL;
	int held = 0;

	for (struct client *c = clients; c < clients + MAX_CLIENTS; c++) {
		if (c->fd < 0) {
			free = c;
			continue;
		}
		if (!oldest || c->deadline_ns < oldest->deadline_ns)
			oldest = c;
		if (c->process != process)
			continue;
		held++;
		if (!own || c->deadline_ns < own->deadline_ns)
			own = c;
	}
	free = held >= MAX_PER_PROCESS ? own : free ? free : oldest;
	if (free->fd >= 0)
		close_client(free);
	return free;
}

static void accept_client(void)
{
	int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	struct ua_error error;
	struct client *slot;
	struct peer peer;

	if (fd < 0) {
		usleep(100000); /* no descriptors left: the listener stays readable */
		return;
	}
	if (!peer_is_accepted(fd, &peer, &error)) {
		refuse_peer(fd, &error);
		return;
	}
	slot = slot_for(peer.process);
	slot->fd = fd;
	slot->process = peer.process;
	slot->user = peer.user;
	slot->got = 0;
	slot->last = false;
	slot->deadline_ns = now_ns() + TIMEOUT_NS;
}

static void *serve_all(void *unused)
{
	struct pollfd waiting[MAX_CLIENTS + 1];

	if (take_processor_share(RUNTIME_NS, PERIOD_NS))
		warn("no share of a CPU (%s): replies may be late on busy CPUs; give it CAP_SYS_NICE and all CPUs", strerror(errno));
	for (;;) {
		bool busy = false;
		int used = 0;

		for (int i = 0; i < MAX_CLIENTS; i++) {
			struct client *c = &clients[i];

			waiting[i] = (struct pollfd){ .fd = c->fd, .events = c->reply ? POLLOUT : POLLIN };
			used += c->fd >= 0;
			busy |= has_line(c);
		}
		waiting[MAX_CLIENTS] = (struct pollfd){ .fd = listener, .events = POLLIN };
		poll(waiting, MAX_CLIENTS + 1, busy ? 0 : used ? 1000 : -1);
		for (int i = 0; i < MAX_CLIENTS; i++)
			if (waiting[i].fd >= 0)
				serve_client(&clients[i], waiting[i].revents);
		if (waiting[MAX_CLIENTS].revents)
			accept_client();
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
		/* A killed helper leaves its socket behind, and no process listens there. */
		if (!S_ISSOCK(status.st_mode))
			fail(EXIT_USAGE, "--socket %s: a file that is not a socket exists there", path);
		if (!connect(probe, (struct sockaddr *)&address, sizeof(address)) || errno != ECONNREFUSED)
			fail(EXIT_STATE, "--socket %s: another helper is serving it", path);
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
	if (listen(listener, BACKLOG))
		fail(EXIT_FAILED, "--socket %s: %s", path, strerror(errno));
}

/* Starts the thread. Called before the helper becomes real-time, so that the thread does not. */
void socket_serve(const struct options *o)
{
	pthread_attr_t attributes;
	pthread_t thread;

	peer_configure(o);
	requests_open(o, &requests);
	for (int i = 0; i < MAX_CLIENTS; i++)
		clients[i].fd = -1;
	open_listener(o->socket, pin_group(o));
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK);
	if (pthread_create(&thread, &attributes, serve_all, NULL))
		fail(EXIT_FAILED, "cannot start a thread: %s", strerror(errno));
	pthread_attr_destroy(&attributes);
}

/* ---- client --------------------------------------------------------------------------------------- */

/* Sends one request and prints the reply. Returns the exit code that the command line would have returned. */
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
		fail(EXIT_USAGE, "a request must be one line");
	if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)))
		fail(errno == EACCES ? EXIT_PERMISSION : EXIT_STATE, "--socket %s: %s; `ua-killer reap --socket` serves it", o->socket,
		     strerror(errno));
	/* A line that is too long gets its reply before it has been sent completely. */
	signal(SIGPIPE, SIG_IGN);
	dprintf(fd, "%s\n", line);
	stream = fdopen(fd, "r");
	if (!stream || getline(&text, &size, stream) < 0)
		fail(EXIT_FAILED, "--socket %s: no reply", o->socket);
	fclose(stream);
	if (strncmp(text, refused, sizeof(refused) - 1)) {
		fputs(text, stdout);
		free(text);
		return EXIT_OK;
	}
	for (char *at = text, *next; (next = strstr(at, code)); at = next + 1)
		result = atoi(next + sizeof(code) - 1); /* the last one: the text may contain these characters, too */
	fputs(text, stderr);
	free(text);
	return result;
}
