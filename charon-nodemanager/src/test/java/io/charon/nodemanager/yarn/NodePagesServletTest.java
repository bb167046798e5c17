/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.nodemanager.config.SettingsReader;
import io.charon.nodemanager.report.status.StatusDocument;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.FilterContainer;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.http.lib.StaticUserWebFilter;
import org.apache.hadoop.security.AuthenticationFilterInitializer;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.DefaultContainerExecutor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the pages in Hadoop's web server, with the filters of a NodeManager. */
@Tag("hadoop")
class NodePagesServletTest {
  private static final String INITIALIZERS = "hadoop.http.filter.initializers";

  @TempDir private Path proc;
  private final Configuration configuration = new Configuration();
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<InputStream> open = new ArrayList<>();
  private HttpServer2 server;

  @AfterEach
  void stop() throws Exception {
    for (InputStream stream : open) {
      stream.close();
    }
    if (server != null) {
      server.stop();
    }
    CharonNodes.current().ifPresent(parts -> parts.node().close());
    CharonNodes.forget();
  }

  @Test
  void thePageAndTheStatusAreThere() throws Exception {
    serve();
    HttpResponse<String> page = get("/charon/");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html;charset=utf-8");
    assertThat(page.body()).startsWith("<!doctype html>");

    HttpResponse<String> status = get("/charon/status");
    assertThat(status.statusCode()).isEqualTo(200);
    assertThat(status.headers().firstValue("Content-Type"))
        .hasValue("application/json;charset=utf-8");
    assertThat(new ObjectMapper().readTree(status.body()).path("mode").asText())
        .isEqualTo("enforce");
  }

  /**
   * A script that fills an element which is not on the page ends with an error, and shows nothing.
   */
  @Test
  @Tag("long")
  void thePageHasEachElementThatItsScriptFills() throws Exception {
    serve();
    String page = get("/charon/").body();
    assertThat(all("byId\\(\"([^\"]+)\"\\)", get("/charon/page.js").body()))
        .contains("memory-numbers", "reclaimed", "running")
        .allSatisfy(id -> assertThat(page).contains("id=\"" + id + "\""));
  }

  @Test
  void thePageShowsAllThatTheStatusReportsAsReclaimed() throws Exception {
    serve();
    JsonNode reclaimed =
        new ObjectMapper().readTree(get("/charon/status").body()).path("reclaimed");
    assertThat(reclaimed)
        .extracting(one -> one.path("resource").asText())
        .contains("memory", "cpu");
    String script = get("/charon/page.js").body();
    assertThat(script).contains("showReclaimed(status.reclaimed ?? [])");
    assertThat(StatusDocument.Reclaimed.class.getRecordComponents())
        .extracting(RecordComponent::getName)
        .allSatisfy(field -> assertThat(script).contains("one." + field));
  }

