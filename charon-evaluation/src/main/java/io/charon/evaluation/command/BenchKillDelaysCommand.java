/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import io.charon.evaluation.killer.KillDelayProfile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code charon bench kill-delays}: derives the simulator's kill delays from measured kills. */
@Command(
    name = "kill-delays",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Converts results of charon bench killer to the kill delays that the simulator "
          + "uses: those of the kernel killer with its helper and of the polling JVM. Measures "
          + "nothing and needs no privilege.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:written", "1:a result cannot be used", "2:wrong usage"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon bench killer --variants in-kernel+reaper,jvm-poll+fork-exec --json killer.json",
      "  charon bench kill-delays --out kill-delays-measured.properties killer.json",
    })
final class BenchKillDelaysCommand implements Callable<Integer> {
  @Option(names = "--out", required = true, paramLabel = "FILE", description = "The file to write.")
  private Path out;

  @Parameters(
      arity = "1..*",
      paramLabel = "RESULT",
      description = "Files of charon bench killer --json; several files are combined.")
  private List<Path> results;

  @Override
  public Integer call() throws IOException {
    KillDelayProfile.read(results).write(out);
    return 0;
  }
}
