/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.configure.Part;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Turns on a part of Charon on a running node. */
@Command(
    name = "enable",
    header = "Turns a part of Charon on, on a running node, or lets it observe only.",
    description = {
      "%nWrites the part's key to the node's overrides file "
          + "(yarn.nodemanager.charon.overrides-file), which takes precedence over "
          + "yarn-site.xml, and waits until the NodeManager has read it. Run this command on "
          + "the NodeManager's machine as the owner of the file and its directory: root, or "
          + "the NodeManager's user. All parts can be changed at run time. scheduler is the "
          + "mode of the whole node: running containers stay as they are until they end. To "
          + "change all nodes, set the same keys in yarn-site.xml.%n"
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the node has read the change",
      "1:the node has not read the change, or cannot use it",
      "2:wrong usage"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon enable cpu --observe      report what the CPU regulator would do; "
          + "see charon top",
      "  charon enable cpu                set the CPU quota of best-effort containers",
      "  charon enable scheduler          mode=enforce: Charon decides launches and places containers",
      "  charon enable scheduler --observe   mode=observe: report what Charon would do, "
          + "change nothing",
    })
final class EnableCommand extends PartCommand {
  private static final String OBSERVE = "observe";

  @Option(names = "--observe", description = "Only report what the part would do.")
  private boolean observes;

  EnableCommand(Duration timeout) {
    super(timeout);
  }

  @Override
  public Integer call() throws InterruptedException {
    return set(observes ? OBSERVE : Part.ON);
  }
}
