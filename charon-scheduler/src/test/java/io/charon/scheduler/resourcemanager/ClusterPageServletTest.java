/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.web.PagesServlet;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.http.FilterContainer;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.http.lib.StaticUserWebFilter;
import org.apache.hadoop.security.AuthenticationFilterInitializer;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the page in the web server of a complete ResourceManager over loopback. */
@Timeout(180)
@Tag("hadoop")
class ClusterPageServletTest {
  private static final String PAGE = "/charon/cluster/";
  private static final List<String> PATHS =
      List.of(PAGE, PAGE + "status", PAGE + "events", PAGE + "nothing");

  private final YarnConfiguration configuration = MockCluster.configuration();
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<InputStream> open = new ArrayList<>();
  private MockCluster cluster;

  @AfterEach
  void stop() throws Exception {
    for (InputStream stream : open) {
      stream.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void thePageItsFilesAndTheStatusAreThere() throws Exception {
    serve(names(StaticUserWebFilter.class, ClusterPageInitializer.class), 2);
    HttpResponse<String> page = get(PAGE);
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).startsWith("<!doctype html>").doesNotContain("=\"http", "=\"//");
    assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
        .contains("default-src 'self'");
    for (String file : List.of("page.js", "parts.js", "page.css", "icon.svg", "uPlot.min.css")) {
      assertThat(get(PAGE + file).statusCode()).as(file).isEqualTo(200);
    }
    HttpResponse<String> status = get(PAGE + "status");
    assertThat(status.headers().firstValue("Content-Type"))
        .hasValue("application/json;charset=utf-8");
    JsonNode json = new ObjectMapper().readTree(status.body());
    assertThat(json.path("totals").path("nodes").asInt()).isEqualTo(2);
    assertThat(json.path("rows")).hasSize(2);
  }

  @Test
  void everythingElseOfTheWebServerIsAsBefore() throws Exception {
    serve(names(StaticUserWebFilter.class, ClusterPageInitializer.class), 1);
    assertThat(get("/conf").statusCode()).isEqualTo(200);
    assertThat(get("/ws/v1/cluster/info").statusCode()).isEqualTo(200);
    assertThat(get(PAGE + "nothing").statusCode()).isEqualTo(404);
  }

  @Test
  @Tag("long")
  void theNameWithoutASlashLeadsToThePage() throws Exception {
    serve(names(ClusterPageInitializer.class), 0);
    HttpResponse<String> answer = get("/charon/cluster");
    assertThat(answer.statusCode()).isEqualTo(302);
    assertThat(answer.headers().firstValue("Location"))
        .hasValueSatisfying(location -> assertThat(location).endsWith("cluster/"));
  }

  @Test
  void eventsCarryTheStatusAndListenersAreBounded() throws Exception {
    serve(names(ClusterPageInitializer.class), 1);
    BufferedReader reader = listen();
    for (int i = 0; i < 2; i++) {
      String event = reader.readLine();
      assertThat(event).startsWith("data: {");
      assertThat(new ObjectMapper().readTree(event.substring(6)).path("rows")).hasSize(1);
      assertThat(reader.readLine()).isEmpty();
    }
    for (int i = 1; i < PagesServlet.MAX_LISTENERS_OF_CLIENT; i++) {
      listen();
    }
    HttpResponse<String> refused = get(PAGE + "events");
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.body()).contains("/charon/cluster/status");
  }

