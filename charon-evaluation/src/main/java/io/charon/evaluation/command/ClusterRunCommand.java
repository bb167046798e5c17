/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.cluster.LinuxExecutor;
import io.charon.evaluation.demo.WorkloadPlan;
import io.charon.evaluation.playground.Supervisor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code charon cluster run}: runs a cluster until SIGTERM; {@code charon cluster start} launches
 * it.
 */
@Command(
    name = "run",
    hidden = true,
    mixinStandardHelpOptions = true,
    description = "Runs a cluster until it is told to end; called by \"charon cluster start\".")
final class ClusterRunCommand implements Callable<Integer> {
  private final Path root;

  @Spec private CommandSpec spec;
  @Mixin private ClusterDirectoryOption directory;
  @Mixin private NodeMemoryOption nodeMemory;
  @Mixin private ExecutorOption executor;

  ClusterRunCommand(Path root) {
    this.root = root;
  }

  @Override
  public Integer call() {
    WorkloadPlan plan = nodeMemory.plan(spec);
    Optional<LinuxExecutor> linux = executor.linux(spec, System.getenv());
    try {
      new Supervisor(
              Installation.locate(),
              root,
              directory.playground(root).directory(),
              plan,
              linux,
              spec.commandLine().getOut())
          .run();
      return 0;
    } catch (InterruptedException toldToEnd) {
      return 0;
    } catch (IOException | IllegalStateException e) {
      spec.commandLine().getErr().println("charon cluster: " + e.getMessage());
      return 1;
    }
  }
}
