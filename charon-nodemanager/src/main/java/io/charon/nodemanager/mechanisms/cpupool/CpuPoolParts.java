/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cpupool;

import io.charon.core.law.CpuPool;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.Mechanism;
import io.charon.core.mechanism.PoolUse;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.config.CpuPoolSettings;
import io.charon.nodemanager.execution.Actuator;
import io.charon.nodemanager.files.FoundValues;
import io.charon.nodemanager.sensor.PoolSensor;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The shared pool of production containers on this node: what is seen, decided and set. */
public final class CpuPoolParts implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(CpuPoolParts.class);
  private static final String NO_CONTROLLER =
      "the cpu controller is not mounted: mount cgroup v2, or the v1 cpu controller";

  private record Pool(PoolSensor sensor, PoolQuotas quotas) {}

  private final boolean reads;
  private final Optional<Pool> pool;
  private final Supplier<Map<String, Integer>> vcores;
  private final Mechanism mechanism;
  private OptionalLong readNanos = OptionalLong.empty();
  private boolean unreadable;

  private CpuPoolParts(
      boolean reads,
      Optional<Pool> pool,
      Supplier<Map<String, Integer>> vcores,
      Mechanism mechanism) {
    this.reads = reads;
    this.pool = pool;
    this.vcores = vcores;
    this.mechanism = mechanism;
  }

  /**
   * Puts them together; nothing on the machine is touched yet.
   *
   * @param settings what the operator wants
   * @param layout the containers' cgroups, if they have any
   * @param procRoot where proc is mounted
   * @param sysRoot where sysfs is mounted
   * @param vcores of the production containers that run, by id
   */
  public static CpuPoolParts of(
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
    return new CpuPoolParts(
        settings.mode() != RegulatorMode.OFF,
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
                            PoolQuota::parse)))),
        vcores,
        new CpuPool(settings.highUse(), availability));
  }

  /** Decides. */
  public Mechanism mechanism() {
    return mechanism;
  }

  /** Sets, and puts back. */
  public Actuator actuator() {
    return pool.<Actuator>map(Pool::quotas)
        .orElseGet(() -> Actuator.missing(mechanism.availability().missing().orElse("")));
  }

  /**
   * What the mechanism sees, once each round: that is some files of every container. Nothing
   * between, where nobody asked, or where it cannot be read.
   *
   * @param nanos now, on the caller's monotonic clock
   */
  public Optional<PoolUse> read(long nanos) {
    boolean due =
        readNanos.isEmpty() || nanos - readNanos.getAsLong() >= mechanism.period().toNanos();
    if (!reads || pool.isEmpty() || !due) {
      return Optional.empty();
    }
    readNanos = OptionalLong.of(nanos);
    try {
      Map<String, Integer> running = vcores.get();
      PoolUse seen = pool.get().quotas().read(pool.get().sensor().read(running.keySet()), running);
      unreadable = false;
      return Optional.of(seen);
    } catch (IOException e) {
      if (!unreadable) {
        LOG.warn("the use of the shared processors cannot be read; tried again, said once", e);
      }
      unreadable = true;
      return Optional.empty();
    }
  }

  @Override
  public void close() throws IOException {
    if (pool.isPresent()) {
      pool.get().sensor().close();
    }
  }
}
