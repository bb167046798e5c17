/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.playground;

/**
 * Identifies one process, as opposed to later processes with the same id.
 *
 * @param pid process id
 * @param startTicks start time, clock ticks since boot ({@code /proc/PID/stat}, field 22): unlike a
 *     date, it stays the same when the clock is set
 */
public record ProcessIdentity(long pid, long startTicks) {}
