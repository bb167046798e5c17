/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.cli.InterruptHook;
import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.machine.TemporaryDirectory;
import io.charon.status.NodeAddress;
import io.charon.status.StatusClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Runs the demo's jobs on an existing cluster and finally removes the files that it wrote there.
 */
public final class ClusterDemo {
  /**
   * Time after the window that jobs have to end: the last jobs are submitted late, and a busy
   * cluster runs other jobs too.
   */
  private static final Duration END_LIMIT = Duration.ofMinutes(3);

  private static final Duration PRODUCTION_START_LIMIT = Duration.ofSeconds(90);

  /** Time to wait for a ResourceManager that does not answer, also when jobs are to be killed. */
  private static final Duration RESOURCE_MANAGER_LIMIT = Duration.ofMinutes(1);

  private static final long SAMPLE_MILLIS = 1000;

  private final ExistingCluster cluster;
  private final Installation installation;
  private final PrintWriter out;
  private final StatusClient client;
  private final Progress progress;

  /**
   * Creates the demo.
   *
   * @param out receives progress and result
   * @param terminal whether {@code out} is a terminal, on which a line can be redrawn
   */
  public ClusterDemo(
      ExistingCluster cluster, Installation installation, PrintWriter out, boolean terminal) {
    this.cluster = cluster;
    this.client = cluster.statusClient();
    this.installation = installation;
    this.out = out;
    this.progress = new Progress(out, terminal);
  }

  /**
   * Runs a production job and a stream of best-effort jobs. A signal such as Ctrl-C interrupts it;
   * the process ends once the jobs are killed and the files are removed.
   *
   * @return whether production and at least one best-effort job completed, no job failed and all
   *     outputs are right
   * @throws IOException if the cluster, its file system or the input cannot be used
   * @throws InterruptedException if interrupted
   */
  public boolean run(ClusterDemoOptions options) throws IOException, InterruptedException {
    try (InterruptHook hook = InterruptHook.open()) {
      hook.onInterrupt(Thread.currentThread()::interrupt);
      return run(options, hook);
    }
  }

  private boolean run(ClusterDemoOptions options, InterruptHook hook)
      throws IOException, InterruptedException {
    Path local = TemporaryDirectory.create("charon-input-");
    try (FileSystem files = cluster.fileSystem();
        DemoApplications applications = new DemoApplications(configurationOfApplications())) {
      List<NodeAddress> nodes = cluster.nodes(applications);
      progress.say("%d nodes: %s".formatted(nodes.size(), nodes));
      org.apache.hadoop.fs.Path directory = cluster.newDirectory(files);
      ClusterJobs jobs = new ClusterJobs(cluster, installation, directory, options.tag());
      try {
        InputText text =
            InputText.prepare(
                options.input().orElse(installation.inputSources()),
                local.resolve("input"),
                (long) options.inputMb() << 20,
                options.inputMb() / WorkloadPlan.INPUT_PART_MB);
        files.mkdirs(directory);
        files.copyFromLocalFile(
            new org.apache.hadoop.fs.Path(text.parts().get(0).getParent().toUri()), jobs.input());
        ClusterOutcome outcome = run(options, jobs, text, applications, nodes, files, local, hook);
        out.println();
        outcome.lines().forEach(out::println);
        out.flush();
        return outcome.ok();
      } finally {
        ignoreSignals(hook);
        files.delete(directory, true);
      }
    } finally {
      TemporaryDirectory.delete(local);
    }
  }

  /** Returns a configuration without YARN's patience: after Ctrl-C a user waits for the kills. */
  private Configuration configurationOfApplications() {
    Configuration client = cluster.client();
    client.setLong(
        YarnConfiguration.RESOURCEMANAGER_CONNECT_MAX_WAIT_MS, RESOURCE_MANAGER_LIMIT.toMillis());
    return client;
  }

  /** Removes an interrupt, and prevents further ones: calls of an interrupted thread fail. */
  private static void ignoreSignals(InterruptHook hook) {
    hook.onInterrupt(() -> {});
    Thread.interrupted();
  }

