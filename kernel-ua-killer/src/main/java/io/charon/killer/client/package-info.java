/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * The Java side of {@code ua-killer}: requests to the kernel killer's helper over its socket
 * ({@link io.charon.killer.client.KernelKiller}), and the process that moves the memory limit
 * ({@link io.charon.killer.client.MemoryLimitProcess}). Nothing is decided here.
 *
 * <p>This package depends on neither Hadoop nor a node, because the NodeManager of any Hadoop loads
 * it.
 */
package io.charon.killer.client;
