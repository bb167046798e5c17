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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * The application of the paced tasks on one cluster: one ApplicationMaster for all of them, as in
 * an interactive session, so that the start of JVMs does not dominate the processor time.
 */
final class TaskApplication {
  /** Name of the application. */
  static final String NAME = "sort-grep-join";

  private static final String RESULTS = "task-results";

  /** Finds the path of a task's result in its command line. */
  static final Pattern RESULT = Pattern.compile("[^ \0]+/" + RESULTS + "/task-[0-9]+");

  private final ClusterClient cluster;
  private final Installation installation;
  private final PreparedInput input;
  private final WorkloadPlan plan;
  private final Path results;

  TaskApplication(
      ClusterClient cluster, Installation installation, PreparedInput input, WorkloadPlan plan) {
    this.cluster = cluster;
    this.installation = installation;
    this.input = input;
    this.plan = plan;
    this.results = cluster.workDirectory().resolve(RESULTS);
  }

  /**
   * Submits the application.
   *
   * @param host node of the ApplicationMaster
   * @param orders the application's tasks
   */
  ApplicationId submit(String host, List<TaskOrder> orders) throws IOException {
    cluster.account().makeWritable(results);
    List<String> lines = new ArrayList<>();
    for (TaskOrder order : orders) {
      lines.add(TaskMaster.line(order.at().toMillis(), command(order)));
    }
    return new TaskSubmission(cluster, installation, NAME, plan.bestEffortTaskMb())
        .submit(host, lines);
  }

  /** Returns the result of a task; empty if the task has not ended yet. */
  Optional<TaskResult> result(TaskOrder order) throws IOException {
    Path file = resultOf(order);
    return Files.exists(file) ? Optional.of(TaskResult.read(file)) : Optional.empty();
  }

  /** Returns whether a task has ended. */
  boolean hasEnded(TaskOrder order) {
    return Files.exists(resultOf(order));
  }

  private Path resultOf(TaskOrder order) {
    return results.resolve("task-" + order.index());
  }

  private String command(TaskOrder order) {
    return String.join(
            " ",
            order.command(
                input.taskProgram(),
                input.directory(),
                input.text().parts().size(),
                (long) WorkloadPlan.INPUT_PART_MB << 20,
                resultOf(order)))
        + " "
        + ApplicationConstants.LOG_DIR_EXPANSION_VAR
        + TaskSubmission.output();
  }
}
