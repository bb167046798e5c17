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
 * The cores on which best-effort runs from now on, and the values behind the choice.
 *
 * @param chosen the chosen cores, never empty
 * @param usable the cores that best-effort could be given
 * @param pinned the cores to which the foreground was pinned when that was last known
 * @param meanLoad the foreground's load on the other cores, in cores, averaged over the window;
 *     empty if it is not followed or not known
 * @param waterLine the water line that was applied in addition to the headroom, if any
 * @param topology the hardware that the cores share
 */
public record CoreChoice(
    Cores chosen,
    Cores usable,
    Cores pinned,
    OptionalDouble meanLoad,
    Optional<WaterLine> waterLine,
    Topology topology) {}
