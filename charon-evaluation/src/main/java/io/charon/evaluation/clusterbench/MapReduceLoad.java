/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.cluster.YarnCluster;
import io.charon.evaluation.demo.BestEffortJobs;
import io.charon.evaluation.demo.BestEffortOrder;
import io.charon.evaluation.demo.BestEffortStream;
import io.charon.evaluation.demo.ContainerTrace;
import io.charon.evaluation.demo.DemoApplications;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskCompletionEvent.Status;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Best-effort jobs of MapReduce. */
final class MapReduceLoad implements BestEffortLoad {
  private final List<BestEffortOrder> orders;
  private final DemoApplications applications;
  private final BestEffortStream stream;
  private final AttemptWatch attempts;

  private MapReduceLoad(
      List<BestEffortOrder> orders,
      DemoApplications applications,
      BestEffortStream stream,
      AttemptWatch attempts) {
    this.orders = orders;
    this.applications = applications;
    this.stream = stream;
    this.attempts = attempts;
  }

  /** Creates the load of one run on a cluster and starts to follow its attempts. */
  static MapReduceLoad of(
      YarnCluster cluster,
      Installation installation,
      DemoApplications applications,
      BestEffortPlacement placement,
      List<BestEffortOrder> orders) {
    BestEffortJobs jobs =
        new BestEffortJobs(
            cluster,
            installation,
            ClusterSpecifications.BEST_EFFORT_QUEUE,
            BestEffortJobs.TaskMemory.withDefaultSortBuffer(ClusterPlan.BEST_EFFORT_TASK_MB),
            ClusterPlan.READ_BYTES_PER_SECOND);
    BestEffortStream stream = new BestEffortStream(order -> job(jobs, placement, order), orders);
    return new MapReduceLoad(
        orders, applications, stream, AttemptWatch.start(stream, applications));
  }

  private static Job job(BestEffortJobs jobs, BestEffortPlacement placement, BestEffortOrder order)
      throws IOException {
    Job job = jobs.job(order);
    if (placement == BestEffortPlacement.DISTRIBUTED) {
      // A node that places containers itself must know from the request that they are
      // opportunistic; the ResourceManager sees the request only later.
      job.getConfiguration().setInt(MRJobConfig.MR_NUM_OPPORTUNISTIC_MAPS_PERCENT, 100);
    }
    return job;
  }

  /**
   * Returns the submissions of X1, each repeated, cycling through the kinds of jobs.
   *
   * @param load number of copies of each submission; 0 for no jobs
   */
  static List<BestEffortOrder> orders(ClusterPlan plan, List<Path> parts, int load) {
    List<BestEffortOrder> once =
        BestEffortOrder.stream(
            parts, ClusterPlan.MAPS, ClusterPlan.SUBMISSION_INTERVAL, plan.submissions());
    List<Duration> times = plan.submissionTimes(load);
    List<BestEffortOrder> orders = new ArrayList<>();
    for (int index = 0; index < times.size(); index++) {
      BestEffortOrder first = once.get(index / load);
      orders.add(new BestEffortOrder(index, first.kind(), times.get(index), first.input()));
    }
    return orders;
  }

  @Override
  public int jobs() {
    return orders.size();
  }

  @Override
  public void start(long startNanos) {
    stream.start(startNanos);
  }

  @Override
  public List<ApplicationId> submitted() {
    return List.copyOf(stream.submitted().values());
  }

  @Override
  public BestEffortOutcome outcome(long endMillis, List<ContainerTrace> containers)
      throws IOException, InterruptedException {
    Map<String, Status> unsuccessful = attempts.unsuccessful();
    List<Double> completed =
        BestEffortOutcome.completionSeconds(applications, submitted(), endMillis);
    return new BestEffortOutcome(
        completed,
        completed.size() * (ClusterPlan.MAPS + 1),
        (int)
            unsuccessful.values().stream()
                .filter(status -> status == Status.FAILED || status == Status.TIPFAILED)
                .count(),
        BestEffortOutcome.lifetimeSeconds(
            containers.stream()
                .filter(container -> unsuccessful.containsKey(container.attempt()))));
  }

  @Override
  public List<String> problems() {
    return stream.failures();
  }

  @Override
  public void close() {
    attempts.close();
    stream.close();
  }
}
