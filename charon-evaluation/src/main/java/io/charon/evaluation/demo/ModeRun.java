/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.cluster.CharonConfiguration;
import io.charon.evaluation.cluster.ClusterSpec;
import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.cluster.KernelProtection;
import io.charon.evaluation.cluster.YarnCluster;
import io.charon.status.StatusClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Runs the workload once in one mode, on a cluster of its own. */
final class ModeRun {
  private static final Duration PRODUCTION_START_LIMIT = Duration.ofSeconds(90);
  private static final Duration OUTGROWING_LIMIT = Duration.ofSeconds(90);

  /** Of memory, too, whose default of 60 s is half of the demo. */
  private static final Duration REGULATOR_WINDOW = Duration.ofSeconds(15);

  private static final long SAMPLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Production that takes this many times the window has failed. */
  private static final int LONGEST_PRODUCTION_WINDOWS = 3;

  private final Installation installation;
  private final WorkloadPlan plan;
  private final DemoInput input;
  private final Optional<String> cgroupRoot;
  private final Path root;
  private final StatusClient client = new StatusClient();
  private final Progress progress;
  private final boolean calibrates;

  /**
   * Prepares runs.
   *
   * @param cgroupRoot cgroup of all nodes; empty where this machine has no writable cgroups
   * @param root the repository, where the kernel UA killer is built
   * @param calibrates whether best-effort jobs run one by one after production alone
   */
  ModeRun(
      Installation installation,
      WorkloadPlan plan,
      DemoInput input,
      Optional<String> cgroupRoot,
      Path root,
      Progress progress,
      boolean calibrates) {
    this.installation = installation;
    this.plan = plan;
    this.input = input;
    this.cgroupRoot = cgroupRoot;
    this.root = root;
    this.progress = progress;
    this.calibrates = calibrates;
  }

  /**
   * Starts the cluster, runs the window, stops the cluster.
   *
   * @throws IOException if a daemon dies or production does not get its containers
   * @throws InterruptedException if the thread is interrupted; the cluster is stopped then, too
   */
  RunResult run(DemoMode mode) throws IOException, InterruptedException {
    progress.begin();
    Optional<KernelProtection> protection =
        plan.outgrowing() && mode == DemoMode.CHARON && cgroupRoot.isPresent()
            ? kernelProtection()
            : Optional.empty();
    try (YarnCluster cluster = YarnCluster.start(installation, specOf(mode, protection));
        Applications applications = new Applications(cluster.clientConfiguration());
        ContainerSampler containers = ContainerSampler.start(cluster.workDirectory())) {
      if (protection.isPresent()) {
        protection.get().protect(cluster);
      }
      progress.say(
          "The cluster's page, while this mode runs: " + cluster.web() + "/charon/cluster/");
      progress.say("The nodes' pages: " + pages(cluster));
      return runOn(cluster, applications, containers, mode);
    } finally {
      protection.ifPresent(KernelProtection::close);
    }
  }

  private static String pages(YarnCluster cluster) {
    return cluster.nodes().stream()
        .map(node -> "http://%s/charon/".formatted(node.web()))
        .collect(Collectors.joining("  "));
  }

  private Optional<KernelProtection> kernelProtection() throws InterruptedException {
    try {
      return Optional.of(
          KernelProtection.load(root, "charon-demo-" + ProcessHandle.current().pid()));
    } catch (IOException e) {
      progress.say(
          "No kernel UA killer, the user-space killer protects the nodes: " + e.getMessage());
      return Optional.empty();
    }
  }

