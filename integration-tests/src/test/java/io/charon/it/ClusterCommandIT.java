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
import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.playground.ProcessTable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
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
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
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
      succeeds("stop");
    }
  }

  /** Runs a command that must succeed, and returns its output. */
  private String succeeds(String... words) throws Exception {
    TimedProgram.Result result = cluster(words);
    assertThat(result.exitCode()).as(result.said()).isZero();
    return result.said();
  }

  @Test
  void startsRunsAJobAndLeavesNothing() throws Exception {
    stopped = false;
    assertThat(succeeds("start")).contains("/charon/cluster/", "HADOOP_CONF_DIR=" + directory());

    assertThat(succeeds("start")).contains("already runs", state().path("web").asText());
    runsASort();
    JsonNode now = mapper.readTree(succeeds("status", "--json"));
    assertThat(now.path("running").asBoolean()).isTrue();
    assertThat(now.path("executor").asText()).isEqualTo("default");
    assertThat(succeeds("status")).contains("DefaultContainerExecutor");
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

    stopsAndLeavesNothing();
  }

  @Test
  @Tag("long")
  @ContainerProgram.Needed
  void runsTheSameAndAJobOfAUserWithContainersOfOtherUsers() throws Exception {
    stopped = false;
    String user = ContainerProgram.USER;
    assertThat(
            succeeds(
                "start",
                "--executor",
                "linux",
                "--container-executor",
                ContainerProgram.path().toString(),
                "--run-as",
                user))
        .contains("LinuxContainerExecutor", "best-effort as " + user, "  # as " + user);
    assertThat(cluster("start", "--executor", "default").said())
        .contains("--executor linux): stop it with");

    runsASort();
    Path work = Path.of(state().path("workDirectory").asText());
    assertThat(results(work))
        .hasSize(2)
        .allSatisfy(file -> assertThat(Files.getOwner(file).getName()).isEqualTo(user));
    runsAJobOf(user, work);
    JsonNode now = mapper.readTree(succeeds("status", "--json"));
    assertThat(now.path("executor").asText()).isEqualTo("linux");
    assertThat(now.path("jobs"))
        .hasSize(2)
        .allSatisfy(one -> assertThat(one.path("queue").asText()).endsWith("best-effort"));
    assertThat(succeeds("status")).contains("LinuxContainerExecutor", "best-effort as " + user);

    stopsAndLeavesNothing();
  }

  private JsonNode state() throws IOException {
    return mapper.readTree(directory().resolve("cluster.json").toFile());
  }

  private void runsASort() throws Exception {
    assertThat(succeeds("submit", "sort", "--tasks", "2", "--wait"))
        .contains("/cluster/app/application_", "every result is right");
  }

  /** Returns the files that the tasks of the sort wrote. */
  private static List<Path> results(Path work) throws IOException {
    try (Stream<Path> files = Files.walk(work.resolve("jobs"))) {
      return files.filter(file -> file.getParent().endsWith("task-results")).toList();
    }
  }

  /** Submits a MapReduce job as a user, with the printed configuration and Hadoop's own client. */
  private void runsAJobOf(String user, Path work) throws Exception {
    Path own = work.resolve("users").resolve(user);
    assertThat(Files.getOwner(own).getName()).isEqualTo(user);
    Path job = own.resolve("job.xml");
    Configuration settings = new Configuration(false);
    settings.set(
        "mapreduce.input.fileinputformat.inputdir",
        Files.writeString(own.resolve("input"), "text\n").toString());
    settings.set("mapreduce.output.fileoutputformat.outputdir", own.resolve("output").toString());
    try (OutputStream out = Files.newOutputStream(job)) {
      settings.writeXml(out);
    }
    Path lib = Installation.locate().lib();
    TimedProgram.Result submitted =
        TimedProgram.run(
            new ProcessBuilder(
                    "setpriv",
                    "--reuid=" + ContainerProgram.userId(),
                    "--regid=" + ContainerProgram.userId(),
                    "--clear-groups",
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Djdk.net.hosts.file=" + work.resolve("hosts"),
                    "-cp",
                    work.resolve("conf") + ":" + lib + "/*",
                    "org.apache.hadoop.mapred.JobClient",
                    "-submit",
                    job.toString())
                .directory(work.toFile()),
            LIMIT);
    assertThat(submitted.exitCode()).as(submitted.said()).isZero();
    await(
        "the user's job has ended: " + submitted.said(),
        () -> Files.exists(own.resolve("output/_SUCCESS")));
    assertThat(Files.getOwner(own.resolve("output/part-r-00000")).getName()).isEqualTo(user);
  }

  private void stopsAndLeavesNothing() throws Exception {
    long supervisor = state().path("supervisor").path("pid").asLong();
    String work = state().path("workDirectory").asText();
    succeeds("stop");
    stopped = true;
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
