/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class TopCommandTest {
  private static final String STATUS =
      """
      {"mode":"enforce","running":[{},{}],"queued":[{}],"counters":{"killed":3},
       "killer":{"inCharge":"kernel"},"decisions":[],
       "resources":{"foreground":"/db\\u001b[2J","throttledCores":0.25,
        "cores":{"usable":"0-3","pinned":"","bestEffort":"1,3","missing":"\\u001b!",
                 "busy":{"0":0.456,"3":1}},"use":[
         {"resource":"memory","unit":"bytes","foreground":1048576000,"bestEffort":419430400,
          "capacity":3221225472},
         {"resource":"cpu","unit":"cores","foreground":1.5,"bestEffort":0.5,"capacity":2},
         {"resource":"network","unit":"bytes_per_second","missing":"not measured"}]},
       "reclaimed":[
         {"resource":"memory","unit":"bytes","now":419430400,"free":104857600,"reclaimed":314572800},
         {"resource":"cpu","unit":"cores","missing":"\\u001bno"}],
       "regulators":[
         {"name":"cpu","mode":"enforce","available":true,"signal":"pressure","signalUnit":"ratio",
          "signalNote":"no instructions: no counters","missing":"no readings\\u001b for 9 s",
          "value":0.25,"mean":0.2,"standardDeviation":0.05,"limitUnit":"cores","capacity":2,
          "bestEffort":0.5,"limit":0.5,"cause":"it is worse",
          "result":"applied: cpu.cfs_quota_us=50000"}]}
      """;

  private final StringWriter out = new StringWriter();
  private FakeNodeManager node;

  @BeforeEach
  void startNodeManager() throws IOException {
    node = FakeNodeManager.start();
    node.status(STATUS);
  }

  @AfterEach
  void stopNodeManager() {
    node.close();
  }

  @Test
  void aFrameShowsUseLimitsAndStates() {
    assertThat(run("--once", "--node", node.address())).isZero();
    assertThat(out.toString())
        .contains("2 running, 1 waiting, 3 killed for memory  killer: kernel")
        .contains("the foreground is /db\\u{1b}[2J")
        .containsPattern("memory +1000 MiB +400 MiB +3.00 GiB +-\n")
        .containsPattern("cpu +1.50 cores +0.50 cores +2.00 cores +-\n")
        .containsPattern("memory +400 MiB +100 MiB +300 MiB +-\n")
        .containsPattern("cpu +- +- +- +\\\\u\\{1b\\}no\n")
        .containsPattern("network +- +- +- +not measured\n")
        .contains("throttles best-effort by 0.25 cores")
        .contains(
            "cores 0-3, best-effort on 1,3, foreground pinned to none (\\u{1b}!); busy 0:46% 3:100%\n")
        .containsPattern(
            "cpu +enforce +pressure +0.2500 +0.2000 +0.0500 +0.50 cores +0.50 cores +"
                + "it is worse; applied: cpu.cfs_quota_us=50000\n")
        .contains("cpu uses the signal pressure: no instructions: no counters\n")
        .contains("    cpu: no readings\\u{1b} for 9 s\n")
        .doesNotContain("\u001b");
  }

  @Test
  void theFrameShowsWhatIsNotEnforcedInForeignCgroups() {
    node.status(
        """
        {"isolation":{"kind":"attach","makers":["\\u001ba"],
         "memoryLimit":"not enforced: no\\u001bparent"}}""");
    assertThat(run("--once", "--node", node.address())).isZero();
    assertThat(out.toString())
        .contains(
            "  isolation attach; memory limit of best-effort: not enforced: no\\u{1b}parent\n");

    node.status("{\"isolation\":{\"kind\":\"own\",\"makers\":[],\"memoryLimit\":\"by Charon\"}}");
    out.getBuffer().setLength(0);
    assertThat(run("--once", "--node", node.address())).isZero();
    assertThat(out.toString()).doesNotContain("isolation");
  }

  @Test
  void aLateTickIsSaidAboveItsOldValues() {
    node.status(
        "{\"mode\":\"enforce\",\"tick\":{\"ageSeconds\":12.5,\"late\":\"12 s\\u001bago\"}}");
    assertThat(run("--once", "--node", node.address())).isZero();
    assertThat(out.toString()).contains("\n  LATE      12 s\\u{1b}ago\n");
    assertThat(run("--once", "--json", "--node", node.address())).isZero();
    assertThat(out.toString()).contains("\"tick\":{\"ageSeconds\":12.5");
  }

  @Test
  void pipedOutputHasOneLineForEachFrame() throws IOException {
    assertThat(run("--once", "--json", "--node", node.address(), "--node", "localhost:1"))
        .isEqualTo(1);
    assertThat(out.toString().lines()).hasSize(1);
    JsonNode nodes = new ObjectMapper().readTree(out.toString()).path("nodes");
    assertThat(nodes.path(0).path("regulators").path(0).path("limit").asDouble()).isEqualTo(0.5);
    assertThat(nodes.path(0).path("running").asInt()).isEqualTo(2);
    assertThat(nodes.path(0).has("decisions")).isFalse();
    assertThat(nodes.path(1).path("error").asText()).contains("http://localhost:1/jmx");
  }

  @Test
  @Timeout(60)
  void allNodesAreAskedAtOnceAndShownInTheirOrder() throws IOException {
    CyclicBarrier both = new CyclicBarrier(2);
    try (FakeNodeManager other = FakeNodeManager.start()) {
      for (FakeNodeManager one : List.of(node, other)) {
        one.status(() -> statusWhenAllAreAsked(both));
      }
      assertThat(run("--once", "--json", "--node", other.address(), "--node", node.address()))
          .isZero();
      JsonNode nodes = new ObjectMapper().readTree(out.toString()).path("nodes");
      assertThat(nodes.findValuesAsText("node")).containsExactly(other.address(), node.address());
    }
  }

  private static String statusWhenAllAreAsked(CyclicBarrier all) {
    try {
      all.await(10, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
    return STATUS;
  }

  @Test
  @Timeout(60)
  void withAllTheListOfNodesIsReadAgain(@TempDir Path conf) throws Exception {
    Files.writeString(
        conf.resolve("yarn-site.xml"),
        """
        <configuration><property>
          <name>yarn.resourcemanager.webapp.address</name><value>%s</value>
        </property></configuration>
        """
            .formatted(node.address()));
    CommandLine top = new CommandLine(new TopCommand(Duration.ZERO)).setOut(new PrintWriter(out));
    Thread running = new Thread(() -> top.execute("--json", "--all", "--conf", conf.toString()));
    try {
      for (String listed : List.of("localhost:1", "localhost:2")) {
        node.body("{\"nodes\":{\"node\":[{\"nodeHTTPAddress\":\"%s\"}]}}".formatted(listed));
        if (!running.isAlive()) {
          running.start();
        }
        while (!out.toString().contains(listed)) {
          Thread.sleep(20);
        }
      }
    } finally {
      running.interrupt();
      running.join();
    }
  }

  @Test
  void itRunsUntilItIsEnded() throws InterruptedException {
    Thread top = new Thread(() -> run("--json", "--node", node.address()));
    top.start();
    try {
      while (top.isAlive() && out.toString().lines().count() < 2) {
        Thread.sleep(20);
      }
      assertThat(out.toString().lines().count()).isGreaterThanOrEqualTo(2);
    } finally {
      top.interrupt();
      top.join();
    }
  }

  @Test
  @Timeout(60)
  void itEndsWhenNobodyReads() {
    Writer closed =
        new FilterWriter(out) {
          @Override
          public void write(String text, int from, int length) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    CommandLine top = new CommandLine(new TopCommand()).setOut(new PrintWriter(closed));
    assertThat(top.execute("--json", "--node", node.address())).isZero();
  }

  private int run(String... args) {
    return new CommandLine(new TopCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(new StringWriter()))
        .execute(args);
  }
}
