/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.core.mechanism.ResourceUse;
import io.charon.evaluation.machine.Cleanup;
import io.charon.evaluation.machine.NativeTools;
import io.charon.evaluation.machine.TemporaryDirectory;
import io.charon.nodemanager.cgroup.CpuSplit;
import io.charon.nodemanager.sensor.NodeSnapshotReader;
import io.charon.nodemanager.sensor.NodeSnapshotReader.HealthSignal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A web server that compresses pages on one CPU, together with programs that want all of that CPU
 * and its caches. The clients run on the other CPUs.
 */
final class CpuScenario implements Scenario {
  private static final int PAGE_BYTES = 100_000;
  private static final int FILE_BYTES = 1;
  private static final int CONTAINERS = 2;
  private static final int MEGABYTES = 64;
  private static final int STEPS = 20;
  private static final int CALIBRATION_REQUESTS = 200;
  private static final Duration CALIBRATION_PERIOD = Duration.ofMillis(6);
  private static final long SEED = 10_000;

  private final ColocationTimes times;
  private final NativeTools tools;
  private final ColocatedNode node;
  private final Path directory;
  private final LoadClient client;
  private final int cpu;
  private final Duration pageTime;
  private final Optional<String> noInstructions;
  private final LoadedKernelKiller killer;

  private CpuScenario(
      ColocationTimes times,
      NativeTools tools,
      ColocatedNode node,
      Path directory,
      LoadClient client,
      int cpu,
      Duration pageTime,
      Optional<String> noInstructions,
      LoadedKernelKiller killer) {
    this.times = times;
    this.tools = tools;
    this.node = node;
    this.directory = directory;
    this.client = client;
    this.cpu = cpu;
    this.pageTime = pageTime;
    this.noInstructions = noInstructions;
    this.killer = killer;
  }

  /**
   * Starts node and server, and measures the CPU time of a page.
   *
   * @param name name of the node on this machine
   * @param cleanup receives the actions that remove everything
   */
  static CpuScenario open(String name, ColocationTimes times, NativeTools tools, Cleanup cleanup)
      throws IOException, InterruptedException {
    int cpu = Runtime.getRuntime().availableProcessors() - 1;
    String own = Integer.toString(cpu);
    String others = cpu == 0 ? own : "0-" + (cpu - 1);
    Path directory = TemporaryDirectory.create("charon-bench-", cleanup);
    NetworkCell cell = NetworkCell.loopback(name, cleanup);
    ColocatedNode node =
        ColocatedNode.create(name, new CpuSplit(own, own), 1, times.nodeWindow(), tools, cleanup);
    node.confine(own);
    Nginx nginx = Nginx.start(node, directory, cell.atNode(), "127.0.0.1", PAGE_BYTES, FILE_BYTES);
    List<String> prefix = new ArrayList<>(cell.atNode());
    prefix.addAll(List.of("taskset", "-c", others));
    LoadClient client =
        LoadClient.start(prefix, "http://127.0.0.1:" + Nginx.PORT + "/page/", Nginx.PAGES, cleanup);
    client.warmUp(CALIBRATION_REQUESTS, CALIBRATION_PERIOD);
    Duration before = nginx.processorTime();
    client.warmUp(CALIBRATION_REQUESTS, CALIBRATION_PERIOD);
    Duration pageTime = nginx.processorTime().minus(before).dividedBy(CALIBRATION_REQUESTS);
    return new CpuScenario(
        times,
        tools,
        node,
        directory,
        client,
        cpu,
        pageTime,
        noInstructions(node),
        LoadedKernelKiller.load(name, node, tools, cleanup));
  }

  private static Optional<String> noInstructions(ColocatedNode node) throws IOException {
    try (NodeSnapshotReader reader = node.reader(nanos -> ResourceUse.missing("not requested"))) {
      return reader.unavailable(HealthSignal.INSTRUCTIONS);
    }
  }

  @Override
  public String name() {
    return "cpu";
  }

  @Override
  public String setting() {
    return String.format(
        Locale.ROOT,
        "nginx (1 worker, a page costs %.1f ms of CPU) and %d best-effort containers (%d "
            + "MB each) share CPU %d; load 10 to 60 %% of it in steps of %.1f s; clients on "
            + "the other CPUs%s%s",
        pageTime.toNanos() / 1e6,
        CONTAINERS,
        MEGABYTES,
        cpu,
        times.step().toMillis() / 1e3,
        noInstructions.map(reason -> "; without mode cpu-instructions: " + reason).orElse(""),
        killer
            .missing()
            .map(reason -> "; the user-space killer protects mode default: " + reason)
            .orElse(""));
  }

  @Override
  public ColocationTimes times() {
    return times;
  }

  @Override
  public List<ColocationMode> modes() {
    List<ColocationMode> modes =
        new ArrayList<>(
            ColocationMode.named(
                "static-quota-10",
                "static-quota-25",
                "static-quota-50",
                "cpu",
                "cpu-run-queue",
                "suppress-65",
                "suppress-80",
                "suppress-95",
                "idle",
                "evict-satisfaction",
                "default"));
    if (noInstructions.isEmpty()) {
      modes.add(ColocationMode.of("cpu-instructions").orElseThrow());
    }
    modes.add(ColocationMode.ALL);
    return modes;
  }

  @Override
  public boolean knows(ColocationMode mode) {
    return switch (mode.kind()) {
      case NONE, STATIC_QUOTA, PRESET, DEFAULT -> true;
      default -> mode.regulates(name());
    };
  }

  @Override
  public Foreground startForeground(int repetition, Duration settle) throws IOException {
    return client.start(
        LoadSchedule.of(SEED + 2L * repetition, 1e9 / pageTime.toNanos(), times, settle));
  }

  @Override
  public ColocatedNode node() {
    return node;
  }

  @Override
  public Map<String, String> machineKeys(ColocationMode mode) {
    return killer.keys();
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
                Integer.toString(MEGABYTES),
                Integer.toString(STEPS),
                "0"),
        CONTAINERS,
        (MEGABYTES + 1L) << 20);
  }

  @Override
  public Utilization startUtilization() throws IOException {
    return new BusyShare(cpu);
  }
}
