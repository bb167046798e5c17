/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.cluster.ClusterClient;
import io.charon.evaluation.cluster.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Submits single jobs of the demo to a cluster like the demo's. */
public final class SingleJobs {
  private final ClusterClient cluster;
  private final Installation installation;
  private final WorkloadPlan plan;
  private final PreparedInput input;

  /**
   * Creates a submitter of jobs.
   *
   * @param cluster the cluster, whose work directory holds the files of one job; created if missing
   * @param plan plan of the cluster; production's work fills its baseline and window
   */
  public SingleJobs(
      ClusterClient cluster, Installation installation, WorkloadPlan plan, PreparedInput input)
      throws IOException {
    this.cluster = cluster;
    this.installation = installation;
    this.plan = plan;
    this.input = input;
    Files.createDirectories(cluster.workDirectory());
  }

  /**
   * Submits the production job.
   *
   * @param tasks number of tasks, 1 to the number of nodes
   */
  public SubmittedJob production(int tasks) throws IOException, InterruptedException {
    DemoWorkload workload = new DemoWorkload(cluster, cluster, installation, plan);
    List<ProductionTask> orders =
        workload
            .productionTasks(
                input,
                ProductionPace.of(ProductionPace.measureBatch(input.text(), plan.nodes()), plan))
            .subList(0, tasks);
    return new SubmittedJob(
        DemoApplications.submit(workload.production(orders)),
        () ->
            new ProductionOutput(workload.productionOutput())
                .problems(orders, new ProductionExpectation(parts())));
  }

  /**
   * Submits the best-effort application that sorts, searches and joins.
   *
   * @param tasks number of tasks, all due at once
   */
  public SubmittedJob pacedTasks(int tasks) throws IOException {
    try (DemoApplications applications = new DemoApplications(cluster.clientConfiguration())) {
      PacedJob job =
          new PacedJobs(installation, plan, input)
              .submit(cluster, applications.leastReservedNode(), tasks);
      return new SubmittedJob(job.id(), job::problems);
    }
  }

  /**
   * Submits a best-effort word count by MapReduce.
   *
   * @param maps number of map tasks, each of which reads one part of the input
   */
  public SubmittedJob mapReduce(int maps) throws IOException, InterruptedException {
    DemoWorkload workload = new DemoWorkload(cluster, cluster, installation, plan);
    List<Path> read = new ArrayList<>();
    for (int map = 0; map < maps; map++) {
      read.add(parts().get(map % parts().size()));
    }
    BestEffortOrder order = new BestEffortOrder(0, JobKind.WORDCOUNT, Duration.ZERO, read);
    return new SubmittedJob(
        DemoApplications.submit(workload.bestEffort(order)),
        () ->
            new OutputVerifier()
                .problem(order, workload.bestEffortOutput(order)).stream().toList());
  }

  private List<Path> parts() {
    return input.text().parts();
  }
}
