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
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.core.scheduler.FullQueue;
import io.charon.sls.cluster.ClusterNodes;
import io.charon.sls.cluster.ClusterSettings;
import io.charon.sls.cluster.ClusterTiming;
import io.charon.sls.cluster.FullQueues;
import io.charon.sls.cluster.MasterProfile;
import io.charon.sls.cluster.OpportunisticAllocation;
import io.charon.sls.cluster.Placement;
import io.charon.sls.cluster.RetryRules;
import io.charon.sls.node.KillDelay;
import io.charon.sls.node.NodeSize;
import io.charon.sls.node.ThrashModel;
import io.charon.sls.policy.Policy;
import io.charon.sls.policy.PolicySettings;
import io.charon.sls.report.Comparison;
import io.charon.sls.workload.JobType;
import io.charon.sls.workload.MemoryCurve;
import io.charon.sls.workload.Side;
import io.charon.sls.workload.TaskGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Complete runs with the real scheduler and allocator on small clusters. */
@Tag("hadoop")
class SimulationRunTest {
  private static ClusterSettings cluster(int nodes, long memoryGb, int queueLimit) {
    return cluster(
        new ClusterNodes(nodes, new NodeSize(memoryGb * GB, 16, memoryGb * GB), queueLimit),
        new MasterProfile(GB / 4, GB / 4, Duration.ofSeconds(2), 0, 0, Duration.ZERO),
        Integer.MAX_VALUE);
  }

  private static ClusterSettings cluster(
      ClusterNodes nodes, MasterProfile master, int parallelBestEffortJobs) {
    return new ClusterSettings(
        nodes,
        master,
        parallelBestEffortJobs,
        new ClusterTiming(Duration.ofSeconds(1), Duration.ofMillis(50)),
        OpportunisticAllocation.CENTRAL,
        RetryRules.OF_THE_PAPER);
  }

  private static RunSettings settings(Policy policy, ClusterSettings cluster) {
    return settings(policy, 1, 1, cluster);
  }

  private static RunSettings settings(Policy policy, int load, long seed, ClusterSettings cluster) {
    return settings(policy, load, seed, cluster, Duration.ofHours(2));
  }

  private static RunSettings settings(
      Policy policy, int load, long seed, ClusterSettings cluster, Duration horizon) {
    return new RunSettings(
        policy,
        load,
        seed,
        cluster,
        PolicySettings.defaults(KillDelay.Profile.MEASURED),
        ThrashModel.measured(),
        horizon);
  }

  private static RunResult run(RunSettings settings, WorkloadOpener workload) throws IOException {
    return SimulationRun.run(settings, workload, new RunProgress());
  }

  @Test
  void aGuaranteedJobRunsToItsEnd() throws IOException {
    RunResult result =
        run(
            settings(Policy.CHARON_PEAKS, cluster(2, 16, 10)),
            SmallWorkload.of(
                job(
                    "p",
                    Side.PRODUCTION,
                    JobType.MAPREDUCE,
                    5_000,
                    tasks(4, 2, 100, MemoryCurve.constant(GB, 0)))));
    assertThat(result.production().completed()).isEqualTo(1);
    // The task itself, 2 s for the start of the master, and heartbeats: node to master and back,
    // with one container on each node at each heartbeat.
    assertThat(result.production().percentileSeconds(50)).isBetween(102.0, 110.0);
    assertThat(result.memory().productionUsedOverAllocated()).isCloseTo(0.5, Offset.offset(0.01));
    assertThat(result.disruptions().killsByCause()).isEmpty();
  }

  @Test
  void tasksOfAStageWaitForThoseBefore() throws IOException {
    MemoryCurve memory = MemoryCurve.constant(GB, 0);
    RunResult result =
        run(
            settings(Policy.CHARON_PEAKS, cluster(1, 16, 10)),
            SmallWorkload.of(
                job(
                    "b",
                    Side.BEST_EFFORT,
                    JobType.MAPREDUCE,
                    0,
                    new TaskGroup(1, GB, 1, 0.5, 30_000, memory, 1),
                    tasks(2, 1, 60, memory))));
    // Both stages in sequence, 2 s for the master, and heartbeats.
    assertThat(result.bestEffort().percentileSeconds(50)).isBetween(92.0, 98.0);
  }

