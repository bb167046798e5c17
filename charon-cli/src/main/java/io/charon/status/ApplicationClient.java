/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Asks a ResourceManager's web service about an application. */
public final class ApplicationClient {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final String FIND_ADDRESS =
      "Give the web address of the active ResourceManager as --resourcemanager HOST:PORT: it is"
          + " yarn.resourcemanager.webapp.address in its yarn-site.xml (default port 8088).";

  /** The standby ResourceManager sends on to the active one. */
  private final HttpClient http =
      HttpClient.newBuilder()
          .connectTimeout(PATIENCE)
          .followRedirects(HttpClient.Redirect.NORMAL)
          .build();

  private final ObjectMapper mapper = new ObjectMapper();

  /**
   * Asks.
   *
   * @param application its id
   * @return the element {@code app} of the answer
   * @throws StatusException if there is none; the message tells the user what to do
   */
  public JsonNode read(NodeAddress resourceManager, String application)
      throws StatusException, InterruptedException {
    URI uri = URI.create("http://" + resourceManager + "/ws/v1/cluster/apps/" + application);
    HttpRequest request =
        HttpRequest.newBuilder(uri).timeout(PATIENCE).header("Accept", "application/json").build();
    try {
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() == 404) {
        throw new StatusException(
            "%s does not know %s. %s".formatted(resourceManager, application, FIND_ADDRESS));
      }
      JsonNode found = mapper.readTree(response.body()).path("app");
      if (response.statusCode() != 200 || !found.path("state").isTextual()) {
        throw new StatusException(
            "%s answered HTTP status %d, and no application. %s"
                .formatted(uri, response.statusCode(), FIND_ADDRESS));
      }
      return found;
    } catch (IOException e) {
      throw new StatusException("No answer from %s: %s. %s".formatted(uri, e, FIND_ADDRESS), e);
    }
  }
}
