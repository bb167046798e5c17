/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.nodemanager.config.SettingsReader;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lets a running node read its configuration again. */
@Command(
    name = "reload",
    header = "Lets a running NodeManager read Charon's keys in yarn-site.xml again.",
    description = {
      "%nKeys of regulators and pause, killer.cgth-time-ms, killer.victim-policy and killer.owed-time-ms change at once; the answer names "
          + "those that wait for the next start. What is wrong is named, and nothing changes then.%n"
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the node has read it", "1:it has not, or cannot use it", "2:wrong usage"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon reload",
      "  charon reload --forget           what enable and disable changed here is forgotten",
    })
final class ReloadCommand extends ConfiguringCommand {
  @Option(
      names = "--forget",
      description =
          "Empties the overrides file first: yarn-site.xml alone counts. A stop stays: see charon resume.")
  private boolean forget;

  ReloadCommand(Duration patience) {
    super(patience);
  }

  @Override
  public Integer call() throws InterruptedException {
    return change(this::edit, "the configuration was read again");
  }

  private void edit(Map<String, String> overrides) {
    if (forget) {
      overrides.keySet().removeIf(key -> !key.startsWith(SettingsReader.STOP));
    }
  }
}
