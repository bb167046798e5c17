/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.kill.VictimChoice;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * How this node uses the kernel killer, where one is loaded.
 *
 * @param socket where its helper answers
 * @param thrashingTolerance cgth_time, zero: it never kills
 * @param policy who dies
 * @param owedTolerance how long a container may be owed memory without progress, zero: for ever
 * @param watchedCgroups patterns of services outside YARN that may trigger a kill
 */
public record KernelKillerSettings(
    Path socket,
    Duration thrashingTolerance,
    VictimChoice.Policy policy,
    Duration owedTolerance,
    List<String> watchedCgroups) {
  /** Copies the list. */
  public KernelKillerSettings {
    watchedCgroups = List.copyOf(watchedCgroups);
  }

  /** These settings with the tolerances and the policy of others. */
  KernelKillerSettings withRuleOf(KernelKillerSettings others) {
    return new KernelKillerSettings(
        socket, others.thrashingTolerance, others.policy, others.owedTolerance, watchedCgroups);
  }
}
