/* SPDX-License-Identifier: Apache-2.0 */
/* `ua-killer reclaim`: reclaims a little memory from single running containers. */
#ifndef UA_RECLAIM_H
#define UA_RECLAIM_H

int command_reclaim(void);

#endif
