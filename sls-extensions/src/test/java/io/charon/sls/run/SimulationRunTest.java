/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import static io.charon.sls.run.SmallWorkload.GB;
import static io.charon.sls.run.SmallWorkload.growing;
import static io.charon.sls.run.SmallWorkload.job;
import static io.charon.sls.run.SmallWorkload.tasks;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.charon.sls.cluster.ClusterSettings;
import io.charon.sls.node.KillDelay;
import io.charon.sls.node.NodeSize;
import io.charon.sls.node.ThrashModel;
import io.charon.sls.policy.Policy;
import io.charon.sls.policy.PolicySettings;
import io.charon.sls.workload.JobType;
import io.charon.sls.workload.MemoryCurve;
import io.charon.sls.workload.Side;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Whole runs: the real scheduler and allocator, small clusters. */
class SimulationRunTest {
  private static ClusterSettings cluster(int nodes, long memoryGb, int queueLimit) {
    return new ClusterSettings(
        nodes,
        new NodeSize(memoryGb * GB, 16, memoryGb * GB),
        queueLimit,
        GB / 4,
        Duration.ofSeconds(1),
        Duration.ofSeconds(2),
        Duration.ofMillis(50),
        true);
  }

  private static RunSettings settings(Policy policy, ClusterSettings cluster) {
    return settings(policy, 1, 1, cluster);
  }

  private static RunSettings settings(Policy policy, int load, long seed, ClusterSettings cluster) {
    return new RunSettings(
        policy,
        load,
        seed,
        cluster,
        PolicySettings.defaults(KillDelay.Profile.MEASURED),
        ThrashModel.measured(),
        Duration.ofHours(2));
  }

  private static RunResult run(RunSettings settings, WorkloadOpener workload) throws IOException {
    return SimulationRun.run(settings, workload, new RunProgress());
  }

  @Test
  void aGuaranteedJobRunsToItsEnd() throws IOException {
    RunResult result =
        run(
            settings(Policy.CHARON, cluster(2, 16, 10)),
            SmallWorkload.of(
                job(
                    "p",
                    Side.PRODUCTION,
                    JobType.MAPREDUCE,
                    5_000,
                    tasks(4, 2, 100, MemoryCurve.constant(GB, 0)))));
    assertThat(result.production().completed()).isEqualTo(1);
    // The task itself, 2 s for the master to start, and heartbeats: node to master and back, one
    // container on each node at each beat.
    assertThat(result.production().percentileSeconds(50)).isBetween(102.0, 110.0);
    assertThat(result.productionUsedOverAllocated()).isCloseTo(0.5, Offset.offset(0.01));
    assertThat(result.killsByCause()).isEmpty();
  }

  @Test
  void opportunisticTasksRunBeyondWhatIsReservedAndLeaveProductionAlone() throws IOException {
    // Production reserves both nodes and uses a quarter.
    WorkloadOpener workload =
        SmallWorkload.of(
            job(
                "p",
                Side.PRODUCTION,
                JobType.MAPREDUCE,
                0,
                tasks(14, 2, 600, MemoryCurve.constant(GB / 2, 0))),
            job(
                "b",
                Side.BEST_EFFORT,
                JobType.MAPREDUCE,
                20_000,
                tasks(8, 1, 60, MemoryCurve.constant(GB, 0))));
    RunResult charon = run(settings(Policy.CHARON, cluster(2, 16, 10)), workload);
    assertThat(charon.bestEffort().completionSeconds().get("b")).isBetween(62.0, 70.0);
    RunResult mercury = run(settings(Policy.MERCURY, cluster(2, 16, 10)), workload);
    assertThat(mercury.bestEffort().completionSeconds().get("b")).isGreaterThan(500);
    assertThat(charon.production().completionSeconds())
        .isEqualTo(mercury.production().completionSeconds());
  }

