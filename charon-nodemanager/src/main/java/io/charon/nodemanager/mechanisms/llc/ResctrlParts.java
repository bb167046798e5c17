/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.llc;

import io.charon.core.law.bandwidth.BandwidthLimit;
import io.charon.core.law.bandwidth.BandwidthUse;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.CheckedAvailability;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.Reading;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupThreads;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.config.ResctrlSettings;
import io.charon.nodemanager.execution.Actuator;
import io.charon.nodemanager.execution.MechanismParts;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.execution.SingleMechanism;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Assembles the limits that resctrl enforces on this node: best-effort's part of the last-level
 * cache and of the memory bandwidth.
 */
public final class ResctrlParts implements MechanismParts {
  private final ResctrlSettings settings;
  private final ResctrlGroup group;
  private final Optional<CgroupThreads> bestEffort;
  private final Path procRoot;
  private final RunningIds running;
  private final SingleMechanism<BandwidthUse> bandwidth;

  /** Assembles the limits for a given group. */
  ResctrlParts(
      ResctrlSettings settings,
      ResctrlGroup group,
      Optional<CgroupThreads> bestEffort,
      Path procRoot,
      RunningIds running) {
    this.settings = settings;
    this.group = group;
    this.bestEffort = bestEffort;
    this.procRoot = procRoot;
    this.running = running;
    this.bandwidth = bandwidth(new BandwidthSensor(group.files()));
  }

  private SingleMechanism<BandwidthUse> bandwidth(BandwidthSensor sensor) {
    boolean fixed = settings.bandwidthPercent().isPresent();
    CheckedAvailability availability =
        available(() -> fixed ? BandwidthSchema.unavailable(group) : sensor.unavailable());
    BandwidthLimit limit =
        new BandwidthLimit(
            availability, settings.bandwidthPercent(), settings.peakBytesPerSecond());
    SingleMechanism.Source<BandwidthUse> use =
        nanos -> fixed ? sensor.domains() : sensor.read(nanos);
    return new SingleMechanism<>(
        limit,
        settings.bandwidthMode(),
        actuator(threads -> new BandwidthSchema(group, threads, limit::allowed)),
        Optional.of(use));
  }

  private CheckedAvailability available(Supplier<Optional<String>> missing) {
    return CheckedAvailability.of(() -> cgroups().and(new Availability(missing.get())));
  }

  /**
   * Assembles the limits without changing anything on the machine.
   *
   * @param settings the operator's settings
   * @param layout the containers' cgroups; empty if containers have none
   * @param procRoot where proc is mounted
   * @param running the running containers
   */
  public static ResctrlParts of(
      ResctrlSettings settings, Optional<CgroupLayout> layout, Path procRoot, RunningIds running) {
    return new ResctrlParts(
        settings,
        new ResctrlGroup(settings.group()),
        layout.map(ResctrlParts::threads),
        procRoot,
        running);
  }

  private static CgroupThreads threads(CgroupLayout layout) {
    CgroupHierarchy memory = layout.memory();
    return new CgroupThreads(
        layout.classDirectory(memory, ContainerClass.BEST_EFFORT), memory.version());
  }

  private Availability cgroups() {
    return bestEffort.isPresent()
        ? Availability.available()
        : Availability.missing(CgroupLayout.NONE);
  }

  private Actuator actuator(Function<GroupThreads, Actuator> kind) {
    return bestEffort
        .map(known -> kind.apply(new GroupThreads(group, known, procRoot, running)))
        .orElseGet(() -> Actuator.missing(CgroupLayout.NONE));
  }

  @Override
  public List<MechanismRunner.Entry> entries() {
    return List.of(
        new MechanismRunner.Entry(
            new FixedWays(group, settings.ways(), available(group::unavailable)),
            settings.waysMode()),
        new MechanismRunner.Entry(bandwidth.mechanism(), settings.bandwidthMode()));
  }

  @Override
  public Map<Limit, Actuator> actuators() {
    return Map.of(
        Limit.CACHE_WAYS,
        actuator(threads -> new CacheWays(group, threads)),
        BandwidthLimit.LIMIT,
        bandwidth.actuator());
  }

  @Override
  public Stream<? extends Reading> readings(long nanos) {
    return bandwidth.mechanism().availability().isAvailable()
        ? bandwidth.readings(nanos)
        : Stream.empty();
  }
}
