/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cpuburst;

import io.charon.core.law.CpuBurst;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.ContainerBandwidths;
import io.charon.core.mechanism.ContainerBandwidths.Bandwidth;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.config.CpuBurstSettings;
import io.charon.nodemanager.execution.Actuator;
import io.charon.nodemanager.execution.SingleMechanism;
import io.charon.nodemanager.files.FoundValues;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Assembles the token buckets of production containers on this node: sensor, law and actuator. */
public final class CpuBurstParts {
  private static final String NO_CONTROLLER =
      "the cpu controller is not mounted: mount cgroup v2, or the v1 cpu controller";

  /** The readings of the containers' quotas. */
  private record Source(ProductionQuotas quotas)
      implements SingleMechanism.Source<ContainerBandwidths> {
    @Override
    public ContainerBandwidths read(long nanos) throws IOException {
      return quotas.read();
    }

    @Override
    public void close() {
      quotas.close();
    }
  }

  private CpuBurstParts() {}

  /**
   * Assembles the mechanism without changing anything on the machine.
   *
   * @param settings the operator's settings
   * @param layout the containers' cgroups; empty if containers have none
   * @param production ids of the running production containers
   */
  public static SingleMechanism<ContainerBandwidths> of(
      CpuBurstSettings settings, Optional<CgroupLayout> layout, Supplier<Set<String>> production) {
    Optional<CgroupHierarchy> cpu = layout.flatMap(known -> known.hierarchy(CgroupController.CPU));
    Availability availability =
        cpu.isPresent()
            ? Availability.available()
            : Availability.missing(layout.isPresent() ? NO_CONTROLLER : CgroupLayout.NONE);
    Optional<ProductionQuotas> quotas =
        cpu.map(hierarchy -> quotas(settings, layout.orElseThrow(), hierarchy, production));
    return new SingleMechanism<>(
        new CpuBurst(settings.factor(), availability),
        settings.mode(),
        quotas
            .<Actuator>map(known -> known)
            .orElseGet(() -> Actuator.missing(availability.missing().orElse(""))),
        quotas.map(Source::new));
  }

  private static ProductionQuotas quotas(
      CpuBurstSettings settings,
      CgroupLayout layout,
      CgroupHierarchy cpu,
      Supplier<Set<String>> production) {
    return new ProductionQuotas(
        List.of(
            layout.classDirectory(cpu, ContainerClass.PRODUCTION),
            cpu.mountPoint().resolve(settings.yarnCgroup())),
        layout.nodeDirectory(cpu).resolve("burst-probe"),
        cpu.version(),
        production,
        new FoundValues<>(
            settings.memory(),
            "Quota, period and burst that cgroups had, in microseconds.",
            has -> has.quotaMicros() + " " + has.periodMicros() + " " + has.burstMicros(),
            CpuBurstParts::bandwidth));
  }

  private static Bandwidth bandwidth(String text) {
    String[] numbers = text.split(" ", -1);
    return new Bandwidth(
        Long.parseLong(numbers[0]), Long.parseLong(numbers[1]), Long.parseLong(numbers[2]));
  }
}
