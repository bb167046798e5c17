/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** A web server that replies like a NodeManager's JMX page, or with a configured error. */
final class FakeNodeManager implements AutoCloseable {
  private final ObjectMapper mapper = new ObjectMapper();
  private final HttpServer server;
  private final AtomicReference<String> query = new AtomicReference<>();
  private volatile int httpStatus = 200;
  private volatile Supplier<String> body = () -> "";

  private FakeNodeManager(HttpServer server) {
    this.server = server;
  }

  static FakeNodeManager start() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    FakeNodeManager node = new FakeNodeManager(server);
    HttpHandler handler =
        exchange -> {
          node.query.set(exchange.getRequestURI().getQuery());
          byte[] bytes = node.body.get().getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(node.httpStatus, bytes.length);
          try (OutputStream stream = exchange.getResponseBody()) {
            stream.write(bytes);
          }
        };
    server.createContext("/jmx", handler);
    server.createContext("/ws/v1/cluster/nodes", handler);
    server.start();
    return node;
  }

  String address() {
    return "localhost:" + server.getAddress().getPort();
  }

  /** The query of the last request. */
  String query() {
    return query.get();
  }

  /** Replies with this status document. */
  void status(String document) {
    status(() -> document);
  }

  /** Replies with the status document supplied at the time of the request. */
  void status(Supplier<String> document) {
    body = () -> beans(document.get());
  }

  private String beans(String document) {
    return mapper
        .createObjectNode()
        .set(
            "beans",
            mapper
                .createArrayNode()
                .add(
                    mapper
                        .createObjectNode()
                        .put("name", "io.charon:type=Status")
                        .put("Json", document)))
        .toString();
  }

  /** Replies with this text. */
  void body(String text) {
    body = () -> text;
  }

  /** Replies with this HTTP status. */
  void httpStatus(int status) {
    httpStatus = status;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
