/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.cluster.KernelProtection;
import io.charon.evaluation.cluster.YarnCluster;
import io.charon.evaluation.demo.ContainerCounts;
import io.charon.evaluation.demo.ContainerSampler;
import io.charon.evaluation.demo.DemoApplications;
import io.charon.evaluation.demo.MachineLoad;
import io.charon.evaluation.demo.NodeSampler;
import io.charon.evaluation.demo.NodeStatuses;
import io.charon.evaluation.demo.PacedJobs;
import io.charon.evaluation.demo.PreparedInput;
import io.charon.evaluation.killer.BenchProgress;
import io.charon.evaluation.postgres.PgbenchClients;
import io.charon.evaluation.postgres.PostgresDatabase;
import io.charon.evaluation.postgres.ServiceMeasurement;
import io.charon.status.StatusClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Executes one planned run on a cluster of its own. */
final class ClusterRun {
  private static final Duration PRODUCTION_START_LIMIT = Duration.ofSeconds(90);
  private static final long SAMPLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(15);

  /** Time that production may take in addition to the horizon before it counts as failed. */
  private static final Duration PRODUCTION_LIMIT = Duration.ofMinutes(5);

  private final Machine machine;
  private final ClusterPlan plan;
  private final ClusterOptions options;
  private final BenchProgress progress;
  private final PacedJobs pacedJobs;
  private final StatusClient client = new StatusClient();

  /**
   * The environment that all runs share.
   *
   * @param root the repository
   * @param installation location of the jars
   * @param cgroupRoot cgroup of all nodes
   * @param input text that best-effort jobs read, and their program
   * @param database database of the service; empty without a service
   */
  record Machine(
      Path root,
      Installation installation,
      String cgroupRoot,
      PreparedInput input,
      Optional<PostgresDatabase> database) {}

  ClusterRun(Machine machine, ClusterOptions options, BenchProgress progress) {
    this.machine = machine;
    this.plan = new ClusterPlan(options.horizon());
    this.options = options;
    this.progress = progress;
    this.pacedJobs = new PacedJobs(machine.installation(), plan.taskPlan(), machine.input());
  }

  /**
   * Starts a cluster, measures one run and stops the cluster.
   *
   * @throws IOException if a daemon exits, or production fails or does not get its containers
   * @throws InterruptedException if the thread is interrupted; the cluster is stopped in this case
   *     too
   */
  ClusterRunMeasurement run(PlannedRun planned) throws IOException, InterruptedException {
    Optional<KernelProtection> protection =
        planned.mode() == ClusterMode.CHARON
            ? KernelProtection.tryLoad(machine.root(), ClusterBench.name(), false, progress::print)
            : Optional.empty();
    try (YarnCluster cluster =
            YarnCluster.start(
                machine.installation(),
                ClusterSpecifications.of(
                    planned.mode(), options.placement(), protection, machine.cgroupRoot()));
        DemoApplications applications = new DemoApplications(cluster.clientConfiguration());
        ContainerSampler containers = ContainerSampler.start(cluster.workDirectory())) {
      if (protection.isPresent()) {
        protection.get().protect(cluster);
      }
      return measure(planned, cluster, applications, containers);
    } finally {
      protection.ifPresent(KernelProtection::close);
    }
  }

  private ClusterRunMeasurement measure(
      PlannedRun planned,
      YarnCluster cluster,
      DemoApplications applications,
      ContainerSampler containers)
      throws IOException, InterruptedException {
    Optional<ServiceRun> service = serviceOf(planned, cluster);
    List<String> lines = new ArrayList<>();
    service.ifPresent(one -> lines.add(one.line()));
    plan.productionTasks(planned.production()).forEach(task -> lines.add(task.line()));
    ProductionJob production = ProductionJob.submit(cluster, machine.installation(), lines);
    applications.awaitContainers(
        production.id(), production.firstContainers(), PRODUCTION_START_LIMIT);
    if (service.isPresent()) {
      service.get().awaitReady();
    }
    NodeSampler sampler =
        new NodeSampler(cluster.nodes(), applications, (long) ClusterPlan.NODE_MEMORY_MB << 20);
    try (BestEffortLoad load = load(planned, cluster, applications);
        PgbenchClients clients =
            service.isPresent() ? service.get().startClients(plan.horizon()) : null) {
      long startNanos = System.nanoTime();
      long startMillis = System.currentTimeMillis();
      load.start(startNanos);
      Optional<NodeStatuses> statuses = watch(cluster, applications, sampler, load, startNanos);
      Optional<MachineLoad> processors = containers.machine(startNanos, System.nanoTime());
      BestEffortOutcome outcome =
          load.outcome(startMillis + plan.horizon().toMillis(), containers.traces(startNanos));
      Optional<ServiceMeasurement> answered =
          clients == null ? Optional.empty() : Optional.of(clients.finish());
      if (service.isPresent()) {
        service.get().stop();
      }
      DemoApplications.State end = awaitEnd(production, cluster, applications);
      boolean measuresTasks = service.isEmpty() && end.succeeded();
      return new ClusterRunMeasurement(
          planned,
          measuresTasks ? production.seconds(measuredUnit(planned.production())) : List.of(),
          measuresTasks ? end.seconds() : Double.NaN,
          answered,
          new BestEffortMeasurement(
              load.jobs(),
              outcome,
              count(statuses, counts -> counts.killed() + counts.preempted()),
              count(statuses, counts -> counts.rejected() + counts.shed())),
          new ClusterUse(
              NodeSampler.utilization(sampler.samples(), plan.horizon().toMillis() / 1e3),
              processors.map(used -> used.busySeconds() / used.seconds()).orElse(Double.NaN),
              processors.map(used -> used.containersSeconds() / used.seconds()).orElse(Double.NaN),
              statuses.map(NodeStatuses::killer).orElse("-")),
          problems(load, end, answered));
    }
  }

