/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * Which best-effort container dies, and when, if a killer frees memory: the rule by thrash ({@link
 * io.charon.core.kill.ThrashDetector}), which also exists in C in {@code ua_rules.h}, the rule by
 * free memory ({@link io.charon.core.kill.LowMemoryRule}), and the orders of victims.
 *
 * <p>These are pure decisions that use the JDK alone. What delivers a signal, and how a kill is
 * attributed, is unknown here.
 */
package io.charon.core.kill;
