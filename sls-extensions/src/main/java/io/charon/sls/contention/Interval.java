/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.contention;

/**
 * The measurements of a service in one interval, usually of 30 s (ByteDance with Intel RDT).
 *
 * @param seconds start of the interval, on a clock with any origin
 * @param value the value that may suffer, higher is worse: cycles per instruction, milliseconds,
 *     ...; not negative
 * @param load work of the service in the interval, in any unit that grows with it: cores, cycles,
 *     requests per second; not negative
 * @param bestEffort best-effort's use of the same machine, in any unit; not negative
 */
public record Interval(double seconds, double value, double load, double bestEffort) {}
