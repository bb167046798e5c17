/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.cluster.MapReduceSettings;
import io.charon.evaluation.cluster.NodeCgroups;
import io.charon.evaluation.machine.TemporaryDirectory;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.ContainerFreezer;
import io.charon.status.NodeAddress;
import io.charon.status.StatusClient;
import io.charon.status.StatusException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The commands of docs/install.md, taken from the page, on a Hadoop that is laid out from published
 * jars: package, install, upgrade while a job runs, uninstall.
 */
@WritableCgroups
class InstallIT {
  private static final int TASKS = 2;

  /** Time limit of one step of the page; packaging takes longest. */
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private final Installation jars = Installation.locate();
  private final Path root = jars.lib().resolve("../../../..").normalize();
  private final String cgroup = "/charon-it-install-" + ProcessHandle.current().pid();
  private final StatusClient client = new StatusClient();
  private Path work;
  private DocumentedCommands page;
  private LaidOutHadoop hadoop;
  private NodeAddress web;

  @BeforeEach
  void layOut() throws Exception {
    boolean helper = Files.isExecutable(root.resolve("kernel-ua-killer/target/native/ua-killer"));
    if (!helper) {
      System.out.println(
          "SKIPPED InstallIT: the helper is not built (make -C kernel-ua-killer/src/main/native)");
    }
    assumeTrue(helper, "the helper is not built");
    work = Files.createTempDirectory("charon-install-");
    page = DocumentedCommands.of(root.resolve("docs/install.md"));
    Map<String, String> properties = new HashMap<>();
    properties.put("yarn.nodemanager.recovery.enabled", "true");
    properties.put("yarn.nodemanager.recovery.supervised", "true");
    properties.put("yarn.nodemanager.resource.memory-mb", "1024");
    properties.put("yarn.nodemanager.resource.cpu-vcores", "4");
    properties.put("yarn.nodemanager.vmem-check-enabled", "false");
    properties.put(
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "99");
    properties.put("yarn.scheduler.minimum-allocation-mb", "4");
    properties.put("yarn.resourcemanager.connect.retry-interval.ms", "500");
    properties.put("yarn.nodemanager.charon.cgroup.path", cgroup);
    // Other tests use the processors as well.
    properties.put("yarn.nodemanager.charon.scheduler.runnable-per-core", "0");
    properties.put("yarn.nodemanager.charon.killer.socket", work.resolve("no-socket").toString());
    properties.put(
        "yarn.nodemanager.charon.overrides-file",
        work.resolve("state/overrides.properties").toString());
    hadoop = LaidOutHadoop.in(work, jars, properties);
    web = NodeAddress.parse(hadoop.web());
  }

  @AfterEach
  void endDaemons() throws Exception {
    if (work == null) {
      return;
    }
    String needle = work + "/";
    for (int attempt = 0; attempt < 50; attempt++) {
      List<ProcessHandle> left =
          ProcessHandle.allProcesses()
              .filter(process -> process.info().commandLine().orElse("").contains(needle))
              .filter(process -> process.pid() != ProcessHandle.current().pid())
              .toList();
      if (left.isEmpty()) {
        break;
      }
      left.forEach(ProcessHandle::destroyForcibly);
      Thread.sleep(100);
    }
    NodeCgroups.find(Path.of("/proc")).ifPresent(hierarchy -> hierarchy.remove(cgroup));
    TemporaryDirectory.delete(work);
  }

  @Test
  void everyCommandOfThePageDoesWhatThePageSays() throws Exception {
    run("bash release");
    run("bash unpack");
    run("bash check");

    Map<String, String> stock = hadoop.listing();
    assertThat(run("bash install"))
        .contains(
            "charon-resourcemanager.xml\"><xi:fallback/>",
            "charon-nodemanager.xml\"><xi:fallback/>");
    hadoop.include(page.labelled("xml"));
    run("bash restart");
    await("the node answers", () -> !status().isMissingNode());
    assertThat(run("bash status")).contains("mode observe", "all as installed");
    assertThat(run("bash enable")).contains("scheduler is enforce").doesNotContain("takes effect");
    await("Charon decides", () -> status().path("mode").asText().equals("enforce"));

    hadoop.include(page.labelled("xml") + page.labelled("xml tags"));
    run("bash tags");
    await("the node is registered again", () -> !status().isMissingNode());
    upgradeWhileAJobRuns();

    assertThat(cgroupsLeft()).as("cgroups that uninstall.sh has to remove").isNotEmpty();
    assertThat(run("bash disable")).contains("scheduler is off").doesNotContain("takes effect");
    await("Charon is off", () -> status().path("mode").asText().equals("off"));
    hadoop.include("");
    assertThat(run("bash uninstall")).contains("nothing of Charon is left");
    await("the stock NodeManager answers", this::stockNodeAnswers);
    assertThat(hadoop.log("nodemanager")).doesNotContain("io.charon");
    assertThat(hadoop.log("resourcemanager")).doesNotContain("io.charon");
    assertThat(hadoop.listing()).isEqualTo(stock);
    assertThat(cgroupsLeft()).isEmpty();
    assertThat(work.resolve("opt/charon")).doesNotExist();
  }

