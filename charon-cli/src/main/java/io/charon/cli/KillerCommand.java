/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** The command line of the kernel UA killer, as a subcommand of {@code charon}. */
@Command(
    name = "killer",
    header = "Loads, watches and changes the kernel UA killer.",
    description = {
      "%nPasses all its arguments to the program ua-killer; `charon killer` without "
          + "arguments prints that program's help. All subcommands need root. The NodeManager "
          + "talks to the helper of the kernel killer, which ignores all other clients "
          + "(docs/kernel-ua-killer.md).%n"
    },
    customSynopsis = "charon killer [--json] [--bpffs DIR] WORD...",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:failed, or the program is not built",
      "2:wrong arguments",
      "3:wrong state: not loaded, or loaded already",
      "4:permission"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon killer self-test         show which tier this machine would give",
      "  charon killer load --group yarn",
      "  charon killer domain add host --killable-below /charon/best-effort",
      "                                  the whole machine is the node; only best-effort "
          + "may be killed",
      "  charon killer --json status",
      "  charon killer watch             print decisions as they happen",
    })
final class KillerCommand implements Callable<Integer> {
  /** Runs other programs whose output goes directly to the user. */
  @FunctionalInterface
  interface CommandRunner {
    /**
     * Runs a program and waits until it ends.
     *
     * @param directory its working directory
     * @param command program and arguments
     * @return its exit code
     * @throws IOException if it cannot be started
     * @throws InterruptedException if interrupted while waiting
     */
    int run(Path directory, List<String> command) throws IOException, InterruptedException;
  }

  private final Path program;
  private final CommandRunner runner;

  @Spec private CommandSpec spec;

  @Unmatched private List<String> words = new ArrayList<>();

  /**
   * Creates the command.
   *
   * @param program ua-killer, which may not be built yet
   * @param runner runs the program
   */
  KillerCommand(Path program, CommandRunner runner) {
    this.program = program;
    this.runner = runner;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!Files.isExecutable(program)) {
      spec.commandLine()
          .getErr()
          .printf(
              "charon: %s is not built; run in the repository: "
                  + "kernel-ua-killer/install-packages.sh && make -C kernel-ua-killer/src/main/native%n",
              program);
      return 1;
    }
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(words.isEmpty() ? List.of("--help") : words);
    return runner.run(Path.of("").toAbsolutePath(), command);
  }
}
