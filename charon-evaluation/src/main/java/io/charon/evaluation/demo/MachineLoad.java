/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

/**
 * Processor time of the machine within a stretch of time.
 *
 * @param processors number of processors of the machine
 * @param seconds length of the sampled time
 * @param busySeconds processor time in use, summed over the processors
 * @param stolenSeconds processor time that the hypervisor gave to other machines
 * @param containersSeconds the part of {@code busySeconds} that containers used
 */
public record MachineLoad(
    int processors,
    double seconds,
    double busySeconds,
    double stolenSeconds,
    double containersSeconds) {}