  @Test
  void aJobKeepsItsPlaceUntilItsMasterIsGone() throws IOException {
    ClusterSettings lingering =
        cluster(
            cluster(1, 16, 10).nodes(),
            new MasterProfile(
                GB / 4, GB / 8, Duration.ofSeconds(2), 0.8, 0.1, Duration.ofSeconds(30)),
            1);
    TaskGroup minute = tasks(1, 1, 60, MemoryCurve.constant(GB, 0));
    RunResult result =
        run(
            settings(Policy.CHARON_PEAKS, lingering),
            SmallWorkload.of(
                job("b1", Side.BEST_EFFORT, JobType.MAPREDUCE, 0, minute),
                job("b2", Side.BEST_EFFORT, JobType.MAPREDUCE, 0, minute)));
    List<Double> seconds = result.bestEffort().times().seconds().boxed().toList();
    assertThat(seconds.get(0)).isBetween(62.0, 68.0);
    assertThat(seconds.get(1) - seconds.get(0)).isBetween(92.0, 98.0);
  }

  @Test
  void tasksThatAskForARackGoToItsFirstNodeThatTakesThem() throws IOException {
    ClusterSettings any = cluster(2, 16, 10);
    ClusterSettings rack =
        any.with(new OpportunisticAllocation(Placement.CENTRAL, FullQueues.AVOID, true));
    // Each node has room for two: four run at the same time, unless they all wait on one node.
    WorkloadOpener workload =
        SmallWorkload.of(
            job(
                "b",
                Side.BEST_EFFORT,
                JobType.MAPREDUCE,
                0,
                tasks(4, 7, 60, MemoryCurve.constant(GB, 0))));
    assertThat(run(settings(Policy.STOCK_YARN, any), workload).bestEffort().percentileSeconds(50))
        .isLessThan(70);
    assertThat(run(settings(Policy.STOCK_YARN, rack), workload).bestEffort().percentileSeconds(50))
        .isGreaterThan(120);
  }

  @Test
  void aMasterStartsMoreSlowlyOnABusyNode() throws IOException {
    ClusterSettings idle = cluster(1, 16, 10);
    ClusterSettings busy =
        cluster(
            new ClusterNodes(1, new NodeSize(16 * GB, 0.5, 0), 10),
            new MasterProfile(GB / 4, GB / 4, Duration.ofSeconds(20), 1, 0, Duration.ZERO),
            Integer.MAX_VALUE);
    WorkloadOpener workload =
        SmallWorkload.of(
            job(
                "b",
                Side.BEST_EFFORT,
                JobType.MAPREDUCE,
                0,
                new TaskGroup(1, GB, 1, 0.1, 60_000, MemoryCurve.constant(GB, 0))));
    // Twenty seconds of a core take forty on half a core.
    assertThat(
            run(settings(Policy.CHARON_PEAKS, busy), workload).bestEffort().percentileSeconds(50))
        .isBetween(100.0, 105.0);
    assertThat(
            run(settings(Policy.CHARON_PEAKS, idle), workload).bestEffort().percentileSeconds(50))
        .isBetween(62.0, 67.0);
  }

  @Test
  void nodesOfOneMachineShareItsProcessors() throws IOException {
    // One core each, or two that both nodes may use; a node has room for one of the tasks.
    ClusterSettings ownCores = twoNodes(1, false);
    ClusterSettings sharedCores = twoNodes(2, true);
    WorkloadOpener oneTask = production(memory -> new TaskGroup(1, 9 * GB, 1, 2, 60_000, memory));
    WorkloadOpener twoTasks = production(memory -> new TaskGroup(2, 9 * GB, 1, 2, 60_000, memory));

    // A task that uses two cores for a minute; alone, it may use what the other node leaves idle.
    assertThat(productionSeconds(ownCores, oneTask)).isBetween(120.0, 127.0);
    assertThat(productionSeconds(sharedCores, oneTask)).isBetween(60.0, 67.0);
    assertThat(productionSeconds(ownCores, twoTasks)).isBetween(120.0, 127.0);
    assertThat(productionSeconds(sharedCores, twoTasks)).isBetween(120.0, 127.0);
  }

  private static ClusterSettings twoNodes(double cores, boolean shared) {
    return cluster(2, 16, 10)
        .with(new ClusterNodes(2, new NodeSize(16 * GB, cores, 0), shared, 10));
  }

