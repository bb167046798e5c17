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
        "Stops best-effort on this node or in the cluster: within a second, no best-effort "
            + "container starts.",
    description = {
      "%nWrites the order to the node's overrides file "
          + "(yarn.nodemanager.charon.overrides-file), which the NodeManager checks four times "
          + "a second, and waits until the NodeManager confirms it. Production is not "
          + "affected. Waiting containers keep their place in the queue. The stop survives "
          + "restarts and lasts until charon resume. Run this command on the NodeManager's "
          + "machine as the owner of the file and its directory: root, or the NodeManager's "
          + "user. If no NodeManager runs, the stop applies as soon as it starts. With "
          + "--cluster, give the order on a ResourceManager's host "
          + "(yarn.resourcemanager.charon.stop-file): asks are held there, none is lost, and "
          + "nodes stop within 6 s.%n"
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the order is confirmed, or no NodeManager runs",
      "1:the order is not confirmed; the message says whether it was written",
      "2:wrong usage"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon stop --reason 'disk is failing'   running containers run to their end",
      "  charon stop --freeze                     running containers are frozen and "
          + "keep their memory",
      "  charon stop --kill                       running containers are killed; "
          + "applications ask again",
      "  charon stop --cluster                    on a ResourceManager's host: all "
          + "nodes, within 6 s",
      "  charon stop --kill --json | jq .seconds  time until the order was confirmed",
    })
final class StopCommand extends OrderCommand {
  @ArgGroup private Running running;

  /** What happens to running containers. */
  private static final class Running {
    @Option(names = "--leave", description = "Running best-effort containers continue (default).")
    private boolean leave;

    @Option(
        names = "--freeze",
        description =
            "Freeze running best-effort containers until charon resume. A freeze longer than a "
                + "framework's task timeout makes the framework end the task.")
    private boolean freeze;

    @Option(
        names = "--kill",
        description =
            "Kill running best-effort containers, 12 a second, and report them as preempted: "
                + "their applications run them again elsewhere, or later. ApplicationMasters "
                + "keep running.")
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
