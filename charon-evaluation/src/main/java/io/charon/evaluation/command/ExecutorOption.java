/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import io.charon.evaluation.cluster.LinuxExecutor;
import io.charon.evaluation.launch.LaunchExecutor;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Options that select the container executor and the users that containers run as. */
final class ExecutorOption {
  static final String NAME = "--executor";

  private static final String PROGRAM = "CONTAINER_EXECUTOR";

  /** Exists on every system and should own no files. */
  private static final String NOBODY = "nobody";

  @Option(
      names = NAME,
      defaultValue = "default",
      paramLabel = "NAME",
      description =
          "How containers run: default (DefaultContainerExecutor, as the user of this command), or linux"
              + " (LinuxContainerExecutor, as users of their own), which needs root. Default: ${DEFAULT-VALUE}.")
  private String executor;

  @Option(
      names = "--container-executor",
      paramLabel = "PROGRAM",
      description =
          "With --executor linux: the setuid program container-executor of a Hadoop installation, with its"
              + " container-executor.cfg. Default: the environment variable "
              + PROGRAM
              + ".")
  private Path program;

  @Option(
      names = "--run-as",
      split = ",",
      paramLabel = "USER",
      description =
          "With --executor linux: the user of production's containers and, after a comma, "
              + "the user of best-effort's; both must exist. Default: the user that called sudo, "
              + "if any, and nobody.")
  private List<String> users = List.of();

  /**
   * Returns the LinuxContainerExecutor if it is requested.
   *
   * @param environment environment of this process
   * @throws ParameterException if the options are inconsistent or incomplete
   */
  Optional<LinuxExecutor> linux(CommandSpec spec, Map<String, String> environment) {
    if (Names.one(spec, NAME, executor, LaunchExecutor::of) == LaunchExecutor.DEFAULT) {
      if (program != null || !users.isEmpty()) {
        throw wrong(spec, "--container-executor and --run-as need --executor linux");
      }
      return Optional.empty();
    }
    if (users.size() > 2 || users.stream().anyMatch(String::isBlank)) {
      throw wrong(spec, "--run-as takes one user, or two separated by a comma");
    }
    String production =
        users.isEmpty() ? environment.getOrDefault("SUDO_USER", NOBODY) : users.get(0);
    String bestEffort = users.isEmpty() ? NOBODY : users.get(users.size() - 1);
    return Optional.of(new LinuxExecutor(program(spec, environment), production, bestEffort));
  }

  /** Returns the value of {@value #NAME} for an executor. */
  static String label(Optional<LinuxExecutor> linux) {
    return (linux.isPresent() ? LaunchExecutor.LINUX : LaunchExecutor.DEFAULT).label();
  }

  private Path program(CommandSpec spec, Map<String, String> environment) {
    if (program != null) {
      return program.toAbsolutePath();
    }
    String named = environment.getOrDefault(PROGRAM, "");
    if (named.isBlank()) {
      throw wrong(
          spec,
          "--executor linux needs the program container-executor of a Hadoop installation: "
              + "unpack Hadoop's binary distribution, which has the program in bin, set it up as "
              + "Hadoop's documentation of LinuxContainerExecutor describes, and name it with "
              + "--container-executor or the environment variable "
              + PROGRAM);
    }
    return Path.of(named).toAbsolutePath();
  }

  private static ParameterException wrong(CommandSpec spec, String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
