/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.configure.Operator;
import io.charon.doctor.Checks;
import io.charon.doctor.Diagnosis;
import io.charon.doctor.ProgramFinder;
import io.charon.doctor.YarnSite;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command {@code bin/charon}. Each subcommand is a class of this package. */
@Command(
    name = "charon",
    description = "Runs best-effort jobs on the idle memory of a Hadoop YARN cluster.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionProvider.class,
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:success", "1:the command ran and found something wrong", "2:wrong usage"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon doctor             check what Charon can use on this machine",
      "  charon demo               run a real cluster with and without Charon, side by side",
      "  charon status --help      show what a command does, with examples",
      "  charon test               run all tests (a script; --help lists what it runs "
          + "and how long it takes)",
    })
public final class Charon {
  private static final String[] FOOTER_OF_A_RELEASE = {
    "  charon doctor --conf DIR  check what Charon can use on this machine",
    "  charon status             show what runs on a node, what waits, and why",
    "  charon status --help      show what a command does, with examples",
    "%nThe demo on one machine, the benchmarks and the tests are in Charon's "
        + "repository: run bin/charon in a clone.",
  };

  /** How long a daemon may take to read what a command has written. */
  private static final Duration TIMEOUT = Duration.ofSeconds(15);

  private Charon() {}

  /**
   * Runs one subcommand and exits with its code: 0 success, 1 a check failed, 2 wrong usage.
   *
   * @param args the command line
   */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** The complete command, for the place from which this process runs. */
  public static CommandLine commandLine() {
    return commandLine(InstallPaths.ofThisProcess());
  }

  /**
   * Creates the command for one place, with its subcommands connected to this machine.
   *
   * @param places where it runs; a clone of the repository also offers the commands of {@link
   *     SubcommandProvider}
   */
  public static CommandLine commandLine(InstallPaths places) {
    ProgramFinder programs = ProgramFinder.onPath(System.getenv("PATH"));
    Optional<Path> hadoopConf = Optional.ofNullable(System.getenv("HADOOP_CONF_DIR")).map(Path::of);
    String operator =
        Operator.name(
            System.getProperty("user.name"), Optional.ofNullable(System.getenv("SUDO_USER")));
    CommandLine command =
        new CommandLine(new Charon())
            .addSubcommand(
                new DoctorCommand(
                    conf -> diagnosis(new YarnSite(conf.or(() -> hadoopConf)), programs, places)))
            .addSubcommand(new KillerCommand(places.uaKiller(), Charon::run))
            .addSubcommand(SlsCommand.commandLine())
            .addSubcommand(new TuneCommand())
            .addSubcommand(new ContentionCommand())
            .addSubcommand(new StatusCommand())
            .addSubcommand(new TopCommand())
            .addSubcommand(new ExplainCommand())
            .addSubcommand(new EnableCommand(TIMEOUT))
            .addSubcommand(new DisableCommand(TIMEOUT))
            .addSubcommand(new ReloadCommand(TIMEOUT, operator, Clock.systemUTC()))
            .addSubcommand(new StopCommand(TIMEOUT, operator, Clock.systemUTC()))
            .addSubcommand(new ResumeCommand(TIMEOUT, operator, Clock.systemUTC()))
            .addSubcommand(new ReplayCommand());
    if (places.installed()) {
      command.getCommandSpec().usageMessage().footer(FOOTER_OF_A_RELEASE);
    } else {
      ServiceLoader.load(SubcommandProvider.class)
          .forEach(provider -> provider.addTo(command, places.root()));
    }
    // Applies to the subcommands that are there by now.
    return command.setExecutionExceptionHandler(new FailureMessage());
  }

  /** Runs a program with this process's own standard streams. */
  private static int run(Path directory, List<String> command)
      throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).directory(directory.toFile()).inheritIO().start();
    try {
      return process.waitFor();
    } finally {
      process.destroy();
    }
  }

  private static Diagnosis diagnosis(YarnSite site, ProgramFinder programs, InstallPaths places) {
    Path home = Path.of(System.getProperty("user.home"));
    return Diagnosis.of(
        places.installed()
            ? Checks.ofThisNode(site, programs, places.uaKiller())
            : Checks.ofThisClone(site, programs, places.uaKiller(), home));
  }
}
