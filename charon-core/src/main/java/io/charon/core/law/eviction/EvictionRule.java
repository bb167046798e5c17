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

/** Decides whether best-effort uses too much of a node, and how much has to be released. */
public interface EvictionRule {
  /** The start of the reason of each eviction. */
  String REASON = "eviction ";

  /**
   * The finding of a rule.
   *
   * @param value the value on which the rule bases its finding, in the rule's unit; empty if it was
   *     not measured
   * @param shortage the shortage; empty if there is none
   * @param cause the finding in readable text
   */
  record Finding(OptionalDouble value, Optional<Shortage> shortage, String cause) {}

  /** Returns the name in keys, metrics, status and audit log. */
  String name();

  /** Returns the observed signal, in readable text. */
  String signal();

  /** Returns the unit of the signal, as in {@link MechanismReport.Quantity#unit}. */
  String unit();

  /** Returns the resource that can be short. */
  Resource resource();

  /** Returns the types of the readings that the rule needs. */
  Set<Class<? extends Reading>> needs();

  /** Evaluates the rule; to be called at each tick, even while no container may be evicted. */
  Finding find(Snapshot seen);
}
