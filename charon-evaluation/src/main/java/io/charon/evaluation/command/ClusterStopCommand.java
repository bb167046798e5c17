/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import io.charon.evaluation.playground.Playground;
import io.charon.evaluation.playground.PlaygroundStop;
import io.charon.evaluation.playground.ProgressLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code charon cluster stop}: stops the cluster and removes its leftovers. */
@Command(
    name = "stop",
    mixinStandardHelpOptions = true,
    description = {
      "Ends the cluster and everything that runs on it, and waits until all of it is removed.",
      "",
      "The command ends only the process that \"charon cluster start\" has started. If "
          + "that process was killed, the command removes its remains: daemons, containers, "
          + "cgroups, files. In DIR, the files that the commands wrote are removed, and DIR "
          + "itself if it is empty then.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  charon cluster stop",
      "  charon cluster stop --directory /srv/charon-cluster",
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:nothing runs any more, or nothing ran",
      "1:the cluster does not end",
      "2:wrong usage"
    })
final class ClusterStopCommand implements Callable<Integer> {
  private final Path root;

  @Spec private CommandSpec spec;
  @Mixin private ClusterDirectoryOption directory;

  ClusterStopCommand(Path root) {
    this.root = root;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Playground playground = directory.playground(root);
    ProgressLine waiting = new ProgressLine(out, Terminal.isStandardOutput());
    out.println(
        switch (new PlaygroundStop(playground, waiting).stop()) {
          case STOPPED -> "The cluster has ended; all of it is removed.";
          case CLEANED_UP -> "The cluster's process had been killed; its remains are removed.";
          case NOTHING -> "No cluster runs in " + playground.directory().path() + ".";
        });
    out.flush();
    return 0;
  }
}
