/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.cpuset.Cores;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Tests what plain directories do not refuse, with a writer that refuses it as the kernel does. */
class CpusetWriterTest {
  private static final String BEST_EFFORT = "cgroup/charon/best-effort/cpuset.cpus";
  private static final String PRODUCTION = "cgroup/charon/production/cpuset.cpus";

  @TempDir private Path root;
  private final WarningOnce warnings = new WarningOnce(LoggerFactory.getLogger(getClass()));

  private CpusetWriter writer(
      FakeMachine machine, Optional<CpuSplit> split, CpuBandwidth.Writer kernel)
      throws CgroupException {
    return new CpusetWriter(machine.detect("/charon"), split, warnings, kernel);
  }

  private FakeMachine version2() {
    return FakeMachine.v2(root)
        .file("cgroup/charon/cpuset.cpus", "\n")
        .file("cgroup/charon/cpuset.cpus.effective", "0-3\n")
        .file(PRODUCTION, "\n")
        .file(BEST_EFFORT, "\n");
  }

  /** As most kernels do while processes run in the cgroup. */
  private static void refuseEmpty(Path file, String value) throws IOException {
    if (value.isBlank()) {
      throw new IOException("No space left on device");
    }
    CgroupDirectories.write(file, value);
  }

  @Test
  void bestEffortIsReleasedAlsoWhereTheKernelDoesNotEmptyItsList() throws IOException {
    FakeMachine machine = version2();
    CpusetWriter cpusets = writer(machine, Optional.empty(), CpusetWriterTest::refuseEmpty);
    cpusets.confineBestEffort(Cores.parse("1"));
    cpusets.releaseBestEffort();
    assertThat(machine.read(BEST_EFFORT)).isEqualTo("0-3");
    cpusets.releaseBestEffort();
    assertThat(machine.read(BEST_EFFORT)).isEqualTo("0-3");
    writer(machine, Optional.empty(), CgroupDirectories::write).releaseBestEffort();
    assertThat(machine.read(BEST_EFFORT)).as("when no process runs there any more").isEmpty();
  }

  @Test
  void theClassesAreReleasedFromAnEarlierSplit() throws Exception {
    FakeMachine machine = version2().file(PRODUCTION, "0-1\n").file(BEST_EFFORT, "2-3\n");
    CgroupHierarchy hierarchy =
        machine.detect("/charon").hierarchy(CgroupController.CPUSET).orElseThrow();
    writer(machine, Optional.empty(), CpusetWriterTest::refuseEmpty).assignClasses(hierarchy);
    assertThat(machine.read(PRODUCTION)).isEqualTo("0-3");
    assertThat(machine.read(BEST_EFFORT)).isEqualTo("0-3");
    assertThat(warnings.counts()).isEmpty();
  }

  /** The kernel refuses to give a container of v1 CPUs that its parent no longer has. */
  @Test
  @Timeout(60)
  void aNewContainerIsFilledBeforeItsParentNarrows() throws Exception {
    FakeMachine machine = FakeMachine.v1(root);
    String parent = "cgroup/cpuset/charon/best-effort";
    for (String cgroup : List.of("cgroup/cpuset/charon", parent)) {
      machine.file(cgroup + "/cpuset.cpus", "0-3\n").file(cgroup + "/cpuset.mems", "0\n");
    }
    machine.file(parent + "/c_1/cpuset.cpus", "\n").file(parent + "/c_1/cpuset.mems", "\n");
    Path own = machine.path(parent + "/c_1/cpuset.cpus");
    CompletableFuture<CpusetWriter> cpusets = new CompletableFuture<>();
    FutureTask<String> confine =
        new FutureTask<>(() -> cpusets.join().confineBestEffort(Cores.parse("1")));
    Thread confining = new Thread(confine);
    cpusets.complete(
        writer(
            machine,
            Optional.empty(),
            (file, value) -> {
              if (file.equals(own) && confining.getState() == Thread.State.NEW) {
                confining.start();
                while (confining.isAlive() && confining.getState() != Thread.State.BLOCKED) {
                  Thread.onSpinWait();
                }
                if (!machine.read(parent + "/cpuset.cpus").equals(value)) {
                  throw new IOException("Permission denied");
                }
              }
              CgroupDirectories.write(file, value);
            }));
    cpusets.join().fill(own.getParent());
    assertThat(confine.get()).isEqualTo("cpuset.cpus=1");
    assertThat(machine.read(parent + "/cpuset.cpus")).isEqualTo("1");
    assertThat(machine.read(parent + "/c_1/cpuset.cpus")).isEqualTo("1");
    assertThat(machine.read(parent + "/c_1/cpuset.mems")).isEqualTo("0");
  }

  @Test
  void theCureIsAListThatTheKernelAccepts() throws IOException {
    FakeMachine machine = version2();
    writer(machine, Optional.empty(), CgroupDirectories::write).confineBestEffort(Cores.parse("1"));
    CpusetWriter refused =
        writer(
            machine,
            Optional.empty(),
            (file, value) -> {
              throw new IOException("Permission denied");
            });
    assertThatThrownBy(refused::releaseBestEffort)
        .hasMessageContaining("Permission denied")
        .hasMessageEndingWith(
            "to release it: echo $(cat %s) > %s"
                .formatted(
                    machine.path("cgroup/charon/cpuset.cpus.effective"),
                    machine.path(BEST_EFFORT)));
  }
}
