/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.charon.evaluation.cluster.ClusterNode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Prometheus scrapes a real NodeManager; checks the dashboard's queries and the alerts. */
@SharedNode(SharedNode.Settings.CHARON)
class PrometheusIT {
  private static final Path CONF = Path.of("..", "conf").toAbsolutePath().normalize();
  private static final String ALERTS = "charon-alerts.yml";
  private static final String PAGE = "/charon/metrics";
  private static final String HADOOPS_PAGE = "/prom";

  /** Time limit of a program that reads a few small files. */
  private static final Duration LIMIT = Duration.ofMinutes(1);

  /**
   * Memory that a task allocates, MiB: it brings the node below the killer's threshold but leaves
   * some memory, because a kill by Linux would have no known delay.
   */
  private static final int SHORT_OF_MEMORY = 3600;

  /** Maximum size of the page: more than one node produces, and small for a scrape. */
  private static final int MAX_BYTES = 100_000;

  /** Series in the queries of panels that show a regulator, by regulator. */
  private static final Map<String, Pattern> OF_REGULATORS =
      Map.of(
          "memory", Pattern.compile("charon_regulator_(limit|mean)_bytes\\{"),
          "cpu", Pattern.compile("charon_regulator_mean_ratio"),
          "network", Pattern.compile("charon_regulator_\\w+_bytes_per_second"));

  private final HttpClient client = HttpClient.newHttpClient();
  @TempDir private Path directory;

  @BeforeAll
  static void prometheusIsInstalled() {
    boolean installed = Stream.of("prometheus", "promtool").allMatch(PrometheusIT::isOnPath);
    if (!installed) {
      System.out.println(
          "SKIPPED PrometheusIT: run kernel-ua-killer/install-packages.sh --monitoring");
    }
    assumeTrue(installed, "Prometheus is not installed");
  }

  @Test
  void alertsAndExampleAreValid() throws Exception {
    Path files = CONF.resolve("prometheus");
    run(files, "promtool", "check", "rules", ALERTS);
    run(files, "promtool", "check", "rules", "charon-fluctuation.yml");
    run(files, "promtool", "check", "config", "scrape.yml");
  }

  @Test
  void everyAlertIsRaisedByASickNodeAndNoneByAHealthyOne() throws Exception {
    Files.copy(CONF.resolve("prometheus").resolve(ALERTS), directory.resolve(ALERTS));
    Path tests = Path.of("src", "test", "resources", "charon-alerts-test.yml");
    Files.copy(tests, directory.resolve("test.yml"));

    run(directory, "promtool", "test", "rules", "test.yml");
  }

  @Test
  @Tag("long")
  void everyPanelShowsWhatANodeTells(TestNode node) throws Exception {
    node.change(watching());
    try (PrometheusServer prometheus = PrometheusServer.start(scraping(node), directory)) {
      // Before the kill, because a counter that includes it in its first sample does not increase.
      await("the node is scraped", () -> !prometheus.query("up == 1").isEmpty());
      HoldJob job = node.submit(2, SHORT_OF_MEMORY);
      await("the greedy task is killed", () -> !node.kills().isEmpty());
      await("best-effort runs", () -> !node.runningBestEffort().isEmpty());

      Map<String, String> panels = panels();
      unavailableRegulators(node)
          .forEach(
              regulator -> {
                System.out.println("regulator " + regulator + " is unavailable here: not asked");
                panels.keySet().removeIf(query -> isOf(regulator, query));
              });
      for (Map.Entry<String, String> panel : panels.entrySet()) {
        await(
            panel.getValue() + ": " + panel.getKey(),
            () -> anyNumber(prometheus.query(panel.getKey())));
      }
      assertThat(prometheus.query("ALERTS{alertstate=\"firing\"}")).isEmpty();
      assertThatThePagesAgree(node);

      job.release();
      await("the job ends", job::isComplete);
    }
  }

