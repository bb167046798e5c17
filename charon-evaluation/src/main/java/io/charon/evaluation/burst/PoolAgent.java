/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.burst;

import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.PoolUse;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.Snapshot;
import io.charon.evaluation.machine.StandaloneMechanism;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.config.CpuPoolSettings;
import io.charon.nodemanager.execution.SingleMechanism;
import io.charon.nodemanager.mechanisms.cpupool.CpuPoolParts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** The shared pool as a node runs it, for the applications of the benchmark. */
final class PoolAgent implements AutoCloseable {
  private final SingleMechanism<PoolUse> parts;
  private final StandaloneMechanism agent;

  /**
   * Starts the pool; the current quotas of the applications are the original ones.
   *
   * @param layout layout of their cgroups
   * @param vcores vcores of each application, by id
   * @param highUse share of the machine's processors above which quotas are reclaimed
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
    agent = new StandaloneMechanism(parts);
  }

  /**
   * Reads the pool and passes the readings to the mechanism, which decides once per round, however
   * often this method is called.
   */
  void tick(long nanos) {
    agent.tick(new Snapshot(nanos, parts.read(nanos).stream().toArray(Reading[]::new)));
  }

  /** Restores the original quotas. */
  @Override
  public void close() throws IOException {
    agent.close();
    parts.close();
    if (agent.failures() > 0) {
      throw new IOException(agent.failures() + " quotas of the shared pool could not be set");
    }
  }
}
