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
 * What is read from and written to memory, by the last-level cache that it goes through: mostly one
 * for each socket.
 *
 * @param domains by the numbers that the kernel gives those caches
 */
public record BandwidthUse(SortedMap<Integer, Domain> domains) implements Reading {
  /**
   * One of them. What is not known is empty.
   *
   * @param total bytes per second of everybody
   * @param bestEffort bytes per second of best-effort; nobody counts it where nothing is enforced
   */
  public record Domain(OptionalDouble total, OptionalDouble bestEffort) {}

  /** Copies the map. */
  public BandwidthUse {
    domains = new TreeMap<>(domains);
  }
}
