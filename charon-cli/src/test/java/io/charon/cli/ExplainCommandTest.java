/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ExplainCommandTest {
  private static final String STATUS =
      """
      {"running":[{"containerId":"container_1_0001_01_000001","executionType":"guaranteed",
         "requestedBytes":536870912,"workingSetBytes":209715200,"peakBytes":314572800}],
       "queued":[{"containerId":"container_1_0001_01_000003","requestedBytes":1073741824,
         "waitingSeconds":4.25,"reason":"snapshot too small"}],
       "decisions":[{"time":"2026-11-21T13:33:00Z","containerId":"container_1_0001_01_000002",
         "outcome":"launched","reason":"fits","neededBytes":1610612736,"limitBytes":2147483648}],
       "kills":[{"time":"2026-11-21T13:34:00Z","containerId":"container_1_0001_01_000002",
         "by":"kernel","reason":"kernel killer: x\\u001b[2J thrashed",
         "thrash":{"trigger":"container_1_0001_01_000001","series":"anonymous","seconds":3.02,
          "cgthTimeSeconds":3.0,"policy":"memory-per-time","victimBytes":209715200,"signals":1,
          "decisionToLastSignalMillis":0.04,
          "ranking":[{"container":"container_1_0001_01_000002","memoryBytes":209715200,
            "ageSeconds":13.2,"score":2,"rank":15967716}],
          "samples":[{"seconds":-3.02,"anonymousRefaults":17,"fileRefaults":0,
            "memoryBytes":209715200,"counted":true}]}}]}
      """;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private FakeNodeManager node;

  @BeforeEach
  void start() throws IOException {
    node = FakeNodeManager.start();
    node.status(STATUS);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  void aKillIsExplainedByItsMeasurements() {
    assertThat(run("000002")).isZero();

    assertThat(out.toString())
        .startsWith("container_1_0001_01_000002")
        .contains("launched: fits (needed 1.50 GiB, limit 2.00 GiB)")
        .contains("killed by kernel")
        .contains("because   kernel killer: x\\u{1b}[2J thrashed")
        .contains("200 MiB including swap, by memory-per-time, among 1")
        .contains("the last 0.04 ms after the decision; memory released after -, empty after -")
        .containsPattern("container_1_0001_01_000002 +200 MiB +13.2 s +2 +15967716")
        .containsPattern("3.02 s +17 +0 +200 MiB +yes");
  }

  @Test
  void aKillByTheMemoryLimitIsExplained() throws IOException {
    node.status(
        """
        {"version":"1","mode":"enforce","running":[],"queued":[],"decisions":[],
         "kills":[{"time":"2026-11-21T13:34:00Z","containerId":"container_1_0001_01_000009",
           "by":"memory-limit","reason":"memory limit: best-effort holds 48 MiB above its limit of \
        197 MiB, which page cache does not cover; this container holds 91 MiB"}]}
        """);
    assertThat(run("000009")).isZero();
    assertThat(out.toString())
        .contains("killed by memory-limit")
        .contains("because   memory limit: best-effort holds 48 MiB above its limit of 197 MiB");
  }

  @Test
  void aWaitingAndARunningContainerAreExplained() {
    assertThat(run("container_1_0001_01_000003")).isZero();
    assertThat(out.toString()).contains("waits for 4.3 s: snapshot too small (requested 1.00 GiB)");
    assertThat(run("000001")).isZero();
    assertThat(out.toString())
        .contains("runs guaranteed: working set 200 MiB, peak so far 300 MiB");
  }

  @Test
  void theJsonHasTheSame() throws IOException {
    assertThat(run("000002", "--json")).isZero();

    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.path("kill").path("thrash").path("ranking")).hasSize(1);
    assertThat(json.path("decisions")).hasSize(1);
    assertThat(json.has("running")).isFalse();
  }

  @Test
  void theAuditExplainsWhatNodesHaveForgotten(@TempDir Path audit) throws IOException {
    String kill =
        """
        {"time":"2026-11-21T13:35:00Z","regulator":"memory","action":"kill",\
        "target":"container_1_0001_01_00000%d","result":"applied: killed","reason":"too much\\u001b"}
        """;
    Files.writeString(audit.resolve("audit.jsonl.1"), kill.formatted(7) + kill.formatted(2));
    Files.writeString(
        audit.resolve("audit.jsonl"),
        "{\"target\":\"best-effort\",\"reason\":\"000007\"}\n{\"target\":\"000007");

    assertThat(run("000007", "--audit", audit.toString())).isZero();
    assertThat(out.toString())
        .startsWith("container_1_0001_01_000007")
        .contains("memory regulator: kill; applied: killed")
        .contains("because   too much\\u{1b}")
        .doesNotContain("\u001b");
    assertThat(run("000002", "--json", "--audit", audit.toString())).isZero();
    assertThat(out.toString()).contains("\"actions\"", "\"thrash\"");
    assertThat(run("00000", "--audit", audit.toString())).isEqualTo(1);
  }

  @Test
  void anAuditThatCannotBeReadIsNamed(@TempDir Path audit) throws IOException {
    Path none = audit.resolve("none");
    assertThat(run("000007", "--audit", none.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("charon: " + none + " does not exist");
    Path file = Files.createFile(audit.resolve("file"));
    assertThat(run("000007", "--audit", file.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("charon: " + file + " is not a directory");
  }

  @Test
  void anAmbiguousEndIsRefused() {
    assertThat(run("1_01_00000")).isEqualTo(1);
    assertThat(run("")).isEqualTo(1);
    assertThat(err.toString()).contains("give a longer part of the id");
  }

  @Test
  void anUnknownContainerIsReportedAsUnknown() {
    assertThat(run("container_9\u001b[2J")).isEqualTo(1);
    assertThat(err.toString())
        .contains("no node that answered knows container_9\\u{1b}[2J")
        .doesNotContain("\u001b");
  }

  @Test
  void aNodeThatDoesNotAnswerIsNamed() {
    node.close();
    assertThat(run("000002")).isEqualTo(1);
    assertThat(err.toString()).contains("Cannot reach http://" + node.address());
  }

  private int run(String... arguments) {
    String[] all = new String[arguments.length + 2];
    System.arraycopy(arguments, 0, all, 0, arguments.length);
    all[arguments.length] = "--node";
    all[arguments.length + 1] = node.address();
    return new CommandLine(new ExplainCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(all);
  }
}
