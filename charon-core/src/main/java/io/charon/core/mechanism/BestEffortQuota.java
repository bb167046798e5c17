/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

import java.util.OptionalDouble;

/**
 * The CPU time that the kernel allows all best-effort containers together.
 *
 * @param cores CPU seconds per second, not negative; empty if there is no quota
 */
public record BestEffortQuota(OptionalDouble cores) implements Reading {}
