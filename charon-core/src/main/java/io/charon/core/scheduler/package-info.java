/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * The per-node local scheduler: when a best-effort container starts.
 *
 * <p>Pure decisions on the JDK alone. Time and observations come in as arguments and decisions go
 * out as values, so the same classes decide in a live NodeManager and in virtual time. Nothing here
 * is thread-safe: the caller owns one thread or one lock.
 */
package io.charon.core.scheduler;