  private static WorkloadOpener production(Function<MemoryCurve, TaskGroup> tasks) {
    return SmallWorkload.of(
        job("p", Side.PRODUCTION, JobType.MAPREDUCE, 0, tasks.apply(MemoryCurve.constant(GB, 0))));
  }

  private static double productionSeconds(ClusterSettings cluster, WorkloadOpener workload)
      throws IOException {
    return run(settings(Policy.PRODUCTION_ALONE, cluster), workload)
        .production()
        .percentileSeconds(50);
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
    RunResult charon = run(settings(Policy.CHARON_PEAKS, cluster(2, 16, 10)), workload);
    assertThat(charon.bestEffort().percentileSeconds(100)).isBetween(62.0, 70.0);
    RunResult stockYarn = run(settings(Policy.STOCK_YARN, cluster(2, 16, 10)), workload);
    assertThat(stockYarn.bestEffort().percentileSeconds(100)).isGreaterThan(500);
    assertThat(charon.production()).isEqualTo(stockYarn.production());
  }

  @Test
  void requestsAreNotRoundedUp() throws IOException {
    // The master and three tasks fill the node's 4 GB only if requests are not rounded up.
    RunResult result =
        run(
            settings(Policy.CHARON_PEAKS, cluster(1, 4, 10)),
            SmallWorkload.of(
                job(
                    "p",
                    Side.PRODUCTION,
                    JobType.MAPREDUCE,
                    0,
                    tasks(3, 1.2, 100, MemoryCurve.constant(GB, 0)))));
    assertThat(result.production().percentileSeconds(100)).isLessThan(115);
  }

  @Test
  void requestsBeyondYarnsDefaultMaximumAreNotCutDownToIt() throws IOException {
    // Beside one task of 40 GB a node of 64 GB has no room for another.
    RunResult result =
        run(
            settings(Policy.CHARON_PEAKS, cluster(1, 64, 10)),
            SmallWorkload.of(
                job(
                    "p",
                    Side.PRODUCTION,
                    JobType.MAPREDUCE,
                    0,
                    tasks(2, 40, 60, MemoryCurve.constant(GB, 0)))));
    assertThat(result.production().completed()).isEqualTo(1);
    assertThat(result.production().percentileSeconds(50)).isBetween(122.0, 130.0);
  }

