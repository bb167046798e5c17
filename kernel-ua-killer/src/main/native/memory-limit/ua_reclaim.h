/* SPDX-License-Identifier: Apache-2.0 */
/* `ua-killer reclaim`: takes a little memory back from single containers that run. */
#ifndef UA_RECLAIM_H
#define UA_RECLAIM_H

int command_reclaim(void);

#endif
