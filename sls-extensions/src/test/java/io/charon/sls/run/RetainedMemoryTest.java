/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.sls.cluster.ClusterNodes;
import io.charon.sls.cluster.ClusterSettings;
import io.charon.sls.cluster.ClusterTiming;
import io.charon.sls.cluster.MasterProfile;
import io.charon.sls.cluster.OpportunisticAllocation;
import io.charon.sls.cluster.RetryRules;
import io.charon.sls.node.KillDelay;
import io.charon.sls.node.NodeSize;
import io.charon.sls.node.ThrashModel;
import io.charon.sls.policy.Policy;
import io.charon.sls.policy.PolicySettings;
import io.charon.sls.workload.JobType;
import io.charon.sls.workload.MemoryCurve;
import io.charon.sls.workload.Side;
import io.charon.sls.workload.SimulatedJob;
import io.charon.sls.workload.WorkloadSource;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Checks the memory that a run keeps for ended jobs. */
class RetainedMemoryTest {
  private static final int SOME = 1_000;
  private static final int MANY = 4_000;

  /** Eight bytes for each completion time, doubled when an array grows, plus all other memory. */
  private static final long MAX_BYTES_FOR_A_JOB = 40;

  private static final long NOISE_BYTES = 1_000_000;

  /** Number of times the heap is read; the lowest value counts. */
  private static final int READINGS = 10;

  @Test
  void memoryDoesNotGrowWithTheLengthOfTheWorkload() throws IOException {
    EndlessJobs jobs = new EndlessJobs();
    RunResult result = SimulationRun.run(settings(), seed -> jobs, new RunProgress());
    assertThat(result.bestEffort().completed() + result.production().completed()).isEqualTo(MANY);
    assertThat(jobs.bytesAtMany - jobs.bytesAtSome)
        .isLessThan(NOISE_BYTES + MAX_BYTES_FOR_A_JOB * (MANY - SOME));
  }

  private static RunSettings settings() {
    return new RunSettings(
        Policy.THRESHOLD,
        1,
        1,
        new ClusterSettings(
            new ClusterNodes(4, new NodeSize(16L << 30, 16, 16L << 30), 10),
            new MasterProfile(1L << 28, 1L << 28, Duration.ofSeconds(1), 0, 0, Duration.ZERO),
            Integer.MAX_VALUE,
            new ClusterTiming(Duration.ofSeconds(1), Duration.ofMillis(50)),
            OpportunisticAllocation.CENTRAL,
            RetryRules.OF_THE_PAPER),
        PolicySettings.defaults(KillDelay.Profile.MEASURED),
        ThrashModel.measured(),
        Duration.ofHours(2));
  }

  /** Creates each job on request, and measures the heap twice. */
  private static final class EndlessJobs implements WorkloadSource {
    private int made;
    private long bytesAtSome;
    private long bytesAtMany;

    @Override
    public Optional<SimulatedJob> next() {
      if (made == SOME) {
        bytesAtSome = liveBytes();
      }
      if (made == MANY) {
        bytesAtMany = liveBytes();
        return Optional.empty();
      }
      made++;
      Side side = made % 4 == 0 ? Side.PRODUCTION : Side.BEST_EFFORT;
      return Optional.of(
          new SimulatedJob(
              "job " + made,
              "name " + made % 50,
              "user",
              side,
              JobType.MAPREDUCE,
              made * 2_000L,
              List.of(
                  SmallWorkload.tasks(
                      1, 4, 5 + made % 11, MemoryCurve.constant((made % 7L) << 29, 1L << 28)))));
    }

    /** On a busy machine, threads that deliver events hold some of them for a while. */
    private static long liveBytes() {
      long fewest = Long.MAX_VALUE;
      for (int i = 0; i < READINGS; i++) {
        System.gc();
        fewest =
            Math.min(fewest, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
      }
      return fewest;
    }

    @Override
    public void close() {}
  }
}
