/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.web.http.BoundedClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads what the ResourceManager reports about an application. */
public final class ApplicationClient {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final String PATH = "/ws/v1/cluster/apps/";

  /** Maximum size of a reply: one application with all its tags and diagnostics. */
  private static final int MAX_BYTES = 1 << 20;

  private static final String FIND_ADDRESS =
      "Give the web address of the active ResourceManager as --resourcemanager HOST:PORT: it is"
          + " yarn.resourcemanager.webapp.address in its yarn-site.xml (default port 8088).";

  private final ClusterAccess access;
  private final BoundedClient client;
  private final ObjectMapper mapper = new ObjectMapper();

  /** Creates a client, without sending a request. */
  public ApplicationClient(ClusterAccess access) {
    this.access = access;
    this.client = access.client(TIMEOUT, TIMEOUT, MAX_BYTES);
  }

  /**
   * Asks one ResourceManager after the other until one knows the application.
   *
   * @param resourceManager the one to ask; empty for those of the configuration, or this machine's
   * @param application its id
   * @return the element {@code app} of the reply
   * @throws StatusException if there is none; the message tells the user what to do
   */
  public JsonNode read(Optional<NodeAddress> resourceManager, String application)
      throws StatusException, InterruptedException {
    List<String> reasons = new ArrayList<>();
    for (URI server : servers(resourceManager)) {
      URI uri = server.resolve(PATH + application);
      try {
        byte[] answer =
            client.send(HttpRequest.newBuilder(uri).header("Accept", "application/json"));
        JsonNode found = mapper.readTree(answer).path("app");
        if (found.path("state").isTextual()) {
          return found;
        }
        reasons.add(uri + " answered without an application");
      } catch (IOException e) {
        reasons.add(uri + ": " + e.getMessage());
      }
    }
    throw new StatusException(
        "No ResourceManager knows %s (%s). %s"
            .formatted(application, String.join("; ", reasons), FIND_ADDRESS));
  }

  private List<URI> servers(Optional<NodeAddress> resourceManager) {
    if (resourceManager.isPresent()) {
      return List.of(access.uri(resourceManager.get(), "/"));
    }
    try {
      return access.resourceManagers();
    } catch (IllegalArgumentException nobodySaysWhere) {
      return List.of(access.uri(access.resourceManagerHere(), "/"));
    }
  }
}
