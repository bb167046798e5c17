/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

/**
 * The simulation of a run: how far it went and which events it executed.
 *
 * @param horizonSeconds virtual time at which counting stopped at the latest
 * @param virtualSeconds virtual time at which the run ended
 * @param events number of executed events
 * @param eventChecksum checksum over all starts, ends, rejections and finished jobs, in order
 * @param partial whether the run was interrupted
 */
public record Execution(
    double horizonSeconds,
    double virtualSeconds,
    long events,
    long eventChecksum,
    boolean partial) {}
