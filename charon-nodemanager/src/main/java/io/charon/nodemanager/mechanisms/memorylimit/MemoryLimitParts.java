/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.memorylimit;

import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.Mechanism;
import io.charon.killer.client.MemoryLimitProcess;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.ProductionProtection;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.MemoryLimitSettings;
import io.charon.nodemanager.config.ProactiveReclaimSettings;
import io.charon.nodemanager.container.OomScores;
import io.charon.nodemanager.execution.Actuator;
import io.charon.nodemanager.helper.Helper;
import io.charon.nodemanager.sensor.MemoryHolding;
import io.charon.nodemanager.sensor.MemoryHoldingSensor;
import io.charon.nodemanager.sensor.MemoryPlaces;
import io.charon.nodemanager.sensor.NodeBoundary;
import io.charon.nodemanager.sensor.OwnMemoryPlaces;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Assembles the memory limit around best-effort on this node: sensor, mechanism and actuator. */
public final class MemoryLimitParts implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryLimitParts.class);

  private final Optional<MemoryHoldingSensor> sensor;
  private final Optional<MovingLimit> limit;
  private final MemoryLimit mechanism;
  private boolean unreadable;

  private MemoryLimitParts(
      Optional<MemoryHoldingSensor> sensor, Optional<MovingLimit> limit, MemoryLimit mechanism) {
    this.sensor = sensor;
    this.limit = limit;
    this.mechanism = mechanism;
  }

  /**
   * Assembles the parts of this machine without changing anything on it.
   *
   * @param settings the operator's settings
   * @param layout where the containers' cgroups are or would be, if Charon creates them
   * @param placed whether containers get cgroups there; otherwise an earlier limit is only removed
   * @param adopted where the containers' memory is accounted, if Charon does not create their
   *     cgroups
   * @param procRoot where proc is mounted
   * @param helper moves the limit
   * @param reservations memory reserved by the running production containers, bytes by container id
   * @param shortage called when memory has to be freed at once; must not block
   * @return empty if the memory of containers is not accounted
   */
  public static Optional<MemoryLimitParts> find(
      CharonSettings settings,
      Optional<CgroupLayout> layout,
      boolean placed,
      Optional<MemoryPlaces> adopted,
      Path procRoot,
      Helper helper,
      Supplier<Map<String, Long>> reservations,
      Runnable shortage) {
    return layout
        .map(own -> of(settings, own, placed, procRoot, helper, reservations, shortage))
        .or(() -> adopted.map(places -> attached(settings, places, procRoot, reservations)));
  }

  /**
   * Assembles the parts where Charon creates the cgroups, without changing anything on the machine.
   *
   * @param settings the operator's settings
   * @param layout where the containers' cgroups are or would be
   * @param placed whether containers get cgroups there; otherwise an earlier limit is only removed
   * @param procRoot where proc is mounted
   * @param helper moves the limit
   * @param reservations memory reserved by the running production containers, bytes by container id
   * @param shortage called when memory has to be freed at once; must not block
   */
  public static MemoryLimitParts of(
      CharonSettings settings,
      CgroupLayout layout,
      boolean placed,
      Path procRoot,
      Helper helper,
      Supplier<Map<String, Long>> reservations,
      Runnable shortage) {
    MemoryLimitSettings wanted = settings.regulators().memoryLimit();
    Path bestEffort = layout.classDirectory(layout.memory(), ContainerClass.BEST_EFFORT);
    Optional<NodeBoundary> boundary = Optional.empty();
    Availability sees = Availability.available();
    try {
      boundary =
          Optional.of(NodeBoundary.of(settings.sensors().memoryBoundary(), layout, procRoot));
      sees = new Availability(boundary.get().unsuitable(layout));
    } catch (IOException e) {
      sees = Availability.missing(e.getMessage());
    }
    sees = placed ? sees : Availability.missing(CgroupLayout.NONE);
    Optional<NodeBoundary> within = boundary;
    MovingLimit limit =
        new MovingLimit(
            bestEffort,
            layout.version(),
            within.flatMap(NodeBoundary::cgroup),
            layout.version() == CgroupVersion.V1
                ? Optional.empty()
                : Optional.of(
                    new ProductionProtection(layout, () -> within.flatMap(NodeBoundary::cgroup))),
            helper,
            new LimitProcess(
                helper,
                () ->
                    MemoryLimitProcess.arguments(
                        bestEffort, within.flatMap(NodeBoundary::cgroup), Optional.empty()),
                shortage));
    boolean reads = sees.isAvailable() && wanted.mode() != RegulatorMode.OFF;
    return new MemoryLimitParts(
        boundary
            .filter(known -> reads)
            .map(
                known ->
                    new MemoryHoldingSensor(
                        new OwnMemoryPlaces(layout), known, reservations, wanted)),
        Optional.of(limit),
        new MemoryLimit(sees, traits(settings, layout.version()), Optional.of(limit)));
  }

  private static LimitTraits traits(CharonSettings settings, CgroupVersion version) {
    boolean first = version == CgroupVersion.V1;
    return new LimitTraits(
        first ? OptionalInt.of(OomScores.TASK_SWAPPINESS) : OptionalInt.empty(),
        !swapsOnPurpose(settings),
        settings.regulators().memoryLimit().dirtyPercent());
  }

  /**
   * Returns whether best-effort's memory goes to swap in order to make room. That would be in vain
   * if it counted against the limit there, too.
   */
  private static boolean swapsOnPurpose(CharonSettings settings) {
    return settings.freeze().mode() == RegulatorMode.ENFORCE
        || settings.regulators().of(ProactiveReclaimSettings.class).mode() == RegulatorMode.ENFORCE;
  }

  /**
   * Assembles the parts where Charon does not create the cgroups: the limit is computed, reported
   * and applied to launches, but no kernel enforces it.
   *
   * @param settings the operator's settings
   * @param places where the containers' memory is accounted
   * @param procRoot where proc is mounted
   * @param reservations memory reserved by the running production containers, bytes by container id
   */
  private static MemoryLimitParts attached(
      CharonSettings settings,
      MemoryPlaces places,
      Path procRoot,
      Supplier<Map<String, Long>> reservations) {
    MemoryLimitSettings wanted = settings.regulators().memoryLimit();
    Optional<MemoryHoldingSensor> sensor = Optional.empty();
    Availability sees = Availability.available();
    try {
      if (wanted.mode() != RegulatorMode.OFF) {
        NodeBoundary boundary =
            NodeBoundary.of(settings.sensors().memoryBoundary(), places.layout(), procRoot);
        sensor = Optional.of(new MemoryHoldingSensor(places, boundary, reservations, wanted));
      }
    } catch (IOException e) {
      sees = Availability.missing(e.getMessage());
    }
    return new MemoryLimitParts(
        sensor,
        Optional.empty(),
        new MemoryLimit(sees, LimitTraits.notEnforced(), Optional.empty()));
  }

  /** Returns the mechanism for a machine on which containers can have no cgroups. */
  public static Mechanism withoutCgroups() {
    return new MemoryLimit(
        Availability.missing(CgroupLayout.NONE), LimitTraits.notEnforced(), Optional.empty());
  }

  /** Returns the mechanism. */
  public Mechanism mechanism() {
    return mechanism;
  }

  /** Returns the actuator of the kernel's limit. */
  public Actuator actuator() {
    return limit.<Actuator>map(known -> known).orElse(Actuator.missing(CgroupLayout.NONE));
  }

  /**
   * Reads how much memory each side holds; empty if there is no sensor or the reading failed, which
   * is logged once.
   */
  public Optional<MemoryHolding> read(long nanos) {
    if (sensor.isEmpty()) {
      return Optional.empty();
    }
    try {
      MemoryHolding holding = sensor.get().read(nanos);
      unreadable = false;
      return Optional.of(holding);
    } catch (IOException e) {
      if (!unreadable) {
        LOG.warn(
            "the memory limit of best-effort is left unchanged: {} (logged once)", e.getMessage());
      }
      unreadable = true;
      return Optional.empty();
    }
  }

  /** Removes a limit that had to stay, once no best-effort process is left. */
  public void sweep() {
    limit.ifPresent(MovingLimit::sweep);
  }

  @Override
  public void close() throws IOException {
    if (sensor.isPresent()) {
      sensor.get().close();
    }
  }
}
