/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.cluster.LinuxExecutor;
import io.charon.evaluation.demo.WorkloadPlan;
import io.charon.evaluation.playground.ClusterStart;
import io.charon.evaluation.playground.ClusterState;
import io.charon.evaluation.playground.Playground;
import io.charon.evaluation.playground.ProgressLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code charon cluster start}: starts a cluster that keeps running. */
@Command(
    name = "start",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Starts the cluster and leaves it running.",
      "",
      "Prints the addresses of its web pages, and a directory for HADOOP_CONF_DIR with "
          + "which your own jobs find the cluster. Your jobs are best-effort unless they name "
          + "the queue production (-Dmapreduce.job.queuename=production). If the cluster "
          + "already runs, the command prints where and succeeds. Ctrl-C before the cluster "
          + "runs leaves nothing behind. Without root there are no memory limits and no kernel "
          + "UA killer; one line says so.",
      "",
      "With --executor linux, containers of production and of best-effort run as two users of "
          + "this machine; the jobs of \"charon cluster submit\" too. This needs root, also for "
          + "the other commands. Your own jobs are submitted as one of these users.",
      ""
    },
    footer = {
      "",
      "Files in DIR, until the cluster is stopped:",
      "  cluster.json  the state that the other commands read",
      "  cluster.log   log of the cluster's process; kept if the cluster fails",
      "  conf          for HADOOP_CONF_DIR",
      "",
      "Examples:",
      "  charon cluster start",
      "  charon cluster start --directory /srv/charon-cluster --node-memory-mb 4096",
      "  sudo charon cluster start --executor linux "
          + "--container-executor /opt/hadoop/bin/container-executor",
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the cluster runs, now or already",
      "1:it did not start, and the end of its log is printed; or one with other options runs",
      "2:wrong usage"
    })
final class ClusterStartCommand implements Callable<Integer> {
  private final Path root;

  @Spec private CommandSpec spec;
  @Mixin private ClusterDirectoryOption directory;
  @Mixin private NodeMemoryOption nodeMemory;
  @Mixin private ExecutorOption executor;

  ClusterStartCommand(Path root) {
    this.root = root;
  }

  @Override
  public Integer call() {
    WorkloadPlan plan = nodeMemory.plan(spec);
    Optional<LinuxExecutor> linux = executor.linux(spec, System.getenv());
    PrintWriter out = spec.commandLine().getOut();
    try {
      Playground playground = directory.playground(root);
      Optional<ClusterState> living = playground.living();
      if (living.isPresent()) {
        requireRequested(playground, living.get(), plan, linux);
        print(playground, playground.running(), "The cluster already runs");
      } else {
        ProgressLine waiting = new ProgressLine(out, Terminal.isStandardOutput());
        ClusterState started =
            new ClusterStart(playground, Installation.locate(), root, waiting)
                .start(plan.nodeMemoryMb(), linux);
        print(playground, started, "The cluster runs");
      }
      return 0;
    } catch (InterruptedException e) {
      spec.commandLine()
          .getErr()
          .println("charon cluster start: the cluster ended before it was ready");
      return 1;
    } catch (IOException | IllegalStateException e) {
      spec.commandLine().getErr().println("charon cluster start: " + e.getMessage());
      return 1;
    }
  }

  /** Fails if options of this command differ from those of the cluster that runs. */
  private void requireRequested(
      Playground playground, ClusterState living, WorkloadPlan plan, Optional<LinuxExecutor> linux)
      throws IOException {
    ParseResult given = spec.commandLine().getParseResult();
    boolean otherMemory =
        given.hasMatchedOption(NodeMemoryOption.NAME)
            && plan.nodeMemoryMb() != living.nodeMemoryMb();
    boolean otherExecutor =
        given.hasMatchedOption(ExecutorOption.NAME) && !linux.equals(living.linux());
    if (otherMemory || otherExecutor) {
      throw new IOException(
          "a cluster with other options runs in %s (%d MiB for each node, --executor %s): stop it with '%s', or name another --directory"
              .formatted(
                  playground.directory().path(),
                  living.nodeMemoryMb(),
                  ExecutorOption.label(living.linux()),
                  directory.commandLine("stop")));
    }
  }

  private void print(Playground playground, ClusterState state, String begin) {
    PrintWriter out = spec.commandLine().getOut();
    ClusterState.Address address = state.address().orElseThrow();
    state.remarks().forEach(out::println);
    out.printf(
        "%s: one ResourceManager, and %d nodes of %d MiB with Charon.%n",
        begin, address.nodes().size(), state.nodeMemoryMb());
    state.linux().map(LinuxExecutor::description).ifPresent(out::println);
    out.printf("  web page          %s%n", address.page());
    for (ClusterState.Node node : address.nodes()) {
      out.printf("  page of %-9s %s%n", node.name(), node.page());
    }
    if (state.linux().isPresent()) {
      out.printf(
          "  for your own jobs export HADOOP_CONF_DIR=%s  # as %s%n",
          state.configurationOfUsers(), String.join(" or ", state.linux().get().users()));
    } else {
      out.printf(
          "  for your own jobs export HADOOP_CONF_DIR=%s%n",
          playground.directory().configuration());
    }
    out.println();
    out.println("Next:");
    out.printf(
        "  %s  reserves two thirds of the memory, uses half of that%n",
        directory.commandLine("submit production"));
    out.printf(
        "  %s  best-effort tasks on idle memory, results checked%n",
        directory.commandLine("submit sort --wait"));
    out.printf("  %s%n", directory.commandLine("status"));
    out.printf("  %s%n", directory.commandLine("stop"));
    out.flush();
  }
}
