/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.evaluation.cluster.ClusterNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A new node of a cluster learns peaks from the others, through a real ResourceManager. */
@SharedNode(SharedNode.Settings.TWO_NODES)
class SharedPeaksIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  @Tag("long")
  void aNewNodeKnowsTheJobsOfOthers(TestNode nodes) throws Exception {
    ClusterNode first = nodes.cluster().nodes().get(0);
    ClusterNode second = nodes.cluster().nodes().get(1);
    HoldJob job = nodes.submit(6, 0);
    await("a task runs on the first node", () -> nodes.runningBestEffort().size() > 0);
    await("it has been measured", () -> measured(nodes));
    job.release();
    await("the job ends", job::isComplete);
    long before = counter(first, "charon_peak_exchanges");
    await("the first node tells", () -> counter(first, "charon_peak_exchanges") > before + 1);

    nodes.cluster().killNodeManager(1);
    Files.deleteIfExists(file(nodes, second));
    nodes.cluster().startNodeManager(1);

    await(
        "a node that knows nothing learns",
        () -> counter(second, "charon_peak_jobs_learned_from_others") > 0);
    assertThat(counter(second, "charon_peak_exchange_failures")).isBetween(0L, 5L);
    ProcessHandle stopping = ProcessHandle.of(nodes.cluster().nodeManagerPid(1)).orElseThrow();
    stopping.destroy();
    await("it keeps what it learned when it stops", () -> Files.exists(file(nodes, second)));
    JsonNode jobs = JSON.readTree(file(nodes, second).toFile()).path("jobs");
    assertThat(jobs)
        .anySatisfy(
            known -> {
              assertThat(known.path("job").asText()).contains(HoldJob.TASK_MEBIBYTES + "");
              assertThat(known.path("samples").findValues("own")).anyMatch(own -> !own.asBoolean());
            });
    assertThat(jobs.findValuesAsText("job"))
        .as("the ResourceManager told the first node what the job is called")
        .anyMatch(key -> key.matches("user=.* queue=root\\.best-effort name=hold"));

    // Otherwise, tasks of later tests could be placed on a node that does not answer.
    await("it has stopped", () -> !stopping.isAlive());
    nodes.cluster().startNodeManager(1);
    await("it answers again", () -> counter(second, "charon_peak_exchanges") >= 0);
  }

  private static boolean measured(TestNode nodes) throws InterruptedException {
    for (JsonNode container : nodes.status().path("running")) {
      if (container.path("executionType").asText().equals("opportunistic")
          && container.path("peakBytes").asLong() > 0) {
        return true;
      }
    }
    return false;
  }

  private static Path file(TestNode nodes, ClusterNode node) {
    return nodes.state().resolve(node.hostName() + ".json");
  }

  /** Returns the value of a counter in JMX; -1 while the node does not answer. */
  private long counter(ClusterNode node, String name) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create(
                    "http://"
                        + node.address()
                        + ":"
                        + node.webPort()
                        + "/jmx?qry=charon:name="
                        + name
                        + ",*"))
            .timeout(Duration.ofSeconds(10))
            .build();
    try {
      String body = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
      return JSON.readTree(body).path("beans").path(0).path("Count").asLong(-1);
    } catch (IOException e) {
      return -1;
    }
  }
}
