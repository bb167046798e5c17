/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.mapreduce.JobCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Charon in a stock NodeManager, installed by configuration only: real daemons, real MapReduce,
 * real cgroups.
 */
@SharedNode(SharedNode.Settings.CHARON)
class DropInIT {
  private HoldJob job;

  @AfterEach
  void endJob() throws Exception {
    if (job != null && !job.isComplete()) {
      job.kill();
    }
  }

  @Test
  void bestEffortTasksRunBeyondTheReservation(TestNode node) throws Exception {
    long launched = node.counter("launched");
    job = node.submit(8, 0);
    await("five tasks of 512 MiB run", () -> node.runningBestEffort().size() >= 5);

    assertThat(node.runningBestEffort().size() * HoldJob.TASK_MEBIBYTES)
        .as("MiB of running best-effort requests, on a node that may reserve 1024")
        .isGreaterThan(TestNode.RESERVABLE_MEBIBYTES);
    assertThatContainersCarryTheirMarks(node);

    job.endsWell();
    assertThat(node.counter("launched") - launched).isGreaterThanOrEqualTo(8);
  }

  private static void assertThatContainersCarryTheirMarks(TestNode node) throws Exception {
    Path bestEffort = node.memoryCgroup().resolve("best-effort");
    for (String containerId : node.runningBestEffort()) {
      Path cgroup = bestEffort.resolve(containerId);
      await("processes of " + containerId, () -> !processes(cgroup).isEmpty());
      for (String process : processes(cgroup)) {
        Path score = Path.of("/proc", process, "oom_score_adj");
        if (Files.exists(score)) {
          assertThat(Files.readString(score).trim()).as(score.toString()).isEqualTo("1000");
        }
      }
    }
    String master =
        node.containerCgroups().stream()
            .filter(id -> id.endsWith("_000001"))
            .findFirst()
            .orElseThrow();
    Path masterCgroup = node.memoryCgroup().resolve("production").resolve(master);
    assertThat(masterCgroup).as("the ApplicationMaster stays guaranteed").isDirectory();
    Path swappiness = masterCgroup.resolve("memory.swappiness");
    if (Files.exists(swappiness)) {
      assertThat(Files.readString(swappiness).trim()).isEqualTo("0");
    }
    assertThatItRunsOnlyWhenProductionDoesNot(masterCgroup);
  }

  /** Before Linux 5.15 no container can be idle; it weighs a tenth then. */
  private static void assertThatItRunsOnlyWhenProductionDoesNot(Path masterCgroup)
      throws Exception {
    Path version1 = Path.of(masterCgroup.toString().replace("/memory/", "/cpu/"));
    boolean isVersion1 = Files.exists(version1.resolve("cpu.shares"));
    Path cgroup = isVersion1 ? version1 : masterCgroup;
    Path idle = cgroup.resolve("cpu.idle");
    Path weight = cgroup.resolve(isVersion1 ? "cpu.shares" : "cpu.weight");
    if (Files.exists(idle)) {
      await("it is idle", () -> Files.readString(idle).trim().equals("1"));
    } else {
      String tenth = isVersion1 ? "102" : "10";
      await("it weighs a tenth", () -> Files.readString(weight).trim().equals(tenth));
    }
  }

  @Test
  void aTaskKilledForMemoryIsNoFailure(TestNode node) throws Exception {
    long killedBefore = node.counter("killed");
    job = node.submit(2, 3900);
    await("the greedy task is killed", () -> node.counter("killed") > killedBefore);

    await("MapReduce counts a kill", () -> job.counter(JobCounter.NUM_KILLED_MAPS) >= 1);
    assertThat(job.counter(JobCounter.NUM_FAILED_MAPS)).isZero();

    job.endsWell();
  }

  private static List<String> processes(Path cgroup) throws Exception {
    Path file = cgroup.resolve("cgroup.procs");
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }
}
