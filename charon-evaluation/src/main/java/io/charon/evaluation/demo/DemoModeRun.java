/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.cluster.ClusterClient;
import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.cluster.KernelProtection;
import io.charon.evaluation.cluster.LinuxExecutor;
import io.charon.evaluation.cluster.YarnCluster;
import io.charon.evaluation.machine.TemporaryDirectory;
import io.charon.status.StatusClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Runs the workload once in one mode, on a newly started cluster. */
final class DemoModeRun {
  private static final Duration PRODUCTION_START_LIMIT = Duration.ofSeconds(90);
  private static final Duration OUTGROWING_LIMIT = Duration.ofSeconds(90);
  private static final Duration DEPARTURE_LIMIT = Duration.ofSeconds(30);

  private static final long SAMPLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Multiple of the window after which production that has not ended counts as failed. */
  private static final int LONGEST_PRODUCTION_WINDOWS = 3;

  private final Installation installation;
  private final WorkloadPlan plan;
  private final DemoInput input;
  private final Optional<String> cgroupRoot;
  private final Optional<LinuxExecutor> linux;
  private final Path root;
  private final StatusClient client = new StatusClient();
  private final Progress progress;
  private final boolean calibrates;

  /**
   * Creates a runner.
   *
   * @param cgroupRoot cgroup of all nodes; empty if this machine has no writable cgroups
   * @param linux runs containers as users of their own; empty to run them as this process's user
   * @param root the repository, where the kernel UA killer is built
   * @param calibrates whether best-effort jobs run one by one after mode alone
   */
  DemoModeRun(
      Installation installation,
      WorkloadPlan plan,
      DemoInput input,
      Optional<String> cgroupRoot,
      Optional<LinuxExecutor> linux,
      Path root,
      Progress progress,
      boolean calibrates) {
    this.installation = installation;
    this.plan = plan;
    this.input = input;
    this.cgroupRoot = cgroupRoot;
    this.linux = linux;
    this.root = root;
    this.progress = progress;
    this.calibrates = calibrates;
  }

