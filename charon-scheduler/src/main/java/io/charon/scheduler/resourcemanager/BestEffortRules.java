/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import io.charon.core.scheduler.BestEffortRule;
import java.time.Duration;

/**
 * What the processor goes by; replaced as a whole when keys are read again.
 *
 * @param who which applications are best-effort
 * @param limits of what they may ask for
 * @param avoid for how long retries keep off a node
 */
record BestEffortRules(BestEffortRule who, BestEffortLimits limits, Duration avoid) {

  /**
   * Reads them.
   *
   * @param settings keeps what is wrong with the keys
   */
  static BestEffortRules from(Settings settings) {
    return new BestEffortRules(
        BestEffortKeys.rule(settings),
        BestEffortLimits.from(settings),
        Duration.ofMillis(settings.number(NodeAvoidance.AVOID_KEY, Integer.MAX_VALUE)));
  }
}
