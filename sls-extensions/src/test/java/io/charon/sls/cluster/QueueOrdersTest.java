/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.scheduler.ExecutionType;
import io.charon.sls.engine.EventChecksum;
import io.charon.sls.engine.EventPhase;
import io.charon.sls.engine.EventQueue;
import io.charon.sls.engine.RandomStreams;
import io.charon.sls.node.KillDelay;
import io.charon.sls.node.NodeSize;
import io.charon.sls.node.ThrashModel;
import io.charon.sls.policy.Policy;
import io.charon.sls.policy.PolicySettings;
import io.charon.sls.workload.JobType;
import io.charon.sls.workload.MemoryCurve;
import io.charon.sls.workload.Side;
import io.charon.sls.workload.SimulatedJob;
import io.charon.sls.workload.TaskGroup;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.FifoOrderingPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.FifoOrderingPolicyForPendingApps;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Checks that the simulator, which visits fewer applications than YARN, gets the same result. */
@Tag("hadoop")
class QueueOrdersTest {
  private static final long GB = 1L << 30;
  private static final long SECOND = 1_000_000_000;

  private record Outcome(long checksum, long completed, long mostWaiting) {}

  @Test
  @Tag("long")
  void everythingHappensAsWithHadoopsOwnOrder() {
    for (long seed = 1; seed <= 3; seed++) {
      Outcome quick = run(seed, false);
      assertThat(quick).isEqualTo(run(seed, true));
      assertThat(quick.completed()).isEqualTo(150);
      // Many applications have to wait; otherwise nothing would be compared.
      assertThat(quick.mostWaiting()).isGreaterThan(50);
    }
  }

  private static Outcome run(long seed, boolean stock) {
    EventQueue events = new EventQueue();
    EventChecksum checksum = new EventChecksum();
    Counter counter = new Counter();
    ClusterSettings settings =
        ClusterSettings.paper(3).with(new ClusterNodes(3, new NodeSize(16 * GB, 16, 16 * GB), 10));
    try (Cluster cluster =
        new Cluster(
            settings,
            Policy.CHARON_PEAKS.onNodes(PolicySettings.defaults(KillDelay.Profile.MEASURED)),
            ThrashModel.measured(),
            events,
            new RandomStreams(seed),
            checksum,
            counter)) {
      if (stock) {
        queues(cluster)
            .forEach(
                queue ->
                    QueueOrders.set(
                        queue,
                        new FifoOrderingPolicyForPendingApps<>(),
                        new FifoOrderingPolicy<>()));
      }
      submit(cluster, events, new Random(seed));
      long mostWaiting = 0;
      while (events.runNext(Duration.ofHours(5).toNanos())) {
        mostWaiting = Math.max(mostWaiting, cluster.manager().inactiveApplications());
      }
      return new Outcome(checksum.value(), counter.completed, mostWaiting);
    }
  }

  private static Stream<AbstractLeafQueue> queues(Cluster cluster) {
    CapacityScheduler scheduler = (CapacityScheduler) cluster.manager().context().getScheduler();
    return Stream.of(
            SchedulerConfiguration.PRODUCTION_QUEUE, SchedulerConfiguration.BEST_EFFORT_QUEUE)
        .map(queue -> (AbstractLeafQueue) scheduler.getQueue(queue));
  }

  /**
   * More masters than fit, of several users. Production starts and ends, and the room changes with
   * it.
   */
  private static void submit(Cluster cluster, EventQueue events, Random random) {
    for (int i = 0; i < 150; i++) {
      boolean production = i % 15 == 0;
      SimulatedJob job =
          new SimulatedJob(
              "job" + i,
              "job" + i,
              "user" + random.nextInt(5),
              production ? Side.PRODUCTION : Side.BEST_EFFORT,
              JobType.MAPREDUCE,
              0,
              List.of(
                  new TaskGroup(
                      1 + random.nextInt(4),
                      production ? 6 * GB : GB,
                      1,
                      0.5,
                      20_000 + random.nextInt(60_000),
                      MemoryCurve.constant(GB / 2, 0))));
      events.schedule(i * SECOND, EventPhase.DECIDE, () -> cluster.submit(job));
    }
  }

  private static final class Counter implements ClusterObserver {
    private long completed;

    @Override
    public void started(ExecutionType type) {}

    @Override
    public void jobCompleted(SimulatedJob job, long submittedNanos, long nowNanos) {
      completed++;
    }

    @Override
    public void jobFailed(SimulatedJob job, long nowNanos) {}

    @Override
    public void killed(String cause) {}

    @Override
    public void handedBack() {}

    @Override
    public void rejected() {}

    @Override
    public void workLost(double nanos) {}
  }
}
