/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.configure.ClusterStops;
import io.charon.nodemanager.config.SettingsReader;
import io.charon.status.ClusterAccess;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Lets a running daemon read its configuration again. */
@Command(
    name = "reload",
    header =
        "Makes a running NodeManager or ResourceManager read Charon's keys in "
            + "yarn-site.xml again.",
    description = {
      "%nKeys of regulators and freeze, killer.cgth-time-ms, killer.victim-policy and "
          + "killer.owed-time-ms change at once; the answer lists those that need a restart. "
          + "If a value is invalid, the answer names it and nothing changes.%n",
      "With --cluster the command applies to the ResourceManager on this machine: "
          + "yarn.resourcemanager.charon.best-effort.* change at once, and the answer lists "
          + "the old and new values. Running applications are affected from their next "
          + "requests on. If there are several ResourceManagers, give the order on each host; "
          + "one that is not active reads its keys when it becomes active.%n"
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the daemon has read the keys",
      "1:the daemon has not read the keys, or cannot use them",
      "2:wrong usage"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon reload",
      "  charon reload --forget           discard what enable and disable "
          + "changed on this node",
      "  charon reload --cluster",
    })
final class ReloadCommand extends ConfiguringCommand {
  @Option(
      names = "--forget",
      description =
          "Empty the overrides file first, so that yarn-site.xml alone applies. A stop "
              + "remains; see charon resume.")
  private boolean forget;

  @Option(
      names = "--cluster",
      description = "Reload the keys of the ResourceManager on this machine.")
  private boolean cluster;

  @Mixin private LocalResourceManager resourceManager;

  private final String operator;
  private final Clock clock;

  ReloadCommand(Duration timeout, String operator, Clock clock) {
    super(timeout);
    this.operator = operator;
    this.clock = clock;
  }

  @Override
  public Integer call() throws InterruptedException {
    resourceManager.requireCluster(cluster, commandLine());
    if (cluster && forget) {
      throw new ParameterException(
          commandLine(),
          "--forget empties the overrides file of a node; it cannot be combined with --cluster");
    }
    if (cluster) {
      return reloadCluster();
    }
    return change(this::edit, "the configuration has been read again");
  }

  private int reloadCluster() throws InterruptedException {
    ClusterAccess access = access();
    return new ClusterReload(new ClusterStops(access, timeout()), operator, clock)
        .run(configuration(), resourceManager, access, commandLine());
  }

  private void edit(Map<String, String> overrides) {
    if (forget) {
      overrides.keySet().removeIf(key -> !key.startsWith(SettingsReader.STOP));
    }
  }
}
