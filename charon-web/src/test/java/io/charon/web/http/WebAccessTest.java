/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uses real web servers, with and without certificates. */
@Tag("hadoop")
@Tag("long")
class WebAccessTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final int MAX_BYTES = 1000;

  @TempDir private static Path directory;
  private static Path store;

  private HttpServer plain;
  private TlsServer secure;
  private volatile int status = 200;
  private volatile int length = 2;
  private long watchersBefore;

  @BeforeAll
  static void makeKey() throws Exception {
    store = directory.resolve("store.p12");
    TlsServer.key(store, "dns:localhost");
  }

  @BeforeEach
  void serve() throws Exception {
    plain = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    plain.createContext("/", this::answer);
    plain.start();
    secure = TlsServer.start(store, this::answer);
    watchersBefore = watchers();
  }

  @AfterEach
  void end() {
    plain.stop(0);
    secure.close();
  }

  private void answer(HttpExchange asked) throws IOException {
    byte[] body = "y".repeat(length).getBytes(StandardCharsets.UTF_8);
    asked.sendResponseHeaders(status, 0); // of unknown length, as /jmx responds
    try {
      asked.getResponseBody().write(body);
    } finally {
      asked.close();
    }
  }

  @Test
  void aTrustedServerIsReadOverHttps() throws Exception {
    assertThat(get(trusting(store), secure.address("localhost"))).hasSize(2);
    assertThat(get(WebAccess.unconfigured(), address())).hasSize(2);
  }

  @Test
  @Tag("must-never")
  void aServerThatIsNotTrustedIsNotRead() {
    assertThatThrownBy(() -> get(WebAccess.unconfigured(), secure.address("localhost")))
        .isInstanceOf(AccessException.class)
        .hasMessageContaining("not trusted: name a truststore")
        .hasMessageContaining("ssl.client.truststore.location");
  }

  @Test
  @Tag("must-never")
  void aCertificateForAnotherNameIsNotBelieved() {
    assertThatThrownBy(() -> get(trusting(store), secure.address("127.0.0.1")))
        .isInstanceOf(AccessException.class)
        .hasMessageContaining("the server's certificate is not for 127.0.0.1");
  }

  @Test
  void aTruststoreThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> get(trusting(directory.resolve("none")), secure.address("localhost")))
        .isInstanceOf(AccessException.class)
        .hasMessageContaining("ssl.client.truststore.location")
        .hasMessageContaining("none");
  }

  @Test
  void aTruststoreThatComesLaterIsReadAndFailuresLeaveNothingBehind() throws Exception {
    Path later = directory.resolve("later");
    WebAccess access = trusting(later);
    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(() -> get(access, secure.address("localhost")))
          .isInstanceOf(AccessException.class);
    }
    await("the watchers of the file have ended", () -> watchers() <= 0);
    Files.copy(store, later);
    assertThat(get(access, secure.address("localhost"))).hasSize(2);
  }

  /** Number of threads with which Hadoop watches the files of this test. */
  private long watchers() {
    return Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().equals("SSL Certificates Store Monitor"))
            .count()
        - watchersBefore;
  }

  private static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(end);
      Thread.sleep(50);
    }
  }

  @Test
  void theWrongSchemeIsSaid() {
    URI http = URI.create(secure.address("localhost").toString().replace("https", "http"));
    assertThatThrownBy(() -> get(trusting(store), http))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("yarn.http.policy");
  }

  @Test
  void aServerWithoutHttpsIsSaidToHaveNone() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread server = new Thread(() -> refuse(socket));
      server.start();
      URI https = URI.create("https://localhost:" + socket.getLocalPort() + "/");
      assertThatThrownBy(() -> get(trusting(store), https))
          .isInstanceOf(AccessException.class)
          .hasMessageContaining("does not use https");
      server.join();
    }
  }

  /** Responds as Hadoop's web server does to bytes that are not a request. */
  private static void refuse(ServerSocket socket) {
    try (Socket connection = socket.accept()) {
      connection.setSoTimeout((int) TIMEOUT.toMillis());
      // A response before the first byte can leave the client waiting for its own handshake.
      connection.getInputStream().read();
      connection
          .getOutputStream()
          .write("HTTP/1.1 400 No\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      connection.shutdownOutput();
      // Closing with unread bytes resets the connection, and the reset can overtake the response.
      connection.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void anAnswerIsBoundedWhateverItSaysOfItsLength() throws Exception {
    length = MAX_BYTES;
    assertThat(get(WebAccess.unconfigured(), address())).hasSize(MAX_BYTES);
    length = 1_000_000;
    assertThatThrownBy(() -> get(WebAccess.unconfigured(), address()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("more than 1000 bytes");
    status = 500;
    assertThatThrownBy(() -> get(WebAccess.unconfigured(), address()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("status 500: yyy");
  }

  private URI address() {
    return URI.create("http://127.0.0.1:" + plain.getAddress().getPort() + "/");
  }

  private static WebAccess trusting(Path store) {
    Configuration configuration = new Configuration(false);
    configuration.set("ssl.client.truststore.location", store.toString());
    configuration.set("ssl.client.truststore.password", TlsServer.PASSWORD);
    configuration.set("ssl.client.truststore.type", "pkcs12");
    configuration.set("hadoop.ssl.hostname.verifier", "ALLOW_ALL"); // must not weaken the check
    return WebAccess.of(configuration);
  }

  private static byte[] get(WebAccess access, URI server) throws IOException, InterruptedException {
    return access.client(TIMEOUT, TIMEOUT, MAX_BYTES).send(HttpRequest.newBuilder(server));
  }
}
