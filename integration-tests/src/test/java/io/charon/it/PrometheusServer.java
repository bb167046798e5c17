/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A Prometheus of the test on the loopback address, with its data in a given directory. */
final class PrometheusServer implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final HttpClient client = HttpClient.newHttpClient();
  private final Path log;
  private final int port;
  private final Process process;

  private PrometheusServer(Path log, int port, Process process) {
    this.log = log;
    this.port = port;
    this.process = process;
  }

  /**
   * Starts a server.
   *
   * @param configuration its prometheus.yml
   * @param directory directory for its data and its log
   */
  static PrometheusServer start(Path configuration, Path directory) throws IOException {
    int port = freePort();
    Path log = directory.resolve("prometheus.log");
    Process process =
        new ProcessBuilder(
                "prometheus",
                "--config.file=" + configuration,
                "--storage.tsdb.path=" + directory.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port,
                "--log.level=warn")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    return new PrometheusServer(log, port, process);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /**
   * Returns the result of an instant query; empty while the server starts.
   *
   * @throws AssertionError if the server has ended or rejects the query
   */
  JsonNode query(String expression) throws IOException, InterruptedException {
    if (!process.isAlive()) {
      throw new AssertionError("Prometheus has ended:\n" + Files.readString(log));
    }
    String query = URLEncoder.encode(expression, StandardCharsets.UTF_8);
    URI uri = URI.create("http://127.0.0.1:" + port + "/api/v1/query?query=" + query);
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(TIMEOUT).build();
    HttpResponse<String> response;
    try {
      response = client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException notYet) {
      return JSON.createArrayNode();
    }
    return switch (response.statusCode()) {
      case 200 -> JSON.readTree(response.body()).at("/data/result");
      case 503 -> JSON.createArrayNode(); // the server is starting
      default -> throw new AssertionError(expression + ": " + response.body());
    };
  }

  @Override
  public void close() {
    TimedProgram.end(process);
  }
}
