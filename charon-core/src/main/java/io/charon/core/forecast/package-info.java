/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * The part of production's reservation that may be lent to best-effort: the amount at this instant
 * ({@link io.charon.core.forecast.ReclaimedResources}), and predictors of production's use ({@link
 * io.charon.core.forecast.UsePredictor}), which determine what can be promised for longer.
 *
 * <p>These are pure computations that use the JDK alone: the node's status and {@code bin/charon
 * tune reclaimed} use the same classes. Nothing here is thread-safe: the caller uses one thread or
 * one lock. {@code docs/reclaimed-resources.md} explains the numbers.
 */
package io.charon.core.forecast;
