/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.charon.evaluation.validation.DemoDocument.Container;
import io.charon.evaluation.validation.DemoDocument.Job;
import io.charon.evaluation.validation.DemoDocument.Machine;
import io.charon.evaluation.validation.DemoDocument.Run;
import io.charon.evaluation.validation.DemoDocument.Workload;
import io.charon.sls.cluster.ClusterSettings;
import io.charon.sls.workload.TaskGroup;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Compares the calibration with a translation by hand: one production task, and one job of two maps
 * and a reduce.
 */
class SimulationInputsTest {
  private static final long MEBIBYTE = 1 << 20;

  private static final Container MAP =
      task("b", "MAP", 105, 111, new double[] {106.5, 100, 2}, new double[] {109.5, 200, 3});
  private static final Container REDUCE = task("b", "REDUCE", 112.25, 115, at(114, 150, 1.1));

  @Test
  void delaysExcludeTheWaitForHeartbeats() throws IOException {
    ClusterSettings cluster = SimulationInputs.of(demo(MAP, REDUCE)).cluster();

    // The reduce starts 0.75 s after the end of the last map; 0.25 s of that are two waits for a
    // heartbeat.
    assertThat(cluster.timing().launch()).isEqualTo(Duration.ofMillis(500));
    // The first map starts 5 s after the submission: two waits for a heartbeat, the launch, and the
    // start of the ApplicationMaster.
    assertThat(cluster.master().start()).isEqualTo(Duration.ofMillis(4250));
    assertThat(cluster.master().end()).isEqualTo(Duration.ofMillis(5250));
    assertThat(cluster.master().usedBytes()).isEqualTo(150 * MEBIBYTE);
    // The ApplicationMaster had used 3 s when the first map started, and used 0.9 s in the 15.25 s
    // after its start.
    assertThat(cluster.master().startCores()).isCloseTo(3 / 4.25, within(1e-9));
    assertThat(cluster.master().usedCores()).isCloseTo(0.9 / 15.25, within(1e-9));
    assertThat(cluster.parallelBestEffortJobs()).isEqualTo(3);
    assertThat(cluster.nodes().sharedProcessors()).isTrue();
    assertThat(cluster.nodes().size().cores()).isCloseTo(2, within(1e-9));
    assertThat(cluster.nodes().size().memoryBytes()).isEqualTo(3072 * MEBIBYTE);
    assertThat(cluster.nodes().size().swapBytes()).isZero();
  }

  @Test
  void nodesShareTheProcessorsThatOthersLeave() throws IOException {
    DemoDocument demo = demo(MAP, REDUCE);

    // Other programs used 40 of 200 processor seconds; two nodes share the rest.
    assertThat(SimulationInputs.of(demo).during(demo.calibrating()).nodes().size().cores())
        .isCloseTo(1.6, within(1e-9));
  }

  @Test
  void tasksTakeAsLongAsTheyTookAlone() throws IOException {
    SimulationInputs calibration = SimulationInputs.of(demo(MAP, REDUCE));

    List<TaskGroup> job = calibration.bestEffort().get("grep");
    assertThat(job).extracting(TaskGroup::stage).containsExactly(0, 0, 1);
    TaskGroup map = job.get(0);
    assertThat(map.durationMillis()).isEqualTo(6000);
    assertThat(map.usedCores()).isCloseTo(0.5, within(1e-9));
    assertThat(map.requestedBytes()).isEqualTo(448 * MEBIBYTE);
    assertThat(map.memory().anonymousBytesAt(0.25)).isEqualTo(100 * MEBIBYTE);
    assertThat(map.memory().anonymousBytesAt(0.5)).isEqualTo(150 * MEBIBYTE);
    assertThat(map.memory().peakAnonymousBytes()).isEqualTo(200 * MEBIBYTE);
    assertThat(calibration.production()).hasSize(1);
    assertThat(calibration.production().get(0).durationMillis()).isEqualTo(90_000);
  }

  @Test
  void aJobWithAnUnobservedTaskIsRefused() {
    assertThatThrownBy(() -> SimulationInputs.of(demo(MAP)))
        .hasMessageContaining("no reduce task", "grep");
  }

  private static DemoDocument demo(Container... tasks) {
    List<Container> containers = new ArrayList<>(List.of(tasks));
    containers.add(task("b", "MAP", 105.2, 111.5, at(110, 180, 3)));
    containers.add(task("b", "MASTER", 101, 120.5, at(105, 100, 3), at(119, 200, 3.9)));
    containers.add(task("p", "MAP", 0, 90, at(45, 900, 30)));
    containers.add(task("p", "MASTER", -4, 95, at(1, 100, 3)));
    Run run =
        new Run(
            new Job("production", "p", -5, 91.0),
            List.of(),
            List.of(new Job("grep", "b", 100, 115.25)),
            new Machine(2, 100, 90, 10, 60),
            containers);
    return new DemoDocument(
        new Workload(2, 3072, 1720, 448, 192, 3, 5, false),
        120,
        Map.of(
            DemoDocument.ALONE,
            new DemoDocument.Mode(null, 96, null, null, "user-space", List.of(run))));
  }

  private static Container task(
      String application, String role, double start, double end, double[]... points) {
    return new Container(application, role, start, end, true, List.of(points));
  }

  private static double[] at(double seconds, double mebibytes, double processorSeconds) {
    return new double[] {seconds, mebibytes, processorSeconds};
  }
}
