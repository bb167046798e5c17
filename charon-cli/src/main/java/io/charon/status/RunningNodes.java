/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.status;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.web.http.BoundedClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.TypeConversionException;

/** Reads the web addresses of the running NodeManagers from the active ResourceManager. */
public final class RunningNodes {
  private static final String PATH = "/ws/v1/cluster/nodes?states=RUNNING,UNHEALTHY";

  /** Maximum size of a reply: several times that of 10,000 nodes. */
  private static final int MAX_BYTES = 64 << 20;

  private final ClusterAccess access;
  private final BoundedClient client;
  private final ObjectMapper mapper = new ObjectMapper();

  /** Creates a client, without sending a request. */
  public RunningNodes(ClusterAccess access) {
    this.access = access;
    this.client = access.client(Duration.ofSeconds(3), Duration.ofSeconds(20), MAX_BYTES);
  }

  /**
   * Asks one ResourceManager after the other until one replies.
   *
   * @return the addresses, sorted
   * @throws StatusException if none replies; the message says what to do
   */
  public List<NodeAddress> addresses() throws StatusException, InterruptedException {
    List<String> reasons = new ArrayList<>();
    try {
      for (URI server : access.resourceManagers()) {
        try {
          return addresses(client.send(request(server)));
        } catch (IOException e) {
          reasons.add(server + ": " + e.getMessage());
        }
      }
    } catch (IllegalArgumentException e) {
      reasons.add(e.getMessage());
    }
    throw new StatusException(
        "--all: no ResourceManager lists its running nodes ("
            + String.join("; ", reasons)
            + "). Give the cluster's configuration with --conf DIR, or name nodes with "
            + "--node HOST:PORT.");
  }

  private static HttpRequest.Builder request(URI server) {
    return HttpRequest.newBuilder(server.resolve(PATH)).header("Accept", "application/json");
  }

  private List<NodeAddress> addresses(byte[] answer) throws IOException {
    try {
      List<NodeAddress> addresses = new ArrayList<>();
      for (JsonNode node : mapper.readTree(answer).path("nodes").path("node")) {
        addresses.add(NodeAddress.parse(node.path("nodeHTTPAddress").asText()));
      }
      addresses.sort((one, other) -> one.toString().compareTo(other.toString()));
      return List.copyOf(addresses);
    } catch (JsonProcessingException | TypeConversionException e) {
      throw new IOException("the answer contains no nodes", e);
    }
  }
}