  /**
   * Starts the cluster, runs the window and stops the cluster.
   *
   * @throws IOException if a daemon exits or production does not get its containers
   * @throws InterruptedException if the thread is interrupted; the cluster is stopped in this case
   *     too
   */
  DemoRunResult run(DemoMode mode) throws IOException, InterruptedException {
    Optional<KernelProtection> protection =
        mode == DemoMode.CHARON && cgroupRoot.isPresent() ? kernelProtection() : Optional.empty();
    try (YarnCluster cluster =
            YarnCluster.start(
                installation,
                DemoSettings.of(mode, plan, protection, cgroupRoot, linux),
                workDirectory());
        DemoApplications applications = new DemoApplications(cluster.clientConfiguration());
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

  /** Makes the directory accessible to the containers' users, who need files below it. */
  private Path workDirectory() throws IOException {
    Path directory = TemporaryDirectory.create("charon-cluster-");
    if (linux.isPresent()) {
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
    }
    return directory;
  }

  private static String pages(YarnCluster cluster) {
    return cluster.nodes().stream()
        .map(node -> "http://%s/charon/".formatted(node.web()))
        .collect(Collectors.joining("  "));
  }

  private Optional<KernelProtection> kernelProtection() throws InterruptedException {
    return KernelProtection.tryLoad(root, Demo.ownName(), plan.outgrowing(), progress::say);
  }

  private DemoRunResult runOn(
      YarnCluster cluster,
      DemoApplications applications,
      ContainerSampler containers,
      DemoMode mode)
      throws IOException, InterruptedException {
    ClusterClient bestEffortClient =
        linux.map(executor -> executor.bestEffort(cluster)).orElse(cluster);
    DemoWorkload workload =
        new DemoWorkload(
            linux.map(executor -> executor.production(cluster)).orElse(cluster),
            bestEffortClient,
            installation,
            plan);
    List<ProductionTask> tasks =
        workload.productionTasks(input.files(), ProductionPace.of(input.batch(), plan));
    ApplicationId production = DemoApplications.submit(workload.production(tasks));
    applications.awaitContainers(production, tasks.size() + 1, PRODUCTION_START_LIMIT);
    awaitReady(cluster, tasks);
    runAlone(cluster, mode);

    NodeSampler sampler =
        new NodeSampler(cluster.nodes(), applications, (long) plan.nodeMemoryMb() << 20);
    ReservableSlots slots = new ReservableSlots(plan);
    try (BestEffortWork bestEffort =
            new BestEffortWork(
                input,
                plan,
                workload,
                applications,
                new TaskApplication(bestEffortClient, installation, input.files(), plan),
                mode.runsBestEffort());
        OutgrowingJob outgrowing =
            plan.outgrowing() && mode.reclaimsMemory()
                ? OutgrowingJob.start(workload, applications, plan.outgrowingAt())
                : null) {
      long startNanos = System.nanoTime();
      long startMillis = System.currentTimeMillis();
      bestEffort.start(startNanos);
      RegulatorWatch regulators = new RegulatorWatch();
      Optional<NodeStatuses> statuses =
          watch(cluster, mode, sampler, slots, bestEffort, regulators, startNanos);
      bestEffort.kill();
      awaitDeparture(containers, bestEffort.submitted().keySet());
      long afterMillis = System.currentTimeMillis();
      runAlone(cluster, mode);
      DemoApplications.State productionState = awaitEnd(production, applications, cluster);
      List<JobOutcome> outcomes = bestEffort.outcomes(startMillis);
      if (outgrowing != null) {
        statuses = awaitEnd(outgrowing, cluster);
      }
      List<CalibrationJobs.Calibrated> calibration =
          calibrates && mode == DemoMode.ALONE
              ? new CalibrationJobs(workload, applications, containers, progress)
                  .run(input.jobs(plan))
              : List.of();
      cluster.requireAlive();
      return new DemoRunResult(
          mode,
          outcomes,
          productionTimes(workload, productionState, startMillis, afterMillis),
          new DemoRunResult.Problems(
              productionProblems(workload, productionState, tasks),
              bestEffort.problems(),
              bestEffort.failures()),
          new DemoRunResult.Memory(utilization(sampler), slots, sampler.samples()),
          DemoRunResult.NodeReport.of(statuses),
          Optional.ofNullable(outgrowing).map(OutgrowingJob::outcome),
          observations(
              applications,
              production,
              bestEffort.submitted(),
              calibration,
              containers,
              regulators,
              startNanos,
              startMillis));
    }
  }

  /** Waits until every production task has warmed up. */
  private static void awaitReady(YarnCluster cluster, List<ProductionTask> tasks)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + PRODUCTION_START_LIMIT.toNanos();
    while (!tasks.stream().map(ProductionTask::ready).allMatch(Files::exists)) {
      cluster.requireAlive();
      if (System.nanoTime() > end) {
        throw new IOException("Production did not warm up within " + PRODUCTION_START_LIMIT);
      }
      Thread.sleep(200);
    }
  }

  /** Waits until no container of these applications is left. */
  private static void awaitDeparture(ContainerSampler containers, Set<ApplicationId> applications)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + DEPARTURE_LIMIT.toNanos();
    while (applications.stream().anyMatch(id -> containers.isRunning(id.toString()))) {
      if (System.nanoTime() > end) {
        throw new IOException("Best-effort containers did not end within " + DEPARTURE_LIMIT);
      }
      Thread.sleep(200);
    }
  }

  /** Lets production run alone, which measures its speed in this mode at this time. */
  private void runAlone(YarnCluster cluster, DemoMode mode)
      throws IOException, InterruptedException {
    progress.begin();
    long startNanos = System.nanoTime();
    double seconds = 0;
    double baselineSeconds = plan.times().baseline().toMillis() / 1000.0;
    while (seconds < baselineSeconds) {
      cluster.requireAlive();
      progress.update(
          mode.label(),
          seconds,
          baselineSeconds,
          "production by itself",
          List.of(),
          Optional.empty());
      Thread.sleep(Math.min(1000, Math.max(1, Math.round((baselineSeconds - seconds) * 1000))));
      seconds = (System.nanoTime() - startNanos) / 1e9;
    }
  }

