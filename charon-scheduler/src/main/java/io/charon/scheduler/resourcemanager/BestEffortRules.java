/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import io.charon.core.scheduler.BestEffortRule;
import java.time.Duration;

/**
 * The rules of the processor, replaced as a whole when keys are read again.
 *
 * @param who selects the best-effort applications
 * @param limits limits of their requests
 * @param avoid time for which retries avoid a node
 */
record BestEffortRules(BestEffortRule who, BestEffortLimits limits, Duration avoid) {

  /**
   * Reads the rules.
   *
   * @param settings settings, which collect the problems of the keys
   */
  static BestEffortRules from(Settings settings) {
    return new BestEffortRules(
        BestEffortKeys.rule(settings),
        BestEffortLimits.from(settings),
        Duration.ofMillis(settings.number(NodeAvoidance.AVOID_KEY, Integer.MAX_VALUE)));
  }
}
