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
 * The settings that may change while the killer runs; {@code docs/kernel-ua-killer.md} explains
 * them.
 *
 * @param thrashingTolerance cgth_time, in milliseconds; zero: no container is killed for thrash
 * @param policy the choice of the victim
 * @param owedTolerance how long a container may be owed memory without progress, in milliseconds;
 *     zero: no container is killed for that
 */
public record DomainSettings(
    Duration thrashingTolerance, VictimChoice.Policy policy, Duration owedTolerance) {
  /** Checks that no setting is missing. */
  public DomainSettings {
    Objects.requireNonNull(thrashingTolerance, "thrashingTolerance");
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(owedTolerance, "owedTolerance");
  }
}
