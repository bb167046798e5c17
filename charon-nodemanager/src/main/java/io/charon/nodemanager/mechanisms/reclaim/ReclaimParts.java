/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.reclaim;

import io.charon.core.law.reclaim.ProactiveReclaim;
import io.charon.core.law.reclaim.ReclaimableContainers;
import io.charon.core.law.reclaim.ReclaimableContainers.Container;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.LastKill;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.config.ProactiveReclaimSettings;
import io.charon.nodemanager.execution.Actuator;
import io.charon.nodemanager.execution.SingleMechanism;
import io.charon.nodemanager.files.FoundValues;
import io.charon.nodemanager.helper.Helper;
import io.charon.nodemanager.sensor.ReclaimableContainersSensor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Assembles proactive reclaim on this node: sensor, law and actuator. */
public final class ReclaimParts {
  /** The readings where containers have cgroups. */
  private record Source(
      ReclaimableContainersSensor sensor, ColdMemory cold, Supplier<LastKill> lastKill)
      implements SingleMechanism.Source<ReclaimableContainers> {
    @Override
    public ReclaimableContainers read(long nanos) throws IOException {
      ReclaimableContainersSensor.Seen seen = sensor.read(cold::takenBytes);
      cold.retain(seen.containers().stream().map(Container::id).toList());
      return new ReclaimableContainers(
          seen.containers(), seen.swapBytes(), seen.freeSwapBytes(), lastKill.get());
    }
  }

  private ReclaimParts() {}

  /**
   * Assembles the mechanism without changing anything on the machine.
   *
   * @param settings the operator's settings
   * @param tick the time between two readings of the node
   * @param layout where the containers' cgroups are or would be
   * @param placed whether containers get cgroups there; otherwise only limits that an earlier
   *     NodeManager left lowered are restored
   * @param procRoot where proc is mounted
   * @param helper reclaims the memory
   * @param lastKill when a container was last killed, by any killer
   */
  public static SingleMechanism<ReclaimableContainers> of(
      ProactiveReclaimSettings settings,
      Duration tick,
      Optional<CgroupLayout> layout,
      boolean placed,
      Path procRoot,
      Helper helper,
      Supplier<LastKill> lastKill) {
    Optional<ColdMemory> cold =
        layout.map(
            known ->
                new ColdMemory(
                    known,
                    helper,
                    new FoundValues<>(
                        settings.memory(),
                        "Memory limits and swappiness of cgroups, and the limits to which they are briefly lowered.",
                        LoweredLimit::text,
                        LoweredLimit::of)));
    Optional<ReclaimableContainersSensor> sensor =
        layout
            .filter(known -> placed)
            .map(known -> new ReclaimableContainersSensor(known, procRoot));
    return new SingleMechanism<>(
        new ProactiveReclaim(
            settings.law(),
            tick,
            sensor
                .map(ReclaimableContainersSensor::availability)
                .orElseGet(() -> Availability.missing(CgroupLayout.NONE))),
        settings.mode(),
        cold.<Actuator>map(known -> known).orElseGet(() -> Actuator.missing(CgroupLayout.NONE)),
        sensor.map(known -> new Source(known, cold.orElseThrow(), lastKill)));
  }
}
