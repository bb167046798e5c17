/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.simulator;

import io.charon.evaluation.simulator.SlsSpeed.SlsSize;
import io.charon.sls.cluster.ClusterSettings;
import io.charon.sls.node.KillDelay;
import io.charon.sls.node.ThrashModel;
import io.charon.sls.policy.Policy;
import io.charon.sls.policy.PolicySettings;
import io.charon.sls.run.RunProgress;
import io.charon.sls.run.RunResult;
import io.charon.sls.run.RunSettings;
import io.charon.sls.run.SimulationRun;
import io.charon.sls.run.WorkloadOpener;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.time.Duration;
import java.util.List;

/**
 * Measures the speed of the simulator under policy charon, one run after the other on the calling
 * thread. A run ends with the last submission, because the following hours, in which the cluster
 * empties, would be simulated faster.
 */
public final class SlsBench {
  /**
   * Simulates one size twice and measures the second run.
   *
   * @param workload workload for that number of nodes and hours
   * @throws IOException if the workload cannot be read
   */
  public SlsSpeed measure(SlsSize size, WorkloadOpener workload) throws IOException {
    RunSettings settings =
        new RunSettings(
            Policy.CHARON,
            1,
            1,
            ClusterSettings.paper(size.nodes()),
            PolicySettings.defaults(KillDelay.Profile.MEASURED),
            ThrashModel.measured(),
            Duration.ZERO);
    List<MemoryPoolMXBean> heap =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .toList();
    heap.forEach(MemoryPoolMXBean::resetPeakUsage);
    RunResult warmUp = SimulationRun.run(settings, workload, new RunProgress());
    long start = System.nanoTime();
    RunResult result = SimulationRun.run(settings, workload, new RunProgress());
    double seconds = (System.nanoTime() - start) / 1e9;
    return new SlsSpeed(
        size,
        warmUp,
        result,
        seconds,
        heap.stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum());
  }
}
