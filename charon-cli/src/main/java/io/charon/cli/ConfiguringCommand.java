/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.charon.configure.LocalConfiguration;
import io.charon.configure.NodeOverrides;
import io.charon.nodemanager.config.OverridesFile;
import io.charon.status.ClusterAccess;
import io.charon.status.NodeAddress;
import io.charon.status.StatusClient;
import io.charon.status.StatusException;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What the commands that change a running node have in common. */
abstract class ConfiguringCommand implements Callable<Integer> {
  private final Duration timeout;

  @Spec private CommandSpec spec;

  @Mixin private LocalDaemonOptions daemon;

  /**
   * A command.
   *
   * @param timeout for how long a NodeManager may take to read; more than a tick
   */
  ConfiguringCommand(Duration timeout) {
    this.timeout = timeout;
  }

  /**
   * What the daemon was started with.
   *
   * @throws picocli.CommandLine.ParameterException if nobody says where that is
   */
  final LocalConfiguration configuration() {
    return daemon.configuration();
  }

  /** How daemons of this cluster are reached. */
  final ClusterAccess access() {
    return daemon.access();
  }

  /** For how long a daemon may take to read what it is told. */
  final Duration timeout() {
    return timeout;
  }

  /** Where to print. */
  final CommandLine commandLine() {
    return spec.commandLine();
  }

  /**
   * Changes the node and says what came of it.
   *
   * @param change of its overrides
   * @param done what to say if nothing else is to be said
   */
  final int change(Consumer<Map<String, String>> change, String done) throws InterruptedException {
    LocalConfiguration local = daemon.configuration();
    ClusterAccess access = daemon.access();
    NodeAddress node = daemon.node(access);
    NodeOverrides overrides = new NodeOverrides(new StatusClient(access), timeout);
    try {
      OverridesFile file = local.overridesFile(System.getProperty("user.name"));
      JsonNode configuration = overrides.change(node, file, change).path("configuration");
      PrintWriter out = spec.commandLine().getOut();
      out.printf("%s: %s%n", node, done);
      for (JsonNode key : configuration.path("needRestart")) {
        out.printf(
            "  %s takes effect after a restart of that NodeManager; containers keep running "
                + "meanwhile if yarn.nodemanager.recovery.enabled is true%n",
            CellFormat.text(key));
      }
      out.printf("  overrides in %s:%n", PlainText.escape(file.path().toString()));
      configuration
          .path("overrides")
          .fields()
          .forEachRemaining(
              entry ->
                  out.printf(
                      "    %s=%s%n",
                      PlainText.escape(entry.getKey()), CellFormat.text(entry.getValue())));
      out.flush();
      return 0;
    } catch (NodeOverrides.RefusedException | StatusException | IOException e) {
      spec.commandLine().getErr().println("charon: " + PlainText.escape(message(e)));
      return 1;
    }
  }

  private static String message(Exception e) {
    return e instanceof IOException
        ? "the overrides file cannot be changed (%s); run this command as the owner of the file and its directory"
            .formatted(e)
        : e.getMessage();
  }
}
