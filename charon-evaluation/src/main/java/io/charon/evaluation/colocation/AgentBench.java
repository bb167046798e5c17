/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.evaluation.machine.Cleanup;
import io.charon.evaluation.machine.NativeTools;
import io.charon.evaluation.machine.TemporaryDirectory;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.CpuSplit;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Measures the cost of a tick of the agent on nodes with few and with many containers. */
final class AgentBench {
  /** Numbers of containers on the measured nodes. */
  static final List<Integer> SIZES = List.of(10, 100, 500);

  /**
   * Time before the measurement. The first ticks load classes, and the compiler has had more time
   * than this in a NodeManager.
   */
  private static final Duration WARM_UP = Duration.ofSeconds(3);

  private AgentBench() {}

  /**
   * Measures one node.
   *
   * @param name name of the node on this machine
   * @param measured duration of the measurement
   */
  static AgentCost measure(String name, int containers, Duration measured, NativeTools tools)
      throws IOException, InterruptedException {
    try (Cleanup cleanup = new Cleanup()) {
      int cpus = Runtime.getRuntime().availableProcessors();
      String all = "0-" + (cpus - 1);
      ColocatedNode node =
          ColocatedNode.create(
              name, new CpuSplit(all, all), cpus, Optional.empty(), tools, cleanup);
      Path directory = TemporaryDirectory.create(name, cleanup);
      List<ColocatedContainer> sleeping = new ArrayList<>();
      for (int i = 0; i < containers; i++) {
        sleeping.add(
            node.start(
                i % 2 == 0 ? ContainerClass.PRODUCTION : ContainerClass.BEST_EFFORT,
                Redirect.DISCARD,
                Redirect.INHERIT,
                List.of("sleep", "infinity")));
      }
      ColocatedTasks none = new ColocatedTasks(node, directory, counter -> List.of(), 0, 1);
      try (NodeAgent agent =
          NodeAgent.start(
              node,
              ColocationMode.of("all").orElseThrow(),
              none,
              Optional.empty(),
              Optional.empty())) {
        Thread.sleep(WARM_UP.toMillis());
        NodeAgent.Count from = agent.count();
        long start = System.nanoTime();
        Thread.sleep(measured.toMillis());
        NodeAgent.Count to = agent.count();
        double nanos = to.cpuNanos() - from.cpuNanos();
        int ticks = to.ticks() - from.ticks();
        if (ticks == 0) {
          throw new IOException("the agent did not tick within " + measured);
        }
        return new AgentCost(
            containers, ticks, nanos / ticks / 1e3, nanos / (System.nanoTime() - start) * 100);
      } finally {
        for (ColocatedContainer container : sleeping) {
          container.end();
        }
      }
    }
  }
}
