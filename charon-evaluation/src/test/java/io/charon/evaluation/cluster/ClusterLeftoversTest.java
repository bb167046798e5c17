/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.charon.evaluation.machine.EndedProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ClusterLeftoversTest {
  private final List<Process> started = new ArrayList<>();
  private final List<Path> directories = new ArrayList<>();

  @AfterEach
  void leaveNothingBehind() throws Exception {
    started.forEach(Process::destroyForcibly);
    for (Path directory : directories) {
      // Fails unless a failed test left something mounted.
      new ProcessBuilder("umount", directory.toString())
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
      new ClusterFiles(directory).delete();
    }
  }

  @Test
  void theClusterOfAKilledProcessEndsWithAllItsFiles() throws Exception {
    long ended = EndedProcess.id();
    Path directory = cluster(ended);
    Process daemon = daemonOf(directory);
    List<String> said = new ArrayList<>();

    ClusterLeftovers.removeOfKilled(said::add);

    assertThat(daemon.waitFor(10, SECONDS)).isTrue();
    assertThat(directory).doesNotExist();
    assertThat(said)
        .contains(
            "Removed what process %d, which was killed, had left behind: 1 processes, %s"
                .formatted(ended, directory));
  }

  @Test
  void theFilesInMemoryOfAKilledBenchmarkAreUnmounted() throws Exception {
    long ended = EndedProcess.id();
    Path directory = Files.createTempDirectory("charon-bench-" + ended + "-");
    directories.add(directory);
    mountOn(directory);
    Files.writeString(directory.resolve("log"), "");
    Process writer = daemonOf(directory);

    ClusterLeftovers.removeOfKilled(line -> {});

    assertThat(writer.waitFor(10, SECONDS)).isTrue();
    assertThat(directory).doesNotExist();
    assertThat(Files.readString(Path.of("/proc/self/mounts"))).doesNotContain(" " + directory);
  }

  @Test
  @Tag("must-never")
  void aRunningProcessKeepsItsCluster() throws Exception {
    Path directory = cluster(ProcessHandle.current().pid());
    Process daemon = daemonOf(directory);

    ClusterLeftovers.removeOfKilled(line -> {});

    assertThat(daemon.isAlive()).isTrue();
    assertThat(directory.resolve("log")).exists();
  }

  private Path cluster(long processId) throws Exception {
    Path directory = Files.createTempDirectory("charon-cluster-" + processId + "-");
    directories.add(directory);
    Files.writeString(directory.resolve("log"), "");
    return directory;
  }

  /** Mounts what a benchmark mounts; skips the test if mounting is not permitted. */
  private static void mountOn(Path directory) throws Exception {
    boolean mounted =
        new ProcessBuilder("mount", "-t", "tmpfs", "charon-bench", directory.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor()
            == 0;
    if (!mounted) {
      System.out.println("SKIPPED ClusterLeftoversTest: may not mount here; run as root");
    }
    assumeTrue(mounted, "may mount");
  }

  private Process daemonOf(Path directory) throws Exception {
    Process daemon = new ProcessBuilder("tail", "-f", directory + "/log").start();
    started.add(daemon);
    return daemon;
  }
}
