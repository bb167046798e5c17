/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.policy;

import io.charon.core.kill.VictimOrder;
import io.charon.core.law.CpuQuotaSettings;
import io.charon.core.law.CpuWaterLine;
import io.charon.core.law.MemoryReserve;
import io.charon.core.law.ReserveRegulator;
import io.charon.core.law.WaterLine;
import io.charon.core.law.eviction.Eviction;
import io.charon.core.law.eviction.EvictionRule;
import io.charon.core.law.eviction.MemoryLineRule;
import io.charon.core.law.eviction.SatisfactionRule;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.Mechanism;
import io.charon.sls.node.NodeMechanism;
import java.time.Duration;
import java.util.Optional;

/** The mechanisms of a NodeManager that a policy has in mode enforce, with their defaults. */
final class AddedMechanisms {
  static final MemoryLineRule EVICT_LINE = new MemoryLineRule(70, 68);

  private static final SatisfactionRule.Settings SATISFACTION =
      new SatisfactionRule.Settings(60, 80, 90, Duration.ofSeconds(60));
  private static final CpuQuotaSettings CPU_QUOTA =
      CpuQuotaSettings.ofThePaper(
          CpuQuotaSettings.defaults(), CpuQuotaSettings.Worse.HIGHER, 0.1, 1024, 0.5);

  /** The line of koordinator and Alibaba's ACK; a NodeManager has none by default. */
  private static final WaterLine CPU_WATER_LINE = new WaterLine(65);

  private AddedMechanisms() {}

  /** Returns a new mechanism for one node; empty if the policy adds none. */
  static Optional<Mechanism> of(Policy policy) {
    return switch (policy) {
      case CHARON_EVICT_LINE -> Optional.of(eviction(EVICT_LINE));
      case CHARON_EVICT_SATISFACTION ->
          Optional.of(eviction(new SatisfactionRule(SATISFACTION, NodeMechanism.PERIOD)));
      case CHARON_MEMORY_RESERVE ->
          Optional.of(new MemoryReserve(ReserveRegulator.memoryDefaults()));
      case CHARON_WATER_LINE -> Optional.of(new CpuWaterLine(CPU_WATER_LINE, CPU_QUOTA));
      default -> Optional.empty();
    };
  }

  private static Eviction eviction(EvictionRule rule) {
    return new Eviction(rule, VictimOrder.NEWEST, Duration.ZERO, Availability.available());
  }
}
