/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import io.charon.core.cpuset.Cores;
import io.charon.core.cpuset.Topology;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Which cores best-effort runs on from now on, and what that was chosen by.
 *
 * @param chosen the cores, never none
 * @param usable the cores that it could be given
 * @param pinned the cores that foreground was pinned to when that was last known
 * @param meanLoad the foreground's load on the other cores, mean over the window, cores; empty
 *     where it is not followed or not known
 * @param waterLine what the load was held against beside the headroom, if anything
 * @param topology what the cores share
 */
public record CoreChoice(
    Cores chosen,
    Cores usable,
    Cores pinned,
    OptionalDouble meanLoad,
    Optional<WaterLine> waterLine,
    Topology topology) {}
