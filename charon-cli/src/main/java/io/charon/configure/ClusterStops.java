/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.configure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.core.stop.StopKeys;
import io.charon.core.stop.StopOrder;
import io.charon.status.ClusterAccess;
import io.charon.status.NodeAddress;
import io.charon.web.http.BoundedClient;
import io.charon.web.stop.ReloadOrder;
import io.charon.web.stop.StopMessages;
import io.charon.web.trust.TrustedProperties;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;

/**
 * Stops or resumes best-effort in the cluster, or has keys read again, on a ResourceManager's host.
 */
public final class ClusterStops {
  private static final Duration TIMEOUT_FOR_ANSWERS = Duration.ofSeconds(2);

  private final Orders orders;
  private final ObjectMapper mapper = new ObjectMapper();
  private final ClusterAccess access;
  private final BoundedClient client;

  /**
   * Creates the giver of orders.
   *
   * @param access how to reach the ResourceManager
   * @param timeout how long it may take to read an order
   */
  public ClusterStops(ClusterAccess access, Duration timeout) {
    this.access = access;
    this.client = access.client(TIMEOUT_FOR_ANSWERS, TIMEOUT_FOR_ANSWERS, ReloadOrder.MAX_BYTES);
    this.orders = new Orders(timeout);
  }

  /**
   * Gives an order.
   *
   * @param resourceManager web address of the ResourceManager on this machine
   * @param file the file named by its configuration
   * @throws NodeOverrides.RefusedException if it runs elsewhere; nothing is written
   * @throws IOException if the file cannot be read or written, or must not be trusted
   */
  public Orders.Given order(NodeAddress resourceManager, TrustedProperties file, StopOrder order)
      throws NodeOverrides.RefusedException, IOException, InterruptedException {
    NodeOverrides.requireHere(resourceManager, "ResourceManager");
    URI uri = access.uri(resourceManager, StopMessages.PATH);
    return orders.give(file, order.values(StopKeys.CLUSTER), () -> ask(uri));
  }

  /**
   * Lets the ResourceManager read Charon's keys again.
   *
   * @param resourceManager web address of the ResourceManager on this machine
   * @param file the file named by its configuration
   * @throws NodeOverrides.RefusedException if it runs elsewhere; nothing is written
   * @throws IOException if the file cannot be read or written, or must not be trusted
   */
  public Orders.Given reload(NodeAddress resourceManager, TrustedProperties file, ReloadOrder order)
      throws NodeOverrides.RefusedException, IOException, InterruptedException {
    NodeOverrides.requireHere(resourceManager, "ResourceManager");
    URI uri = access.uri(resourceManager, ReloadOrder.PATH);
    return orders.give(file, order.values(), () -> finalIfStandby(ask(uri)));
  }

  /** A standby uses no keys and reads no order, so that there is nothing to wait for. */
  private static JsonNode finalIfStandby(JsonNode told) {
    return isStandby(told) ? ((ObjectNode) told).put("readMillis", Long.MAX_VALUE) : told;
  }

  /** Returns whether an answer is that of a ResourceManager that is not the active one. */
  public static boolean isStandby(JsonNode told) {
    return told.isObject() && !told.path("active").asBoolean();
  }

  private JsonNode ask(URI uri) throws Orders.UnansweredException, InterruptedException {
    try {
      return mapper.readTree(client.send(HttpRequest.newBuilder(uri).GET()));
    } catch (IOException e) {
      String cause = String.valueOf(e.getMessage());
      throw new Orders.UnansweredException(
          cause.startsWith("status 404")
              ? uri
                  + " does not exist, so that nodes and commands cannot learn of the order: add "
                  + "io.charon.scheduler.resourcemanager.ClusterStopInitializer to "
                  + "hadoop.http.filter.initializers and restart the ResourceManager"
              : uri + ": " + cause,
          e.getCause() instanceof ConnectException,
          e);
    }
  }
}
