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
import java.util.List;

/**
 * Submits best-effort applications of paced tasks: programs that sort, search and join, read at a
 * limited rate and hold their memory until they end.
 */
public final class PacedJobs {
  private final Installation installation;
  private final WorkloadPlan plan;
  private final PreparedInput input;
  private final TaskExpectation expectation;

  /** Creates a submitter. */
  public PacedJobs(Installation installation, WorkloadPlan plan, PreparedInput input) {
    this.installation = installation;
    this.plan = plan;
    this.input = input;
    this.expectation = new TaskExpectation(input.text().parts());
  }

  /**
   * Submits an application.
   *
   * @param cluster the cluster, whose work directory holds the files of this application only;
   *     created if missing
   * @param host node of the ApplicationMaster
   * @param tasks number of tasks, all due at once
   * @throws IOException if the ResourceManager does not accept the application
   */
  public PacedJob submit(ClusterClient cluster, String host, int tasks) throws IOException {
    Files.createDirectories(cluster.workDirectory());
    TaskApplication application = new TaskApplication(cluster, installation, input, plan);
    List<TaskOrder> orders = TaskOrder.atOnce(plan, input.text().parts().size(), tasks);
    return new PacedJob(application.submit(host, orders), application, orders, expectation);
  }
}
