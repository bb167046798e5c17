/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.cluster.ClusterClient;
import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.cluster.MapReduceSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * The application of the paced tasks on one cluster: one ApplicationMaster for all of them, as in
 * an interactive session, so that the start of JVMs does not dominate the processor time.
 */
final class TaskApplication {
  /** Name of the application. */
  static final String NAME = "sort-grep-join";

  private static final String RACK = "/default-rack";

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
    this.results = cluster.workDirectory().resolve("task-results");
  }

  /**
   * Submits the application.
   *
   * @param host node of the ApplicationMaster
   * @param orders the application's tasks
   */
  ApplicationId submit(String host, List<TaskOrder> orders) throws IOException {
    cluster.account().makeWritable(results);
    Path file = cluster.workDirectory().resolve("task-orders");
    List<String> lines = new ArrayList<>();
    for (TaskOrder order : orders) {
      lines.add(TaskMaster.line(order.at().toMillis(), command(order)));
    }
    Files.write(file, lines);
    return cluster.account().run(() -> submit(host, masterCommand(file)));
  }

  private ApplicationId submit(String host, String masterCommand) throws IOException {
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(cluster.clientConfiguration());
      yarn.start();
      ApplicationSubmissionContext context =
          yarn.createApplication().getApplicationSubmissionContext();
      context.setApplicationName(NAME);
      context.setQueue(DemoWorkload.BEST_EFFORT_QUEUE);
      context.setMaxAppAttempts(1);
      context.setAMContainerResourceRequests(
          Stream.of(host, RACK, ResourceRequest.ANY)
              .map(TaskApplication::masterOn)
              .collect(Collectors.toCollection(ArrayList::new)));
      context.setAMContainerSpec(
          ContainerLaunchContext.newInstance(
              Map.of(), Map.of(), List.of(masterCommand), null, null, null));
      return yarn.submitApplication(context);
    } catch (YarnException e) {
      throw new IOException("The ResourceManager does not accept " + NAME, e);
    }
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

  private static ResourceRequest masterOn(String place) {
    return ResourceRequest.newInstance(
        Priority.newInstance(0),
        place,
        Resource.newInstance(WorkloadPlan.TASK_MASTER_MB, 1),
        1,
        false);
  }

  private String masterCommand(Path orders) {
    return String.join(
        " ",
        "exec",
        ApplicationConstants.Environment.JAVA_HOME.$() + "/bin/java",
        "-Xmx48m",
        MapReduceSettings.LEAN_JVM + cluster.jvmOptions(),
        // Identifies the process by its application, as the command lines of MapReduce's
        // ApplicationMasters do.
        "-Dyarn.app.container.log.dir=" + ApplicationConstants.LOG_DIR_EXPANSION_VAR,
        "-cp",
        "$HADOOP_CONF_DIR:" + installation.lib() + "/*",
        TaskMaster.class.getName(),
        Integer.toString(plan.bestEffortTaskMb()),
        orders.toString(),
        output());
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
        + output();
  }

  private static String output() {
    return " 1>"
        + ApplicationConstants.LOG_DIR_EXPANSION_VAR
        + "/stdout 2>"
        + ApplicationConstants.LOG_DIR_EXPANSION_VAR
        + "/stderr";
  }
}
