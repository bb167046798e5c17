/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cpuburst;

import io.charon.core.law.CpuBurst;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.ContainerBandwidths;
import io.charon.core.mechanism.ContainerBandwidths.Bandwidth;
import io.charon.core.mechanism.Mechanism;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.config.CpuBurstSettings;
import io.charon.nodemanager.execution.Actuator;
import io.charon.nodemanager.files.FoundValues;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The buckets of production containers on this node: what is seen, decided and set. */
public final class CpuBurstParts {
  private static final Logger LOG = LoggerFactory.getLogger(CpuBurstParts.class);
  private static final String NO_CONTROLLER =
      "the cpu controller is not mounted: mount cgroup v2, or the v1 cpu controller";

  private final boolean reads;
  private final Optional<ProductionQuotas> quotas;
  private final Mechanism mechanism;
  private boolean unreadable;

  private CpuBurstParts(boolean reads, Optional<ProductionQuotas> quotas, Mechanism mechanism) {
    this.reads = reads;
    this.quotas = quotas;
    this.mechanism = mechanism;
  }

  /**
   * Puts them together; nothing on the machine is touched yet.
   *
   * @param settings what the operator wants
   * @param layout the containers' cgroups, if they have any
   * @param production ids of the production containers that run
   */
  public static CpuBurstParts of(
      CpuBurstSettings settings, Optional<CgroupLayout> layout, Supplier<Set<String>> production) {
    Optional<CgroupHierarchy> cpu = layout.flatMap(known -> known.hierarchy(CgroupController.CPU));
    Availability availability =
        cpu.isPresent()
            ? Availability.available()
            : Availability.missing(layout.isPresent() ? NO_CONTROLLER : CgroupLayout.NONE);
    return new CpuBurstParts(
        settings.mode() != RegulatorMode.OFF,
        cpu.map(hierarchy -> quotas(settings, layout.orElseThrow(), hierarchy, production)),
        new CpuBurst(settings.factor(), availability));
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

  /** Decides. */
  public Mechanism mechanism() {
    return mechanism;
  }

  /** Sets, and puts back. */
  public Actuator actuator() {
    return quotas
        .<Actuator>map(known -> known)
        .orElseGet(() -> Actuator.missing(mechanism.availability().missing().orElse("")));
  }

  /** What the mechanism sees; nothing where nobody asked, or it cannot be read. */
  public Optional<ContainerBandwidths> read() {
    if (!reads || quotas.isEmpty()) {
      return Optional.empty();
    }
    try {
      ContainerBandwidths seen = quotas.get().read();
      unreadable = false;
      return Optional.of(seen);
    } catch (IOException e) {
      if (!unreadable) {
        LOG.warn("the CPU quotas of containers cannot be read; tried again, said once", e);
      }
      unreadable = true;
      return Optional.empty();
    }
  }
}
