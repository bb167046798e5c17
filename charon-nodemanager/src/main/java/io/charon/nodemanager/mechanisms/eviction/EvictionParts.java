/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.eviction;

import io.charon.core.kill.VictimOrder;
import io.charon.core.law.RegulatorMode;
import io.charon.core.law.eviction.Eviction;
import io.charon.core.law.eviction.EvictionRule;
import io.charon.core.law.eviction.EvictionRule.Resource;
import io.charon.core.law.eviction.PressureRule;
import io.charon.core.law.eviction.SatisfactionRule;
import io.charon.core.law.eviction.SatisfactionRule.BestEffortQuota;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.ContainerBandwidths.Bandwidth;
import io.charon.core.mechanism.Reading;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.CpuBandwidth;
import io.charon.nodemanager.config.EvictionSettings;
import io.charon.nodemanager.execution.MechanismParts;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.sensor.MemoryPressureSensor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The three evictions of a node, and the readings that they need beyond the common ones. */
public final class EvictionParts implements MechanismParts {
  private static final Logger LOG = LoggerFactory.getLogger(EvictionParts.class);

  private final EvictionSettings settings;
  private final Optional<CpuBandwidth> quota;
  private final MemoryPressureSensor pressure;
  private final List<MechanismRunner.Entry> entries;

  /**
   * Assembles the evictions; nothing is evicted yet.
   *
   * @param settings when to evict, and which containers
   * @param tick the time between two readings of the node
   * @param layout the containers' cgroups; empty if containers have none
   * @param procRoot where proc is mounted
   */
  public EvictionParts(
      EvictionSettings settings, Duration tick, Optional<CgroupLayout> layout, Path procRoot) {
    this.settings = settings;
    this.pressure = new MemoryPressureSensor(procRoot);
    this.quota = layout.flatMap(EvictionParts::quota);
    this.entries =
        List.of(
            entry(settings.line().rule(), settings.line().mode(), Availability.available()),
            entry(
                new PressureRule(
                    settings.pressure().somePercent(), settings.pressure().usedPercent(), tick),
                settings.pressure().mode(),
                new Availability(pressure.unavailable())),
            entry(
                new SatisfactionRule(settings.satisfaction().rule(), tick),
                settings.satisfaction().mode(),
                quota.isPresent()
                    ? Availability.available()
                    : Availability.missing(
                        layout
                            .map(known -> "the cpu controller is not mounted")
                            .orElse(CgroupLayout.NONE))));
  }

  private MechanismRunner.Entry entry(
      EvictionRule rule, RegulatorMode mode, Availability availability) {
    VictimOrder order = settings.order();
    Duration grace =
        rule.resource() == Resource.MEMORY ? settings.grace().memory() : settings.grace().cpu();
    return new MechanismRunner.Entry(new Eviction(rule, order, grace, availability), mode);
  }

  private static Optional<CpuBandwidth> quota(CgroupLayout layout) {
    Optional<CgroupHierarchy> cpu = layout.hierarchy(CgroupController.CPU);
    return cpu.map(
        known ->
            new CpuBandwidth(
                layout.classDirectory(known, ContainerClass.BEST_EFFORT), known.version()));
  }

  @Override
  public List<MechanismRunner.Entry> entries() {
    return entries;
  }

  /** Reads only what evictions that are not off need. */
  @Override
  public Stream<? extends Reading> readings(long nanos) {
    return Stream.concat(
        settings.pressure().mode() == RegulatorMode.OFF
            ? Stream.empty()
            : pressure.read(nanos).stream(),
        settings.satisfaction().mode() == RegulatorMode.OFF
            ? Stream.empty()
            : quota.flatMap(EvictionParts::read).stream());
  }

  private static Optional<BestEffortQuota> read(CpuBandwidth quota) {
    try {
      return Optional.of(
          new BestEffortQuota(
              quota
                  .read()
                  .map(Bandwidth::cores)
                  .map(OptionalDouble::of)
                  .orElseGet(OptionalDouble::empty)));
    } catch (IOException e) {
      LOG.debug("cannot read best-effort's quota", e);
      return Optional.empty();
    }
  }

  @Override
  public void close() throws IOException {
    pressure.close();
  }
}