  @Test
  void guaranteedContainersComeBeforeOpportunisticOnes() throws IOException {
    // Best-effort tasks fill the node; production, submitted later, still starts at once.
    RunResult result =
        run(
            settings(Policy.CHARON, cluster(1, 16, 10)),
            SmallWorkload.of(
                job(
                    "b",
                    Side.BEST_EFFORT,
                    JobType.MAPREDUCE,
                    0,
                    tasks(20, 1, 300, MemoryCurve.constant(GB, 0))),
                job(
                    "p",
                    Side.PRODUCTION,
                    JobType.MAPREDUCE,
                    60_000,
                    tasks(2, 3, 100, MemoryCurve.constant(GB, 0)))));
    assertThat(result.production().percentileSeconds(100)).isLessThan(115);
    assertThat(result.bestEffort().completed()).isEqualTo(1);
  }

  @Test
  void aTaskThatIsKilledTooOftenFailsItsJobAndAnotherTypeSurvivesLonger() throws IOException {
    // It uses more than the node has, whatever it asked for: it is killed again and again.
    for (JobType type : JobType.values()) {
      RunResult result =
          run(
              settings(Policy.CHARON, cluster(1, 8, 10)),
              SmallWorkload.of(job("b", Side.BEST_EFFORT, type, 0, tasks(1, 1, 600, growing(11)))));
      assertThat(result.bestEffort().failed()).isEqualTo(1);
      assertThat(result.killsByCause()).isEqualTo(Map.of("thrash", type.retries() + 1));
      assertThat(result.lostWorkSeconds()).isPositive();
    }
  }

  @Test
  void killsThatCountAsPreemptionsFailNoJob() throws IOException {
    ClusterSettings forgiving = cluster(1, 8, 10).withKillsAsFailures(false);
    RunResult result =
        run(
            settings(Policy.CHARON, forgiving),
            SmallWorkload.of(
                job("b", Side.BEST_EFFORT, JobType.SQL, 0, tasks(1, 1, 600, growing(11)))));
    assertThat(result.bestEffort().failed()).isZero();
    assertThat(result.bestEffort().unfinished()).isEqualTo(1);
    assertThat(result.killsByCause().get("thrash")).isGreaterThan(3);
    // Counting stops two hours after the last submission.
    assertThat(result.virtualSeconds()).isEqualTo(7_200);
  }

  @Test
  void aNodesQueueHoldsNoMoreThanItsLimit() throws IOException {
    // One task fits; two wait; a stale report lets the allocator send more, which are rejected.
    RunResult tight =
        run(
            settings(Policy.CHARON, cluster(1, 4, 2)),
            SmallWorkload.of(
                job(
                    "b",
                    Side.BEST_EFFORT,
                    JobType.MAPREDUCE,
                    0,
                    tasks(12, 3, 20, MemoryCurve.constant(3 * GB, 0)))));
    assertThat(tight.bestEffort().completed()).isEqualTo(1);
    assertThat(tight.bestEffort().percentileSeconds(100)).isGreaterThan(12 * 20);
  }

  @Test
  void moreLoadRepeatsBestEffortJobsOnly() throws IOException {
    RunResult result = run(settings(Policy.CHARON, 3, 1, cluster(4, 16, 10)), SmallWorkload.mix());
    RunResult single = run(settings(Policy.CHARON, 1, 1, cluster(4, 16, 10)), SmallWorkload.mix());
    assertThat(result.bestEffort().submitted()).isEqualTo(3 * single.bestEffort().submitted());
    assertThat(result.production().submitted()).isEqualTo(single.production().submitted());
  }

