/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of rtnetlink that traffic control needs. Debian has no static library for it. Running tc would
 * require tc to be installed and would pass on our privileges.
 */
#ifndef UA_NETLINK_H
#define UA_NETLINK_H

#include <linux/netlink.h>
#include <stdbool.h>
#include <stddef.h>

#define NETLINK_SPACE 2048
#define NETLINK_REASON 160

/* A request under construction; attributes that do not fit end the process. */
struct netlink_request {
	struct nlmsghdr header;
	char space[NETLINK_SPACE];
};

void netlink_begin(struct netlink_request *r, int type, int flags, const void *fixed, size_t size);
void netlink_put(struct netlink_request *r, int type, const void *value, size_t size);
void netlink_put_text(struct netlink_request *r, int type, const char *text);
struct nlattr *netlink_open(struct netlink_request *r, int type);
void netlink_close(struct netlink_request *r, struct nlattr *nest);

/*
 * Sends the request and waits for the reply; `each`, which may be NULL, gets every message of the reply.
 * Returns 0 or a negative errno, with the kernel's own text, if any, in `reason`.
 */
typedef void (*netlink_each)(const struct nlmsghdr *message, void *argument);
int netlink_ask(struct netlink_request *r, netlink_each each, void *argument, char reason[NETLINK_REASON]);

/* The fixed part of a message; NULL: the message is shorter. */
const void *netlink_fixed(const struct nlmsghdr *message, size_t size);

/* Attributes after the fixed part of a message, and inside another attribute; NULL: there is none. */
const struct nlattr *netlink_find(const struct nlmsghdr *message, size_t fixed, int type);
const struct nlattr *netlink_inside(const struct nlattr *nest, int type);
void netlink_text(const struct nlattr *attribute, char *text, size_t size);
bool netlink_value(const struct nlattr *attribute, void *value, size_t size);

#endif
