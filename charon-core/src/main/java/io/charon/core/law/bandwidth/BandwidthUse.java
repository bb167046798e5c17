/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.bandwidth;

import io.charon.core.mechanism.Reading;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The memory traffic by last-level cache, of which most machines have one per socket.
 *
 * @param domains the traffic by the kernel's numbers of these caches
 */
public record BandwidthUse(SortedMap<Integer, Domain> domains) implements Reading {
  /**
   * The traffic through one cache. Unknown values are empty.
   *
   * @param total bytes per second of all processes
   * @param bestEffort bytes per second of best-effort; not counted unless the limit is enforced
   */
  public record Domain(OptionalDouble total, OptionalDouble bestEffort) {}

  /** Copies the map. */
  public BandwidthUse {
    domains = new TreeMap<>(domains);
  }
}
