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
 * What the cores regulator sees at one instant.
 *
 * @param load when; how many cores' worth of time the foreground used on cores that it is not
 *     pinned to; and how many cores best-effort could be given
 * @param usable the cores that best-effort could be given
 * @param pinned the cores that foreground is pinned to; empty if that could not be found out
 * @param busy how busy each core was, 0 to 1, by its number; without those where it is unknown
 * @param topology what the cores share
 */
public record CoresObservation(
    Observation load,
    Cores usable,
    Optional<Cores> pinned,
    Map<Integer, Double> busy,
    Topology topology) {
  /** Of cores of which no more is known than their numbers. */
  public CoresObservation(
      Observation load, Cores usable, Optional<Cores> pinned, Map<Integer, Double> busy) {
    this(load, usable, pinned, busy, Topology.unknown());
  }

  /** Copies the map. */
  public CoresObservation {
    busy = Map.copyOf(busy);
  }
}
