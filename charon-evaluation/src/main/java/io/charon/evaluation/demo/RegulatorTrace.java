/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.util.Map;
import java.util.OptionalDouble;

/**
 * The behaviour of one regulator on one node over a run, sampled once a second.
 *
 * @param node name of the node, such as node1
 * @param name name of the regulator, such as memory, cpu or network
 * @param signal signal of production that the regulator observed
 * @param limitUnit unit of the limits
 * @param lowestLimit lowest limit of best-effort; empty if no limit was decided
 * @param highestLimit highest limit of best-effort; empty if no limit was decided
 * @param secondsByCause number of samples, one a second, for each rule that decided
 * @param last result of the last decision, or why the regulator is unavailable
 */
record RegulatorTrace(
    String node,
    String name,
    String signal,
    String limitUnit,
    OptionalDouble lowestLimit,
    OptionalDouble highestLimit,
    Map<String, Integer> secondsByCause,
    String last) {}
