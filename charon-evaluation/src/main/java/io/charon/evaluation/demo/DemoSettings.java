/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.cluster.CharonConfiguration;
import io.charon.evaluation.cluster.ClusterSpec;
import io.charon.evaluation.cluster.KernelProtection;
import io.charon.evaluation.cluster.LinuxExecutor;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Builds the specification of the demo's cluster in each mode. */
public final class DemoSettings {
  /** The queue whose applications are best-effort. */
  public static final String BEST_EFFORT_QUEUE = DemoWorkload.BEST_EFFORT_QUEUE;

  /**
   * Window of the regulators. The default of the memory regulator, 60 s, is half of the demo's
   * time.
   */
  private static final Duration REGULATOR_WINDOW = Duration.ofSeconds(15);

  private DemoSettings() {}

  /**
   * Returns the specification of the cluster.
   *
   * @param protection the kernel UA killer of the nodes; empty if there is none
   * @param cgroupRoot cgroup of all nodes; empty if this machine has no writable cgroups
   * @param linux runs containers as users of their own; empty to run them as the NodeManagers' user
   */
  public static ClusterSpec of(
      DemoMode mode,
      WorkloadPlan plan,
      Optional<KernelProtection> protection,
      Optional<String> cgroupRoot,
      Optional<LinuxExecutor> linux) {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.putAll(CharonConfiguration.nodeManager(mode.nodeManagerMode()));
    properties.putAll(CharonConfiguration.cgroupsInEveryMode());
    properties.putAll(CharonConfiguration.pages());
    if (mode == DemoMode.REGULATED) {
      properties.putAll(CharonConfiguration.regulators(REGULATOR_WINDOW));
    }
    linux.ifPresent(executor -> properties.putAll(executor.properties()));
    protection.ifPresent(kernel -> properties.putAll(kernel.nodeManagerProperties()));
    properties.putAll(
        CharonConfiguration.resourceManager(
            List.of(DemoWorkload.BEST_EFFORT_QUEUE, DemoWorkload.OUTGROWING_QUEUE)));
    return new ClusterSpec(
        plan.nodes(),
        new ClusterSpec.Node(
            (long) plan.nodeMemoryMb() << 20,
            plan.nodeManagerMemoryMb(),
            WorkloadPlan.VIRTUAL_CORES,
            WorkloadPlan.QUEUE_LIMIT),
        List.of(
            new ClusterSpec.Queue(DemoWorkload.PRODUCTION_QUEUE, 70, 10),
            new ClusterSpec.Queue(
                DemoWorkload.BEST_EFFORT_QUEUE, 25, WorkloadPlan.PARALLEL_BEST_EFFORT_JOBS),
            new ClusterSpec.Queue(DemoWorkload.OUTGROWING_QUEUE, 5, 1)),
        false,
        cgroupRoot,
        properties);
  }
}
