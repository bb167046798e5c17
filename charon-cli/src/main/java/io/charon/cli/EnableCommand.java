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
    header = "Lets a part of Charon act, or observe, on a running node.",
    description = {
      "%nWrites the part's key to the node's overrides file (yarn.nodemanager.charon.overrides-file), which stands "
          + "above yarn-site.xml, and waits until the NodeManager has read it. Run it on the NodeManager's machine, as "
          + "the user to whom the file and its directory belong: root, or the NodeManager's. All parts change at once. scheduler "
          + "is the mode of the whole node: containers that run stay as they are until they end. For all nodes, set the same keys in yarn-site.xml.%n"
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the node has read it", "1:it has not, or cannot use it", "2:wrong usage"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon enable cpu --observe      what the CPU regulator would do; see charon top",
      "  charon enable cpu                it sets the CPU quota of best-effort containers",
      "  charon enable scheduler          mode=enforce: Charon decides launches and places containers",
      "  charon enable scheduler --observe   mode=observe: it says what it would do, and changes nothing",
    })
final class EnableCommand extends PartCommand {
  private static final String OBSERVE = "observe";

  @Option(names = "--observe", description = "It only says what it would do.")
  private boolean observes;

  EnableCommand(Duration timeout) {
    super(timeout);
  }

  @Override
  public Integer call() throws InterruptedException {
    return set(observes ? OBSERVE : Part.ON);
  }
}
