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

/** Base class of the commands that change a running node. */
abstract class ConfiguringCommand implements Callable<Integer> {
  private final Duration timeout;

  @Spec private CommandSpec spec;

  @Mixin private LocalDaemonOptions daemon;

  /**
   * Creates a command.
   *
   * @param timeout how long a daemon may take to read the change; a NodeManager has a tick more
   */
  ConfiguringCommand(Duration timeout) {
    this.timeout = timeout;
  }

  /**
   * Returns the configuration with which the daemon was started.
   *
   * @throws picocli.CommandLine.ParameterException if neither option nor environment names its
   *     directory
   */
  final LocalConfiguration configuration() {
    return daemon.configuration();
  }

  /** How to reach the daemons of this cluster. */
  final ClusterAccess access() {
    return daemon.access();
  }

  /** How long a daemon may take to read a change. */
  final Duration timeout() {
    return timeout;
  }

  /** Where to print. */
  final CommandLine commandLine() {
    return spec.commandLine();
  }

  /**
   * Changes the node and prints the result.
   *
   * @param change change of the node's overrides
   * @param done message for success
   * @return the exit code
   */
  final int change(Consumer<Map<String, String>> change, String done) throws InterruptedException {
    LocalConfiguration local = daemon.configuration();
    ClusterAccess access = daemon.access();
    NodeAddress node = daemon.node(access);
    try {
      NodeOverrides overrides =
          new NodeOverrides(new StatusClient(access), timeout.plus(local.tick()));
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
