/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.status;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;

/** Reads Charon's status from a NodeManager's own {@code /jmx} page. */
public final class StatusClient {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);

  /** Attribute of the status bean that holds the document, as text. */
  private static final String ATTRIBUTE = "Json";

  private static final String FIND_ADDRESS =
      "Give the address of the NodeManager's web server as --node HOST:PORT: it is"
          + " yarn.nodemanager.webapp.address in that node's yarn-site.xml (default port 8042).";
  private static final String ADD_CHARON =
      "Add charon to yarn.nodemanager.aux-services in its yarn-site.xml and restart it (README.md has the"
          + " whole XML); if it is there, the NodeManager's log says why Charon did not start.";

  private final HttpClient http;
  private final ObjectMapper mapper = new ObjectMapper();

  /** Creates a client with timeouts of seconds. */
  public StatusClient() {
    this.http = HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).build();
  }

  /**
   * Reads the status document of one node.
   *
   * @param node the NodeManager
   * @return the document, always a JSON object
   * @throws StatusException if there is no such document; the message tells the user what to do
   * @throws InterruptedException if interrupted while waiting
   */
  public JsonNode read(NodeAddress node) throws StatusException, InterruptedException {
    URI uri = node.statusUri();
    return document(uri, bean(uri, get(uri)));
  }

  private String get(URI uri) throws StatusException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(ANSWER_TIMEOUT).build();
    try {
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        throw new StatusException(
            uri + " answered HTTP status " + response.statusCode() + ". " + FIND_ADDRESS);
      }
      return response.body();
    } catch (IOException e) {
      throw new StatusException("Cannot reach " + uri + ": " + reason(e) + ". " + FIND_ADDRESS, e);
    }
  }

  private static String reason(IOException failure) {
    if (failure instanceof HttpTimeoutException) {
      return "no answer in time";
    }
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnresolvedAddressException) {
        return "unknown host";
      }
    }
    // The HTTP client leaves out the message when a connection is refused.
    return failure.getMessage() == null ? "connection refused" : failure.getMessage();
  }

  private JsonNode bean(URI uri, String body) throws StatusException {
    JsonNode beans;
    try {
      beans = mapper.readTree(body).path("beans");
    } catch (JsonProcessingException e) {
      throw new StatusException(
          uri + " is not the JMX page of a NodeManager (no JSON). " + FIND_ADDRESS, e);
    }
    if (!beans.isArray()) {
      throw new StatusException(
          uri + " is not the JMX page of a NodeManager (no beans). " + FIND_ADDRESS);
    }
    if (!beans.path(0).path(ATTRIBUTE).isTextual()) {
      throw new StatusException(
          uri + " answers, but Charon does not run in that process. " + ADD_CHARON);
    }
    return beans.path(0).path(ATTRIBUTE);
  }

  private JsonNode document(URI uri, JsonNode text) throws StatusException {
    try {
      JsonNode document = mapper.readTree(text.textValue());
      if (document.isObject()) {
        return document;
      }
    } catch (JsonProcessingException e) {
      throw new StatusException(
          uri + ": attribute " + ATTRIBUTE + " is not JSON: " + e.getOriginalMessage(), e);
    }
    throw new StatusException(uri + ": attribute " + ATTRIBUTE + " is not a JSON object");
  }
}
