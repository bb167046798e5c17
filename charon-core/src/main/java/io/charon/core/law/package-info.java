/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * How much of a resource best-effort may use: the control laws of Scavenger (Javadi et al., SoCC
 * 2019), which observe the foreground as a black box.
 *
 * <p>These are pure decisions that use the JDK alone. Time and observations are arguments and
 * decisions are values, so the same classes decide in a live NodeManager, in virtual time and in
 * {@code bin/charon tune}. Nothing here is thread-safe: the caller uses one thread or one lock.
 * {@code docs/regulators.md} explains how to read the decisions.
 */
package io.charon.core.law;
