/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import io.charon.core.law.reclaim.ReclaimableContainers.Container;
import io.charon.evaluation.interference.SpeedSeries.Mark;
import io.charon.evaluation.killer.WorkingSetFile;
import io.charon.evaluation.machine.NativeTools;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.CpuSplit;
import io.charon.nodemanager.sensor.ReclaimableContainersSensor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** One run of {@code bench reclaim} on a node of its own, which is removed afterwards. */
final class ReclaimRun {
  private static final Path PROC = Path.of("/proc");
  private static final long SAMPLE_MILLIS = 100;
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** A production program that has printed this many lines is at work. */
  private static final int WARM_LINES = 5;

  private static final double WARM_MEGABYTES = ReclaimLoad.MEGABYTES - 4.0;
  private static final double NANOS_PER_MICRO = 1e3;
  private static final List<String> BEST_EFFORT = List.of("idle", "16");

  private final NativeTools tools;
  private final String path;
  private final WorkingSetFile held;
  private final WorkingSetFile used;
  private final ReclaimOptions options;

  /**
   * Creates a run that has not started.
   *
   * @param path path of the node's cgroup
   * @param held production's file that it does not use
   * @param used production's file that it uses
   */
  ReclaimRun(
      NativeTools tools,
      String path,
      WorkingSetFile held,
      WorkingSetFile used,
      ReclaimOptions options) {
    this.tools = tools;
    this.path = path;
    this.held = held;
    this.used = used;
    this.options = options;
  }

  /**
   * Runs production with or without reclaim, and measures it.
   *
   * @throws IOException if it cannot be measured; the message says why
   */
  ReclaimCell run(ReclaimLoad load, ReclaimApproach approach)
      throws IOException, InterruptedException {
    held.dropPageCache();
    used.dropPageCache();
    int last = Runtime.getRuntime().availableProcessors() - 1;
    Optional<CpuSplit> cpus =
        last > 0 ? Optional.of(new CpuSplit("0", "1-" + last)) : Optional.empty();
    try (InterferenceNode node = InterferenceNode.open(path, cpus, load == ReclaimLoad.ANONYMOUS)) {
      InterferenceContainer production =
          node.start(
              ContainerClass.PRODUCTION, false, load.command(tools, held.path(), used.path()));
      Optional<InterferenceContainer> bestEffort = Optional.empty();
      Optional<LimitAgent> limit = Optional.empty();
      try {
        await(node, production);
        limit = Optional.of(new LimitAgent(node, path, tools));
        limit.get().reserve(production, ReclaimLoad.RESERVED_MEGABYTES * InterferenceNode.MB);
        bestEffort =
            Optional.of(
                node.start(
                    ContainerClass.BEST_EFFORT,
                    true,
                    List.of(tools.workload().toString(), BEST_EFFORT.get(0), BEST_EFFORT.get(1))));
        TimeUnit.NANOSECONDS.sleep(options.settle().toNanos());
        ReclaimCell cell = measure(node, production, load, approach);
        if (limit.get().trouble().isPresent()) {
          throw new IOException("the memory limit does not work: " + limit.get().trouble().get());
        }
        return cell;
      } finally {
        if (limit.isPresent()) {
          limit.get().end();
        }
        production.end();
        if (bestEffort.isPresent()) {
          bestEffort.get().end();
        }
      }
    }
  }

  private static void await(InterferenceNode node, InterferenceContainer production)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + TIMEOUT_NANOS;
    while (node.heldMegabytes(ContainerClass.PRODUCTION) < WARM_MEGABYTES
        || production.progress().lines() < WARM_LINES) {
      if (!production.process().isAlive() || System.nanoTime() - end > 0) {
        throw new IOException(
            "production is not ready: it holds %.0f MB"
                .formatted(node.heldMegabytes(ContainerClass.PRODUCTION)));
      }
      TimeUnit.MILLISECONDS.sleep(SAMPLE_MILLIS);
    }
  }

  private ReclaimCell measure(
      InterferenceNode node,
      InterferenceContainer production,
      ReclaimLoad load,
      ReclaimApproach approach)
      throws IOException, InterruptedException {
    double start = node.heldMegabytes(ContainerClass.PRODUCTION);
    long refaulted = refaultedBytes(node, production);
    long from = System.nanoTime();
    long to = from + options.length().toNanos();
    long counts = to - options.length().toNanos() / 3;
    double offered = 0;
    int samples = 0;
    double taken;
    Optional<ReclaimAgent> agent =
        approach == ReclaimApproach.RECLAIM
            ? Optional.of(new ReclaimAgent(node, tools, options.law()))
            : Optional.empty();
    try {
      while (System.nanoTime() - to < 0) {
        if (System.nanoTime() - counts >= 0) {
          offered += node.limitMegabytes();
          samples++;
        }
        TimeUnit.MILLISECONDS.sleep(SAMPLE_MILLIS);
      }
      taken = agent.map(ReclaimAgent::takenMegabytes).orElse(0.0);
      Optional<String> trouble = agent.flatMap(ReclaimAgent::trouble);
      if (trouble.isPresent()) {
        throw new IOException("cold memory cannot be reclaimed: " + trouble.get());
      }
    } finally {
      if (agent.isPresent()) {
        agent.get().end();
      }
    }
    LatencyCounts latencies = production.progress().latencies(counts, to);
    List<Mark> marks =
        production.progress().marks().stream()
            .filter(mark -> mark.nanos() >= counts && mark.nanos() <= to)
            .toList();
    if (marks.size() < 2 || samples == 0) {
      throw new IOException("production printed too few measurements");
    }
    Mark first = marks.get(0);
    Mark end = marks.get(marks.size() - 1);
    return new ReclaimCell(
        load,
        approach,
        new ReclaimCell.Memory(
            start,
            node.heldMegabytes(ContainerClass.PRODUCTION),
            (refaultedBytes(node, production) - refaulted) / (double) InterferenceNode.MB,
            taken),
        offered / samples,
        new ReclaimCell.Speed(
            (end.operations() - first.operations()) * 1e9 / (end.nanos() - first.nanos()),
            latencies.percentile(50).orElse(0) / NANOS_PER_MICRO,
            latencies.percentile(99).orElse(0) / NANOS_PER_MICRO),
        production.process().isAlive());
  }

  private static long refaultedBytes(InterferenceNode node, InterferenceContainer production)
      throws IOException {
    return new ReclaimableContainersSensor(node.layout(), PROC)
        .read(id -> 0).containers().stream()
            .filter(container -> container.id().equals(production.id()))
            .mapToLong(Container::refaultedBytes)
            .findFirst()
            .orElse(0);
  }
}
