/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt.AMState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSAMContainerLaunchDiagnosticsConstants;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * Uses YARN's own constants for its texts where they exist, so that a change in Hadoop is noticed.
 */
@Tag("hadoop")
class ApplicationStoryTest {
  private static final String SHARES =
      " Details : AM Partition = <DEFAULT_PARTITION>; AM Resource Request = <memory:1536, vCores:1>;"
          + " Queue Resource Limit for AM = <memory:2048, vCores:1>; User AM Resource Limit of the"
          + " queue = <memory:1024, vCores:1>; Queue AM Resource Usage = <memory:1536, vCores:1>; ";

  @Test
  void theApplicationMasterShareOfTheQueueIsFull() {
    ApplicationStory story =
        waiting(
            AMState.INACTIVATED.getDiagnosticMessage()
                + CSAMContainerLaunchDiagnosticsConstants.QUEUE_AM_RESOURCE_LIMIT_EXCEED
                + SHARES);
    assertThat(story.reason())
        .isEqualTo(
            "the ApplicationMaster share of queue root.batch is full: <memory:1536, vCores:1> of"
                + " <memory:2048, vCores:1> in use; the application needs <memory:1536, vCores:1>");
    assertThat(story.cure())
        .contains("yarn.scheduler.capacity.root.batch.maximum-am-resource-perc");
  }

  @Test
  void theApplicationMasterShareOfTheUserIsFull() {
    assertThat(
            waiting(
                    AMState.INACTIVATED.getDiagnosticMessage()
                        + CSAMContainerLaunchDiagnosticsConstants.USER_AM_RESOURCE_LIMIT_EXCEED
                        + SHARES)
                .reason())
        .contains("share of the user in queue root.batch, <memory:1024, vCores:1>, is full");
  }

  @Test
  void thePartitionHasNoNode() {
    assertThat(
            waiting(
                    AMState.INACTIVATED.getDiagnosticMessage()
                        + CSAMContainerLaunchDiagnosticsConstants.CLUSTER_RESOURCE_EMPTY)
                .reason())
        .isEqualTo("partition <DEFAULT_PARTITION> has no node");
    assertThat(activated("gpu", "<memory:0, vCores:0>", 0, 0).reason())
        .isEqualTo("partition gpu has no node");
  }

  @Test
  void theQueueMayNotUseThePartition() {
    assertThat(activated("gpu", "<memory:4096, vCores:4>", 0, 0).reason())
        .isEqualTo("queue root.batch may not use partition gpu");
  }

  /**
   * The text that a ResourceManager of Hadoop 3.4.2 reported for a queue with less room than
   * requested.
   */
  @Test
  void theQueueIsFullWhereTheApplicationMasterDoesNotFit() {
    assertThat(
            waiting(
                    "[Wed Nov 25 17:46:54 +0000 2026] Application is Activated, waiting for resources"
                        + " to be assigned for AM.  Details : AM Partition = <DEFAULT_PARTITION> ;"
                        + " Partition Resource = <memory:32768, vCores:32> ; Queue's Absolute capacity"
                        + " = 30.000002 % ; Queue's Absolute used capacity = 28.125 % ; Queue's"
                        + " Absolute max capacity = 30.000002 % ; Queue's capacity (absolute resource)"
                        + " = <memory:9830, vCores:9> ; Queue's used capacity (absolute resource) ="
                        + " <memory:9216, vCores:9> ; Queue's max capacity (absolute resource) ="
                        + " <memory:9830, vCores:9> ; ")
                .reason())
        .isEqualTo(
            "queue root.batch is full: it uses 9216 MiB of at most 9830 MiB, and the ApplicationMaster"
                + " needs 1024 MiB");
  }

  @Test
  void noNodeHasRoomOrTheUsersLimitIsReached() {
    ApplicationStory crowded = activated("<DEFAULT_PARTITION>", "<memory:4096, vCores:4>", 0, 4096);
    assertThat(crowded.reason())
        .isEqualTo(
            "no node has room for its ApplicationMaster of 1024 MiB; the last node that the scheduler"
                + " tried has 512 MiB free");
    assertThat(waiting(crowded.saidByYarn().replace("memory:512", "memory:2048")).reason())
        .contains("the user has reached the limit of queue root.batch");
  }

  @Test
  void unknownArgumentsArePassedOnAndOtherStatesAreNotAwaited() {
    assertThat(waiting("").reason()).contains("no reason that Charon knows");
    assertThat(waiting("AM wants wings").saidByYarn()).isEqualTo("AM wants wings");
    assertThat(waiting("; = ; <<; Queue's AM resource limit exceeded. = <").reason())
        .contains("is full");
    assertThat(story("NEW_SAVING", "").reason()).contains("has not accepted it yet");
    assertThat(story("RUNNING", "").reason()).isEqualTo("its ApplicationMaster is running");
    assertThat(story("KILLED", "by hand").reason()).isEqualTo("the application has ended");
  }

  @Test
  void theCommandAsksTheResourceManager() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/ws/v1/cluster/apps/application_1_0001",
        exchange -> {
          byte[] bytes =
              "{\"app\":{\"state\":\"ACCEPTED\",\"queue\":\"batch\",\"diagnostics\":\"odd \\u001b[0m\"}}"
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, bytes.length);
          try (OutputStream stream = exchange.getResponseBody()) {
            stream.write(bytes);
          }
        });
    server.start();
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    try {
      String address = "localhost:" + server.getAddress().getPort();
      CommandLine explain =
          new CommandLine(new ExplainCommand())
              .setOut(new PrintWriter(out, true))
              .setErr(new PrintWriter(err, true));
      assertThat(explain.execute("application_1_0001", "--resourcemanager", address)).isZero();
      assertThat(out.toString())
          .contains("application_1_0001 is ACCEPTED in queue batch", "YARN says: odd")
          .doesNotContain("\u001b");
      assertThat(explain.execute("application_1_0001", "--json", "--resourcemanager", address))
          .isZero();
      assertThat(out.toString()).contains("\"saidByYarn\" : \"odd \\u001B[0m\"");
      assertThat(explain.execute("application_1_0002", "--resourcemanager", address)).isEqualTo(1);
      assertThat(err.toString())
          .contains("No ResourceManager knows application_1_0002", "--resourcemanager");
    } finally {
      server.stop(0);
    }
  }

  private static ApplicationStory activated(String partition, String resource, int used, int most) {
    return waiting(
        AMState.ACTIVATED.getDiagnosticMessage()
            + (" Details : AM Partition = %s ; Partition Resource = %s ; Queue's used capacity (absolute"
                    + " resource) = <memory:%d, vCores:1> ; Queue's max capacity (absolute resource) ="
                    + " <memory:%d, vCores:4> ; ")
                .formatted(partition, resource, used, most)
            + CSAMContainerLaunchDiagnosticsConstants.LAST_NODE_PROCESSED_MSG
            + "node1:1 ( Partition : <DEFAULT_PARTITION>, Total resource : <memory:4096, vCores:4>,"
            + " Available resource : <memory:512, vCores:3> ).");
  }

  private static ApplicationStory waiting(String diagnostics) {
    return story("ACCEPTED", diagnostics);
  }

  private static ApplicationStory story(String state, String diagnostics) {
    ObjectNode application =
        new ObjectMapper()
            .createObjectNode()
            .put("state", state)
            .put("queue", "root.batch")
            .put("diagnostics", diagnostics);
    application
        .putArray("resourceRequests")
        .addObject()
        .putObject("capability")
        .put("memory", 1024);
    return ApplicationStory.of(application);
  }
}
