/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.status;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.web.http.AccessException;
import io.charon.web.http.BoundedClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Optional;

/** Reads Charon's status from a NodeManager's own {@code /jmx} page. */
public final class StatusClient {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);

  /** Maximum size of a reply: the status of thousands of containers fits easily. */
  private static final int MAX_BYTES = 64 << 20;

  private static final String STATUS_BEAN = "/jmx?qry=io.charon:type=Status";

  /** Attribute of the status bean that holds the document as text. */
  private static final String ATTRIBUTE = "Json";

  private static final String FIND_ADDRESS =
      "Give the address of the NodeManager's web server as --node HOST:PORT: it is"
          + " yarn.nodemanager.webapp.address in that node's yarn-site.xml (default port 8042), or"
          + " yarn.nodemanager.webapp.https.address (8044).";
  private static final String ADD_CHARON =
      "Add charon to yarn.nodemanager.aux-services in its yarn-site.xml and restart it (docs/install.md has the"
          + " XML); if it is there, the NodeManager's log says why Charon did not start.";

  private final ClusterAccess access;
  private final BoundedClient client;
  private final ObjectMapper mapper = new ObjectMapper();

  /** Creates a client for a cluster without https and Kerberos. */
  public StatusClient() {
    this(ClusterAccess.of(Optional.empty()));
  }

  /** Creates a client with timeouts of seconds. */
  public StatusClient(ClusterAccess access) {
    this.access = access;
    this.client = access.client(CONNECT_TIMEOUT, ANSWER_TIMEOUT, MAX_BYTES);
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
    URI uri = access.uri(node, STATUS_BEAN);
    return document(uri, bean(uri, get(uri)));
  }

  private byte[] get(URI uri) throws StatusException, InterruptedException {
    try {
      return client.send(HttpRequest.newBuilder(uri));
    } catch (IOException e) {
      String said =
          e.getCause() == null
              ? uri + " answered HTTP " + e.getMessage()
              : "Cannot reach " + uri + ": " + e.getMessage();
      throw new StatusException(
          said + (e instanceof AccessException ? "." : ". " + FIND_ADDRESS),
          e.getCause() == null ? e : e.getCause());
    }
  }

  private JsonNode bean(URI uri, byte[] body) throws StatusException {
    JsonNode beans;
    try {
      beans = mapper.readTree(body).path("beans");
    } catch (IOException e) {
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
