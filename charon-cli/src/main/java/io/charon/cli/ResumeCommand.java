/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.core.stop.StopAction;
import java.time.Clock;
import java.time.Duration;
import picocli.CommandLine.Command;

/** Resumes best-effort after a stop. */
@Command(
    name = "resume",
    header = "Resumes best-effort after charon stop.",
    description = {
      "%nLifts this node's stop: frozen containers are thawed, and waiting containers "
          + "start in their order. The order is given and recorded in the same way as charon "
          + "stop. A stop of the cluster lasts until it is lifted for the cluster.%n"
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
      "  charon resume",
      "  charon resume --cluster",
      "  charon resume --reason 'disk replaced' --node node1:8042"
    })
final class ResumeCommand extends OrderCommand {
  ResumeCommand(Duration timeout, String operator, Clock clock) {
    super(timeout, operator, clock);
  }

  @Override
  public Integer call() throws InterruptedException {
    return give(StopAction.NONE);
  }
}
