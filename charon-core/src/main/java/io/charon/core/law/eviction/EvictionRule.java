/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.eviction;

import io.charon.core.law.eviction.Shortage.Resource;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.Snapshot;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** Finds out whether best-effort is too much for a node, and by how much. */
public interface EvictionRule {
  /** What starts the reason of each eviction. */
  String REASON = "eviction ";

  /**
   * What a rule found.
   *
   * @param value what it judges by, in its unit; empty if that was not measured
   * @param shortage what is short; empty: nothing
   * @param cause the same in words
   */
  record Finding(OptionalDouble value, Optional<Shortage> shortage, String cause) {}

  /** Its name in keys, metrics, status and audit. */
  String name();

  /** What it judges by, for people. */
  String signal();

  /** The unit of that, as in {@link MechanismReport.Quantity#unit}. */
  String unit();

  /** What it finds short. */
  Resource resource();

  /** The readings without which it finds nothing. */
  Set<Class<? extends Reading>> needs();

  /** Judges; to be asked at each tick, also while nobody may be evicted. */
  Finding find(Snapshot seen);
}
