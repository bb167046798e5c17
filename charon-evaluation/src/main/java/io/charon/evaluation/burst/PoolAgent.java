/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.burst;

import com.codahale.metrics.Counter;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.Snapshot;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.config.CpuPoolSettings;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.ContainerControl;
import io.charon.nodemanager.execution.DyingContainers;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.mechanisms.cpupool.CpuPoolParts;
import io.charon.nodemanager.report.audit.Audit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** The shared pool as a node runs it, for the applications of the benchmark. */
final class PoolAgent implements AutoCloseable {
  private final Counter failures = new Counter();
  private final CpuPoolParts parts;
  private final ActionExecutor executor;
  private final MechanismRunner runner;

  /**
   * Starts it; the applications' quotas are the original ones.
   *
   * @param layout their cgroups
   * @param vcores of each, by id
   * @param highUse share of the machine's processors above which quotas are taken back
   */
  PoolAgent(CgroupLayout layout, Map<String, Integer> vcores, double highUse) {
    parts =
        CpuPoolParts.of(
            new CpuPoolSettings(
                RegulatorMode.ENFORCE, OptionalDouble.of(highUse), Optional.empty()),
            Optional.of(layout),
            Path.of("/proc"),
            Path.of("/sys"),
            () -> vcores);
    executor =
        new ActionExecutor(
            new DyingContainers(System::nanoTime, () -> {}),
            (mechanism, id, reason) -> {},
            ContainerControl.of(Optional.empty(), id -> {}),
            Audit.direct(Optional.empty(), Clock.systemUTC(), failures),
            failures,
            System::nanoTime);
    executor.use(Map.of(Limit.CPU_POOL, parts.actuator()));
    runner =
        new MechanismRunner(
            List.of(new MechanismRunner.Entry(parts.mechanism(), RegulatorMode.ENFORCE)), executor);
    runner.start();
  }

  /** Decides once each round, however often it is called. */
  void tick(long nanos) {
    runner.tick(new Snapshot(nanos, parts.read(nanos).stream().toArray(Reading[]::new)));
  }

  /** Gives the original quotas back. */
  @Override
  public void close() throws IOException {
    executor.close();
    parts.close();
    if (failures.getCount() > 0) {
      throw new IOException(failures.getCount() + " quotas of the shared pool could not be set");
    }
  }
}
