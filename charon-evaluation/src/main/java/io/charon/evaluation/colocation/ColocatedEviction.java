/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.core.law.RegulatorMode;
import io.charon.core.law.eviction.MemoryLineRule;
import io.charon.core.law.eviction.PressureRule;
import io.charon.core.mechanism.MemoryUse;
import io.charon.core.mechanism.Reading;
import io.charon.core.scheduler.NodeMemory;
import io.charon.nodemanager.config.EvictionSettings;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.mechanisms.eviction.EvictionParts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** One eviction of the NodeManager with its default thresholds; the other evictions are off. */
final class ColocatedEviction implements AutoCloseable {
  private static final Path PROC = Path.of("/proc");

  private final EvictionSettings settings;
  private final EvictionParts parts;

  /**
   * Creates the eviction without evicting anything.
   *
   * @param name name of the eviction that is on
   */
  ColocatedEviction(ColocatedNode node, String name) {
    settings = only(name, node.settings().regulators().of(EvictionSettings.class));
    parts = new EvictionParts(settings, Optional.empty(), Optional.of(node.layout()), PROC);
  }

  /** Returns the same thresholds with one eviction in {@code enforce} and the others off. */
  static EvictionSettings only(String name, EvictionSettings defaults) {
    return new EvictionSettings(
        new EvictionSettings.Line(mode(name.equals(MemoryLineRule.NAME)), defaults.line().rule()),
        new EvictionSettings.Pressure(
            mode(name.equals(PressureRule.NAME)),
            defaults.pressure().somePercent(),
            defaults.pressure().usedPercent()),
        new EvictionSettings.Satisfaction(RegulatorMode.OFF, defaults.satisfaction().rule()),
        defaults.order(),
        defaults.grace());
  }

  private static RegulatorMode mode(boolean on) {
    return on ? RegulatorMode.ENFORCE : RegulatorMode.OFF;
  }

  /** Returns the mechanism of the eviction that is on. */
  List<MechanismRunner.Entry> entries() {
    return parts.entries().stream().filter(entry -> entry.mode() != RegulatorMode.OFF).toList();
  }

  /** Returns its readings except those of the best-effort containers. */
  Stream<Reading> readings(long nanos, NodeMemory memory) {
    return Stream.concat(
        Stream.of(new MemoryUse(memory.usedBytes(), memory.capacityBytes())),
        parts.readings(nanos));
  }

  /**
   * Returns the memory that launches may use, because containers above the eviction's threshold
   * would be evicted at once.
   */
  NodeMemory forLaunches(NodeMemory memory) {
    return memory.lessAvailable(settings.keptFreeBytes(memory.capacityBytes()));
  }

  @Override
  public void close() throws IOException {
    parts.close();
  }
}
