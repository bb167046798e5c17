/* SPDX-License-Identifier: Apache-2.0 */
/* `ua-killer network`: limits the traffic that best-effort may send through a network device. */
#ifndef UA_NETWORK_H
#define UA_NETWORK_H

#include "ua_common.h"

int command_network_limit(const char *device, const char *cgroup, u64 rate, u64 link, bool json);
int command_network_show(const char *device, bool json);
int command_network_clear(const char *device, bool json);
int command_network_self_test(const char *device, bool json);

#endif
