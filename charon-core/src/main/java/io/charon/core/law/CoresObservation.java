/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import io.charon.core.cpuset.Cores;
import io.charon.core.cpuset.Topology;
import java.util.Map;
import java.util.Optional;

/**
 * The input of the core controller at one instant.
 *
 * @param load the time, the CPU time that the foreground used on cores to which it is not pinned,
 *     in cores, and the number of cores that best-effort could be given
 * @param usable the cores that best-effort could be given
 * @param pinned the cores to which the foreground is pinned; empty if that could not be determined
 * @param busy the utilization of each core, 0 to 1, by core number; unknown cores are left out
 * @param topology the hardware that the cores share
 */
public record CoresObservation(
    Observation load,
    Cores usable,
    Optional<Cores> pinned,
    Map<Integer, Double> busy,
    Topology topology) {
  /** Creates an observation of cores with an unknown topology. */
  public CoresObservation(
      Observation load, Cores usable, Optional<Cores> pinned, Map<Integer, Double> busy) {
    this(load, usable, pinned, busy, Topology.unknown());
  }

  /** Copies the map. */
  public CoresObservation {
    busy = Map.copyOf(busy);
  }
}
