/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * The local scheduler of a node, which decides when a best-effort container starts.
 *
 * <p>These are pure decisions that use the JDK alone. Time and observations are arguments and
 * decisions are values, so the same classes decide in a live NodeManager and in virtual time.
 * Nothing here is thread-safe: the caller uses one thread or one lock.
 */
package io.charon.core.scheduler;
