/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.reclaim;

import io.charon.core.law.RegulatorMode;
import io.charon.core.law.reclaim.ProactiveReclaim;
import io.charon.core.law.reclaim.ReclaimableContainers;
import io.charon.core.law.reclaim.ReclaimableContainers.Container;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.LastKill;
import io.charon.core.mechanism.Mechanism;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.config.ProactiveReclaimSettings;
import io.charon.nodemanager.execution.Actuator;
import io.charon.nodemanager.files.FoundValues;
import io.charon.nodemanager.helper.Helper;
import io.charon.nodemanager.sensor.ReclaimableContainersSensor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Proactive reclaim on this node: what is seen, decided and done. */
public final class ReclaimParts {
  private static final Logger LOG = LoggerFactory.getLogger(ReclaimParts.class);

  private final ProactiveReclaimSettings settings;
  private final Optional<ReclaimableContainersSensor> sensor;
  private final Optional<ColdMemory> cold;
  private final Supplier<LastKill> lastKill;
  private final Mechanism mechanism;
  private OptionalLong readNanos = OptionalLong.empty();
  private boolean unreadable;

  private ReclaimParts(
      ProactiveReclaimSettings settings,
      Optional<ReclaimableContainersSensor> sensor,
      Optional<ColdMemory> cold,
      Supplier<LastKill> lastKill) {
    this.settings = settings;
    this.sensor = sensor;
    this.cold = cold;
    this.lastKill = lastKill;
    this.mechanism =
        new ProactiveReclaim(
            settings.law(),
            sensor
                .map(ReclaimableContainersSensor::availability)
                .orElseGet(() -> Availability.missing(CgroupLayout.NONE)));
  }

  /**
   * Puts them together; nothing on the machine is touched yet.
   *
   * @param settings what the operator wants
   * @param layout where the containers are, or would be
   * @param placed whether they get cgroups there; else what is left of an earlier life is put back
   * @param procRoot where proc is mounted
   * @param helper takes the memory
   * @param lastKill when anybody last killed a container
   */
  public static ReclaimParts of(
      ProactiveReclaimSettings settings,
      Optional<CgroupLayout> layout,
      boolean placed,
      Path procRoot,
      Helper helper,
      Supplier<LastKill> lastKill) {
    return new ReclaimParts(
        settings,
        layout
            .filter(known -> placed)
            .map(known -> new ReclaimableContainersSensor(known, procRoot)),
        layout.map(
            known ->
                new ColdMemory(
                    known,
                    helper,
                    new FoundValues<>(
                        settings.memory(),
                        "Memory limit, lower one for a moment, and swappiness of cgroups.",
                        LimitPoke::text,
                        LimitPoke::of))),
        lastKill);
  }

  /** Decides. */
  public Mechanism mechanism() {
    return mechanism;
  }

  /** Takes memory. */
  public Actuator actuator() {
    return cold.<Actuator>map(known -> known).orElseGet(() -> Actuator.missing(CgroupLayout.NONE));
  }

  /**
   * What the mechanism sees, once in a period; nothing where nobody asked, it was read a moment
   * ago, or it cannot be read, which is said once.
   *
   * @param nanos now, monotonic
   */
  public Optional<ReclaimableContainers> read(long nanos) {
    if (settings.mode() == RegulatorMode.OFF || sensor.isEmpty() || isEarly(nanos)) {
      return Optional.empty();
    }
    readNanos = OptionalLong.of(nanos);
    try {
      ReclaimableContainersSensor.Seen seen =
          sensor.get().read(id -> cold.orElseThrow().takenBytes(id));
      cold.orElseThrow().retain(seen.containers().stream().map(Container::id).toList());
      unreadable = false;
      return Optional.of(
          new ReclaimableContainers(
              seen.containers(), seen.swapBytes(), seen.freeSwapBytes(), lastKill.get()));
    } catch (IOException e) {
      if (!unreadable) {
        LOG.warn("no cold memory is taken: {} (said once)", e.getMessage());
      }
      unreadable = true;
      return Optional.empty();
    }
  }

  /** A clock that went back is no reason to wait. */
  private boolean isEarly(long nanos) {
    if (readNanos.isEmpty()) {
      return false;
    }
    long elapsed = nanos - readNanos.getAsLong();
    return elapsed >= 0 && elapsed < settings.law().period().toNanos();
  }
}
