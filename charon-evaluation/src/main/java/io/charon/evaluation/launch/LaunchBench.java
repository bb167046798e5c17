/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.launch;

import io.charon.evaluation.cluster.ClusterLeftovers;
import io.charon.evaluation.cluster.KernelProtection;
import io.charon.evaluation.cluster.NodeCgroup;
import io.charon.evaluation.cluster.NodeCgroups;
import io.charon.evaluation.killer.BenchProgress;
import io.charon.evaluation.killer.TimeBudget;
import io.charon.evaluation.machine.BenchMachine;
import io.charon.evaluation.machine.Cleanup;
import io.charon.evaluation.machine.TemporaryDirectory;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.ContainerClass;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Measures how long containers take to start. Each round starts one container by YARN's executor,
 * one by Charon's and another one by YARN's, in random order, so that the state of the machine
 * affects all alike.
 */
public final class LaunchBench {
  private static final Path PROC = Path.of("/proc");

  /** Memory limit of the node; the containers need very little. */
  private static final long NODE_BYTES = 2L << 30;

  /** Fixed seed, so that each run has the same orders. */
  private static final long SEED = 24;

  private final Path root;
  private final PrintWriter out;
  private final Random random = new Random(SEED);
  private int repeated;
  private boolean ended;

  /**
   * Creates the benchmark.
   *
   * @param root root directory of the repository in which the kernel UA killer is built
   * @param out receives progress
   */
  public LaunchBench(Path root, PrintWriter out) {
    this.root = root;
    this.out = out;
  }

  /**
   * Runs all measurements, or as many as the budget allows.
   *
   * @throws IOException if this machine does not allow it; the message says what is missing
   * @throws InterruptedException if interrupted
   */
  public LaunchResult run(LaunchOptions options, TimeBudget budget)
      throws IOException, InterruptedException {
    BenchProgress progress = new BenchProgress(out);
    double loadAverage = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    String name = "charon-bench-" + ProcessHandle.current().pid();
    try (Cleanup cleanup = new Cleanup()) {
      NodeCgroups cgroups = NodeCgroups.require(PROC);
      cleanup.add(() -> cgroups.remove("/" + name));
      // First, because this ends the helpers that are left, which create again the cgroups that are
      // removed next.
      Optional<KernelProtection> killer =
          KernelProtection.tryLoad(root, name, false, progress::print);
      killer.ifPresent(loaded -> cleanup.add(loaded::close));
      ClusterLeftovers.removeOfKilled(progress::print);
      NodeCgroup node = cgroups.create("/" + name, NODE_BYTES);
      if (killer.isPresent()) {
        protect(killer.get(), node);
      }
      Path directory = TemporaryDirectory.create("charon-bench-launch-", cleanup);
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
      LaunchNodeFactory surroundings =
          new LaunchNodeFactory(directory, options.program(), node.path(), killer);
      cleanup.add(this::end);
      CgroupLayout layout = CgroupLayout.detect(PROC, node.path());
      List<LaunchSeries> all = measure(options, budget, surroundings, layout, progress);
      return new LaunchResult(
          all,
          options,
          killer.isPresent(),
          BenchMachine.ofThis(layout.version(), loadAverage),
          repeated,
          progress.seconds());
    }
  }

  /** Prevents further launches when the command is ended; waits for a launch in progress. */
  private synchronized void end() {
    ended = true;
  }

  private synchronized Launch launch(LaunchNode node, ContainerClass kind) throws IOException {
    if (ended) {
      throw new IOException("this command is ending");
    }
    return node.launch(kind);
  }

  private static void protect(KernelProtection killer, NodeCgroup node)
      throws IOException, InterruptedException {
    killer
        .killer()
        .run(
            "domain",
            "add",
            node.directory().toString(),
            "--killable-below",
            node.directory().resolve(ContainerClass.BEST_EFFORT.directoryName()).toString());
  }

  private List<LaunchSeries> measure(
      LaunchOptions options,
      TimeBudget budget,
      LaunchNodeFactory surroundings,
      CgroupLayout layout,
      BenchProgress progress)
      throws IOException {
    int rounds = options.warmUpRounds() + options.launches();
    int done = 0;
    List<LaunchSeries> all = new ArrayList<>();
    for (LaunchExecutor executor : options.executors()) {
      List<LaunchSeries> kinds =
          options.containers().stream().map(kind -> new LaunchSeries(executor, kind)).toList();
      all.addAll(kinds);
      try (LaunchNode stock = surroundings.stock(executor);
          LaunchNode charon = surroundings.charon(executor)) {
        for (int round = 0; round < rounds && !budget.isExhausted(done); round++) {
          for (LaunchSeries series : kinds) {
            Map<LaunchVariant, Double> millis = round(series, stock, charon, layout);
            if (round >= options.warmUpRounds()) {
              series.add(millis);
            }
          }
          done++;
          progress.step(done, rounds * options.executors().size(), executor.label() + " executor");
        }
      }
    }
    return all;
  }

  /**
   * Launches one container of each variant, and repeats the round if the clock was set meanwhile.
   */
  private Map<LaunchVariant, Double> round(
      LaunchSeries series, LaunchNode stock, LaunchNode charon, CgroupLayout layout)
      throws IOException {
    while (true) {
      long offset = LaunchClock.offsetNanos();
      List<LaunchVariant> order = new ArrayList<>(Arrays.asList(LaunchVariant.values()));
      Collections.shuffle(order, random);
      Map<LaunchVariant, Double> millis = new EnumMap<>(LaunchVariant.class);
      for (LaunchVariant variant : order) {
        LaunchNode node = variant == LaunchVariant.CHARON ? charon : stock;
        Launch launch = launch(node, series.containers());
        if (variant == LaunchVariant.CHARON) {
          long cgroups = launch.countHierarchiesBelow(layout.classPath(series.containers()));
          series.addStart(cgroups == layout.hierarchies().size());
        }
        millis.put(variant, launch.millis());
      }
      if (LaunchClock.isSteadySince(offset)) {
        return millis;
      }
      repeated++;
    }
  }
}
