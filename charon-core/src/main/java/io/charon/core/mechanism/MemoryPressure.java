/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

/**
 * The share of the last ten seconds in which at least one process of the machine waited for memory:
 * "some avg10" of Linux's pressure stall information.
 *
 * @param somePercent 0 to 100
 */
public record MemoryPressure(double somePercent) implements Reading {}
