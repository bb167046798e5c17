/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * A co-location mechanism: it passes what it observes to a control law of the core, and returns the
 * actions that the law decides. It also decides in mode observe, so that its windows are full when
 * an operator switches to enforce; the executor determines whether actions are carried out.
 * Mechanisms do not know each other. An instance is used by one thread, except for {@link
 * #report()}.
 */
public interface Mechanism {
  /** Returns the name in keys, metrics, status and audit log. */
  String name();

  /**
   * Returns whether this machine has the readings on which it bases its decisions, as far as that
   * is known. A mechanism that has none is not asked to decide before it has; that it loses them
   * later is only shown.
   */
  Availability availability();

  /**
   * Finds out again whether it is available, which may have changed since the start. Called about
   * once a minute while it is not, on a thread of its own, because it may take seconds.
   */
  default void checkAgain() {}

  /** Returns the types of the readings that it needs to decide. */
  Set<Class<? extends Reading>> needs();

  /** Returns the limits that it sets; the executor checks whether it can set them. */
  Set<Limit> limits();

  /**
   * Returns the minimum time between two decisions; zero: it decides whenever its readings are
   * fresh.
   *
   * @return not negative
   */
  default Duration period() {
    return Duration.ZERO;
  }

  /**
   * Decides what to do. Changes nothing on the machine: what has to change is in the actions, which
   * the executor carries out or, in mode observe, only reports. A mechanism may pass its readings
   * to a program that reads more often than it is asked; that program, too, changes something only
   * after an action.
   *
   * @param seen contains the readings that it {@link #needs}, taken just now
   * @return the requested actions; the executor determines their order
   */
  List<Action> decide(Snapshot seen);

  /** Returns the last decision and its basis. Safe for use by any thread. */
  MechanismReport report();
}
