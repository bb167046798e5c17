/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

/**
 * The machine on which a thrash model was measured.
 *
 * @param kernel release of the kernel
 * @param processors number of CPUs
 * @param cgroupVersion 1 or 2
 * @param swapMegabytes size of the zram device
 * @param disk file system and device of the file pages
 * @param workingSetMegabytes working set of each program
 */
record ThrashMachine(
    String kernel,
    int processors,
    int cgroupVersion,
    int swapMegabytes,
    String disk,
    int workingSetMegabytes) {}
