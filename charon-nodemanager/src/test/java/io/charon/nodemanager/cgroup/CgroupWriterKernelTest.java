/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.charon.nodemanager.cgroup.CgroupWriter.Sweep;
import io.charon.nodemanager.sensor.ContainerMemorySensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the writer on this machine's kernel. */
@ExtendWith(RealCgroups.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CgroupWriterKernelTest {
  private final List<Process> started = new ArrayList<>();
  private CgroupLayout layout;
  private CgroupWriter writer;

  @BeforeEach
  void setUp() throws IOException {
    layout = RealCgroups.layout("node");
    writer = new CgroupWriter(layout, Optional.empty());
    writer.prepareNode();
  }

  @AfterEach
  void leaveNothingBehind() throws Exception {
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
    for (String id : writer.containers()) {
      assertThat(writer.removeContainer(id)).isTrue();
    }
    assertThat(writer.removeNode()).isTrue();
    for (CgroupHierarchy hierarchy : layout.ofClasses()) {
      assertThat(layout.nodeDirectory(hierarchy).getParent()).doesNotExist();
    }
  }

  /**
   * Starts a shell that enters the cgroups as a container launch does, and then runs the command.
   */
  private Process start(List<Path> procs, String command) throws Exception {
    Process process =
        new ProcessBuilder(
                "/bin/sh", "-c", RealCgroups.entering(procs) + "echo entered\n" + command)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    started.add(process);
    byte[] line = process.getInputStream().readNBytes("entered\n".length());
    assertThat(line).asString().isEqualTo("entered\n");
    return process;
  }

  private Path directory(CgroupController controller, ContainerClass containerClass, String id) {
    return layout.containerDirectory(
        layout.hierarchy(controller).orElseThrow(), containerClass, id);
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file).strip();
  }

  /** Returns the cgroups of a process that it may share with other containers of its class. */
  private static List<String> shared(long pid) throws IOException {
    return read(Path.of("/proc/" + pid + "/cgroup"))
        .lines()
        .filter(line -> line.contains(":blkio:") || line.contains(":pids:"))
        .toList();
  }

  private List<Path> sharedByBestEffort() {
    return layout.sharedDirectories(ContainerClass.BEST_EFFORT).stream()
        .flatMap(List::stream)
        .toList();
  }

  private void assumeCpuset() {
    assumeThat(layout.hierarchy(CgroupController.CPUSET)).as("cpuset controller").isPresent();
  }

  @Test
  void aLaunchedProcessAndItsChildrenAreInEveryHierarchy() throws Exception {
    List<Path> procs =
        writer.createContainer("c_1", ContainerClass.BEST_EFFORT, OptionalInt.empty());
    assertThat(procs).hasSameSizeAs(layout.ofClasses()).doesNotHaveDuplicates();

    Process shell = start(procs, "sleep 60 & sleep 60");

    for (Path file : procs) {
      assertThat(read(file).lines()).contains(Long.toString(shell.pid()));
    }
    assertThat(read(Path.of("/proc/" + shell.pid() + "/cgroup")).lines())
        .filteredOn(line -> line.endsWith("/node/best-effort/c_1"))
        .hasSameSizeAs(layout.hierarchies());
    assertThat(writer.populated("c_1")).isTrue();
    assertThat(writer.processes("c_1")).contains(shell.pid());
    assertThat(writer.containers()).containsExactly("c_1");
    assertThat(writer.warnings()).isEmpty();
    for (Path shared : sharedByBestEffort()) {
      for (Path cgroup : List.of(shared, shared.getParent())) {
        if (Files.exists(cgroup.resolve("blkio.bfq.weight"))) {
          assertThat(read(cgroup.resolve("blkio.bfq.weight"))).isEqualTo("1");
        }
      }
    }
  }

  @Test
  void theKernelTakesTheWeightOfAContainer() throws Exception {
    assumeThat(layout.hierarchy(CgroupController.CPU)).as("cpu controller").isPresent();
    writer.createContainer("c_1", ContainerClass.PRODUCTION, OptionalInt.empty());
    boolean v1 = layout.hierarchy(CgroupController.CPU).orElseThrow().version() == CgroupVersion.V1;
    Path weight =
        directory(CgroupController.CPU, ContainerClass.PRODUCTION, "c_1")
            .resolve(v1 ? "cpu.shares" : "cpu.weight");
    assertThat(read(weight)).isEqualTo(v1 ? "1024" : "100");

    writer.setCpuWeight("c_1", ContainerClass.PRODUCTION, 10, false);
    assertThat(read(weight)).isEqualTo(v1 ? "102" : "10");
    writer.setCpuWeight("c_1", ContainerClass.PRODUCTION, 1, false);
    assertThat(read(weight)).isEqualTo(v1 ? "10" : "1");

    Path idle = weight.resolveSibling("cpu.idle");
    if (Files.exists(idle)) {
      writer.setCpuWeight("c_1", ContainerClass.PRODUCTION, 10, true);
      assertThat(read(idle)).isEqualTo("1");
      writer.setCpuWeight("c_1", ContainerClass.PRODUCTION, 10, false);
      assertThat(read(idle)).isEqualTo("0");
      assertThat(read(weight)).isEqualTo(v1 ? "102" : "10");
    }
    assertThat(writer.warnings()).isEmpty();
  }

  @Test
  void aPromotedContainerMovesWithAllItsProcesses() throws Exception {
    List<Path> procs =
        writer.createContainer("c_1", ContainerClass.BEST_EFFORT, OptionalInt.empty());
    Process shell = start(procs, "sleep 60 & sleep 60");
    List<Long> before = writer.processes("c_1");

    assertThat(writer.moveContainer("c_1", ContainerClass.PRODUCTION, OptionalInt.of(60)))
        .isEmpty();
    assertThat(writer.isPlaced("c_1", ContainerClass.PRODUCTION)).isTrue();
    assertThat(writer.isPlaced("c_1", ContainerClass.BEST_EFFORT)).isFalse();

    // The shell may have started its children meanwhile.
    assertThat(writer.processes("c_1")).containsAll(before).contains(shell.pid());
    for (CgroupHierarchy hierarchy : layout.hierarchies()) {
      Path left = layout.containerDirectory(hierarchy, ContainerClass.BEST_EFFORT, "c_1");
      assertThat(read(left.resolve("cgroup.procs"))).as(left.toString()).isEmpty();
    }
    assertThat(read(Path.of("/proc/" + shell.pid() + "/cgroup")).lines())
        .filteredOn(line -> line.endsWith("/node/production/c_1"))
        .hasSameSizeAs(layout.hierarchies());
    for (Path shared : sharedByBestEffort()) {
      assertThat(read(shared.resolve("cgroup.procs"))).as(shared.toString()).isEmpty();
      assertThat(shared(shell.pid())).isEqualTo(shared(ProcessHandle.current().pid()));
    }
    assertThat(new ContainerMemorySensor(layout).read().keySet()).containsExactly("c_1");
    assertThat(writer.removeContainer("c_1")).isTrue();
    assertThat(writer.containers()).isEmpty();
  }

  @Test
  void removalKillsWhatIsLeft() throws Exception {
    List<Path> procs =
        writer.createContainer("c_1", ContainerClass.BEST_EFFORT, OptionalInt.empty());
    Process shell = start(procs, "sleep 60 & exec sleep 60");

    assertThat(writer.removeContainer("c_1")).isTrue();

    assertThat(shell.waitFor(5, TimeUnit.SECONDS)).isTrue();
    assertThat(shell.exitValue()).isEqualTo(128 + 9);
    assertThat(writer.containers()).isEmpty();
    assertThat(writer.removeContainer("c_1")).as("nothing there").isTrue();
  }

  @Test
  void removalWorksWithoutTheUnifiedHierarchyAndInAnInterruptedThread() throws Exception {
    List<Path> procs =
        writer.createContainer("c_1", ContainerClass.BEST_EFFORT, OptionalInt.empty());
    start(procs.subList(0, 1), "sleep 60 & exec sleep 60");

    Thread.currentThread().interrupt();
    boolean removed = writer.removeContainer("c_1");

    assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
    assertThat(removed).isTrue();
  }

  @Test
  void removalWaitsForAnExitingProcess() throws Exception {
    List<Path> procs =
        writer.createContainer("c_1", ContainerClass.PRODUCTION, OptionalInt.empty());
    for (int i = 0; i < 20; i++) {
      start(procs, "exit 0");
    }
    long begin = System.nanoTime();

    assertThat(writer.removeContainer("c_1")).isTrue();

    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(2));
  }

  @Test
  void nestedCgroupsGoDeepestFirst() throws Exception {
    List<Path> procs =
        writer.createContainer("c_1", ContainerClass.BEST_EFFORT, OptionalInt.empty());
    Path inner =
        directory(CgroupController.MEMORY, ContainerClass.BEST_EFFORT, "c_1").resolve("x/y");
    Files.createDirectories(inner);
    Process shell = start(procs.subList(1, procs.size()), "exec sleep 60");
    Files.writeString(inner.resolve("cgroup.procs"), Long.toString(shell.pid()));
    assertThat(writer.processes("c_1")).containsExactly(shell.pid());

    assertThat(writer.removeContainer("c_1")).isTrue();
    assertThat(writer.containers()).isEmpty();
  }

  @Test
  void swappinessIsPerContainerOnV1() throws Exception {
    assumeThat(layout.version()).isEqualTo(CgroupVersion.V1);
    writer.createContainer("am", ContainerClass.PRODUCTION, OptionalInt.of(0));
    writer.createContainer("task", ContainerClass.PRODUCTION, OptionalInt.of(37));

    assertThat(
            read(
                directory(CgroupController.MEMORY, ContainerClass.PRODUCTION, "am")
                    .resolve("memory.swappiness")))
        .isEqualTo("0");
    assertThat(
            read(
                directory(CgroupController.MEMORY, ContainerClass.PRODUCTION, "task")
                    .resolve("memory.swappiness")))
        .isEqualTo("37");
  }

  @Test
  void onlyBestEffortHasTheLowestCpuWeight() throws Exception {
    CgroupHierarchy cpu = layout.hierarchy(CgroupController.CPU).orElseThrow();
    Path bestEffort = layout.classDirectory(cpu, ContainerClass.BEST_EFFORT);
    Path production = layout.classDirectory(cpu, ContainerClass.PRODUCTION);
    Path idle = bestEffort.resolve("cpu.idle");
    if (Files.exists(idle)) {
      assertThat(read(idle)).isEqualTo("1");
      assertThat(read(production.resolve("cpu.idle"))).isEqualTo("0");
    } else {
      assertThat(read(CgroupFile.CPU_WEIGHT.path(bestEffort, cpu.version()))).isIn("1", "2");
    }
    assertThat(read(CgroupFile.CPU_WEIGHT.path(production, cpu.version()))).isIn("100", "1024");
  }

  @Test
  void cpusAreSplitAlsoForRunningContainersAndJoinedAgain() throws Exception {
    assumeCpuset();
    assumeThat(Runtime.getRuntime().availableProcessors()).isGreaterThan(1);
    List<Path> procs =
        writer.createContainer("early", ContainerClass.BEST_EFFORT, OptionalInt.empty());
    Process early = start(procs, "exec sleep 60");
    assertThat(allowedCpus(early)).contains("0").contains("1");

    CgroupWriter split = new CgroupWriter(layout, Optional.of(new CpuSplit("0", "1")));
    split.prepareNode();
    Process late =
        start(
            split.createContainer("late", ContainerClass.PRODUCTION, OptionalInt.empty()),
            "exec sleep 60");
    assertThat(allowedCpus(early)).isEqualTo("1");
    assertThat(allowedCpus(late)).isEqualTo("0");

    new CgroupWriter(layout, Optional.of(new CpuSplit("1", "0"))).prepareNode();
    assertThat(allowedCpus(early)).isEqualTo("0");
    assertThat(allowedCpus(late)).isEqualTo("1");

    writer.prepareNode();
    assertThat(allowedCpus(early)).contains("0").contains("1");
    assertThat(split.warnings()).isEmpty();
  }

  private static String allowedCpus(Process process) throws IOException {
    return read(Path.of("/proc/" + process.pid() + "/status"))
        .lines()
        .filter(line -> line.startsWith("Cpus_allowed_list:"))
        .findFirst()
        .orElseThrow()
        .split("\t", -1)[1];
  }

  @Test
  void impossibleCpusAreAWarningAndContainersStillStart() throws Exception {
    assumeCpuset();
    CgroupWriter wrong = new CgroupWriter(layout, Optional.of(new CpuSplit("nonsense", "0")));
    wrong.prepareNode();

    start(
        wrong.createContainer("c_1", ContainerClass.PRODUCTION, OptionalInt.empty()),
        "exec sleep 60");

    assertThat(wrong.warnings()).containsEntry("cpuset.cpus", 1L);
  }

  @Test
  void sweepRemovesDeadContainersAndKeepsRunningOnes() throws Exception {
    writer.createContainer("dead", ContainerClass.BEST_EFFORT, OptionalInt.empty());
    Files.createDirectories(
        directory(CgroupController.MEMORY, ContainerClass.BEST_EFFORT, "dead").resolve("nested"));
    Process alive =
        start(
            writer.createContainer("alive", ContainerClass.PRODUCTION, OptionalInt.empty()),
            "exec sleep 60");

    CgroupWriter next = new CgroupWriter(layout, Optional.empty());
    next.prepareNode();
    Sweep sweep = next.sweep();

    assertThat(sweep.removed()).containsExactly("dead");
    assertThat(sweep.populated()).containsExactly("alive");
    assertThat(alive.isAlive()).isTrue();
    assertThat(next.containers()).containsExactly("alive");
    assertThat(next.removeNode()).as("a container runs").isFalse();
    assertThat(writer.processes("alive")).containsExactly(alive.pid());
  }

  @Test
  void kernelKillsForMemoryAreCounted() throws Exception {
    List<Path> procs = writer.createContainer("c_1", ContainerClass.BEST_EFFORT, OptionalInt.of(0));
    Path cgroup = directory(CgroupController.MEMORY, ContainerClass.BEST_EFFORT, "c_1");
    Path swap =
        cgroup.resolve("memory.swap.max"); // v2 has no swappiness that would prevent swapping
    if (Files.exists(swap)) {
      Files.writeString(swap, "0");
    }
    Files.writeString(
        CgroupFile.MEMORY_LIMIT.path(cgroup, layout.version()), Long.toString(16L * 1024 * 1024));
    assertThat(writer.oomCounts("c_1").kills()).isZero();

    // A variable of 64 MB in a shell that is limited to 16 MB.
    Process shell = start(procs, "x=$(head -c 67108864 /dev/zero | tr '\\0' x); echo ${#x}");

    assertThat(shell.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(writer.oomCounts("c_1").kills()).isPositive();
    assertThat(writer.oomCounts("c_1").ownLimitHits()).isPositive();
  }
}
