/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import static io.charon.sls.node.NodeHarness.GB;
import static io.charon.sls.node.NodeHarness.constant;
import static io.charon.sls.node.NodeHarness.growing;
import static io.charon.sls.node.NodeHarness.starting;
import static io.charon.sls.node.NodeHarness.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.LaunchDecision.Outcome;
import io.charon.sls.workload.MemoryCurve;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Tests the node without a killer; every time below was computed by hand. */
class SimulatedNodeTest {
  private static final ExecutionType BEST_EFFORT = ExecutionType.OPPORTUNISTIC;
  private static final ExecutionType PRODUCTION = ExecutionType.GUARANTEED;

  private static final NodePolicy NO_KILLS = new NodeHarness.NoKills();

  @Test
  void anUndisturbedTaskTakesItsTimeInOneStep() {
    NodeHarness node = new NodeHarness(10, 4, 10, NO_KILLS);
    node.request(task("a", PRODUCTION, 1, 1, 3_600, constant(1, 0)));
    assertThat(node.node().nextStepNanos()).isEqualTo(3_600_000_000_000L);
    node.runTo(4_000);
    assertThat(node.happened()).containsExactly("0.0 started a", "3600.0 completed a");
    assertThat(node.node().nextStepNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void tasksShareTheProcessorEquallyAndTheRestGoesToThoseThatCanUseIt() {
    // 2 cores: 0.5 is met; the other two get 0.75 each of the 1.5 that they want: half speed.
    NodeHarness node = new NodeHarness(10, 2, 10, NO_KILLS);
    node.request(task("light", PRODUCTION, 1, 0.5, 100, constant(0, 0)));
    node.request(task("heavy1", PRODUCTION, 1, 1.5, 100, constant(0, 0)));
    node.request(task("heavy2", PRODUCTION, 1, 1.5, 100, constant(0, 0)));
    node.runTo(1_000);
    // After 100 s light is done: 1 core each, two thirds of the demand, 50 s of work left.
    assertThat(node.happened())
        .endsWith("100.0 completed light", "175.0 completed heavy1", "175.0 completed heavy2");
  }

  @Test
  void productionComesFirstAtTheProcessor() {
    NodeHarness node = new NodeHarness(10, 2, 10, NO_KILLS);
    node.request(task("best-effort", BEST_EFFORT, 1, 1, 100, constant(0, 0)));
    node.request(task("production", PRODUCTION, 1, 2, 50, constant(0, 0)));
    node.runTo(1_000);
    assertThat(node.happened())
        .endsWith("50.0 completed production", "150.0 completed best-effort");
  }

  @Test
  void memoryThatDoesNotFitSlowsAllContainers() {
    // 15 of 10 GB: ratio 1.5, slowdown 3.
    NodeHarness node = new NodeHarness(10, 4, 10, NO_KILLS);
    node.request(task("a", PRODUCTION, 5, 1, 100, constant(5, 0)));
    node.request(task("b", PRODUCTION, 5, 1, 200, constant(10, 0)));
    node.runTo(1_000);
    // a needs 300 s; then b has done 100 of 200 s and continues at full speed.
    assertThat(node.happened()).endsWith("300.0 completed a", "400.0 completed b");
  }

  @Test
  void usageIsSummedUpExactlyOverLongSteps() {
    // Mean of the curve: 0.01 to 1 in half of the time, then 1, so 0.7525 of the peak of 4 GB.
    NodeHarness node = new NodeHarness(10, 4, 10, NO_KILLS);
    node.request(task("a", PRODUCTION, 8, 1, 1_000, growing(4)));
    node.runTo(2_000);
    NodeUsage usage = node.node().usage(2_000_000_000_000L);
    double gbSeconds = GB * 1e9;
    assertThat(usage.used() / gbSeconds).isCloseTo(4 * 752.5, Offset.offset(1e-3));
    assertThat(usage.productionRequested() / gbSeconds).isCloseTo(8_000, Offset.offset(1e-3));
    assertThat(usage.resident()).isCloseTo(usage.used(), Offset.offset(gbSeconds));
  }

  @Test
  void availableMemoryCountsAllFilePagesInUseButTheLowWatermark() {
    NodeHarness node = new NodeHarness(10, 4, 10, NO_KILLS);
    node.request(task("a", PRODUCTION, 8, 1, 1_000, constant(3, 2)));
    long watermark = node.node().size().lowWatermarkBytes();
    assertThat(watermark).isBetween(20L << 20, 30L << 20);
    assertThat(node.node().availableBytes()).isEqualTo(7 * GB - watermark);
  }

  @Test
  void ofVeryLittlePageCacheHalfCounts() {
    NodeHarness node = new NodeHarness(10, 4, 10, NO_KILLS);
    node.request(task("a", PRODUCTION, 8, 1, 1_000, constant(3, 1.0 / 1024)));
    assertThat(node.node().availableBytes()).isEqualTo(7 * GB - (1 << 19));
  }

  @Test
  void pagesThatAreUsedOnceAreNotMissed() {
    MemoryCurve curve = new MemoryCurve(List.of(new MemoryCurve.Point(0, 5 * GB, 2 * GB, 6 * GB)));
    NodeHarness node = new NodeHarness(10, 4, 10, NO_KILLS);
    node.request(task("a", PRODUCTION, 8, 1, 100, curve));
    assertThat(node.node().isUnderPressure()).isFalse();
    assertThat(node.node().availableBytes())
        .isEqualTo(5 * GB - node.node().size().lowWatermarkBytes());
    assertThat(node.node().containers().get(0).chargedBytes()).isEqualTo(13 * GB);
    node.runTo(1_000);
    assertThat(node.happened()).contains("100.0 completed a");
  }

  @Test
  void theLowWatermarkIsThatOfLinux() {
    assertThat(new NodeSize(128 * GB, 32, 0).lowWatermarkBytes() >> 20).isEqualTo(176);
    assertThat(new NodeSize(128 * GB, 32, 0, 1 << 20).lowWatermarkBytes()).isEqualTo(1 << 20);
  }

  @Test
  void workBeginsOnceTheJvmIsUpAndStartsCompeteForTheProcessors() {
    NodeHarness node = new NodeHarness(10, 2, 10, NO_KILLS);
    node.request(starting(task("alone", PRODUCTION, 1, 0.1, 100, growing(1)), 3, 1));
    node.runTo(3);
    assertThat(node.node().containers().get(0).progress()).isZero();
    assertThat(node.node().containers().get(0).anonymousBytes()).isEqualTo(GB / 100);
    node.runTo(103);
    assertThat(node.happened()).contains("103.0 completed alone");
    // Four JVMs want four cores and get two; once they have started, they do not slow each other.
    for (int i = 0; i < 4; i++) {
      node.request(starting(task("t" + i, BEST_EFFORT, 1, 0.1, 100, growing(1)), 3, 1));
    }
    node.runTo(300);
    assertThat(node.happened()).contains("209.0 completed t0", "209.0 completed t3");
  }

  @Test
  void aFullQueueRejects() {
    NodeHarness node = new NodeHarness(10, 4, 2, NO_KILLS);
    assertThat(node.request(task("a", BEST_EFFORT, 8, 1, 100, constant(8, 0))))
        .isEqualTo(Outcome.LAUNCHED);
    assertThat(node.request(task("b", BEST_EFFORT, 8, 1, 100, constant(8, 0))))
        .isEqualTo(Outcome.QUEUED);
    assertThat(node.request(task("c", BEST_EFFORT, 8, 1, 100, constant(8, 0))))
        .isEqualTo(Outcome.QUEUED);
    assertThat(node.request(task("d", BEST_EFFORT, 8, 1, 100, constant(8, 0))))
        .isEqualTo(Outcome.REJECTED);
    node.runTo(1_000);
    assertThat(node.happened()).contains("100.0 started b", "200.0 started c", "300.0 completed c");
    assertThat(node.count("started")).isEqualTo(3);
  }

  @Test
  void aContainerIsStoppedWhereverItIs() {
    NodeHarness node = new NodeHarness(10, 4, 2, NO_KILLS);
    node.request(task("runs", BEST_EFFORT, 8, 1, 100, constant(8, 0)));
    node.request(task("waits", BEST_EFFORT, 8, 1, 100, constant(8, 0)));
    node.runTo(10);
    node.node().stop("waits", 10_000_000_000L);
    node.node().stop("runs", 10_000_000_000L);
    node.node().stop("unknown", 10_000_000_000L);
    node.runTo(1_000);
    assertThat(node.happened())
        .containsExactly("0.0 started runs", "10.0 withdrawn waits", "10.0 stopped runs");
    assertThat(node.node().availableBytes()).isEqualTo(10 * GB);
  }

  @Test
  void whenSwapIsFullLinuxKillsTheLargestBestEffortContainer() {
    // 12 GB of production on 10 GB and 10 GB of swap; best-effort grows beyond these 20 GB.
    NodeHarness node = new NodeHarness(10, 4, 10, NO_KILLS);
    node.request(task("small", BEST_EFFORT, 1, 1, 10_000, constant(0.5, 0)));
    node.request(task("growing", BEST_EFFORT, 1, 1, 1_000, growing(20)));
    node.request(task("production", PRODUCTION, 12, 1, 50_000, constant(12, 0)));
    node.runTo(40_000);
    assertThat(node.happened()).anyMatch(line -> line.endsWith("killed-by-linux-oom growing"));
    assertThat(node.count("killed-by-linux-oom")).isEqualTo(1);
  }

  @Test
  void timeDoesNotRunBackwards() {
    NodeHarness node = new NodeHarness(10, 4, 2, NO_KILLS);
    node.runTo(10);
    assertThatThrownBy(() -> node.node().wake(9)).hasMessageContaining("backwards");
  }
}
