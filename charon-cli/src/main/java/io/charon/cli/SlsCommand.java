/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code charon sls}: the simulator and its workloads. */
@Command(
    name = "sls",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Runs the same scheduling decisions in virtual time: the simulator and its workloads.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:the input cannot be used, or the workload is refused",
      "2:wrong usage"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon sls generate --out paper.jsonl.gz",
      "  charon sls run conf/experiments/quickstart.yaml --out results",
      "  charon sls compare before.json after.json",
      "  charon sls burst --load 45",
      "  charon sls import --trace-format google2011 --input clusterdata --out cell.jsonl.gz",
    })
final class SlsCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** The command with its subcommands. */
  static CommandLine commandLine() {
    return new CommandLine(new SlsCommand())
        .addSubcommand(new SlsImportCommand())
        .addSubcommand(new SlsGenerateCommand())
        .addSubcommand(new SlsRunCommand())
        .addSubcommand(new SlsCompareCommand())
        .addSubcommand(new SlsBurstCommand());
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "Missing subcommand: import, generate, run, compare or burst; see charon sls --help");
  }
}