  private Observations observations(
      DemoApplications applications,
      ApplicationId production,
      Map<ApplicationId, String> submitted,
      List<CalibrationJobs.Calibrated> calibration,
      ContainerSampler containers,
      RegulatorWatch regulators,
      long startNanos,
      long startMillis)
      throws IOException {
    Map<ApplicationId, DemoApplications.State> states = applications.states();
    List<Observations.JobTimes> jobs = new ArrayList<>();
    submitted.forEach((id, name) -> jobs.add(times(name, id, states, startMillis)));
    return new Observations(
        times(DemoWorkload.PRODUCTION_QUEUE, production, states, startMillis),
        jobs,
        calibration.stream()
            .map(job -> times(job.order().kind().label(), job.application(), states, startMillis))
            .toList(),
        containers.traces(startNanos),
        containers.machine(startNanos, startNanos + plan.times().window().toNanos()),
        regulators.traces());
  }

  private static Observations.JobTimes times(
      String kind,
      ApplicationId id,
      Map<ApplicationId, DemoApplications.State> states,
      long startMillis) {
    return Observations.JobTimes.of(kind, id.toString(), states.get(id), startMillis);
  }

  /** Waits for the outgrowing job, which may take longer than the window. */
  private Optional<NodeStatuses> awaitEnd(OutgrowingJob job, YarnCluster cluster)
      throws InterruptedException {
    long end = System.nanoTime() + OUTGROWING_LIMIT.toNanos();
    while (!job.ended() && System.nanoTime() < end) {
      Thread.sleep(200);
    }
    return NodeStatuses.read(client, cluster.nodes());
  }

  private DemoApplications.State awaitEnd(
      ApplicationId production, DemoApplications applications, YarnCluster cluster)
      throws IOException, InterruptedException {
    Duration limit = plan.times().window().multipliedBy(LONGEST_PRODUCTION_WINDOWS - 1L);
    long end = System.nanoTime() + limit.toNanos();
    DemoApplications.State state = applications.state(production);
    while (!state.finished()) {
      cluster.requireAlive();
      if (System.nanoTime() > end) {
        throw new IOException(
            "Production did not end within " + LONGEST_PRODUCTION_WINDOWS + " windows");
      }
      Thread.sleep(200);
      state = applications.state(production);
    }
    return state;
  }

  /** Samples until the window has passed; returns the last statuses. */
  private Optional<NodeStatuses> watch(
      YarnCluster cluster,
      DemoMode mode,
      NodeSampler sampler,
      ReservableSlots slots,
      BestEffortWork bestEffort,
      RegulatorWatch regulators,
      long startNanos)
      throws IOException, InterruptedException {
    progress.begin();
    double windowSeconds = plan.times().window().toMillis() / 1000.0;
    Optional<NodeStatuses> statuses = Optional.empty();
    for (long tick = 0; ; tick++) {
      TimeUnit.NANOSECONDS.sleep(startNanos + tick * SAMPLE_NANOS - System.nanoTime());
      cluster.requireAlive();
      double seconds = (System.nanoTime() - startNanos) / 1e9;
      List<NodeSampler.NodeMemory> nodes = sampler.sample(seconds);
      if (seconds >= windowSeconds) {
        return statuses;
      }
      slots.add(nodes);
      Optional<NodeStatuses> latest = NodeStatuses.read(client, cluster.nodes());
      latest.ifPresent(regulators::add);
      statuses = latest.isPresent() ? latest : statuses;
      progress.update(
          mode.label(),
          seconds,
          windowSeconds,
          "tasks done " + bestEffort.endedTasks(),
          nodes,
          statuses.map(NodeStatuses::counts));
    }
  }

  private List<String> productionProblems(
      DemoWorkload workload, DemoApplications.State state, List<ProductionTask> tasks)
      throws IOException {
    if (!state.succeeded()) {
      return List.of("the production job failed");
    }
    return new ProductionOutput(workload.productionOutput()).problems(tasks, input.production());
  }

  private ProductionTimes productionTimes(
      DemoWorkload workload, DemoApplications.State state, long startMillis, long afterMillis)
      throws IOException {
    return state.succeeded()
        ? ProductionTimes.of(
            state.seconds(),
            new ProductionOutput(workload.productionOutput()).batches(),
            plan,
            startMillis,
            afterMillis)
        : ProductionTimes.UNKNOWN;
  }

  private OptionalDouble utilization(NodeSampler sampler) {
    double mean =
        NodeSampler.utilization(sampler.samples(), plan.times().window().toMillis() / 1000.0);
    return Double.isNaN(mean) ? OptionalDouble.empty() : OptionalDouble.of(mean);
  }
}
