/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.playground;

import io.charon.cli.InterruptHook;
import io.charon.evaluation.cluster.ClusterLeftovers;
import io.charon.evaluation.cluster.ClusterNode;
import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.cluster.KernelProtection;
import io.charon.evaluation.cluster.LinuxExecutor;
import io.charon.evaluation.cluster.LinuxExecutorCheck;
import io.charon.evaluation.cluster.NodeLimits;
import io.charon.evaluation.cluster.YarnCluster;
import io.charon.evaluation.demo.DemoMode;
import io.charon.evaluation.demo.DemoSettings;
import io.charon.evaluation.demo.PreparedInput;
import io.charon.evaluation.demo.WorkloadPlan;
import io.charon.evaluation.machine.TemporaryDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Starts a cluster and keeps it running until this process is told to exit. */
public final class Supervisor {
  private static final int INPUT_MB = 32;
  private static final long CHECK_MILLIS = 1000;

  private final Installation installation;
  private final Path root;
  private final StateDirectory directory;
  private final WorkloadPlan plan;
  private final Optional<LinuxExecutor> linux;
  private final PrintWriter out;

  /**
   * Creates the supervisor.
   *
   * @param root the repository, where the kernel UA killer and the tasks' program are built
   * @param plan plan of the nodes and jobs
   * @param linux runs containers as users of their own; empty to run them as this process's user
   * @param out receives progress
   */
  public Supervisor(
      Installation installation,
      Path root,
      StateDirectory directory,
      WorkloadPlan plan,
      Optional<LinuxExecutor> linux,
      PrintWriter out) {
    this.installation = installation;
    this.root = root;
    this.directory = directory;
    this.plan = plan;
    this.linux = linux;
    this.out = out;
  }

  /**
   * Runs the cluster. Returns only with an exception, also when this process is told to exit
   * (SIGTERM); then nothing but the log is left.
   *
   * @throws IOException if there is a cluster already, or a daemon exits
   * @throws InterruptedException if this process is told to exit
   */
  public void run() throws IOException, InterruptedException {
    // Everything started below is ended in the reverse order.
    try (InterruptHook hook = InterruptHook.open()) {
      hook.onInterrupt(Thread.currentThread()::interrupt);
      ProcessIdentity self = new ProcessTable(Path.of("/proc")).self();
      Path work = TemporaryDirectory.create(ClusterState.PREFIX);
      try {
        ClusterState begun =
            new ClusterState(
                self, Instant.now(), plan.nodeMemoryMb(), linux, work, List.of(), Optional.empty());
        claim(begun);
        try {
          begin(begun);
        } finally {
          directory.removeConfiguration();
          directory.state().remove(begun);
        }
      } finally {
        ClusterLeftovers.remove(work, Optional.of("/" + ClusterState.machineName(self)));
      }
    }
  }

  private void begin(ClusterState begun) throws IOException, InterruptedException {
    NodeLimits limits =
        NodeLimits.probe("/" + begun.machineName(), (long) plan.nodeMemoryMb() << 20);
    if (linux.isPresent()) {
      prepareUsers(linux.get(), begun, limits);
    }
    List<String> remarks = new ArrayList<>();
    limits
        .missing()
        .ifPresent(
            why ->
                remarks.add(
                    why
                        + " The kernel UA killer does not run either: the user-space killer protects the nodes."));
    Optional<KernelProtection> protection =
        limits.cgroupRoot().isPresent() ? protection(begun, remarks) : Optional.empty();
    try {
      hold(begun.withRemarks(remarks), protection, limits);
    } finally {
      protection.ifPresent(KernelProtection::close);
    }
  }

  /** Makes the input accessible to the containers' users, and checks that containers can run. */
  private void prepareUsers(LinuxExecutor executor, ClusterState begun, NodeLimits limits)
      throws IOException, InterruptedException {
    Files.setPosixFilePermissions(
        begun.workDirectory(), PosixFilePermissions.fromString("rwx--x--x"));
    Files.createDirectories(begun.input());
    new LinuxExecutorCheck(Path.of("/proc"))
        .require(executor, limits.cgroupRoot(), installation, begun.input());
    say(executor.description());
  }

  private void claim(ClusterState begun) throws IOException {
    try {
      directory.state().claim(begun);
    } catch (FileAlreadyExistsException e) {
      throw new IOException("Another cluster has started in " + directory.path(), e);
    }
  }

  private Optional<KernelProtection> protection(ClusterState begun, List<String> remarks)
      throws InterruptedException {
    say("loading the kernel UA killer");
    return KernelProtection.tryLoad(root, begun.machineName(), false, remarks::add);
  }

  private void hold(ClusterState begun, Optional<KernelProtection> protection, NodeLimits limits)
      throws IOException, InterruptedException {
    begun.remarks().forEach(this::say);
    say("starting one ResourceManager and %d NodeManagers".formatted(plan.nodes()));
    try (YarnCluster cluster =
        YarnCluster.start(
            installation,
            DemoSettings.of(DemoMode.CHARON, plan, protection, limits.cgroupRoot(), linux),
            begun.workDirectory())) {
      if (protection.isPresent()) {
        protection.get().protect(cluster);
      }
      say("preparing %d MB of text and the tasks' program".formatted(INPUT_MB));
      PreparedInput.prepare(installation.inputSources(), root, begun.input(), INPUT_MB);
      writeConfiguration(cluster, directory.configuration(), begun.workDirectory());
      if (linux.isPresent()) {
        configureUsers(linux.get(), cluster, begun);
      }
      directory.state().replace(begun.withAddress(addressOf(cluster)));
      say("the cluster runs");
      while (true) {
        cluster.requireAlive();
        Thread.sleep(CHECK_MILLIS);
      }
    }
  }

  /** Lets the users of containers submit jobs of their own, staged in a directory of each user. */
  private void configureUsers(LinuxExecutor executor, YarnCluster cluster, ClusterState begun)
      throws IOException {
    Path users = Files.createDirectory(begun.workDirectory().resolve("users"));
    executor.production(cluster).account().makeWritable(users.resolve(executor.productionUser()));
    executor.bestEffort(cluster).account().makeWritable(users.resolve(executor.bestEffortUser()));
    // Hadoop replaces the variable by the user of the client.
    writeConfiguration(cluster, begun.configurationOfUsers(), users.resolve("${user.name}"));
  }

  private void writeConfiguration(YarnCluster cluster, Path target, Path staging)
      throws IOException {
    cluster.writeClientConfiguration(
        target,
        staging,
        DemoSettings.BEST_EFFORT_QUEUE,
        WorkloadPlan.BEST_EFFORT_MASTER_MB,
        plan.bestEffortTaskMb());
  }

  private static ClusterState.Address addressOf(YarnCluster cluster) {
    List<ClusterState.Node> nodes = new ArrayList<>();
    for (ClusterNode node : cluster.nodes()) {
      nodes.add(new ClusterState.Node(node.hostName(), node.web()));
    }
    return new ClusterState.Address(cluster.web(), nodes);
  }

  private void say(String line) {
    out.println(line);
    out.flush();
  }
}