  @Test
  @Tag("long")
  void nothingCanBeChanged() throws Exception {
    serve(names(ClusterPageInitializer.class), 0);
    for (String path : PATHS) {
      HttpResponse<String> answer =
          client.send(
              request(path).POST(HttpRequest.BodyPublishers.ofString("x")).build(),
              BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(path).isEqualTo(405);
    }
  }

  @Test
  void hadoopsAuthenticationStandsBeforeThePageWhateverTheOrder() throws Exception {
    configuration.set("hadoop.http.authentication.simple.anonymous.allowed", "false");
    serve(
        names(
            StaticUserWebFilter.class,
            ClusterPageInitializer.class,
            AuthenticationFilterInitializer.class),
        1);
    for (String path : PATHS) {
      assertThat(get(path).statusCode()).as(path).isIn(401, 403);
    }
    assertThat(get(PAGE + "status?user.name=alice").statusCode()).isEqualTo(200);
  }

  @Test
  @Tag("long")
  void withoutHadoopsFilterASecuredClusterShowsNothing() throws Exception {
    configuration.set("hadoop.http.authentication.type", "com.example.Handler");
    // The static user gives every request a name, but proves nothing.
    serve(names(StaticUserWebFilter.class, ClusterPageInitializer.class), 1);
    for (String path : PATHS) {
      HttpResponse<String> answer = get(path);
      assertThat(answer.statusCode()).as(path).isEqualTo(403);
      assertThat(answer.body()).contains("hadoop.http.authentication.type");
    }
  }

  @Test
  @Tag("long")
  void withoutAccessToJmxThePageIsRefused() throws Exception {
    configuration.set("hadoop.security.instrumentation.requires.admin", "true");
    configuration.set("hadoop.security.authorization", "true");
    configuration.set(YarnConfiguration.YARN_ADMIN_ACL, "admin");
    serve(names(ClusterPageInitializer.class, AuthenticationFilterInitializer.class), 1);
    for (String path : PATHS) {
      assertThat(get(path).statusCode()).as(path).isEqualTo(403);
      assertThat(get(path + "?user.name=bob").statusCode()).as(path).isEqualTo(403);
    }
    assertThat(get(PAGE + "status?user.name=admin").statusCode()).isEqualTo(200);
  }

  @Test
  @Tag("long")
  void aWebServerOfAnotherDaemonSaysSo() throws Exception {
    configuration.set(
        HttpServer2.FILTER_INITIALIZER_PROPERTY, ClusterPageInitializer.class.getName());
    HttpServer2 server =
        new HttpServer2.Builder()
            .setName("node")
            .addEndpoint(URI.create("http://localhost:0"))
            .setFindPort(true)
            .setConf(configuration)
            .build();
    server.start();
    try {
      URI address =
          URI.create(
              "http://localhost:" + server.getConnectorAddress(0).getPort() + PAGE + "status");
      HttpResponse<String> answer =
          client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.body()).contains("active ResourceManager");
    } finally {
      server.stop();
    }
  }

  @Test
  @Tag("long")
  void aContainerOfFiltersOnlyIsLeftAlone() {
    new ClusterPageInitializer().initFilter(mock(FilterContainer.class), configuration);
  }

  @Test
  @Tag("long")
  void aPeriodThatCannotBeUsedIsExplainedAndReplaced() {
    for (String wrong : List.of("999", "10001", "fast", "-1")) {
      configuration.set(ClusterPageServlet.PERIOD_KEY, wrong);
      Settings settings = new Settings(configuration);
      assertThat(ClusterPageServlet.period(settings)).isEqualTo(Duration.ofSeconds(3));
      assertThat(settings.complaints())
          .singleElement()
          .asString()
          .contains(ClusterPageServlet.PERIOD_KEY, "'" + wrong + "'", "1000 to 10000", "Cure:");
    }
  }

  private void serve(String initializers, int nodes) throws Exception {
    configuration.setBoolean("mockrm.webapp.enabled", true);
    configuration.set(ClusterPageServlet.PERIOD_KEY, "1000");
    try (ServerSocket free = new ServerSocket(0)) {
      configuration.set(YarnConfiguration.RM_WEBAPP_ADDRESS, "127.0.0.1:" + free.getLocalPort());
    }
    configuration.set(HttpServer2.FILTER_INITIALIZER_PROPERTY, initializers);
    cluster = MockCluster.start(new MockRM(configuration), nodes);
  }

  private BufferedReader listen() throws Exception {
    HttpResponse<InputStream> answer =
        client.send(request(PAGE + "events").build(), BodyHandlers.ofInputStream());
    open.add(answer.body());
    assertThat(answer.statusCode()).isEqualTo(200);
    return new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
  }

  private HttpResponse<String> get(String path) throws Exception {
    return client.send(request(path).build(), BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path) {
    String address = cluster.resourceManager.getConfig().get(YarnConfiguration.RM_WEBAPP_ADDRESS);
    return HttpRequest.newBuilder(URI.create("http://" + address + path));
  }

  private static String names(Class<?>... classes) {
    List<String> names = new ArrayList<>();
    for (Class<?> each : classes) {
      names.add(each.getName());
    }
    return String.join(",", names);
  }
}
