/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code charon cluster}: a cluster like the demo's that keeps running for experiments. */
@Command(
    name = "cluster",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Runs a real YARN cluster with Charon on this machine, for trying it out, until "
          + "it is stopped.",
      "",
      "The cluster is the demo's in mode charon: one ResourceManager and two "
          + "NodeManagers, a JVM each, and a memory cgroup for each node; with root also the "
          + "kernel UA killer. Its web pages are available on loopback addresses, and three "
          + "jobs are ready to be submitted. The cluster needs about 1 GB by itself and up to "
          + "6 GB with all jobs.",
      ""
    },
    footer = {
      "",
      "Examples, in an order that shows the effect:",
      "  charon cluster start",
      "  charon cluster submit production   reserves much, uses half",
      "  charon cluster submit sort --wait  best-effort on idle memory",
      "  charon cluster status",
      "  charon cluster stop",
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:the command failed; its message names the cure",
      "2:wrong usage",
      "3:of status: no cluster runs"
    })
final class ClusterCommand implements Runnable {
  @Spec private CommandSpec spec;

  private ClusterCommand() {}

  /**
   * Returns the command with its subcommands.
   *
   * @param root the repository
   */
  static CommandLine commandLine(Path root) {
    return new CommandLine(new ClusterCommand())
        .addSubcommand(new ClusterStartCommand(root))
        .addSubcommand(new ClusterStatusCommand(root))
        .addSubcommand(new ClusterSubmitCommand(root))
        .addSubcommand(new ClusterStopCommand(root))
        .addSubcommand(new ClusterRunCommand(root));
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Missing required subcommand: start, status, submit or stop");
  }
}
