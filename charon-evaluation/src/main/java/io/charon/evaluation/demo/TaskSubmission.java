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
 * Submits a {@link TaskMaster}, which runs programs in best-effort containers.
 *
 * @param cluster the cluster
 * @param installation the jars that the ApplicationMaster needs
 * @param name name of the application
 * @param taskMb memory that each program requests, MiB
 */
public record TaskSubmission(
    ClusterClient cluster, Installation installation, String name, int taskMb) {
  private static final String RACK = "/default-rack";

  /**
   * Submits the application.
   *
   * @param host node of the ApplicationMaster
   * @param lines the programs, each as {@link TaskMaster#line} gives it
   * @throws IOException if the file of the programs cannot be written, or the ResourceManager does
   *     not accept the application
   */
  public ApplicationId submit(String host, List<String> lines) throws IOException {
    Path file = cluster.workDirectory().resolve("task-orders");
    Files.write(file, lines);
    return cluster.account().run(() -> submit(host, masterCommand(file)));
  }

  private ApplicationId submit(String host, String masterCommand) throws IOException {
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(cluster.clientConfiguration());
      yarn.start();
      ApplicationSubmissionContext context =
          yarn.createApplication().getApplicationSubmissionContext();
      context.setApplicationName(name);
      context.setQueue(DemoWorkload.BEST_EFFORT_QUEUE);
      context.setMaxAppAttempts(1);
      context.setAMContainerResourceRequests(
          Stream.of(host, RACK, ResourceRequest.ANY)
              .map(TaskSubmission::masterOn)
              .collect(Collectors.toCollection(ArrayList::new)));
      context.setAMContainerSpec(
          ContainerLaunchContext.newInstance(
              Map.of(), Map.of(), List.of(masterCommand), null, null, null));
      return yarn.submitApplication(context);
    } catch (YarnException e) {
      throw new IOException("The ResourceManager does not accept " + name, e);
    }
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
        Integer.toString(taskMb),
        orders.toString(),
        output());
  }

  /** Returns the redirection of a program's output into the files of its container. */
  static String output() {
    return " 1>"
        + ApplicationConstants.LOG_DIR_EXPANSION_VAR
        + "/stdout 2>"
        + ApplicationConstants.LOG_DIR_EXPANSION_VAR
        + "/stderr";
  }
}