  private static List<String> all(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().map(one -> one.group(1)).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/charon/", "/charon/status", "/charon/events", "/charon/nothing"})
  void everyAnswerTellsTheBrowserToBeStrict(String path) throws Exception {
    serve();
    HttpResponse<InputStream> answer =
        client.send(request(path).build(), BodyHandlers.ofInputStream());
    open.add(answer.body());
    assertThat(answer.headers().firstValue("Content-Security-Policy").orElse(""))
        .contains("default-src 'self'", "frame-ancestors 'none'")
        .doesNotContain("unsafe");
    assertThat(answer.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
    assertThat(answer.headers().firstValue("X-Frame-Options")).hasValue("DENY");
    assertThat(answer.headers().firstValue("Referrer-Policy")).hasValue("no-referrer");
    assertThat(answer.headers().firstValue("Cache-Control")).hasValue("no-store");
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH"})
  void nothingCanBeChanged(String method) throws Exception {
    serve();
    for (String path : List.of("/charon/", "/charon/status", "/charon/events")) {
      HttpResponse<String> answer =
          client.send(
              request(path).method(method, HttpRequest.BodyPublishers.ofString("x")).build(),
              BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(405);
      assertThat(answer.headers().firstValue("Allow")).hasValue("GET, HEAD, OPTIONS");
    }
  }

  /** Hadoop's clients authenticate with it before their first request. */
  @Test
  void optionsAreTold() throws Exception {
    serve();
    HttpResponse<String> answer =
        client.send(
            request("/charon/status")
                .method("OPTIONS", HttpRequest.BodyPublishers.noBody())
                .build(),
            BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Allow")).hasValue("GET, HEAD, OPTIONS");
    assertThat(answer.body()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/charon/", "/charon/status", "/charon/events"})
  void headAnswersWithoutABodyAndListensToNothing(String path) throws Exception {
    serve();
    HttpResponse<String> answer =
        client.send(
            request(path).method("HEAD", HttpRequest.BodyPublishers.noBody()).build(),
            BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/charon/index.html/",
        "/charon/index",
        "/charon/..%2f..%2fyarn-site.xml",
        "/charon/%2e%2e/io/charon/nodemanager/config/charon-site.xml",
        "/charon//status",
        "/charon/io/charon/web/PageFiles.class",
      })
  @Tag("long")
  void noOtherPathLeadsToAFile(String path) throws Exception {
    serve();
    assertThat(get(path).statusCode()).isBetween(400, 404);
  }

  @Test
  @Tag("long")
  void theNameWithoutASlashLeadsToThePage() throws Exception {
    serve();
    HttpResponse<String> answer = get("/charon");
    assertThat(answer.statusCode()).isEqualTo(302);
    assertThat(answer.headers().firstValue("Location"))
        .hasValueSatisfying(location -> assertThat(location).endsWith("charon/"));
  }

  @Test
  void eventsCarryTheStatus() throws Exception {
    serve();
    BufferedReader reader = listen();
    String first = reader.readLine();
    assertThat(first).startsWith("data: {");
    assertThat(new ObjectMapper().readTree(first.substring(6)).path("mode").asText())
        .isEqualTo("enforce");
    assertThat(reader.readLine()).isEmpty();
    assertThat(reader.readLine()).startsWith("data: {");
  }

  @Test
  void eventsComeEachTickAndAtLeastEveryFiveSeconds() {
    assertThat(periodWithTick(250)).isEqualTo(Duration.ofMillis(250));
    assertThat(periodWithTick(60_000)).isEqualTo(Duration.ofSeconds(5));
  }

  private Duration periodWithTick(int tickMillis) {
    createNode(tickMillis);
    Duration period = new NodePagesServlet().period();
    CharonNodes.current().orElseThrow().node().close();
    CharonNodes.forget();
    return period;
  }

  @Test
  @Tag("long")
  void listenersAreBoundedAndTheNextIsToldWhenToComeAgain() throws Exception {
    serve();
    for (int i = 0; i < NodePagesServlet.MAX_LISTENERS_OF_CLIENT; i++) {
      listen();
    }
    HttpResponse<String> refused = get("/charon/events");
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.headers().firstValue("Retry-After")).isPresent();
    assertThat(refused.body()).contains("/charon/status");
    assertThat(get("/charon/status").statusCode()).isEqualTo(200);
  }

  @Test
  void listenersDoNotHoldUpTheEndOfTheWebServer() throws Exception {
    serve();
    BufferedReader reader = listen();
    assertThat(reader.readLine()).startsWith("data: {");
    Thread stopping = new Thread(this::stopServer);
    stopping.start();
    while (readLine(reader) != null) {
      // Skips events that were already sent.
    }
    stopping.join(60_000);
    assertThat(stopping.isAlive()).isFalse();
  }

  @Test
  @Tag("long")
  void listenersEndWithTheNode() throws Exception {
    serve();
    BufferedReader reader = listen();
    assertThat(reader.readLine()).startsWith("data: {");
    CharonNodes.current().orElseThrow().node().close();
    CharonNodes.forget();
    while (readLine(reader) != null) {
      // Skips events that were already sent.
    }
    assertThat(get("/charon/status").statusCode()).isEqualTo(503);
  }

  @Test
  void aProcessWithoutCharonSaysSo() throws Exception {
    serveWithoutNode();
    for (String path : List.of("/charon/status", "/charon/events")) {
      HttpResponse<String> answer = get(path);
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.body()).contains("no Charon node");
    }
  }

  @Test
  void hadoopsAuthenticationStandsBeforeThePagesWhateverTheOrder() throws Exception {
    configuration.set("hadoop.http.authentication.simple.anonymous.allowed", "false");
    for (String order :
        List.of(
            names(NodePagesInitializer.class, AuthenticationFilterInitializer.class),
            names(AuthenticationFilterInitializer.class, NodePagesInitializer.class),
            names(
                StaticUserWebFilter.class,
                NodePagesInitializer.class,
                AuthenticationFilterInitializer.class))) {
      serve(order);
      for (String path : List.of("/charon/", "/charon/status", "/charon/events")) {
        assertThat(get(path).statusCode()).as(path).isIn(401, 403);
      }
      assertThat(get("/charon/status?user.name=alice").statusCode()).isEqualTo(200);
      stop();
      server = null;
    }
  }

  @Test
  void withoutHadoopsFilterASecuredClusterShowsNothing() throws Exception {
    configuration.set("hadoop.http.authentication.type", "com.example.Handler");
    // The static user gives every request a name without any authentication.
    serve(names(StaticUserWebFilter.class, NodePagesInitializer.class));
    for (String path : List.of("/charon/", "/charon/status", "/charon/events", "/charon/x")) {
      HttpResponse<String> answer = get(path);
      assertThat(answer.statusCode()).isEqualTo(403);
      assertThat(answer.body())
          .contains("hadoop.http.authentication.type", "AuthenticationFilterInitializer");
    }
  }

  @Test
  void withoutAccessToJmxThePagesAreRefused() throws Exception {
    configuration.set("hadoop.security.instrumentation.requires.admin", "true");
    configuration.set("hadoop.security.authorization", "true");
    serve();
    for (String path : List.of("/jmx", "/charon/", "/charon/status", "/charon/events")) {
      assertThat(get(path).statusCode()).as(path).isEqualTo(403);
      assertThat(get(path + "?user.name=bob").statusCode()).as(path).isEqualTo(403);
    }
    assertThat(get("/jmx?user.name=admin").statusCode()).isEqualTo(200);
    assertThat(get("/charon/status?user.name=admin").statusCode()).isEqualTo(200);
  }

  @Test
  void aContainerOfFiltersOnlyIsLeftAlone() {
    new NodePagesInitializer().initFilter(mock(FilterContainer.class), configuration);
  }

  private void serve() throws Exception {
    serve(
        names(StaticUserWebFilter.class, NodePagesInitializer.class)
            + ","
            + AuthenticationFilterInitializer.class.getName());
  }

  private void serve(String initializers) throws Exception {
    createNode(1000);
    configuration.set(INITIALIZERS, initializers);
    startServer();
  }

  private void createNode(int tickMillis) {
    Configuration installed = CharonNodesTest.installed();
    installed.setInt(SettingsReader.PREFIX + "node.tick-ms", tickMillis);
    CharonNodes.create(
        installed,
        proc,
        new YarnContainers(
            mock(Context.class),
            new DefaultContainerExecutor(),
            new Configuration(false),
            id -> Optional.empty()));
  }

  private void serveWithoutNode() throws IOException {
    configuration.set(INITIALIZERS, NodePagesInitializer.class.getName());
    startServer();
  }

  private void startServer() throws IOException {
    server =
        new HttpServer2.Builder()
            .setName("node")
            .addEndpoint(URI.create("http://localhost:0"))
            .setFindPort(true)
            .setConf(configuration)
            .setACL(new AccessControlList("admin"))
            .build();
    server.start();
  }

  private void stopServer() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private BufferedReader listen() throws Exception {
    HttpResponse<InputStream> answer =
        client.send(request("/charon/events").build(), BodyHandlers.ofInputStream());
    open.add(answer.body());
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type").orElse(""))
        .startsWith("text/event-stream");
    return new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
  }

  /** Returns null also if the connection was cut. */
  private static String readLine(BufferedReader reader) {
    try {
      return reader.readLine();
    } catch (IOException e) {
      return null;
    }
  }

  private HttpResponse<String> get(String path) throws Exception {
    return client.send(request(path).build(), BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(
        URI.create("http://localhost:" + server.getConnectorAddress(0).getPort() + path));
  }

  private static String names(Class<?>... classes) {
    List<String> names = new ArrayList<>();
    for (Class<?> each : classes) {
      names.add(each.getName());
    }
    return String.join(",", names);
  }
}
