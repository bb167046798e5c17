/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.contention;

/**
 * What was measured of a service in one interval, usually of 30 s (ByteDance with Intel RDT).
 *
 * @param seconds when it began, on a clock that may start anywhere
 * @param value what may suffer, more is worse: cycles per instruction, milliseconds, ...; not
 *     negative
 * @param load what the service did meanwhile, in any unit that grows with its work: cores, cycles,
 *     requests per second; not negative
 * @param bestEffort what best-effort used of the same machine, in any unit; not negative
 */
public record Interval(double seconds, double value, double load, double bestEffort) {}