  private ClusterOutcome run(
      ClusterDemoOptions options,
      ClusterJobs jobs,
      InputText text,
      DemoApplications applications,
      List<NodeAddress> nodes,
      FileSystem files,
      Path local,
      InterruptHook hook)
      throws IOException, InterruptedException {
    Optional<ContainerCounts> before = counts(nodes);
    int productionTasks = Math.max(1, Math.min(nodes.size(), text.parts().size()));
    Job productionJob = jobs.production(text.parts().subList(0, productionTasks), options.window());
    List<BestEffortOrder> orders =
        BestEffortOrder.stream(
            text.parts(), WorkloadPlan.MAPS, Duration.ofSeconds(6), options.window());
    try (BestEffortStream stream = new BestEffortStream(jobs::bestEffort, orders)) {
      ApplicationId production;
      Set<ApplicationId> unfinished;
      try {
        production = DemoApplications.submit(productionJob);
        // Production starts first, so that the ApplicationMasters of best-effort jobs do not take
        // its place.
        applications.awaitContainers(production, productionTasks + 1, PRODUCTION_START_LIMIT);
        stream.start(System.nanoTime());
        watch(options.window(), production, stream, orders.size(), applications, nodes);
      } finally {
        // What follows takes seconds, so that a signal need not shorten it.
        ignoreSignals(hook);
        unfinished = killUnfinished(productionJob, stream, applications);
      }
      Map<ApplicationId, DemoApplications.State> states = applications.settledStates();
      int completed = 0;
      int failed = 0;
      List<String> problems = new ArrayList<>(stream.failures());
      for (Map.Entry<BestEffortOrder, ApplicationId> job : stream.submitted().entrySet()) {
        DemoApplications.State state = states.get(job.getValue());
        if (state.succeeded()) {
          completed++;
          check(job.getKey(), jobs, files, local).ifPresent(problems::add);
        } else if (!unfinished.contains(job.getValue())) {
          failed++;
        }
      }
      DemoApplications.State end = states.get(production);
      Optional<ContainerCounts> after = counts(nodes);
      return new ClusterOutcome(
          end.succeeded() ? Optional.of(end.seconds()) : Optional.empty(),
          stream.submitted().size(),
          completed,
          failed,
          before.flatMap(then -> after.map(now -> now.minus(then))),
          problems);
    }
  }

  /** Shows progress until every job has ended, or until {@link #END_LIMIT} after the window. */
  private void watch(
      Duration window,
      ApplicationId production,
      BestEffortStream stream,
      int orders,
      DemoApplications applications,
      List<NodeAddress> nodes)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    while (true) {
      double seconds = (System.nanoTime() - start) / 1e9;
      Map<ApplicationId, DemoApplications.State> states = applications.states();
      List<DemoApplications.State> bestEffort =
          stream.submitted().values().stream().map(states::get).toList();
      progress.update(
          "demo",
          seconds,
          window.toMillis() / 1000.0,
          "jobs %d of %d done"
              .formatted(
                  bestEffort.stream().filter(DemoApplications.State::succeeded).count(),
                  bestEffort.size()),
          List.of(),
          counts(nodes));
      boolean ended =
          bestEffort.size() + stream.failures().size() == orders
              && bestEffort.stream().allMatch(DemoApplications.State::ended)
              && states.get(production).ended();
      if (ended || seconds > window.plus(END_LIMIT).toSeconds()) {
        return;
      }
      Thread.sleep(SAMPLE_MILLIS);
    }
  }

  private static Set<ApplicationId> killUnfinished(
      Job production, BestEffortStream stream, DemoApplications applications) throws IOException {
    stream.close();
    List<ApplicationId> ours = new ArrayList<>(stream.begun());
    DemoApplications.begunBy(production).ifPresent(ours::add);
    Set<ApplicationId> unfinished = new HashSet<>();
    if (ours.isEmpty()) {
      return unfinished;
    }
    Map<ApplicationId, DemoApplications.State> states = applications.states();
    for (ApplicationId id : ours) {
      // One whose submission failed may be unknown.
      if (states.containsKey(id) && !states.get(id).ended()) {
        applications.kill(id);
        unfinished.add(id);
      }
    }
    return unfinished;
  }

  private static Optional<String> check(
      BestEffortOrder order, ClusterJobs jobs, FileSystem files, Path local) throws IOException {
    Path copy = local.resolve("job-" + order.index());
    files.copyToLocalFile(
        false, jobs.output(order), new org.apache.hadoop.fs.Path(copy.toUri()), true);
    return new OutputVerifier().problem(order, copy);
  }

  private Optional<ContainerCounts> counts(List<NodeAddress> nodes) throws InterruptedException {
    return NodeStatuses.readAll(client, nodes).map(NodeStatuses::counts);
  }
}