  @Test
  void whatANodeManagerLeftInForceIsLiftedBeforeItsCgroupsAreRemoved() throws Exception {
    CgroupLayout layout = CgroupLayout.detect(Path.of("/proc"), cgroup);
    ContainerFreezer freezer = new ContainerFreezer(layout);
    NodeCgroups cgroups = NodeCgroups.require(Path.of("/proc"));
    cgroups.create(cgroup + "/best-effort", 64L << 20);
    String container = "container_1_0001_01_000002";
    CgroupHierarchy freezing =
        layout.hierarchies().stream()
            .filter(hierarchy -> hierarchy.version() == CgroupVersion.V2)
            .findFirst()
            .or(() -> layout.hierarchy(CgroupController.FREEZER))
            .orElseThrow();
    Path inside = layout.containerDirectory(freezing, ContainerClass.BEST_EFFORT, container);
    Process process = new ProcessBuilder("sleep", "600").start();
    try {
      for (CgroupHierarchy hierarchy : List.of(freezing, layout.memory())) {
        Path entered = layout.containerDirectory(hierarchy, ContainerClass.BEST_EFFORT, container);
        Files.createDirectories(entered);
        Files.writeString(entered.resolve("cgroup.procs"), Long.toString(process.pid()));
      }
      freezer.freeze(container);
      Path limit =
          CgroupFile.MEMORY_LIMIT.path(
              layout.classDirectory(layout.memory(), ContainerClass.BEST_EFFORT), layout.version());
      Path calls = work.resolve("calls");
      Path unit = helperUnit(calls, inside);

      assertThat(uninstall(unit, 1))
          .contains("the cgroup " + inside + ", in which processes run: " + process.pid());
      assertThat(calls).hasContent("the unit is stopped while the cgroup is there");
      assertThat(freezer.isFrozen(container)).isFalse();
      assertThat(Files.readString(limit).strip()).as("no limit").matches("max|\\d{19}");
      assertThat(process.isAlive()).isTrue();

      // A victim that is killed while it is frozen ends when it is thawed.
      freezer.freeze(container);
      process.destroyForcibly();
      assertThat(uninstall(Path.of("/nowhere"), 0)).contains("nothing of Charon is left");
      assertThat(cgroupsLeft()).isEmpty();
    } finally {
      freezer.thaw(container);
      TimedProgram.end(process);
    }
  }

  /** Returns a directory with a systemctl that knows the helper's unit and records its stop. */
  private static Path helperUnit(Path calls, Path cgroup) throws IOException {
    Path programs = Files.createDirectory(calls.resolveSibling("programs"));
    Path systemctl = programs.resolve("systemctl");
    Files.writeString(
        systemctl,
        """
        #!/bin/sh
        [ "$1" = cat ] || { [ -d %s ] && echo "the unit is stopped while the cgroup is there" >>%s; }
        """
            .formatted(cgroup, calls));
    Files.setPosixFilePermissions(systemctl, PosixFilePermissions.fromString("rwxr-xr-x"));
    return programs;
  }

