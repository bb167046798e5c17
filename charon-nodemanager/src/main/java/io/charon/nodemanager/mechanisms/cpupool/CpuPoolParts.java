/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cpupool;

import io.charon.core.law.CpuPool;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.PoolUse;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.config.CpuPoolSettings;
import io.charon.nodemanager.execution.Actuator;
import io.charon.nodemanager.execution.SingleMechanism;
import io.charon.nodemanager.files.FoundValues;
import io.charon.nodemanager.sensor.PoolSensor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Assembles the shared pool of production containers on this node: sensor, law and actuator. */
public final class CpuPoolParts {
  private static final String NO_CONTROLLER =
      "the cpu controller is not mounted: mount cgroup v2, or the v1 cpu controller";

  /** The sensor and the actuator on a machine that has the cpu controller. */
  private record Pool(PoolSensor sensor, PoolQuotas quotas, Supplier<Map<String, Integer>> vcores)
      implements SingleMechanism.Source<PoolUse> {
    @Override
    public PoolUse read(long nanos) throws IOException {
      Map<String, Integer> running = vcores.get();
      return quotas.read(sensor.read(running.keySet()), running);
    }

    @Override
    public void close() throws IOException {
      sensor.close();
    }
  }

  private CpuPoolParts() {}

  /**
   * Assembles the mechanism without changing anything on the machine.
   *
   * @param settings the operator's settings
   * @param layout the containers' cgroups; empty if containers have none
   * @param procRoot where proc is mounted
   * @param sysRoot where sysfs is mounted
   * @param vcores virtual cores of the running production containers, by container id
   */
  public static SingleMechanism<PoolUse> of(
      CpuPoolSettings settings,
      Optional<CgroupLayout> layout,
      Path procRoot,
      Path sysRoot,
      Supplier<Map<String, Integer>> vcores) {
    Optional<CgroupHierarchy> cpu = layout.flatMap(known -> known.hierarchy(CgroupController.CPU));
    Availability availability =
        cpu.isPresent()
            ? Availability.available()
            : Availability.missing(layout.isPresent() ? NO_CONTROLLER : CgroupLayout.NONE);
    Optional<Pool> pool =
        cpu.map(
            hierarchy ->
                new Pool(
                    new PoolSensor(layout.orElseThrow(), hierarchy, procRoot, sysRoot),
                    new PoolQuotas(
                        layout.orElseThrow(),
                        hierarchy,
                        new FoundValues<>(
                            settings.memory(),
                            "Quota, period and burst that cgroups had, in microseconds; quotas"
                                + " before and after the last change.",
                            PoolQuota::text,
                            PoolQuota::parse)),
                    vcores));
    return new SingleMechanism<>(
        new CpuPool(settings.highUse(), availability),
        settings.mode(),
        pool.<Actuator>map(Pool::quotas)
            .orElseGet(() -> Actuator.missing(availability.missing().orElse(""))),
        pool);
  }
}
