/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * Whether a best-effort container is frozen, reclaimed, thawed or killed while memory is short.
 * Start with {@link io.charon.core.freeze.FreezeRule}, a function of the node's memory and of what
 * is frozen already.
 *
 * <p>A pure decision that uses the JDK alone: cgroups, threads and clocks are unknown here.
 */
package io.charon.core.freeze;