  private static long count(
      Optional<NodeStatuses> statuses, ToLongFunction<ContainerCounts> count) {
    return statuses.stream().map(NodeStatuses::counts).mapToLong(count).sum();
  }

  private static List<String> problems(
      BestEffortLoad load, DemoApplications.State production, Optional<ServiceMeasurement> service)
      throws IOException {
    List<String> problems = new ArrayList<>(load.problems());
    if (!production.succeeded()) {
      problems.add(ClusterRunMeasurement.PRODUCTION_FAILED);
    }
    service
        .filter(one -> one.failed() > 0)
        .ifPresent(one -> problems.add(one.failed() + " transactions failed"));
    return problems;
  }

  private BestEffortLoad load(
      PlannedRun planned, YarnCluster cluster, DemoApplications applications) {
    return switch (options.bestEffort()) {
      case MAPREDUCE ->
          MapReduceLoad.of(
              cluster,
              machine.installation(),
              applications,
              options.placement(),
              MapReduceLoad.orders(plan, machine.input().text().parts(), planned.load()));
      case TASKS ->
          new TaskLoad(pacedJobs, cluster, applications, plan.submissionTimes(planned.load()));
    };
  }

  private Optional<ServiceRun> serviceOf(PlannedRun planned, YarnCluster cluster)
      throws IOException, InterruptedException {
    return planned.production() == ProductionKind.SERVICE
        ? Optional.of(ServiceRun.prepare(machine.database().orElseThrow(), cluster.workDirectory()))
        : Optional.empty();
  }

  private static String measuredUnit(ProductionKind kind) {
    return kind == ProductionKind.STEPS ? ProductionTaskMapper.STEP : ProductionTaskMapper.TASK;
  }

  /** Samples until the end of the horizon and returns the last statuses. */
  private Optional<NodeStatuses> watch(
      YarnCluster cluster,
      DemoApplications applications,
      NodeSampler sampler,
      BestEffortLoad load,
      long startNanos)
      throws IOException, InterruptedException {
    Optional<NodeStatuses> statuses = Optional.empty();
    long endNanos = startNanos + plan.horizon().toNanos();
    long nextLine = startNanos + LINE_NANOS;
    // A sample may take longer than a second on busy processors, so the loop follows the clock and
    // skips missed ticks.
    for (long tick = startNanos; tick < endNanos; tick += SAMPLE_NANOS) {
      TimeUnit.NANOSECONDS.sleep(tick - System.nanoTime());
      tick = Math.max(tick, System.nanoTime() - SAMPLE_NANOS);
      cluster.requireAlive();
      sampler.sample((System.nanoTime() - startNanos) / 1e9);
      Optional<NodeStatuses> latest = NodeStatuses.read(client, cluster.nodes());
      statuses = latest.isPresent() ? latest : statuses;
      if (tick >= nextLine) {
        nextLine = tick + LINE_NANOS;
        progress.print(
            describe(
                (tick - startNanos) / SAMPLE_NANOS, statuses, of(load, applications.states())));
      }
    }
    TimeUnit.NANOSECONDS.sleep(endNanos - System.nanoTime());
    return statuses;
  }

  private String describe(
      long seconds, Optional<NodeStatuses> statuses, List<DemoApplications.State> jobs) {
    return String.format(
        Locale.ROOT,
        "        %d of %d s: %d of %d jobs ended%s",
        seconds,
        plan.horizon().toSeconds(),
        jobs.stream().filter(DemoApplications.State::ended).count(),
        jobs.size(),
        statuses
            .map(NodeStatuses::counts)
            .map(counts -> ", launched " + counts.launched() + ", killed " + counts.killed())
            .orElse(""));
  }

  private static List<DemoApplications.State> of(
      BestEffortLoad load, Map<ApplicationId, DemoApplications.State> states) {
    return load.submitted().stream().map(states::get).filter(Objects::nonNull).toList();
  }

  private static DemoApplications.State awaitEnd(
      ProductionJob production, YarnCluster cluster, DemoApplications applications)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + PRODUCTION_LIMIT.toNanos();
    while (!applications.state(production.id()).finished()) {
      cluster.requireAlive();
      if (System.nanoTime() > end) {
        throw new IOException("Production did not end within " + PRODUCTION_LIMIT);
      }
      Thread.sleep(200);
    }
    return applications.state(production.id());
  }
}