  @Test
  void guaranteedContainersComeBeforeOpportunisticOnes() throws IOException {
    // Best-effort tasks fill the node; production, submitted later, still starts at once.
    RunResult result =
        run(
            settings(Policy.CHARON_PEAKS, cluster(1, 16, 10)),
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
    // It needs more memory than the node has, whatever it requested, so it is killed repeatedly.
    for (JobType type : JobType.values()) {
      RunResult result =
          run(
              settings(Policy.CHARON_PEAKS, cluster(1, 8, 10)),
              SmallWorkload.of(job("b", Side.BEST_EFFORT, type, 0, tasks(1, 1, 600, growing(11)))));
      assertThat(result.bestEffort().failed()).isEqualTo(1);
      assertThat(result.disruptions().killsByCause())
          .isEqualTo(Map.of("thrash", type.retries() + 1));
      assertThat(result.disruptions().lostWorkSeconds()).isPositive();
    }
  }

  @Test
  @Tag("long")
  void anExperimentMayGiveAllBestEffortJobsTheRetriesOfOneType() throws IOException {
    RunResult result =
        run(
            settings(
                Policy.CHARON_PEAKS,
                cluster(1, 8, 10).with(new RetryRules(Optional.of(JobType.SQL), true))),
            SmallWorkload.of(
                job("b", Side.BEST_EFFORT, JobType.MAPREDUCE, 0, tasks(1, 1, 600, growing(11)))));
    assertThat(result.bestEffort().failed()).isEqualTo(1);
    assertThat(result.disruptions().kills()).isEqualTo(JobType.SQL.retries() + 1);
  }

  @Test
  void killsThatCountAsPreemptionsFailNoJob() throws IOException {
    ClusterSettings forgiving = cluster(1, 8, 10).with(RetryRules.KILLS_ARE_FREE);
    RunResult result =
        run(
            settings(Policy.CHARON_PEAKS, forgiving),
            SmallWorkload.of(
                job("b", Side.BEST_EFFORT, JobType.SQL, 0, tasks(1, 1, 600, growing(11)))));
    assertThat(result.bestEffort().failed()).isZero();
    assertThat(result.bestEffort().unfinished()).isEqualTo(1);
    assertThat(result.disruptions().killsByCause().get("thrash")).isGreaterThan(3);
    // Counting stops two hours after the last submission.
    assertThat(result.execution().virtualSeconds()).isEqualTo(7_200);
  }

  @Test
  void aNodesQueueHoldsNoMoreThanItsLimit() throws IOException {
    // One task runs and two wait; on a stale report the allocator sends more, which are rejected.
    RunResult tight =
        run(
            settings(Policy.CHARON_PEAKS, cluster(1, 4, 2)),
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
  @Tag("long")
  void containersSentToFullQueuesAreRejectedUntilTheirJobFails() throws IOException {
    WorkloadOpener workload =
        SmallWorkload.of(
            job(
                "b",
                Side.BEST_EFFORT,
                JobType.MAPREDUCE,
                0,
                tasks(12, 3, 300, MemoryCurve.constant(3 * GB, 0))));
    for (Policy policy : List.of(Policy.STOCK_YARN, Policy.THRESHOLD, Policy.CHARON_PEAKS)) {
      ClusterSettings avoiding = cluster(1, 4, 2);
      RunResult waits = run(settings(policy, avoiding), workload);
      assertThat(waits.bestEffort().completed()).as(policy.key()).isEqualTo(1);
      assertThat(waits.disruptions().rejections()).as(policy.key()).isLessThan(20);
      ClusterSettings rejecting =
          avoiding.with(new OpportunisticAllocation(Placement.CENTRAL, FullQueues.REJECT, false));
      RunResult rejected = run(settings(policy, rejecting), workload);
      assertThat(rejected.bestEffort().failed()).as(policy.key()).isEqualTo(1);
      assertThat(rejected.disruptions().rejections())
          .as(policy.key())
          .isGreaterThan(JobType.MAPREDUCE.retries());
    }
  }

  @Test
  void aQueueInWhichAJobCanDisplaceNobodyIsNotOfferedToItWithEachHeartbeat() throws IOException {
    RunResult result =
        run(
            settings(Policy.CHARON, cluster(1, 4, 5)),
            SmallWorkload.of(
                job(
                    "b",
                    Side.BEST_EFFORT,
                    JobType.MAPREDUCE,
                    0,
                    tasks(20, 3, 100, MemoryCurve.constant(3 * GB, 0)))));
    assertThat(result.bestEffort().completed()).isEqualTo(1);
    assertThat(result.disruptions().rejections())
        .isLessThan((int) (result.execution().virtualSeconds() / FullQueue.CLOSED.toSeconds()));
  }

  @Test
  void aContainerThatIsHandedBackIsRequestedAgainAndHasNotFailed() throws IOException {
    RunResult result =
        run(
            settings(Policy.CHARON, cluster(1, 4, 10)),
            SmallWorkload.of(
                job(
                    "b",
                    Side.BEST_EFFORT,
                    JobType.SQL,
                    0,
                    tasks(2, 3, 2000, MemoryCurve.constant(3 * GB, 0)))));
    assertThat(result.disruptions().handedBack()).isGreaterThan(JobType.SQL.retries() + 1);
    assertThat(result.bestEffort().completed()).isEqualTo(1);
  }

  @Test
  @Tag("long")
  void moreLoadRepeatsBestEffortJobsOnly() throws IOException {
    RunResult result =
        run(settings(Policy.CHARON_PEAKS, 3, 1, cluster(4, 16, 10)), SmallWorkload.mix());
    RunResult single =
        run(settings(Policy.CHARON_PEAKS, 1, 1, cluster(4, 16, 10)), SmallWorkload.mix());
    assertThat(result.bestEffort().submitted()).isEqualTo(3 * single.bestEffort().submitted());
    assertThat(result.production().submitted()).isEqualTo(single.production().submitted());
  }

  @Test
  @Tag("long")
  void everyPolicyCountsConsistentlyOnACrowdedCluster() throws IOException {
    for (Policy policy : Policy.values()) {
      RunResult result =
          run(
              settings(policy, 2, 3, cluster(2, 16, 3), Duration.ofMinutes(10)),
              SmallWorkload.mix());
      for (Side side : Side.values()) {
        SideResult ofSide = side == Side.PRODUCTION ? result.production() : result.bestEffort();
        assertThat(ofSide.submitted() > 0).as(policy.key()).isEqualTo(policy.runs(side));
        assertThat(ofSide.unfinished()).as(policy.key()).isNotNegative();
      }
      assertThat(result.memory().utilization()).as(policy.key()).isBetween(0.0, 1.0);
      assertThat(result.memory().usedOverRequested()).as(policy.key()).isPositive();
    }
  }

  @Test
  @Tag("long")
  void distributedPlacementIsRejectedMoreOftenThanCentral() throws IOException {
    ClusterSettings nodes = cluster(4, 16, 3);
    Duration horizon = Duration.ofMinutes(10);
    RunSettings central = settings(Policy.CHARON_PEAKS, 4, 3, nodes, horizon);
    RunSettings distributed =
        settings(
            Policy.CHARON_PEAKS,
            4,
            3,
            nodes.with(new OpportunisticAllocation(Placement.DISTRIBUTED, FullQueues.AVOID, false)),
            horizon);
    RunResult run = run(distributed, SmallWorkload.mix());
    assertThat(run.disruptions().rejections())
        .isGreaterThan(2 * run(central, SmallWorkload.mix()).disruptions().rejections());
    assertThat(run(distributed, SmallWorkload.mix())).isEqualTo(run);
  }

  @Test
  @Tag("long")
  void theSameSeedGivesTheSameRunAndAnotherDoesNot() throws IOException {
    RunSettings once = settings(Policy.THRESHOLD, 2, 5, cluster(4, 16, 5));
    RunResult first = run(once, SmallWorkload.mix());
    assertThat(first.disruptions().killsByCause()).isNotEmpty();
    assertThat(run(once, SmallWorkload.mix())).isEqualTo(first);
    assertThat(run(settings(Policy.THRESHOLD, 2, 6, cluster(4, 16, 5)), SmallWorkload.mix()))
        .extracting(run -> run.execution().eventChecksum())
        .isNotEqualTo(first.execution().eventChecksum());
  }

  @Test
  @Tag("long")
  void parallelRunsGiveTheResultsOfSequentialOnes() throws Exception {
    List<RunSettings> all = new ArrayList<>();
    for (Policy policy : List.of(Policy.CHARON_PEAKS, Policy.STOCK_YARN)) {
      for (long seed : new long[] {1, 2}) {
        all.add(settings(policy, 2, seed, cluster((int) seed + 2, 16, 5)));
      }
    }
    List<ComparedRun> sequential = new Experiment(all, SmallWorkload.mix()).run(1);
    List<ComparedRun> parallel = new Experiment(all, SmallWorkload.mix()).run(4);
    assertThat(parallel).isEqualTo(sequential);
    JsonNode json = new ResultJson().of(Contexts.of(all.get(0)), sequential, 2);
    assertThat(json.get("runs")).hasSize(4);
    JsonNode first = json.get("runs").get(0);
    assertThat(first.get("policy").asText()).isEqualTo("charon-peaks");
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
            "moves",
            "handedBack",
            "rejections",
            "lostWorkSeconds",
            "memoryUtilization",
            "usedOverRequested",
            "productionUsedOverAllocated");
    assertThat(json.get("virtualPerWallSecond").asDouble())
        .isCloseTo(json.get("virtualSeconds").asDouble() / 2, Offset.offset(1e-6));
  }

  @Test
  @Tag("long")
  void aWrittenResultIsReadBack(@TempDir Path directory) throws Exception {
    List<RunSettings> all =
        List.of(
            settings(Policy.STOCK_YARN, 1, 1, cluster(2, 16, 5)),
            settings(Policy.THRESHOLD, 2, 1, cluster(2, 16, 5)),
            settings(Policy.THRESHOLD, 2, 2, cluster(2, 16, 5)));
    List<ComparedRun> runs = new Experiment(all, SmallWorkload.mix()).run(1);
    Path file = directory.resolve("result.json");
    new ResultJson().write(file, Contexts.of(all.get(0)), runs, 1);
    ResultFile read = ResultFile.read(file);
    assertThat(read.runs()).isEqualTo(runs.stream().map(MeasuredRun::of).toList());
    assertThat(read.settings()).containsEntry("queueLimit", "5").containsEntry("nodes", "2");
    assertThat(read.partial()).isFalse();
    assertThat(read.workloads()).hasSize(1);
    assertThat(read.workloads().get(0)).containsKey("bestEffortJobs");
    JsonNode summary = new ObjectMapper().readTree(file.toFile()).get("summary");
    assertThat(summary).hasSize(2);
    assertThat(summary.get(1).get("seeds").asInt()).isEqualTo(2);
    double[] kills = runs.stream().skip(1).mapToDouble(Measure.KILLS::of).toArray();
    assertThat(summary.get(1).get("kills").get("mean").asDouble())
        .isEqualTo((kills[0] + kills[1]) / 2);
    assertThat(summary.get(0).get("kills").get("low95").isNull()).isTrue();
  }

  @Test
  @Tag("long")
  void aResultOfOtherPoliciesUnderTheSameNamesIsNamed(@TempDir Path directory) throws Exception {
    RunSettings settings = settings(Policy.STOCK_YARN, cluster(2, 16, 5));
    List<ComparedRun> runs = new Experiment(List.of(settings), SmallWorkload.mix()).run(1);
    ObjectNode json = new ResultJson().of(Contexts.of(settings), runs, 1);
    Path now = Files.writeString(directory.resolve("now.json"), json.toString());
    ((ObjectNode) json.get("settings")).remove("policyRevision");
    Path old = Files.writeString(directory.resolve("old.json"), json.toString());

    List<ResultFile> results = List.of(ResultFile.read(now), ResultFile.read(old));

    assertThat(new Comparison(results).remarks())
        .containsExactly(
            "another setting in %s: policyRevision is not stated, not %d"
                .formatted(old, PolicySettings.REVISION));
  }

  @Test
  void aFileThatIsNotAResultIsRefusedByName(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("other.json");
    for (String text : new String[] {"{}", "{\"runs\":[{\"policy\":\"charon\"}]}", "[", ""}) {
      Files.writeString(file, text);
      assertThatThrownBy(() -> ResultFile.read(file))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("other.json")
          .hasMessageContaining(text.equals("[") ? "not JSON" : "not a result of charon sls run");
    }
    assertThatThrownBy(() -> ResultFile.read(directory.resolve("none.json")))
        .hasMessageContaining("none.json: no such file");
  }

  @Test
  void memoryOverTimeAddsUpToTheWhole() throws IOException {
    RunResult result = run(settings(Policy.CHARON_PEAKS, cluster(4, 16, 5)), SmallWorkload.mix());
    assertThat(result.memory().samples()).hasSizeBetween(3, 512);
    double used = 0;
    double before = 0;
    for (MemorySample sample : result.memory().samples()) {
      used += sample.usedBytes() * (sample.seconds() - before);
      before = sample.seconds();
      // Equal if only production runs, except for rounding.
      assertThat(sample.allocatedBytes()).isGreaterThan(0.999 * sample.productionAllocatedBytes());
    }
    assertThat(used / before / (4 * 16 * GB)).isBetween(0.01, 1.0);
    assertThat(before)
        .isBetween(result.execution().virtualSeconds() - 60, result.execution().virtualSeconds());
  }

  @Test
  void anInterruptedRunIsMarkedPartial() throws IOException {
    RunProgress progress = new RunProgress();
    progress.interrupt();
    RunSettings settings = settings(Policy.CHARON_PEAKS, cluster(2, 16, 10));
    RunResult result = SimulationRun.run(settings, SmallWorkload.mix(), progress);
    assertThat(result.execution().partial()).isTrue();
    JsonNode json =
        new ResultJson().of(Contexts.of(settings), List.of(new ComparedRun(result, result)), 1);
    assertThat(json.get("partial").asBoolean()).isTrue();
  }

  @Test
  void aFurtherSubmissionMayHaveTheIdOfAnotherJob() throws IOException {
    TaskGroup minute = tasks(1, 1, 60, MemoryCurve.constant(GB, 0));
    RunResult result =
        run(
            settings(Policy.CHARON_PEAKS, 2, 1, cluster(2, 16, 10)),
            SmallWorkload.of(
                job("b", Side.BEST_EFFORT, JobType.MAPREDUCE, 0, minute),
                job("b#2", Side.BEST_EFFORT, JobType.MAPREDUCE, 0, minute)));
    assertThat(result.bestEffort().completed()).isEqualTo(4);
  }

  @Test
  void jobsOutOfOrderAreRefused() {
    assertThatThrownBy(
            () ->
                run(
                    settings(Policy.CHARON_PEAKS, cluster(2, 16, 10)),
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