  @Test
  void aNodeThatAnswersNoMoreRaisesTheAlert(TestNode node) throws Exception {
    Path configuration = scraping(node);
    HttpServer page =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    page.createContext(
        PAGE,
        exchange -> {
          byte[] answer = answer(node).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    page.start();
    String target = "127.0.0.1:" + page.getAddress().getPort();
    Files.writeString(
        configuration, Files.readString(configuration).replace(address(node), target));
    try (PrometheusServer prometheus = PrometheusServer.start(configuration, directory)) {
      await("the page is scraped", () -> !prometheus.query("up == 1").isEmpty());
      String alert = "ALERTS{alertname=\"CharonNodeDoesNotAnswer\"}";
      // On a busy machine a single scrape may be late.
      await("there is no alert", () -> prometheus.query(alert).isEmpty());

      page.stop(0);
      // It fires after five more minutes, which promtool tests.
      await("the alert is pending", () -> !prometheus.query(alert).isEmpty());
    } finally {
      page.stop(0);
    }
  }

  private String answer(TestNode node) throws IOException {
    try {
      return get(node, PAGE);
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
  }

  /**
   * Returns keys with which all regulators only observe, because a kill within the memory limit
   * would be one by Linux, whose delay is unknown.
   */
  private static Map<String, String> watching() {
    Map<String, String> keys = new HashMap<>();
    keys.put("memory-limit.mode", "observe");
    for (String resource : List.of("memory", "cpu", "cores", "network")) {
      keys.put("regulator." + resource + ".mode", "observe");
      keys.put("regulator." + resource + ".window-ms", "5000");
    }
    return keys;
  }

  /** Writes the example's job for this node with its alerts and a period of one second. */
  private Path scraping(TestNode node) throws IOException {
    Files.copy(CONF.resolve("prometheus").resolve(ALERTS), directory.resolve(ALERTS));
    String example = Files.readString(CONF.resolve("prometheus/scrape.yml"));
    return Files.writeString(
        directory.resolve("prometheus.yml"),
        example
            .replace("15s", "1s")
            .replaceFirst("node1.example.com:8042.*", address(node))
            .replaceFirst(" *- node2.example.com:8042\n", ""));
  }

  /** Returns panel titles by query, where each query is as Grafana would send it for all nodes. */
  private static Map<String, String> panels() throws IOException {
    JsonNode dashboard = new ObjectMapper().readTree(CONF.resolve("grafana/charon.json").toFile());
    Map<String, String> titles = new LinkedHashMap<>();
    for (JsonNode panel : dashboard.path("panels")) {
      for (JsonNode target : panel.path("targets")) {
        String query =
            target
                .path("expr")
                .asText()
                .replace("$__rate_interval", "5m")
                .replace("$instance", ".*");
        assertThat(query).isNotEmpty().doesNotContain("$");
        titles.put(query, panel.path("title").asText());
      }
    }
    assertThat(titles).hasSizeGreaterThan(20);
    return titles;
  }

  private static Set<String> unavailableRegulators(TestNode node) throws InterruptedException {
    return StreamSupport.stream(node.status().path("regulators").spliterator(), false)
        .filter(regulator -> !regulator.path("available").asBoolean())
        .map(regulator -> regulator.path("name").asText())
        .collect(Collectors.toSet());
  }

  private static boolean isOf(String regulator, String query) {
    Pattern pattern = OF_REGULATORS.get(regulator);
    return pattern != null && pattern.matcher(query).find();
  }

  private static boolean anyNumber(JsonNode result) {
    return StreamSupport.stream(result.spliterator(), false)
        .map(series -> series.path("value").path(1).asText())
        .anyMatch(value -> !value.equals("NaN") && !value.endsWith("Inf"));
  }

  /**
   * Asserts that Prometheus's own linter accepts the page and that Hadoop's page has the same
   * numbers.
   */
  private void assertThatThePagesAgree(TestNode node) throws Exception {
    String page = get(node, PAGE);
    long start = System.nanoTime();
    for (int scrape = 0; scrape < 20; scrape++) {
      get(node, PAGE);
    }
    long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start) / 20;
    System.out.printf("a scrape of %s: %d bytes, %d us%n", PAGE, page.length(), micros);
    assertThat(page.length()).isLessThan(MAX_BYTES);
    assertThat(page).doesNotContain("container_");
    Path file = Files.writeString(directory.resolve("page"), page);
    run(directory, "sh", "-c", "promtool check metrics < " + file);

    String launched = "charon_launched_containers_total";
    assertThat(number(page, launched)).isPositive();
    String bestEffort = "charon_requested_bytes{class=\"best_effort\"}";
    await("best-effort requests memory", () -> number(get(node, PAGE), bestEffort) > 0);
    await(
        "Hadoop's page says the same",
        () -> number(get(node, HADOOPS_PAGE), launched) == number(get(node, PAGE), launched));
  }

  /** Returns the number of a series; without labels in {@code series}, any labels match. */
  private static double number(String page, String series) {
    String start = Pattern.quote(series) + (series.contains("{") ? "" : "(\\{.*})?");
    Pattern line = Pattern.compile(start + " (.+)");
    return page.lines()
        .map(line::matcher)
        .filter(matcher -> matcher.matches())
        .map(matcher -> matcher.group(matcher.groupCount()))
        .mapToDouble(Double::parseDouble)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + series + " in\n" + page));
  }

  private String get(TestNode node, String path) throws IOException, InterruptedException {
    URI uri = URI.create("http://" + address(node) + path);
    HttpResponse<String> response =
        client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as(uri.toString()).isEqualTo(200);
    return response.body();
  }

  private static String address(TestNode node) {
    ClusterNode first = node.cluster().nodes().get(0);
    return first.address() + ":" + first.webPort();
  }

  private static boolean isOnPath(String program) {
    return Arrays.stream(System.getenv("PATH").split(":", -1))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }

  /** Runs a program that must succeed. */
  private static void run(Path directory, String... command) throws Exception {
    TimedProgram.Result result =
        TimedProgram.run(new ProcessBuilder(command).directory(directory.toFile()), LIMIT);
    assertThat(result.exitCode()).as(String.join(" ", command) + "\n" + result.said()).isZero();
  }
}
