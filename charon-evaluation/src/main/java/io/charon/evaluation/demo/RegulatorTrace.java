/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.util.Map;
import java.util.OptionalDouble;

/**
 * What one regulator of one node did over a run, as seen once a second.
 *
 * @param node such as node1
 * @param name memory, cpu or network
 * @param signal what it observed of the foreground
 * @param limitUnit unit of the limits
 * @param lowestLimit least that best-effort was allowed; empty if nothing was decided
 * @param highestLimit most that it was allowed
 * @param secondsByCause seconds by the rule that decided
 * @param last what came of the last decision, or why it decides nothing
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
