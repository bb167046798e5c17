/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * How much of what production has reserved may be lent to best-effort: the number for this instant
 * ({@link io.charon.core.forecast.ReclaimedResources}), and predictors of what production will use
 * ({@link io.charon.core.forecast.UsePredictor}), which say what can be promised for longer.
 *
 * <p>Pure decisions on the JDK alone: the same classes stand behind a node's status and {@code
 * bin/charon tune reclaimed}. Nothing here is thread-safe: the caller owns one thread or one lock.
 * {@code docs/reclaimed-resources.md} says what the numbers mean.
 */
package io.charon.core.forecast;