  private RunResult runOn(
      YarnCluster cluster, Applications applications, ContainerSampler containers, DemoMode mode)
      throws IOException, InterruptedException {
    DemoWorkload workload = new DemoWorkload(cluster, installation, plan);
    List<ProductionTask> tasks = input.productionTasks(plan);
    ApplicationId production = submit(workload.production(tasks));
    applications.awaitContainers(production, tasks.size() + 1, PRODUCTION_START_LIMIT);

    NodeSampler sampler =
        new NodeSampler(cluster.nodes(), applications, (long) plan.nodeMemoryMb() << 20);
    List<BestEffortOrder> orders = mode.runsBestEffort() ? input.stream(plan) : List.of();
    try (BestEffortStream stream = new BestEffortStream(workload::bestEffort, orders);
        OutgrowingJob outgrowing =
            plan.outgrowing() && mode.takesMemoryBack()
                ? OutgrowingJob.start(workload, applications, plan.outgrowingAt())
                : null) {
      long startNanos = System.nanoTime();
      long startMillis = System.currentTimeMillis();
      stream.start(startNanos);
      RegulatorWatch regulators = new RegulatorWatch();
      Optional<NodeStatuses> statuses =
          watch(cluster, applications, mode, production, sampler, stream, regulators, startNanos);
      Applications.State productionState = applications.state(production);
      List<JobOutcome> outcomes =
          outcomes(applications, stream, startMillis + plan.window().toMillis());
      if (outgrowing != null) {
        statuses = awaitEnd(outgrowing, cluster);
      }
      List<Calibration.Calibrated> calibration =
          calibrates && mode == DemoMode.ALONE
              ? new Calibration(workload, applications, containers, progress)
                  .run(input.stream(plan))
              : List.of();
      cluster.requireAlive();
      return new RunResult(
          mode,
          outcomes,
          productionState.seconds(),
          productionBusySeconds(workload, productionState, tasks),
          productionProblems(workload, productionState, tasks),
          outputProblems(workload, outcomes),
          stream.failures(),
          utilization(sampler),
          statuses.map(NodeStatuses::counts),
          statuses.map(NodeStatuses::killer).orElse("-"),
          statuses.map(NodeStatuses::kills).orElse(List.of()),
          Optional.ofNullable(outgrowing).map(OutgrowingJob::outcome),
          sampler.samples(),
          observations(
              applications,
              production,
              stream.submitted(),
              calibration,
              containers,
              regulators,
              startNanos,
              startMillis));
    }
  }

  private Observations observations(
      Applications applications,
      ApplicationId production,
      Map<BestEffortOrder, ApplicationId> submitted,
      List<Calibration.Calibrated> calibration,
      ContainerSampler containers,
      RegulatorWatch regulators,
      long startNanos,
      long startMillis)
      throws IOException {
    Map<ApplicationId, Applications.State> states = applications.states();
    List<Observations.JobTimes> jobs = new ArrayList<>();
    submitted.forEach(
        (order, id) -> jobs.add(times(order.kind().label(), id, states, startMillis)));
    return new Observations(
        times(DemoWorkload.PRODUCTION_QUEUE, production, states, startMillis),
        jobs,
        calibration.stream()
            .map(job -> times(job.order().kind().label(), job.application(), states, startMillis))
            .toList(),
        containers.traces(startNanos),
        containers.machine(startNanos, startNanos + plan.window().toNanos()),
        regulators.traces());
  }

  private static Observations.JobTimes times(
      String kind,
      ApplicationId id,
      Map<ApplicationId, Applications.State> states,
      long startMillis) {
    return Observations.JobTimes.of(kind, id.toString(), states.get(id), startMillis);
  }

  /** The outgrowing job may need a moment more than the window. */
  private Optional<NodeStatuses> awaitEnd(OutgrowingJob job, YarnCluster cluster)
      throws InterruptedException {
    long end = System.nanoTime() + OUTGROWING_LIMIT.toNanos();
    while (!job.ended() && System.nanoTime() < end) {
      Thread.sleep(200);
    }
    return NodeStatuses.read(client, cluster.nodes());
  }

  /** Samples until the window is over and production has ended; returns the last statuses. */
  private Optional<NodeStatuses> watch(
      YarnCluster cluster,
      Applications applications,
      DemoMode mode,
      ApplicationId production,
      NodeSampler sampler,
      BestEffortStream stream,
      RegulatorWatch regulators,
      long startNanos)
      throws IOException, InterruptedException {
    double windowSeconds = plan.window().toMillis() / 1000.0;
    Optional<NodeStatuses> statuses = Optional.empty();
    for (long tick = 0; ; tick++) {
      TimeUnit.NANOSECONDS.sleep(startNanos + tick * SAMPLE_NANOS - System.nanoTime());
      cluster.requireAlive();
      double seconds = (System.nanoTime() - startNanos) / 1e9;
      List<NodeSampler.NodeMemory> nodes = sampler.sample(seconds);
      Optional<NodeStatuses> latest = NodeStatuses.read(client, cluster.nodes());
      latest.ifPresent(regulators::seen);
      statuses = latest.isPresent() ? latest : statuses;
      progress.update(
          mode.label(),
          seconds,
          windowSeconds,
          completedNow(applications, stream),
          stream.submitted().size(),
          nodes,
          statuses.map(NodeStatuses::counts));
      if (seconds >= windowSeconds && applications.state(production).finished()) {
        return statuses;
      }
      if (seconds > windowSeconds * LONGEST_PRODUCTION_WINDOWS) {
        throw new IOException(
            "Production did not end within "
                + LONGEST_PRODUCTION_WINDOWS
                + " windows in mode "
                + mode.label());
      }
    }
  }