  @Test
  void everyPolicyKeepsItsBooksOnACrowdedCluster() throws IOException {
    for (Policy policy : Policy.values()) {
      RunResult result = run(settings(policy, 2, 3, cluster(4, 16, 3)), SmallWorkload.mix());
      for (Side side : Side.values()) {
        SideResult ofSide = side == Side.PRODUCTION ? result.production() : result.bestEffort();
        assertThat(ofSide.submitted() > 0).as(policy.key()).isEqualTo(policy.runs(side));
        assertThat(ofSide.unfinished()).as(policy.key()).isNotNegative();
      }
      assertThat(result.memoryUtilization()).as(policy.key()).isBetween(0.0, 1.0);
      assertThat(result.usedOverRequested()).as(policy.key()).isPositive();
    }
  }

  @Test
  void theSameSeedGivesTheSameRunAndAnotherDoesNot() throws IOException {
    RunSettings once = settings(Policy.KUBER, 2, 5, cluster(4, 16, 5));
    RunResult first = run(once, SmallWorkload.mix());
    assertThat(first.killsByCause()).isNotEmpty();
    assertThat(run(once, SmallWorkload.mix())).isEqualTo(first);
    assertThat(run(settings(Policy.KUBER, 2, 6, cluster(4, 16, 5)), SmallWorkload.mix()))
        .extracting(RunResult::eventChecksum)
        .isNotEqualTo(first.eventChecksum());
  }

  @Test
  void runsSideBySideGiveTheResultsOfOneAfterTheOther() throws Exception {
    List<RunSettings> all = new ArrayList<>();
    for (Policy policy : List.of(Policy.CHARON, Policy.MERCURY, Policy.CHARON_NO_SNAPSHOT)) {
      for (long seed : new long[] {1, 2}) {
        all.add(settings(policy, 2, seed, cluster((int) seed + 2, 16, 5)));
      }
    }
    List<ComparedRun> sequential = new Experiment(all, SmallWorkload.mix()).run(1);
    List<ComparedRun> parallel = new Experiment(all, SmallWorkload.mix()).run(4);
    assertThat(parallel).isEqualTo(sequential);
    JsonNode json = new ResultJson().of(sequential, 2);
    assertThat(json.get("runs")).hasSize(6);
    JsonNode first = json.get("runs").get(0);
    assertThat(first.get("policy").asText()).isEqualTo("charon");
    assertThat(first.get("production").get("p50SlowdownVsAlone").asDouble()).isBetween(0.9, 2.0);
    assertThat(first.get("bestEffort").fieldNames())
        .toIterable()
        .contains(
            "submitted",
            "completed",
            "failed",
            "unfinished",
            "completionRate",
            "p50Seconds",
            "p90Seconds",
            "p99Seconds");
    assertThat(first.fieldNames())
        .toIterable()
        .contains(
            "killsByCause",
            "rejections",
            "lostWorkSeconds",
            "memoryUtilization",
            "usedOverRequested",
            "productionUsedOverAllocated");
    assertThat(json.get("virtualPerWallSecond").asDouble())
        .isCloseTo(json.get("virtualSeconds").asDouble() / 2, Offset.offset(1e-6));
  }

  @Test
  void anInterruptedRunSaysSo() throws IOException {
    RunProgress progress = new RunProgress();
    progress.interrupt();
    RunResult result =
        SimulationRun.run(
            settings(Policy.CHARON, cluster(2, 16, 10)), SmallWorkload.mix(), progress);
    assertThat(result.partial()).isTrue();
    JsonNode json = new ResultJson().of(List.of(new ComparedRun(result, result)), 1);
    assertThat(json.get("partial").asBoolean()).isTrue();
  }

  @Test
  void jobsOutOfOrderAreRefused() {
    assertThatThrownBy(
            () ->
                run(
                    settings(Policy.CHARON, cluster(2, 16, 10)),
                    SmallWorkload.of(
                        job(
                            "late",
                            Side.PRODUCTION,
                            JobType.SQL,
                            2_000,
                            tasks(1, 1, 1, growing(1))),
                        job(
                            "early",
                            Side.PRODUCTION,
                            JobType.SQL,
                            1_000,
                            tasks(1, 1, 1, growing(1))))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("early");
  }
}