  private String uninstall(Path programs, int code) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
            root.resolve("charon-dist/src/main/release/sbin/uninstall.sh").toString(),
            "--hadoop",
            hadoop.home().toString(),
            "--cgroup",
            cgroup,
            "--bpffs",
            bpffs().toString());
    builder.environment().merge("PATH", programs.toString(), (old, added) -> added + ":" + old);
    TimedProgram.Result result = TimedProgram.run(builder, LIMIT);
    assertThat(result.exitCode()).as(result.said()).isEqualTo(code);
    return result.said();
  }

  @Test
  @Tag("long")
  void theSameTreeGivesTheSameBytes() throws Exception {
    run("bash release");
    bash(commands("bash release").replace(work + "/out", work + "/again"));
    assertThat(archive(work.resolve("again"))).hasSameBinaryContentAs(archive(work.resolve("out")));
  }

  private void upgradeWhileAJobRuns() throws Exception {
    Configuration configuration = new YarnConfiguration();
    configuration.addResource(
        new org.apache.hadoop.fs.Path(hadoop.configuration().resolve("yarn-site.xml").toUri()));
    MapReduceSettings.addTo(
        configuration, work, hadoop.jobClassPath(), hadoop.jvmOptions(), 384, 512, "-Xmx96m");
    configuration.set("mapreduce.job.tags", "besteffort");
    HoldJob job = HoldJob.submit(configuration, work, TASKS, 0);
    await("best-effort tasks run", () -> started().size() == TASKS);
    Set<String> before = started();

    // Twice, because a NodeManager waits for containers that it recovered in another way than for
    // those that it launched.
    for (String version : List.of("99.0", "99.1")) {
      makeNewerRelease(version);
      assertThat(run("bash upgrade")).contains(" to " + version, "all as installed");
      await("the node answers again", this::nodeAnswers);
      await("the containers go on", () -> started().equals(before));
      assertThat(hadoop.home().resolve("share/hadoop/yarn/lib/charon-nodemanager.jar"))
          .hasSameBinaryContentAs(
              work.resolve("opt/charon/share/hadoop/yarn/lib/charon-nodemanager.jar"));
    }

    assertThat(job.counter(JobCounter.NUM_FAILED_MAPS)).isZero();
    assertThat(job.counter(JobCounter.NUM_KILLED_MAPS)).isZero();
    job.release();
    await("the job ends", job::isComplete);
    assertThat(job.isSuccessful()).isTrue();
    await(
        "its containers are gone",
        () -> {
          JsonNode running = status().path("running");
          return running.isArray() && running.isEmpty();
        });
  }

  /** Turns the unpacked release into one with another version and another jar. */
  private void makeNewerRelease(String version) throws IOException {
    Path release = work.resolve("opt/charon");
    Path about = release.resolve("RELEASE");
    Files.writeString(
        about, Files.readString(about).replaceFirst("version=.*", "version=" + version));
    Path jar = release.resolve("share/hadoop/yarn/lib/charon-nodemanager.jar");
    try (FileSystem inside = FileSystems.newFileSystem(jar)) {
      Files.writeString(inside.getPath("newer"), "than what runs before " + version);
    }
  }

  /**
   * Returns best-effort containers past YARN's launch steps, which are not resumed after a restart.
   */
  private Set<String> started() throws InterruptedException {
    return StreamSupport.stream(status().path("running").spliterator(), false)
        .filter(container -> container.path("executionType").asText().equals("opportunistic"))
        .filter(container -> container.path("workingSetBytes").asLong() > 32L * 1024 * 1024)
        .map(container -> container.path("containerId").asText())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private JsonNode status() throws InterruptedException {
    try {
      return client.read(web);
    } catch (StatusException notYet) {
      return MissingNode.getInstance();
    }
  }

  private boolean nodeAnswers() throws IOException, InterruptedException {
    assertThatItGotItsPorts();
    return !status().isMissingNode();
  }

  private void assertThatItGotItsPorts() throws IOException {
    assertThat(hadoop.log("nodemanager"))
        .as("another test took a port while the daemon was down")
        .doesNotContain("BindException");
  }

  private boolean stockNodeAnswers() throws IOException, InterruptedException {
    assertThatItGotItsPorts();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + hadoop.web() + "/ws/v1/node/info")).build();
    try {
      return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).statusCode() == 200;
    } catch (IOException notYet) {
      return false;
    }
  }

  private List<Path> cgroupsLeft() throws IOException {
    List<Path> left = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of("/proc/self/mounts"))) {
      String[] fields = line.split(" ", 4);
      Path directory = Path.of(fields[1] + cgroup);
      if (fields[2].startsWith("cgroup") && Files.exists(directory)) {
        left.add(directory);
      }
    }
    return left;
  }

  private Path bpffs() {
    return work.resolve("no-bpffs");
  }

  private static Path archive(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".tar.gz")).findFirst().orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String run(String label) throws IOException, InterruptedException {
    return bash(commands(label));
  }

  /** Returns the page's commands with this test's directories, address and Hadoop version. */
  private String commands(String label) {
    String line = jars.hadoopVersion().replaceFirst("(\\d+\\.\\d+).*", "$1");
    return page.labelled(label)
        .replaceAll("\\btarget\\b", work + "/out")
        .replace("/opt/charon", work + "/opt/charon")
        .replace("hadoop-3.4", "hadoop-" + line)
        .replace("localhost:8042", hadoop.web())
        .replace("/var/lib/charon", work + "/state")
        .replace("uninstall.sh", "uninstall.sh --cgroup " + cgroup + " --bpffs " + bpffs());
  }

  private String bash(String commands) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-euxo", "pipefail", "-c", commands).directory(root.toFile());
    Map<String, String> environment = builder.environment();
    environment.put("HADOOP_HOME", hadoop.home().toString());
    environment.put("HADOOP_CONF_DIR", hadoop.configuration().toString());
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("CHARON_HADOOP", jars.hadoopVersion().replaceFirst("(\\d+\\.\\d+).*", "$1"));
    environment.merge("PATH", hadoop.home() + "/bin", (old, added) -> added + ":" + old);
    TimedProgram.Result result = TimedProgram.run(builder, LIMIT);
    System.out.print(result.said());
    assertThat(result.exitCode()).as(result.said()).isZero();
    return result.said();
  }
}
