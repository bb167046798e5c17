/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.evaluation.machine.Cleanup;
import io.charon.evaluation.machine.NativeTools;
import io.charon.evaluation.machine.TemporaryDirectory;
import io.charon.evaluation.machine.ZramSwap;
import io.charon.nodemanager.cgroup.CpuSplit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * A service whose working set grows in steps on a node of limited memory, together with programs
 * that have working sets of their own. With more than one CPU, the two run on separate CPUs, so
 * that they affect each other only through memory.
 *
 * @param times durations of the runs
 * @param tools starts the programs of both sides
 * @param node the node, whose memory both share
 * @param directory files of the programs
 */
record MemoryScenario(ColocationTimes times, NativeTools tools, ColocatedNode node, Path directory)
    implements Scenario {
  private static final int SWAP_MEGABYTES = 2048;
  private static final int CONTAINERS = 4;
  private static final int CONTAINER_MEGABYTES = 160;

  /** Computation per touch, about 4 microseconds: the simulator's model of a task. */
  private static final int STEPS = 2000;

  /**
   * Pause after about a millisecond of work: one container uses a fifth of a CPU, several use more.
   */
  private static final int REST_MICROS = 4000;

  /**
   * Measured sizes of the foreground, MB. Above 384 MB, not everything fits beside the background.
   */
  static final List<Integer> SIZES = List.of(200, 400, 650, 350);

  /**
   * Creates the node and its swap.
   *
   * @param name name of the node on this machine
   * @param cleanup receives the actions that remove everything
   */
  static MemoryScenario open(String name, ColocationTimes times, NativeTools tools, Cleanup cleanup)
      throws IOException, InterruptedException {
    Path directory = TemporaryDirectory.create("charon-bench-", cleanup);
    ZramSwap.create(SWAP_MEGABYTES, cleanup);
    int last = Runtime.getRuntime().availableProcessors() - 1;
    CpuSplit cpus = new CpuSplit("0", last < 1 ? "0" : "1-" + last);
    ColocatedNode node =
        ColocatedNode.create(name, cpus, Math.max(1, last), times.nodeWindow(), tools, cleanup);
    return new MemoryScenario(times, tools, node, directory);
  }

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public String setting() {
    return String.format(
        Locale.ROOT,
        "a service on CPU 0 grows %s MB, %.1f s each, on a node of %d MB beside %d best-effort"
            + " containers of %d MB on other CPUs; swap on zram",
        SIZES,
        times.step().toMillis() / 1e3,
        node.memoryCapacityBytes() >> 20,
        CONTAINERS,
        CONTAINER_MEGABYTES);
  }

  @Override
  public List<ColocationMode> modes() {
    return ColocationMode.named(
        "none",
        "static-memory-20",
        "static-memory-40",
        "static-memory-60",
        "memory",
        "evict-line",
        "evict-psi",
        "all");
  }

  @Override
  public boolean knows(ColocationMode mode) {
    return switch (mode.kind()) {
      case NONE, STATIC_MEMORY, EVICTION -> true;
      default -> mode.regulates(name());
    };
  }

  @Override
  public Foreground startForeground(int repetition, Duration settle)
      throws IOException, InterruptedException {
    // Whole steps of the first size, so that the measured time begins with a step.
    int before = (int) Math.ceil((double) settle.toNanos() / times.step().toNanos());
    List<Integer> sizes = new ArrayList<>(Collections.nCopies(before, SIZES.get(0)));
    sizes.addAll(SIZES);
    return GrowingService.start(tools, node, directory, times.step(), sizes);
  }

  @Override
  public ColocatedTasks tasks() {
    return new ColocatedTasks(
        directory,
        counter ->
            List.of(
                tools.workload().toString(),
                "count",
                counter.toString(),
                Integer.toString(CONTAINER_MEGABYTES),
                Integer.toString(STEPS),
                Integer.toString(REST_MICROS)),
        CONTAINERS,
        (CONTAINER_MEGABYTES + 1L) << 20);
  }

  @Override
  public Utilization startUtilization() {
    return new MemoryShare(node);
  }
}
