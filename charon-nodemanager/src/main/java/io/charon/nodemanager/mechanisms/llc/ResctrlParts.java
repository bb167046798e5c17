/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.llc;

import io.charon.core.law.RegulatorMode;
import io.charon.core.law.bandwidth.BandwidthLimit;
import io.charon.core.law.bandwidth.BandwidthUse;
import io.charon.core.mechanism.Availability;
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
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is limited by resctrl on this node: best-effort's part of the last-level cache and of the
 * memory's bandwidth.
 */
public final class ResctrlParts implements MechanismParts {
  private static final Logger LOG = LoggerFactory.getLogger(ResctrlParts.class);

  private final ResctrlSettings settings;
  private final ResctrlGroup group;
  private final Optional<CgroupThreads> bestEffort;
  private final Path procRoot;
  private final BandwidthSensor sensor;
  private final BandwidthLimit bandwidth;
  private boolean unreadable;

  /** With a group that somebody made. */
  ResctrlParts(
      ResctrlSettings settings,
      ResctrlGroup group,
      Optional<CgroupThreads> bestEffort,
      Path procRoot) {
    this.settings = settings;
    this.group = group;
    this.bestEffort = bestEffort;
    this.procRoot = procRoot;
    this.sensor = new BandwidthSensor(group.files());
    this.bandwidth =
        new BandwidthLimit(
            cgroups().and(new Availability(unavailable())),
            settings.bandwidthPercent(),
            settings.peakBytesPerSecond());
  }

  /**
   * Puts them together; nothing on the machine is touched yet.
   *
   * @param settings what the operator wants
   * @param layout the containers' cgroups, if they have any
   * @param procRoot where proc is mounted
   */
  public static ResctrlParts of(
      ResctrlSettings settings, Optional<CgroupLayout> layout, Path procRoot) {
    return new ResctrlParts(
        settings, new ResctrlGroup(settings.group()), layout.map(ResctrlParts::threads), procRoot);
  }

  private static CgroupThreads threads(CgroupLayout layout) {
    CgroupHierarchy memory = layout.memory();
    return new CgroupThreads(
        layout.classDirectory(memory, ContainerClass.BEST_EFFORT), memory.version());
  }

  private Optional<String> unavailable() {
    return settings.bandwidthPercent().isPresent()
        ? BandwidthLines.unavailable(group)
        : sensor.unavailable();
  }

  private Availability cgroups() {
    return bestEffort.isPresent()
        ? Availability.available()
        : Availability.missing(CgroupLayout.NONE);
  }

  @Override
  public List<MechanismRunner.Entry> entries() {
    return List.of(
        new MechanismRunner.Entry(
            new FixedWays(
                group, settings.ways(), cgroups().and(new Availability(group.unavailable()))),
            settings.waysMode()),
        new MechanismRunner.Entry(bandwidth, settings.bandwidthMode()));
  }

  @Override
  public Map<Limit, Actuator> actuators() {
    return bestEffort
        .<Map<Limit, Actuator>>map(
            threads ->
                Map.of(
                    Limit.CACHE_WAYS, new CacheWays(group, threads, procRoot),
                    BandwidthLimit.LIMIT,
                        new BandwidthLines(group, threads, procRoot, bandwidth::allowed)))
        .orElseGet(
            () ->
                Map.of(
                    Limit.CACHE_WAYS, Actuator.missing(CgroupLayout.NONE),
                    BandwidthLimit.LIMIT, Actuator.missing(CgroupLayout.NONE)));
  }

  @Override
  public Stream<? extends Reading> readings(long nanos) {
    return read(nanos).stream();
  }

  /**
   * The bandwidth that is in use; nothing where nobody asked, or where it cannot be read, which is
   * said once.
   *
   * @param nanos now, monotonic
   */
  Optional<BandwidthUse> read(long nanos) {
    if (settings.bandwidthMode() == RegulatorMode.OFF || !bandwidth.availability().isAvailable()) {
      return Optional.empty();
    }
    try {
      BandwidthUse seen =
          settings.bandwidthPercent().isPresent() ? sensor.domains() : sensor.read(nanos);
      unreadable = false;
      return Optional.of(seen);
    } catch (IOException e) {
      if (!unreadable) {
        LOG.warn("the memory bandwidth cannot be read; tried again, said once", e);
      }
      unreadable = true;
      return Optional.empty();
    }
  }
}
