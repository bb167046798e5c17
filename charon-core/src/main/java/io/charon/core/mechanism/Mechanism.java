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
 * One co-location mechanism: it asks a law of the core what to do about what it sees. It decides in
 * mode observe, too, so that its windows are full when somebody enforces; whether anything is
 * carried out is the executor's business. Mechanisms never know each other. For one thread, except
 * {@link #report()}.
 */
public interface Mechanism {
  /** Its name in keys, metrics, status and audit. */
  String name();

  /**
   * Whether this machine has the readings that it decides by. One that has none at the start is
   * never asked to decide; afterwards this is only shown.
   */
  Availability availability();

  /** The readings without which it cannot decide. */
  Set<Class<? extends Reading>> needs();

  /** What it sets limits of; the executor finds out at the start whether it can. */
  Set<Limit> limits();

  /**
   * How often it wants to decide, at most; zero: whenever its readings are fresh.
   *
   * @return not negative
   */
  default Duration period() {
    return Duration.ZERO;
  }

  /**
   * Decides.
   *
   * @param seen holds what it {@link #needs}, read just now
   * @return what it wants done; the order among them is the executor's
   */
  List<Action> decide(Snapshot seen);

  /** What it decided last, and by what. Safe for all threads. */
  MechanismReport report();
}
