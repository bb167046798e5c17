/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.playground.ProcessTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The cluster that keeps running, as a user starts, uses and stops it; each command is a process.
 */
class ClusterCommandIT {
  /** Time limit of one command; about 15 s on an idle machine. */
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private final ObjectMapper mapper = new ObjectMapper();

  @TempDir private Path temporary;
  private boolean stopped = true;

  private TimedProgram.Result cluster(String... words) throws Exception {
    Path lib = Installation.locate().lib();
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-Dlog4j.configuration=charon-cli-log4j.properties",
                "-Dcharon.home=" + lib.getParent(),
                "-Dcharon.root=" + Path.of("").toAbsolutePath().getParent(),
                "-cp",
                lib.getParent() + "/*:" + lib + "/*",
                "io.charon.cli.Charon",
                "cluster"));
    command.addAll(List.of(words));
    command.addAll(List.of("--directory", directory().toString()));
    return TimedProgram.run(new ProcessBuilder(command), LIMIT);
  }

  private Path directory() {
    return temporary.resolve("cluster");
  }

  @AfterEach
  void stop() throws Exception {
    if (!stopped) {
      cluster("stop");
    }
  }

  @Test
  void startsRunsAJobAndLeavesNothing() throws Exception {
    stopped = false;
    TimedProgram.Result start = cluster("start");
    assertThat(start.exitCode()).as(start.said()).isZero();
    assertThat(start.said()).contains("/charon/cluster/", "HADOOP_CONF_DIR=" + directory());
    JsonNode state = mapper.readTree(directory().resolve("cluster.json").toFile());
    long supervisor = state.path("supervisor").path("pid").asLong();
    String work = state.path("workDirectory").asText();

    TimedProgram.Result again = cluster("start");
    assertThat(again.exitCode()).as(again.said()).isZero();
    assertThat(again.said()).contains("already runs", state.path("web").asText());

    TimedProgram.Result job = cluster("submit", "sort", "--tasks", "2", "--wait");
    assertThat(job.exitCode()).as(job.said()).isZero();
    assertThat(job.said()).contains("/cluster/app/application_", "every result is right");

    TimedProgram.Result status = cluster("status", "--json");
    assertThat(status.exitCode()).as(status.said()).isZero();
    JsonNode now = mapper.readTree(status.said());
    assertThat(now.path("running").asBoolean()).isTrue();
    assertThat(now.path("nodes"))
        .hasSize(2)
        .allSatisfy(node -> assertThat(node.path("idleBytes").asLong()).isPositive());
    assertThat(now.path("jobs"))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.path("queue").asText()).endsWith("best-effort");
              assertThat(one.path("state").asText()).isEqualTo("SUCCEEDED");
            });

    TimedProgram.Result stop = cluster("stop");
    stopped = true;
    assertThat(stop.exitCode()).as(stop.said()).isZero();
    // Not ProcessHandle, for which a process lives until its exit code has been collected.
    assertThat(new ProcessTable(Path.of("/proc")).find(supervisor)).isEmpty();
    assertThat(ProcessHandle.allProcesses())
        .noneMatch(process -> process.info().commandLine().orElse("").contains(work));
    assertThat(Path.of(work)).doesNotExist();
    assertThat(directory()).doesNotExist();
    for (String mount : List.of("/sys/fs/cgroup", "/sys/fs/cgroup/memory", "/sys/fs/cgroup/cpu")) {
      assertThat(Path.of(mount, "charon-cluster-" + supervisor)).doesNotExist();
      assertThat(Path.of(mount, "charon-cluster-" + supervisor + "-daemons")).doesNotExist();
    }
    assertThat(Files.exists(Path.of("/run/charon-cluster-" + supervisor))).isFalse();
  }
}