  private static long completedNow(Applications applications, BestEffortStream stream)
      throws IOException {
    Map<ApplicationId, Applications.State> states = applications.states();
    return stream.submitted().values().stream()
        .map(states::get)
        .filter(state -> state != null && state.ended() && state.succeeded())
        .count();
  }

  private static List<JobOutcome> outcomes(
      Applications applications, BestEffortStream stream, long windowEndMillis) throws IOException {
    List<JobOutcome> outcomes = new ArrayList<>();
    Map<ApplicationId, Applications.State> states = applications.states();
    for (Map.Entry<BestEffortOrder, ApplicationId> job : stream.submitted().entrySet()) {
      Applications.State state = states.get(job.getValue());
      if (!state.finished() || state.finishMillis() > windowEndMillis) {
        outcomes.add(new JobOutcome(job.getKey(), JobOutcome.State.UNFINISHED, 0));
      } else {
        JobOutcome.State end =
            state.succeeded() ? JobOutcome.State.COMPLETED : JobOutcome.State.FAILED;
        outcomes.add(new JobOutcome(job.getKey(), end, state.seconds()));
      }
    }
    return outcomes;
  }

  private List<String> outputProblems(DemoWorkload workload, List<JobOutcome> outcomes)
      throws IOException {
    List<String> problems = new ArrayList<>();
    for (JobOutcome outcome : outcomes) {
      if (outcome.state() == JobOutcome.State.COMPLETED) {
        input
            .verifier()
            .problem(outcome.order(), workload.bestEffortOutput(outcome.order()))
            .ifPresent(problems::add);
      }
    }
    return problems;
  }

  private List<String> productionProblems(
      DemoWorkload workload, Applications.State state, List<ProductionTask> tasks)
      throws IOException {
    if (!state.succeeded()) {
      return List.of("the production job failed");
    }
    return new ProductionOutput(workload.productionOutput()).problems(tasks, input.expectation());
  }

  private static double productionBusySeconds(
      DemoWorkload workload, Applications.State state, List<ProductionTask> tasks)
      throws IOException {
    return state.succeeded()
        ? new ProductionOutput(workload.productionOutput()).busySeconds(tasks)
        : Double.NaN;
  }

  private OptionalDouble utilization(NodeSampler sampler) {
    double mean = NodeSampler.utilization(sampler.samples(), plan.window().toMillis() / 1000.0);
    return Double.isNaN(mean) ? OptionalDouble.empty() : OptionalDouble.of(mean);
  }

  private static ApplicationId submit(Job job) throws IOException, InterruptedException {
    try {
      job.submit();
      return Applications.idOf(job.getJobID());
    } catch (ClassNotFoundException e) {
      throw new IOException("The installation is not complete", e);
    }
  }

  private ClusterSpec specOf(DemoMode mode, Optional<KernelProtection> protection) {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.putAll(CharonConfiguration.nodeManager(mode.nodeManagerMode()));
    properties.putAll(CharonConfiguration.pages());
    if (mode == DemoMode.REGULATED) {
      properties.putAll(CharonConfiguration.regulators(REGULATOR_WINDOW));
    }
    protection.ifPresent(kernel -> properties.putAll(kernel.nodeManagerProperties()));
    properties.putAll(
        CharonConfiguration.resourceManager(
            List.of(DemoWorkload.BEST_EFFORT_QUEUE, DemoWorkload.OUTGROWING_QUEUE)));
    return new ClusterSpec(
        plan.nodes(),
        (long) plan.nodeMemoryMb() << 20,
        plan.nodeManagerMemoryMb(),
        WorkloadPlan.VIRTUAL_CORES,
        WorkloadPlan.QUEUE_LIMIT,
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
