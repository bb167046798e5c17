/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * Best-effort's part of the last-level cache and of the memory bandwidth, by resctrl (Intel RDT,
 * AMD QoS). {@code ResctrlParts} puts the mechanisms together, {@code ResctrlGroup} is
 * best-effort's group, and only {@code ResctrlFiles} writes files.
 *
 * <p>How much best-effort may have is decided in {@code io.charon.core.law}, or by a key. Cgroups
 * are only read here, for their threads.
 */
package io.charon.nodemanager.mechanisms.llc;
