/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import io.charon.evaluation.playground.Playground;
import io.charon.evaluation.playground.ProcessTable;
import io.charon.evaluation.playground.StateDirectory;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that selects a cluster by its directory. */
final class ClusterDirectoryOption {
  private static final String USUAL = "charon-cluster";

  @Option(
      names = "--directory",
      defaultValue = USUAL,
      paramLabel = "DIR",
      description =
          "Directory by which the commands find the cluster; only you may have write access "
              + "to it. Default: ./${DEFAULT-VALUE}.")
  private Path directory;

  /** Returns the cluster of the directory. */
  Playground playground(Path root) {
    return new Playground(StateDirectory.of(directory), new ProcessTable(Path.of("/proc")), root);
  }

  /** Returns the command line of another command on the same cluster. */
  String commandLine(String command) {
    return "bin/charon cluster "
        + command
        + (directory.equals(Path.of(USUAL)) ? "" : " --directory " + directory);
  }
}
