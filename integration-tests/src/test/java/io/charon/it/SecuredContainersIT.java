/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.charon.evaluation.cluster.CharonConfiguration;
import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.cluster.MapReduceSettings;
import io.charon.evaluation.cluster.NodeCgroup;
import io.charon.evaluation.cluster.NodeCgroups;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A MapReduce job of a user with a ticket, on a cluster with Kerberos, by LinuxContainerExecutor:
 * its master is production, its tasks are best-effort.
 */
@ContainerProgram.Needed
@Tag("long")
class SecuredContainersIT {
  private static final int DAY_SECONDS = 86_400;
  private static final String QUEUE = "default";
  private static final String CGROUPS = "/charon-it-" + ProcessHandle.current().pid();
  private static final String CHARON = "yarn.nodemanager.charon.";

  @TempDir private Path directory;
  private final Installation installation = Installation.locate();
  private TestKdc kdc;
  private NodeCgroups hierarchies;
  private NodeCgroup node;
  private SecuredCluster cluster;
  private Path home;

  @AfterEach
  void end() {
    if (cluster != null) {
      cluster.close();
    }
    if (node != null) {
      hierarchies.remove(CGROUPS);
    }
    if (kdc != null) {
      kdc.close();
    }
  }

  @Test
  void aJobOfAUserWithATicketRunsInCharonsCgroups() throws Exception {
    start();
    Path release = home.resolve("release");
    SecuredCluster.CommandResult submitted = submit(ticket(), release);
    assertThat(submitted.code()).as("%s\n%s", submitted, cluster.logs()).isZero();

    awaitWithLogs("a task runs", () -> runsAsTheUser("best-effort"));
    assertThat(scores("best-effort")).containsOnly("1000");
    assertThat(runsAsTheUser("production")).as("the job's master runs").isTrue();
    // A score below 0 needs a capability that root may lack.
    assertThat(scores("production")).isSubsetOf("0", "-998");
    assertThat(tokenFiles())
        .as("of master and task")
        .hasSize(2)
        .allSatisfy(SecuredContainersIT::isTheUsersOnly);

    Files.writeString(release, "go");
    Path output = home.resolve("output");
    awaitWithLogs("the job has ended", () -> Files.exists(output.resolve("_SUCCESS")));
    assertThat(output.resolve("part-m-00000")).hasContent("text");
    assertThat(Files.getOwner(output.resolve("part-m-00000")).getName())
        .isEqualTo(ContainerProgram.USER);
    await("every cgroup of a container is removed", () -> containers("production").isEmpty());
    assertThat(containers("best-effort")).isEmpty();
    cluster.requireAlive();
  }

  private void awaitWithLogs(String what, Callable<Boolean> condition) throws Exception {
    try {
      await(what, condition);
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "\n" + cluster.logs(), e);
    }
  }

  private void start() throws Exception {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    kdc = TestKdc.start(Files.createDirectory(directory.resolve("kdc")), DAY_SECONDS);
    home = Files.createDirectory(directory.resolve("home"));
    Files.setOwner(home, user());
    hierarchies = NodeCgroups.require(Path.of("/proc"));
    node = hierarchies.create(CGROUPS + "/node1", 4L << 30);
    Path state = Files.createDirectory(directory.resolve("cluster"));
    cluster = SecuredCluster.startWithContainers(kdc, state, "root", properties());
  }

  private Map<String, String> properties() {
    Map<String, String> properties = new HashMap<>(CharonConfiguration.nodeManager("enforce"));
    properties.putAll(CharonConfiguration.resourceManager(List.of(QUEUE)));
    properties.putAll(ContainerProgram.properties());
    properties.put(CHARON + "cgroup.enabled", "true");
    properties.put(CHARON + "cgroup.path", node.path());
    properties.put(CHARON + "node.memory-boundary", "cgroup");
    properties.put("yarn.nodemanager.container-localizer.java.opts", "-Xmx256m " + kdc.jvmOption());
    properties.put("yarn.nodemanager.vmem-check-enabled", "false");
    properties.put("yarn.resourcemanager.opportunistic-container-allocation.enabled", "true");
    properties.put("yarn.scheduler.minimum-allocation-mb", "128");
    return properties;
  }

  private Path ticket() throws Exception {
    Path ticket = kdc.ticketCache(ContainerProgram.USER);
    Files.setOwner(ticket, user());
    return ticket;
  }

  /** Submits a job with one task, by Hadoop's own client in a process of the user. */
  private SecuredCluster.CommandResult submit(Path ticket, Path release) throws Exception {
    Configuration job = new Configuration(false);
    MapReduceSettings.addTo(
        job, home, installation.lib() + "/*", kdc.jvmOption(), 384, 512, "-Xmx96m");
    job.set("mapreduce.job.queuename", QUEUE);
    job.set(
        "mapreduce.job.jar", HoldJob.jarOf(home.resolve("hold.jar"), HoldMapper.class).toString());
    job.setBoolean("mapred.mapper.new-api", true);
    job.set("mapreduce.job.map.class", HoldMapper.class.getName());
    job.set(HoldMapper.RELEASE_FILE, release.toString());
    job.setInt("mapreduce.job.reduces", 0);
    job.set("mapreduce.job.outputformat.class", TextOutputFormat.class.getName());
    job.set(
        "mapreduce.input.fileinputformat.inputdir",
        Files.writeString(home.resolve("input"), "text\n").toString());
    job.set("mapreduce.output.fileoutputformat.outputdir", home.resolve("output").toString());
    Path file = home.resolve("job.xml");
    try (OutputStream out = Files.newOutputStream(file)) {
      job.writeXml(out);
    }
    String id = Long.toString(ContainerProgram.userId());
    return cluster.hadoop(
        ticket,
        List.of("setpriv", "--reuid=" + id, "--regid=" + id, "--clear-groups"),
        "org.apache.hadoop.mapred.JobClient",
        "-submit",
        file.toString());
  }

  /** Returns whether there are containers on one side, and all their processes are the user's. */
  private boolean runsAsTheUser(String side) throws IOException {
    List<Path> processes = processes(side);
    for (Path process : processes) {
      if (!Files.getOwner(process).equals(user())) {
        return false;
      }
    }
    return !processes.isEmpty();
  }

  private List<String> scores(String side) throws IOException {
    List<String> scores = new ArrayList<>();
    for (Path process : processes(side)) {
      scores.add(Files.readString(process.resolve("oom_score_adj")).strip());
    }
    return scores;
  }

  /** Returns the directories in {@code /proc} of the processes of the containers on one side. */
  private List<Path> processes(String side) throws IOException {
    List<Path> processes = new ArrayList<>();
    for (Path cgroup : containers(side)) {
      Files.readAllLines(cgroup.resolve("cgroup.procs"))
          .forEach(pid -> processes.add(Path.of("/proc", pid)));
    }
    return processes;
  }

  private List<Path> containers(String side) throws IOException {
    Path directory = node.directory().resolve(side);
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> cgroups = Files.list(directory)) {
      return cgroups.filter(Files::isDirectory).toList();
    }
  }

  /** Returns the files with the containers' tokens, which the program copied for them. */
  private List<Path> tokenFiles() throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("cluster/local/usercache"))) {
      return files.filter(file -> file.endsWith("container_tokens")).toList();
    }
  }

  private static void isTheUsersOnly(Path file) throws IOException {
    assertThat(Files.getOwner(file)).isEqualTo(user());
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  private static UserPrincipal user() throws IOException {
    return FileSystems.getDefault()
        .getUserPrincipalLookupService()
        .lookupPrincipalByName(ContainerProgram.USER);
  }
}
