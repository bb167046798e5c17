/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

import java.util.HashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;

/** The readings of a node at one instant. Readings that failed are not included. */
public final class Snapshot {
  private final long nanos;
  private final Map<Class<? extends Reading>, Reading> readings;

  /**
   * Creates a snapshot.
   *
   * @param nanos the time, on a clock with an arbitrary origin
   * @param readings at most one of each type
   */
  public Snapshot(long nanos, Reading... readings) {
    this.nanos = nanos;
    Map<Class<? extends Reading>, Reading> byType = new HashMap<>();
    for (Reading reading : readings) {
      byType.put(reading.getClass(), reading);
    }
    this.readings = Map.copyOf(byType);
  }

  /** Returns the time of the snapshot, on a clock with an arbitrary origin. */
  public long nanos() {
    return nanos;
  }

  /** Returns whether the snapshot contains readings of all given types. */
  public boolean hasAll(Set<Class<? extends Reading>> types) {
    return readings.keySet().containsAll(types);
  }

  /** Returns the reading of the given type, if there is one. */
  public <R extends Reading> Optional<R> find(Class<R> type) {
    return Optional.ofNullable(readings.get(type)).map(type::cast);
  }

  /**
   * Returns a reading that the caller requires.
   *
   * @throws NoSuchElementException if there is no such reading
   */
  public <R extends Reading> R get(Class<R> type) {
    return find(type).orElseThrow(() -> new NoSuchElementException(type.getSimpleName()));
  }
}
