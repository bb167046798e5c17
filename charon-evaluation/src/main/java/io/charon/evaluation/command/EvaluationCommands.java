/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import io.charon.cli.SubcommandProvider;
import java.nio.file.Path;
import picocli.CommandLine;

/**
 * Adds the commands that measure Charon on this machine: demo, cluster, bench, and sls validate.
 */
public final class EvaluationCommands implements SubcommandProvider {
  @Override
  public void addTo(CommandLine charon, Path root) {
    charon
        .addSubcommand(new DemoCommand(root))
        .addSubcommand(ClusterCommand.commandLine(root))
        .addSubcommand(BenchCommand.commandLine(root));
    charon.getSubcommands().get("sls").addSubcommand(new SlsValidateCommand());
  }
}
