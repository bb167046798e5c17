/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.disklimit;

import io.charon.core.law.RegulatorMode;
import io.charon.core.law.disklimit.Disks;
import io.charon.core.mechanism.Availability;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.config.DiskLimitSettings;
import io.charon.nodemanager.config.RegulatorSettings;
import io.charon.nodemanager.execution.Actuator;
import io.charon.nodemanager.execution.SingleMechanism;
import io.charon.nodemanager.sensor.DiskSensor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Assembles the limit of best-effort's reads on this node: sensor, law and actuator. */
public final class DiskLimitParts {
  private static final Logger LOG = LoggerFactory.getLogger(DiskLimitParts.class);
  private static final String NO_CONTROLLER =
      "no separate cgroup hierarchy has the disk controller: mount cgroup v2 with io, or the"
          + " v1 controller blkio in its own hierarchy";
  private static final String NO_ENTITLEMENTS =
      "entitlements are read by the memory limit only: set"
          + " yarn.nodemanager.charon.memory-limit.mode to observe or enforce";

  /**
   * Reads the disks. If they cannot be read it returns none, because a limit still has to be
   * lifted.
   */
  private record Source(DiskSensor sensor) implements SingleMechanism.Source<Disks> {
    @Override
    public Disks read(long nanos) {
      try {
        return sensor.read(nanos);
      } catch (IOException e) {
        LOG.debug("cannot read the disks", e);
        return new Disks(List.of());
      }
    }
  }

  private DiskLimitParts() {}

  /**
   * Assembles the mechanism without changing anything on the machine.
   *
   * @param settings the operator's settings
   * @param layout where the containers' cgroups are or would be
   * @param placed whether containers get cgroups there; otherwise an earlier limit is only removed
   * @param procRoot where proc is mounted
   * @param sysRoot where sysfs is mounted
   */
  public static SingleMechanism<Disks> of(
      RegulatorSettings settings,
      Optional<CgroupLayout> layout,
      boolean placed,
      Path procRoot,
      Path sysRoot) {
    Optional<CgroupHierarchy> hierarchy =
        layout.flatMap(known -> known.hierarchy(CgroupController.IO));
    Availability availability =
        placed ? Availability.available() : Availability.missing(CgroupLayout.NONE);
    if (hierarchy.isEmpty()) {
      availability = availability.and(Availability.missing(NO_CONTROLLER));
    }
    if (settings.memoryLimit().mode() == RegulatorMode.OFF) {
      availability = availability.and(Availability.missing(NO_ENTITLEMENTS));
    }
    DiskLimitSettings wanted = settings.of(DiskLimitSettings.class);
    DiskLimit limit = new DiskLimit(availability, wanted.share());
    String missing = availability.missing().orElse(NO_CONTROLLER);
    return new SingleMechanism<>(
        limit,
        wanted.mode(),
        hierarchy
            .<Actuator>map(
                known ->
                    new DiskReads(
                        layout.orElseThrow().classDirectory(known, ContainerClass.BEST_EFFORT),
                        known.version(),
                        limit::rates))
            .orElseGet(() -> Actuator.missing(missing)),
        Optional.of(new Source(new DiskSensor(procRoot, sysRoot))));
  }
}
