/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import java.time.Duration;
import picocli.CommandLine.Command;

/** Turns off a part of Charon on a running node. */
@Command(
    name = "disable",
    header = "Turns a part of Charon off on a running node.",
    description = {
      "%nThe opposite of enable: sets the part to off. Limits that the part set on the "
          + "machine are removed at once, and frozen containers are thawed. disable scheduler "
          + "sets mode=off for the whole node: stock YARN decides, Charon kills nothing, and "
          + "running containers keep their placement until they end. To keep observing, use "
          + "enable scheduler --observe.%n"
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the node has read the change",
      "1:the node has not read the change, or cannot use it",
      "2:wrong usage"
    },
    footerHeading = "%nExamples:%n",
    footer = {"  charon disable network", "  charon disable freeze --node node1:8042"})
final class DisableCommand extends PartCommand {
  private static final String OFF = "off";

  DisableCommand(Duration timeout) {
    super(timeout);
  }

  @Override
  public Integer call() throws InterruptedException {
    return set(OFF);
  }
}
