// SPDX-License-Identifier: Apache-2.0
/*
 * The notification protocol of the service manager (sd_notify(3)): datagrams to the socket named by
 * NOTIFY_SOCKET. The loop that does the work sends the keep-alive, so that a helper whose loop hangs sends none
 * and is restarted by systemd (WatchdogSec=).
 */
#include "ua_helper.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#define KEEP_ALIVE_NS 1000000000ULL /* between two keep-alives; the WatchdogSec= of a unit is several times as long */

static int notify_socket = -1;
static struct sockaddr_un address;
static socklen_t address_size;

void notify_open(void)
{
	const char *path = getenv("NOTIFY_SOCKET");
	size_t length = path ? strlen(path) : 0;

	if (!length)
		return;
	if ((*path != '/' && *path != '@') || length >= sizeof(address.sun_path)) {
		warn("NOTIFY_SOCKET: neither an absolute path nor an abstract name shorter than %zu bytes; systemd is not notified",
		     sizeof(address.sun_path));
		return;
	}
	address.sun_family = AF_UNIX;
	memcpy(address.sun_path, path, length);
	if (*path == '@')
		address.sun_path[0] = 0;
	address_size = offsetof(struct sockaddr_un, sun_path) + length;
	notify_socket = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (notify_socket < 0)
		warn("NOTIFY_SOCKET: %s; systemd is not notified", strerror(errno));
	unsetenv("NOTIFY_SOCKET"); /* not for the processes that the helper starts */
}

/* Never blocks: if the queue is full, this keep-alive is lost and the next call sends it again. */
void notify_alive(void)
{
	static bool ready;
	static u64 next_ns;
	const char *text = ready ? "WATCHDOG=1" : "READY=1\nWATCHDOG=1";
	u64 now = now_ns();

	if (notify_socket < 0 || now < next_ns)
		return;
	if (sendto(notify_socket, text, strlen(text), MSG_DONTWAIT | MSG_NOSIGNAL, (struct sockaddr *)&address, address_size) < 0)
		return;
	ready = true;
	next_ns = now + KEEP_ALIVE_NS;
}
