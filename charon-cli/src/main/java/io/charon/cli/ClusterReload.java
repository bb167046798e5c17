/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.charon.configure.ClusterStops;
import io.charon.configure.LocalConfiguration;
import io.charon.configure.NodeOverrides;
import io.charon.configure.Orders;
import io.charon.status.ClusterAccess;
import io.charon.status.NodeAddress;
import io.charon.web.stop.ReloadOrder;
import io.charon.web.trust.TrustedProperties;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import picocli.CommandLine;

/** Lets the ResourceManager on this machine read its keys again, and prints the result. */
final class ClusterReload {
  private final ClusterStops orders;
  private final String operator;
  private final Clock clock;

  ClusterReload(ClusterStops orders, String operator, Clock clock) {
    this.orders = orders;
    this.operator = operator;
    this.clock = clock;
  }

  /** Returns the exit code. */
  int run(
      LocalConfiguration local,
      LocalResourceManager named,
      ClusterAccess access,
      CommandLine command)
      throws InterruptedException {
    try {
      NodeAddress resourceManager = named.address(access);
      TrustedProperties file = local.clusterStopFile(System.getProperty("user.name"));
      ReloadOrder order = new ReloadOrder(operator, clock.instant().truncatedTo(ChronoUnit.MILLIS));
      Orders.Given given = orders.reload(resourceManager, file, order);
      if (ClusterStops.isStandby(given.daemon())) {
        command
            .getOut()
            .printf(
                "%s is not the active ResourceManager and uses no keys now; it reads them when it becomes active%n",
                resourceManager);
        return 0;
      }
      if (given.down()) {
        throw new IOException(
            "no daemon listens at %s (%s); a ResourceManager reads its keys when it starts"
                .formatted(resourceManager, given.unconfirmed().orElse("")));
      }
      if (given.unconfirmed().isPresent()) {
        throw new IOException(
            "%s has not confirmed (%s); the order stays in %s, and the ResourceManager's log shows the result"
                .formatted(resourceManager, given.unconfirmed().get(), file.path()));
      }
      return say(resourceManager, given.daemon(), command);
    } catch (NodeOverrides.RefusedException | IOException e) {
      command.getErr().println("charon: " + PlainText.escape(e.getMessage()));
      return 1;
    }
  }

  private static int say(NodeAddress resourceManager, JsonNode told, CommandLine command) {
    PrintWriter out = command.getOut();
    if (!told.path("problems").isEmpty()) {
      command.getErr().println("charon: " + resourceManager + " changed nothing:");
      told.path("problems")
          .forEach(problem -> command.getErr().println("  " + CellFormat.text(problem)));
      return 1;
    } else {
      out.printf("%s: the keys have been read again%n", resourceManager);
      if (told.path("changed").isEmpty()) {
        out.println("  no value has changed");
      }
      told.path("changed").forEach(change -> print(change, "", out));
      told.path("needRestart")
          .forEach(change -> print(change, ", after a restart of that ResourceManager", out));
      told.path("warnings").forEach(warning -> out.println("  " + CellFormat.text(warning)));
    }
    out.flush();
    return 0;
  }

  private static void print(JsonNode change, String when, PrintWriter out) {
    out.printf(
        "  %s: from '%s' to '%s'%s%n",
        CellFormat.text(change.path("key")),
        CellFormat.text(change.path("from")),
        CellFormat.text(change.path("to")),
        when);
  }
}
