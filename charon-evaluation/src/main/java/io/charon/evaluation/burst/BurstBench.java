/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.burst;

import io.charon.core.mechanism.ContainerBandwidths.Bandwidth;
import io.charon.evaluation.cluster.NodeCgroups;
import io.charon.evaluation.killer.BenchProgress;
import io.charon.evaluation.killer.TimeBudget;
import io.charon.evaluation.machine.Cleanup;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.CgroupWriter;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.CpuBandwidth;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Measures by how much a CPU quota delays bursts, in each variant: the same bursts, in a cgroup of
 * its own. Each repetition begins with another variant, so that slow changes of the machine meet
 * all alike.
 */
public final class BurstBench {
  private static final Path PROC = Path.of("/proc");
  private static final int WEIGHS_LIKE = 100;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double MICROS_PER_MILLI = 1e3;

  private final PrintWriter out;

  /** A benchmark that tells a writer how far it is. */
  public BurstBench(PrintWriter out) {
    this.out = out;
  }

  /**
   * Measures.
   *
   * @throws IOException if this machine does not allow it; the message says what is missing
   * @throws InterruptedException if interrupted
   */
  public BurstResult run(BurstOptions options, TimeBudget budget)
      throws IOException, InterruptedException {
    BenchProgress progress = new BenchProgress(out);
    try (Cleanup cleanup = new Cleanup()) {
      String path = "/charon-bench-" + ProcessHandle.current().pid();
      CgroupLayout layout = CgroupLayout.detect(PROC, path);
      CgroupHierarchy cpu =
          layout
              .hierarchy(CgroupController.CPU)
              .orElseThrow(
                  () -> new IOException("no cpu controller is mounted; see charon doctor"));
      NodeCgroups cgroups = NodeCgroups.require(PROC);
      cleanup.add(() -> cgroups.remove(path));
      CgroupWriter writer = new CgroupWriter(layout, Optional.empty());
      writer.prepareNode();
      // What others do on the machine is not what is measured here.
      cgroups.weighLike(path, WEIGHS_LIKE);
      Map<BurstVariant, VariantResult> results = new EnumMap<>(BurstVariant.class);
      List<BurstVariant> all = List.of(BurstVariant.values());
      int steps = options.repetitions() * all.size();
      for (int done = 0; done < steps && !budget.isOver(done); done++) {
        int turn = done + done / all.size();
        BurstVariant variant = all.get(turn % all.size());
        results.merge(
            variant, measure(variant, options, layout, cpu, writer, cleanup), VariantResult::and);
        progress.step(done + 1, steps, variant.label());
      }
      return new BurstResult(
          options,
          new ArrayList<>(results.values()),
          System.getProperty("os.version"),
          cpu.version() == CgroupVersion.V1 ? 1 : 2,
          Runtime.getRuntime().availableProcessors(),
          progress.seconds());
    }
  }

  private static VariantResult measure(
      BurstVariant variant,
      BurstOptions options,
      CgroupLayout layout,
      CgroupHierarchy cpu,
      CgroupWriter writer,
      Cleanup cleanup)
      throws IOException, InterruptedException {
    String id = "bursts";
    List<Path> joins = writer.createContainer(id, ContainerClass.PRODUCTION, OptionalInt.empty());
    Path cgroup = layout.containerDirectory(cpu, ContainerClass.PRODUCTION, id);
    CpuBandwidth bandwidth = new CpuBandwidth(cgroup, cpu.version());
    if (variant.bandwidth().isPresent()) {
      String unused = bandwidth.limit(BurstVariant.share().cores());
      Bandwidth seen =
          bandwidth.read().orElseThrow(() -> new IOException(bandwidth.file() + " keeps no quota"));
      unused = bandwidth.change(seen, variant.bandwidth().get());
    }
    Process worker = worker(options);
    cleanup.add(worker::destroyForcibly);
    VariantResult result;
    try (BufferedReader said = worker.inputReader()) {
      if (!BurstWorker.READY.equals(said.readLine())) {
        throw new IOException("the program that works in bursts did not start");
      }
      // Only now, or its start would have emptied the bucket.
      for (Path join : joins) {
        Files.writeString(join, Long.toString(worker.pid()));
      }
      double before = throttledMillis(cgroup, cpu.version());
      worker.getOutputStream().write('\n');
      worker.getOutputStream().flush();
      List<Double> extra =
          said.lines().map(nanos -> Long.parseLong(nanos) / NANOS_PER_MILLI).toList();
      if (extra.size() != options.bursts()) {
        throw new IOException(
            "%s: %d of %d bursts ended".formatted(variant.label(), extra.size(), options.bursts()));
      }
      result = new VariantResult(variant, extra, throttledMillis(cgroup, cpu.version()) - before);
    } finally {
      worker.destroyForcibly().waitFor();
    }
    if (!writer.removeContainer(id)) {
      throw new IOException("container " + id + " cannot be removed");
    }
    return result;
  }

  private static Process worker(BurstOptions options) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC", // threads of the JVM use the same quota
            "-XX:TieredStopAtLevel=1",
            "-Xmx32m",
            "-cp",
            System.getProperty("java.class.path"),
            BurstWorker.class.getName(),
            Long.toString(options.seed()),
            Integer.toString(options.bursts()))
        .redirectError(Redirect.INHERIT)
        .start();
  }

  private static double throttledMillis(Path cgroup, CgroupVersion version) throws IOException {
    boolean v1 = version == CgroupVersion.V1;
    String key = v1 ? "throttled_time " : "throttled_usec ";
    for (String line : Files.readAllLines(CgroupFile.CPU_STAT.path(cgroup, version))) {
      if (line.startsWith(key)) {
        return Long.parseLong(line.substring(key.length()))
            / (v1 ? NANOS_PER_MILLI : MICROS_PER_MILLI);
      }
    }
    throw new IOException(CgroupFile.CPU_STAT.path(cgroup, version) + " has no " + key);
  }
}
