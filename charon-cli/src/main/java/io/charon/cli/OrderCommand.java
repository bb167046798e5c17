/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.configure.ClusterStops;
import io.charon.configure.LocalConfiguration;
import io.charon.configure.NodeOverrides;
import io.charon.configure.Orders;
import io.charon.core.stop.StopAction;
import io.charon.core.stop.StopOrder;
import io.charon.nodemanager.config.OverridesFile;
import io.charon.status.ClusterAccess;
import io.charon.status.NodeAddress;
import io.charon.status.StatusClient;
import io.charon.web.trust.TrustedProperties;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Base class of stop and resume. */
abstract class OrderCommand implements Callable<Integer> {
  private static final double MILLIS_PER_SECOND = 1000;

  private final Duration timeout;
  private final String operator;
  private final Clock clock;
  private final ObjectMapper mapper = new ObjectMapper();

  @Spec private CommandSpec spec;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "The reason, at most 200 characters; it is shown wherever the stop is shown.")
  private String reason;

  @Mixin private LocalDaemonOptions daemon;

  @Option(
      names = "--cluster",
      description =
          "For the whole cluster, on a ResourceManager's host: best-effort asks are held at "
              + "once, and nodes learn of it within 5 s. If there are several ResourceManagers, "
              + "give the same order on each host.")
  private boolean cluster;

  @Mixin private LocalResourceManager resourceManager;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  /**
   * Creates a command.
   *
   * @param timeout how long a daemon may take to read an order; longer than a tick
   * @param operator name of the operator who gives the order
   * @param clock dates the order
   */
  OrderCommand(Duration timeout, String operator, Clock clock) {
    this.timeout = timeout;
    this.operator = operator;
    this.clock = clock;
  }

  /**
   * Gives the order and prints the result.
   *
   * @return the exit code
   */
  final int give(StopAction action) throws InterruptedException {
    resourceManager.requireCluster(cluster, spec.commandLine());
    LocalConfiguration local = daemon.configuration();
    ClusterAccess access = daemon.access();
    StopOrder order =
        new StopOrder(action, operator, clock.instant().truncatedTo(ChronoUnit.MILLIS), reason);
    try {
      String user = System.getProperty("user.name");
      if (cluster) {
        TrustedProperties file = local.clusterStopFile(user);
        NodeAddress server = resourceManager.address(access);
        int code =
            say(
                order,
                server.toString(),
                file.path(),
                new ClusterStops(access, timeout).order(server, file, order));
        if (!json && local.hasSeveralResourceManagers()) {
          spec.commandLine()
              .getOut()
              .println(
                  "  there are other ResourceManagers: give the same order on their hosts, so that "
                      + "the next active one also holds asks; nodes follow the newest order of any "
                      + "ResourceManager");
        }
        return code;
      }
      OverridesFile file = local.overridesFile(user);
      NodeAddress node = daemon.node(access);
      return say(
          order,
          node.toString(),
          file.path(),
          new NodeOverrides(new StatusClient(access), timeout).order(node, file, order));
    } catch (NodeOverrides.RefusedException | IOException e) {
      spec.commandLine().getErr().println("charon: " + PlainText.escape(message(e)));
      return 1;
    }
  }

  private int say(StopOrder order, String address, Path file, Orders.Given given) {
    boolean used = given.unconfirmed().isEmpty() && !given.daemon().hasNonNull("problem");
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(document(order, address, file, given));
    } else if (given.down()) {
      out.printf(
          "%s: no daemon listens at this address; %s takes effect when the daemon starts%n  "
              + "written to %s%n",
          address, order.stops() ? "the stop" : "the order", PlainText.escape(file.toString()));
    } else if (given.unconfirmed().isPresent()) {
      spec.commandLine()
          .getErr()
          .printf(
              "charon: %s has not confirmed (%s); the order stays in %s, and takes effect within "
                  + "a second after that daemon can read it%n",
              address,
              PlainText.escape(given.unconfirmed().get()),
              PlainText.escape(file.toString()));
    } else {
      out.printf(
          Locale.ROOT,
          "%s: %s, confirmed after %.2f s%n",
          address,
          effect(order),
          given.took().toMillis() / MILLIS_PER_SECOND);
      StopLine.print(out, given.daemon());
    }
    out.flush();
    return used || given.down() ? 0 : 1;
  }

  private String effect(StopOrder order) {
    if (cluster) {
      return order.stops()
          ? "best-effort asks are held, and each node stops starting best-effort as soon as it "
              + "learns of the order"
          : "best-effort asks are processed again, and each node starts best-effort again as "
              + "soon as it learns of the order";
    }
    return order.stops() ? "no best-effort container starts" : "best-effort containers start again";
  }

  private String document(StopOrder order, String address, Path file, Orders.Given given) {
    ObjectNode document =
        mapper
            .createObjectNode()
            .put("daemon", address)
            .put("file", file.toString())
            .put("action", order.action().label())
            .put("by", order.by())
            .put("since", order.since().toString())
            .put("reason", order.reason())
            .put("confirmed", given.unconfirmed().isEmpty())
            .put("seconds", given.took().toMillis() / MILLIS_PER_SECOND)
            .put("unconfirmed", given.unconfirmed().orElse(null));
    document.set("stop", given.daemon().isObject() ? given.daemon() : null);
    try {
      return mapper.writeValueAsString(document);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String message(Exception e) {
    return e instanceof IOException
        ? "the file cannot be changed (%s); run this command as the owner of the file and its directory"
            .formatted(e)
        : e.getMessage();
  }
}
