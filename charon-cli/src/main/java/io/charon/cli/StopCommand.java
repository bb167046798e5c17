/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.core.stop.StopAction;
import java.time.Clock;
import java.time.Duration;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Stops best-effort immediately. */
@Command(
    name = "stop",
    header =
        "Stops best-effort now, on this node or in the cluster: nothing of it starts from a second later on.",
    description = {
      "%nWrites the order to the node's overrides file (yarn.nodemanager.charon.overrides-file), which the NodeManager "
          + "looks at four times a second, and waits until it confirms. Production is not concerned. What waits keeps its place. The stop "
          + "outlives restarts, until charon resume. Run it on the NodeManager's machine, as the user to whom the file and its directory "
          + "belong: root, or the NodeManager's. If no NodeManager runs, the stop holds from its start. "
          + "With --cluster the same at a ResourceManager (yarn.resourcemanager.charon.stop-file): asks are held there, none is lost, and nodes "
          + "obey within 6 s.%n"
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:it is confirmed, or no NodeManager runs",
      "1:it is not confirmed; the message says whether the order was written",
      "2:wrong usage"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon stop --reason 'disk is failing'   what runs goes on to its end",
      "  charon stop --freeze                     what runs stands still, and keeps its memory",
      "  charon stop --kill                       what runs is killed; its applications ask again",
      "  charon stop --cluster                    on a ResourceManager's host: everywhere, within 6 s",
      "  charon stop --kill --json | jq .seconds  how long until it was confirmed",
    })
final class StopCommand extends OrderCommand {
  @ArgGroup private Running running;

  /** What happens to running containers. */
  private static final class Running {
    @Option(names = "--leave", description = "Best-effort containers that run go on (default).")
    private boolean leave;

    @Option(
        names = "--freeze",
        description =
            "They stand still until charon resume; for longer than their framework waits for word of a task, it ends them.")
    private boolean freeze;

    @Option(
        names = "--kill",
        description =
            "They are killed, 12 a second, and reported as preempted: their applications run them again elsewhere, or later."
                + " ApplicationMasters go on.")
    private boolean kill;

    StopAction action() {
      if (kill) {
        return StopAction.KILL;
      }
      return freeze && !leave ? StopAction.FREEZE : StopAction.LEAVE;
    }
  }

  StopCommand(Duration timeout, String operator, Clock clock) {
    super(timeout, operator, clock);
  }

  @Override
  public Integer call() throws InterruptedException {
    return give(running == null ? StopAction.LEAVE : running.action());
  }
}
