/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer.client;

import io.charon.core.kill.VictimChoice;
import java.time.Duration;
import java.util.Objects;

/**
 * What may change while the killer runs; {@code docs/kernel-ua-killer.md} says what each does.
 *
 * @param thrashingTolerance cgth_time, milliseconds; zero: nobody is ever killed
 * @param policy who dies
 * @param owedTolerance how long a container may be owed memory without progress, milliseconds;
 *     zero: nobody is killed for that
 */
public record DomainSettings(
    Duration thrashingTolerance, VictimChoice.Policy policy, Duration owedTolerance) {
  /** Checks that nothing is missing. */
  public DomainSettings {
    Objects.requireNonNull(thrashingTolerance, "thrashingTolerance");
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(owedTolerance, "owedTolerance");
  }
}
