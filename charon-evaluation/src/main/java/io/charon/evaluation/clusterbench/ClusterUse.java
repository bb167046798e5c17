/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

/**
 * The use of the nodes and of the machine within the horizon of one run.
 *
 * @param memoryUtilization mean memory in use as a share of the nodes', 0 to 1
 * @param processors mean number of busy processors of the machine
 * @param containerProcessors the part of {@code processors} that containers used; the rest are the
 *     daemons, the clients and the benchmark
 * @param killer what killed for memory on the nodes
 */
record ClusterUse(
    double memoryUtilization, double processors, double containerProcessors, String killer) {}
