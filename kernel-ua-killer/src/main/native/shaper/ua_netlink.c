// SPDX-License-Identifier: Apache-2.0
/* Requests to rtnetlink and their replies. */
#include "ua_netlink.h"
#include "ua_common.h"

#include <errno.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define REPLY_SPACE 65536
#define TIMEOUT_SECONDS 5
#define MAX_ERRNO 4095 /* the kernel's highest error number */

/* ---- requests ------------------------------------------------------------------------------------ */

static void *extend(struct netlink_request *r, size_t size)
{
	size_t at = r->header.nlmsg_len;

	if (at + NLMSG_ALIGN(size) > sizeof(*r))
		fail(EXIT_FAILED, "a netlink request of more than %zu bytes", sizeof(*r));
	memset((char *)r + at, 0, NLMSG_ALIGN(size));
	r->header.nlmsg_len = at + NLMSG_ALIGN(size);
	return (char *)r + at;
}

void netlink_begin(struct netlink_request *r, int type, int flags, const void *fixed, size_t size)
{
	memset(&r->header, 0, sizeof(r->header));
	r->header.nlmsg_len = NLMSG_HDRLEN;
	r->header.nlmsg_type = type;
	r->header.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | flags;
	memcpy(extend(r, size), fixed, size);
}

void netlink_put(struct netlink_request *r, int type, const void *value, size_t size)
{
	struct nlattr *attribute = extend(r, NLA_HDRLEN + size);

	attribute->nla_type = type;
	attribute->nla_len = NLA_HDRLEN + size;
	memcpy((char *)attribute + NLA_HDRLEN, value, size);
}

void netlink_put_text(struct netlink_request *r, int type, const char *text)
{
	netlink_put(r, type, text, strlen(text) + 1);
}

struct nlattr *netlink_open(struct netlink_request *r, int type)
{
	struct nlattr *nest = extend(r, NLA_HDRLEN);

	nest->nla_type = type | NLA_F_NESTED;
	return nest;
}

void netlink_close(struct netlink_request *r, struct nlattr *nest)
{
	nest->nla_len = (char *)r + r->header.nlmsg_len - (char *)nest;
}

/* ---- replies ------------------------------------------------------------------------------------- */

const void *netlink_fixed(const struct nlmsghdr *message, size_t size)
{
	return message->nlmsg_len < NLMSG_LENGTH(size) ? NULL : NLMSG_DATA(message);
}

static const struct nlattr *find(const char *at, const char *end, int type)
{
	while (at + NLA_HDRLEN <= end) {
		const struct nlattr *attribute = (const struct nlattr *)at;

		if (attribute->nla_len < NLA_HDRLEN || at + attribute->nla_len > end)
			break;
		if ((attribute->nla_type & NLA_TYPE_MASK) == type)
			return attribute;
		at += NLA_ALIGN(attribute->nla_len);
	}
	return NULL;
}

const struct nlattr *netlink_find(const struct nlmsghdr *message, size_t fixed, int type)
{
	return find((const char *)message + NLMSG_SPACE(fixed), (const char *)message + message->nlmsg_len, type);
}

const struct nlattr *netlink_inside(const struct nlattr *nest, int type)
{
	return nest ? find((const char *)nest + NLA_HDRLEN, (const char *)nest + nest->nla_len, type) : NULL;
}

void netlink_text(const struct nlattr *attribute, char *text, size_t size)
{
	text[0] = 0;
	if (attribute)
		snprintf(text, size, "%.*s", attribute->nla_len - NLA_HDRLEN, (const char *)attribute + NLA_HDRLEN);
}

/* The structure of a newer kernel may be longer; its first part is the same. */
bool netlink_value(const struct nlattr *attribute, void *value, size_t size)
{
	if (!attribute || attribute->nla_len < NLA_HDRLEN + size)
		return false;
	memcpy(value, (const char *)attribute + NLA_HDRLEN, size);
	return true;
}

static int open_socket(void)
{
	struct timeval timeout = { .tv_sec = TIMEOUT_SECONDS };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE), one = 1;

	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
	setsockopt(fd, SOL_NETLINK, NETLINK_EXT_ACK, &one, sizeof(one)); /* asks for reasons as text */
	return fd;
}

/* The kernel's text follows the request, which is part of the reply unless capped. */
static void keep_reason(const struct nlmsghdr *message, const struct nlmsgerr *error, char reason[NETLINK_REASON])
{
	size_t skip = sizeof(*error);

	if (!(message->nlmsg_flags & NLM_F_ACK_TLVS))
		return;
	if (!(message->nlmsg_flags & NLM_F_CAPPED))
		skip += error->msg.nlmsg_len - sizeof(error->msg);
	netlink_text(netlink_find(message, skip, NLMSGERR_ATTR_MSG), reason, NETLINK_REASON);
}

static int result_of(const int *code)
{
	return code && *code <= 0 && *code >= -MAX_ERRNO ? *code : -EBADMSG;
}

/* Returns whether this was the last message. */
static bool take(const struct nlmsghdr *message, netlink_each each, void *argument, int *result,
		 char reason[NETLINK_REASON])
{
	if (message->nlmsg_type == NLMSG_ERROR) {
		const struct nlmsgerr *error = netlink_fixed(message, sizeof(*error));

		*result = result_of(error ? &error->error : NULL);
		if (error && *result)
			keep_reason(message, error, reason);
		return true;
	}
	if (message->nlmsg_type == NLMSG_DONE) {
		*result = result_of(netlink_fixed(message, sizeof(int)));
		return true;
	}
	if (each)
		each(message, argument);
	return false;
}

int netlink_ask(struct netlink_request *r, netlink_each each, void *argument, char reason[NETLINK_REASON])
{
	static char reply[REPLY_SPACE] __attribute__((aligned(NLMSG_ALIGNTO)));
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	int fd = open_socket(), result = 0;
	ssize_t got;

	reason[0] = 0;
	if (fd < 0)
		return fd;
	if (sendto(fd, r, r->header.nlmsg_len, 0, (struct sockaddr *)&kernel, sizeof(kernel)) < 0) {
		result = -errno;
		close(fd);
		return result;
	}
	for (;;) {
		const struct nlmsghdr *message = (const struct nlmsghdr *)reply;

		got = recv(fd, reply, sizeof(reply), MSG_TRUNC);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 || got > (ssize_t)sizeof(reply)) {
			result = got < 0 ? -errno : -EMSGSIZE;
			break;
		}
		for (; NLMSG_OK(message, got); message = NLMSG_NEXT(message, got))
			if (take(message, each, argument, &result, reason)) {
				close(fd);
				return result;
			}
	}
	close(fd);
	return result;
}
