/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import static io.charon.nodemanager.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tests the freezer on this machine's kernel. */
@ExtendWith(RealCgroups.class)
class ContainerFreezerKernelTest {
  private static final String COUNT = "while :; do i=$((i+1)); echo $i > \"$0\"; sleep 0.02; done";

  @TempDir Path directory;
  private CgroupWriter writer;
  private ContainerFreezer freezer;
  private Process process;

  private void open(CgroupLayout layout) throws Exception {
    freezer = new ContainerFreezer(layout);
    writer = new CgroupWriter(layout, Optional.empty());
    writer.prepareNode();
    assumeThat(freezer.unavailable()).as("a freezer that may be used").isEmpty();
    List<Path> procs =
        writer.createContainer("c_1", ContainerClass.BEST_EFFORT, OptionalInt.empty());
    String enter = RealCgroups.entering(procs);
    process =
        new ProcessBuilder("/bin/sh", "-c", enter + COUNT, file().toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    await(() -> Files.exists(file()) && !content().isEmpty());
  }

  @AfterEach
  void leaveNothingBehind() throws Exception {
    if (process != null) {
      freezer.thaw("c_1");
      process.destroyForcibly().waitFor();
    }
    if (writer != null) {
      assertThat(writer.removeContainer("c_1")).isTrue();
      writer.removeNode();
    }
  }

  /** Returns the layout of this machine without its unified hierarchy. */
  private CgroupLayout onlyV1() throws IOException {
    List<String> v1 =
        Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
            .filter(line -> !line.contains(" - cgroup2 "))
            .toList();
    assumeThat(v1)
        .as("a v1 freezer and the v1 memory controller")
        .anyMatch(line -> line.contains(" - cgroup ") && line.endsWith(",freezer"))
        .anyMatch(line -> line.contains(" - cgroup ") && line.endsWith(",memory"));
    Path self = Files.createDirectories(directory.resolve("proc/self"));
    Files.write(self.resolve("mountinfo"), v1);
    Files.copy(Path.of("/proc/self/cgroup"), self.resolve("cgroup"));
    return CgroupLayout.detect(
        directory.resolve("proc"), "/charon-test-" + ProcessHandle.current().pid() + "/v1");
  }

  @Test
  void aFrozenContainerStandsStillGoesOnAndDiesOfItsKillAtOnce() throws Exception {
    open(RealCgroups.layout("freezer"));
    freezesAndThaws();

    freezer.freeze("c_1");
    if (Files.exists(Path.of("/sys/fs/cgroup/unified")) || onV2()) {
      process.destroyForcibly();
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).as("dies while frozen").isTrue();
    }
  }

  private boolean onV2() throws IOException {
    return Files.exists(Path.of("/sys/fs/cgroup/cgroup.controllers"));
  }

  @Test
  void theV1FreezerHoldsAKillBackUntilTheThaw() throws Exception {
    open(onlyV1());
    freezesAndThaws();

    freezer.freeze("c_1");
    await(this::standsStill);
    process.destroyForcibly();
    assertThat(process.waitFor(500, TimeUnit.MILLISECONDS)).isFalse();
    assertThat(freezer.thaw("c_1")).isTrue();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aCgroupWhoseProcessCannotExitYetIsRemovedLater() throws Exception {
    open(onlyV1());
    freezer.freeze("c_1");
    await(this::standsStill);

    assertThat(writer.removeContainer("c_1")).isFalse();
    writer.removeLeft();
    assertThat(writer.containers()).containsExactly("c_1");

    assertThat(freezer.thaw("c_1")).isTrue();
    await(
        () -> {
          writer.removeLeft();
          return writer.containers().isEmpty();
        });
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void itsPagesGoBackToItsFilesWhileItIsFrozen() throws Exception {
    open(RealCgroups.layout("freezer"));
    freezer.freeze("c_1");
    await(this::standsStill);

    assertThat(freezer.reclaim("c_1", 32L << 20, () -> true)).isGreaterThanOrEqualTo(0);
    assertThat(freezer.isFrozen("c_1")).isTrue();
    freezer.thaw("c_1");
    String before = content();
    await(() -> !content().equals(before));
  }

  private void freezesAndThaws() throws Exception {
    freezer.freeze("c_1");
    assertThat(freezer.isFrozen("c_1")).isTrue();
    await(this::standsStill);
    String before = content();
    assertThat(freezer.thaw("c_1")).isTrue();
    await(() -> !content().equals(before));
  }

  private Path file() {
    return directory.resolve("count");
  }

  private String content() throws IOException {
    return Files.readString(file());
  }

  private boolean standsStill() throws Exception {
    String before = content();
    Thread.sleep(300);
    return content().equals(before);
  }
}
