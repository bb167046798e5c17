/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.web.stop.ClusterStopFile;
import io.charon.web.stop.ReloadOrder;
import io.charon.web.stop.ReloadOutcome;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.yarn.FileSystemBasedConfigurationProvider;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests an operator's order, in the file of the host, to read the keys again. */
@Timeout(120)
@Tag("hadoop")
class KeysReloadTest {
  private static final Instant START = Instant.parse("2026-01-31T12:00:00Z");

  @TempDir private static Path everyTest;
  private final Path directory;
  private final URLClassLoader files;
  private final AtomicLong nanos = new AtomicLong();
  private final List<ReloadOutcome> news = new ArrayList<>();
  private long modifiedMillis = 1_000;

  KeysReloadTest() throws IOException {
    directory = Files.createTempDirectory(everyTest, "conf");
    files = new URLClassLoader(new URL[] {directory.toUri().toURL()});
  }

  @AfterEach
  void close() throws IOException {
    files.close();
  }

  @Test
  void nothingIsFollowedWithoutAnOrder() throws Exception {
    ReloadableRules rules = rules(Map.of(BestEffortLimits.PER_USER_KEY, "7"));
    KeysReload reload = reload(rules);
    site(Map.of(BestEffortLimits.PER_USER_KEY, "9"));
    order(START.minusSeconds(1));
    sample(reload);
    assertThat(rules.inForce().limits().perUser()).isEqualTo(7);
    assertThat(news).isEmpty();
  }

  @Test
  void anOrderSaysWhatChangedFromWhatToWhatAndIsCarriedOutOnce() throws Exception {
    ReloadableRules rules =
        rules(
            Map.of(BestEffortLimits.PER_USER_KEY, "7", BestEffortLimits.PER_QUEUE_KEY + ".a", "3"));
    KeysReload reload = reload(rules);
    site(Map.of(BestEffortLimits.PER_USER_KEY, "9", NodeAvoidance.AVOID_KEY, "0"));
    order(START.plusSeconds(1));
    sample(reload);
    sample(reload);

    assertThat(rules.inForce().limits().perUser()).isEqualTo(9);
    assertThat(rules.inForce().avoid()).isEqualTo(Duration.ZERO);
    assertThat(rules.inForce().limits().perNamedQueue()).isEmpty();
    assertThat(news).hasSize(1);
    assertThat(reload.outcome().changed())
        .extracting(ReloadOutcome.Change::toString)
        .containsExactly(
            NodeAvoidance.AVOID_KEY + " from '10000' to '0'",
            BestEffortLimits.PER_QUEUE_KEY + ".a from '3' to 'not set'",
            BestEffortLimits.PER_USER_KEY + " from '7' to '9'");
    assertThat(reload.outcome().order().by()).isEqualTo("alice");
    assertThat(reload.outcome().readMillis()).isEqualTo(modifiedMillis);
  }

  @Test
  void aLaterActiveResourceManagerCarriesOutAnEarlierOrder() throws Exception {
    site(Map.of(BestEffortLimits.PER_USER_KEY, "9"));
    order(START.plusSeconds(1));
    ReloadableRules rules = rules(Map.of(BestEffortLimits.PER_USER_KEY, "7"));
    KeysReload unused = reload(rules);
    assertThat(unused.outcome().problems()).isEmpty();
    assertThat(rules.inForce().limits().perUser()).isEqualTo(9);
  }

  @Test
  void whatWasReloadedHoldsAfterAFailoverAndBackAlsoIfTheFileHasBecomeUnusable() throws Exception {
    String ofQueue = BestEffortLimits.PER_QUEUE_KEY + ".root.a";
    Configuration held =
        configuration(
            Map.of(
                BestEffortKeys.ENABLED_KEY,
                "true",
                BestEffortKeys.QUEUES_KEY,
                "batch",
                ofQueue,
                "3",
                ClusterPageServlet.PERIOD_KEY,
                "3000"));
    ReloadableRules before = rules(held);
    KeysReload reload = reload(before);
    assertThat(before.inForce().who().queues()).as("as started").isNotEmpty();
    site(
        Map.of(
            BestEffortKeys.ENABLED_KEY, "false",
            BestEffortLimits.PER_USER_KEY, "40",
            ClusterPageServlet.PERIOD_KEY, "5000"));
    order(START.plusSeconds(1));
    sample(reload);
    site(Map.of(BestEffortKeys.ENABLED_KEY, "flase"));
    order(START.plusSeconds(2));
    sample(reload);
    assertThat(reload.outcome().problems()).isNotEmpty();

    ReloadableRules after = rules(held);
    KeysReload again = reload(after);
    assertThat(again.outcome().problems()).as("refused again").isNotEmpty();
    assertThat(after.inForce()).isEqualTo(before.inForce());
    assertThat(after.inForce().who().queues()).isEmpty();
    assertThat(after.inForce().limits().perUser()).isEqualTo(40);
    assertThat(after.inForce().limits().perNamedQueue()).isEmpty();
    assertThat(held.get(ClusterPageServlet.PERIOD_KEY)).as("waits for a start").isEqualTo("3000");
  }

  @Test
  void oneBadValueAndNothingChanges() throws Exception {
    ReloadableRules rules = rules(Map.of(BestEffortLimits.PER_USER_KEY, "7"));
    KeysReload reload = reload(rules);
    site(Map.of(BestEffortLimits.PER_USER_KEY, "9", NodeAvoidance.AVOID_KEY, "soon"));
    order(START.plusSeconds(1));
    sample(reload);

    assertThat(rules.inForce().limits().perUser()).isEqualTo(7);
    assertThat(reload.outcome().changed()).isEmpty();
    assertThat(reload.outcome().problems())
        .singleElement()
        .asString()
        .contains(
            NodeAvoidance.AVOID_KEY, "yarn-site.xml", "'soon'", "Cure: correct the value there");

    site(Map.of(BestEffortLimits.PER_USER_KEY, "9", NodeAvoidance.AVOID_KEY, "5"));
    sample(reload);
    assertThat(rules.inForce().limits().perUser()).as("until the next order").isEqualTo(7);
    order(START.plusSeconds(2));
    sample(reload);
    assertThat(rules.inForce().limits().perUser()).isEqualTo(9);
  }

  @Test
  void aFileThatIsNoXmlOrIsGoneChangesNothing() throws Exception {
    ReloadableRules rules = rules(Map.of(BestEffortLimits.PER_USER_KEY, "7"));
    KeysReload reload = reload(rules);
    Files.writeString(directory.resolve("yarn-site.xml"), "<configuration><property>");
    order(START.plusSeconds(1));
    sample(reload);
    assertThat(reload.outcome().problems()).singleElement().asString().contains("cannot be read");

    Files.delete(directory.resolve("yarn-site.xml"));
    order(START.plusSeconds(2));
    sample(reload);
    assertThat(reload.outcome().problems()).singleElement().asString().contains("restore the file");
    assertThat(rules.inForce().limits().perUser()).isEqualTo(7);
  }

  @Test
  void keysThatWaitForARestartAreNamedEachTime() throws Exception {
    ReloadableRules rules = rules(Map.of(ClusterPageServlet.PERIOD_KEY, "3000"));
    KeysReload reload = reload(rules);
    site(Map.of(ClusterPageServlet.PERIOD_KEY, "5000"));
    for (int times = 1; times <= 2; times++) {
      order(START.plusSeconds(times));
      sample(reload);
      assertThat(reload.outcome().changed()).isEmpty();
      assertThat(reload.outcome().needRestart())
          .extracting(ReloadOutcome.Change::key)
          .containsExactly(ClusterPageServlet.PERIOD_KEY);
    }
    site(Map.of(ClusterPageServlet.PERIOD_KEY, "5"));
    order(START.plusSeconds(3));
    sample(reload);
    assertThat(reload.outcome().problems()).singleElement().asString().contains("1000 to 10000");
  }

  @Test
  void aFileThatOthersCanWriteIsNotBelieved() throws Exception {
    ReloadableRules rules = rules(Map.of(BestEffortLimits.PER_USER_KEY, "7"));
    KeysReload reload = reload(rules);
    site(Map.of(BestEffortLimits.PER_USER_KEY, "9"));
    order(START.plusSeconds(1));
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-rw-rw-"));
    sample(reload);
    sample(reload);
    assertThat(rules.inForce().limits().perUser()).isEqualTo(7);
    assertThat(news).as("told once").hasSize(1);
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r--r--"));
    sample(reload);
    assertThat(rules.inForce().limits().perUser()).isEqualTo(9);
  }

  @Test
  void aConfigurationThatIsNotInFilesOfThisHostIsNotReadAgain() throws Exception {
    Map<String, String> values =
        Map.of(
            YarnConfiguration.RM_CONFIGURATION_PROVIDER_CLASS,
            FileSystemBasedConfigurationProvider.class.getName());
    KeysReload reload = reload(rules(values));
    order(START.plusSeconds(1));
    sample(reload);
    assertThat(reload.outcome().problems())
        .singleElement()
        .asString()
        .contains(YarnConfiguration.RM_CONFIGURATION_PROVIDER_CLASS, "restart");
  }

  /**
   * The calls of MockApplication run on this thread, and Hadoop finds files through its class
   * loader.
   */
  @Test
  @Tag("long")
  void aRunningResourceManagerGoesByTheNewKeysAndTellsSo() throws Exception {
    YarnConfiguration configuration = MockCluster.configuration();
    configuration.set(BestEffortLimits.PER_QUEUE_KEY, "2");
    configuration.set(ClusterStopFile.KEY, file().toString());
    configuration.setBoolean("mockrm.webapp.enabled", true);
    try (ServerSocket free = new ServerSocket(0)) {
      configuration.set(YarnConfiguration.RM_WEBAPP_ADDRESS, "127.0.0.1:" + free.getLocalPort());
    }
    configuration.set(
        HttpServer2.FILTER_INITIALIZER_PROPERTY, ClusterStopInitializer.class.getName());
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try (MockCluster cluster = MockCluster.start(new MockRM(configuration), 2)) {
      MockApplication application = cluster.submit("batch", "alice");
      application.ask(10);
      application.await(2);
      cluster.settle(application);
      assertThat(application.got).hasSize(2);

      site(
          Map.of(
              BestEffortKeys.ENABLED_KEY, "true",
              BestEffortKeys.QUEUES_KEY, "root.nightly,production",
              BestEffortLimits.PER_QUEUE_KEY, "6"));
      order(Instant.now().plusSeconds(1));
      Thread.currentThread().setContextClassLoader(files);
      application.await(6);
      Thread.currentThread().setContextClassLoader(before);
      cluster.settle(application);
      assertThat(application.got).hasSize(6);

      MockApplication production = cluster.submit("production", "bob");
      production.ask(1);
      production.await(1);
      assertThat(production.types()).containsExactly(ExecutionType.OPPORTUNISTIC);

      assertThat(ask(configuration))
          .contains("\"active\":true", "\"readMillis\":" + modifiedMillis)
          .contains(
              "{\"key\":\"" + BestEffortLimits.PER_QUEUE_KEY + "\",\"from\":\"2\",\"to\":\"6\"}");
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  private static String ask(Configuration configuration) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(
                    URI.create(
                        "http://"
                            + configuration.get(YarnConfiguration.RM_WEBAPP_ADDRESS)
                            + ReloadOrder.PATH))
                .build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private ReloadableRules rules(Map<String, String> values) {
    return rules(configuration(values));
  }

  private ReloadableRules rules(Configuration held) {
    return new ReloadableRules(held, this::read, settings -> List.of());
  }

  private static Configuration configuration(Map<String, String> values) {
    Configuration configuration = new Configuration(false);
    values.forEach(configuration::set);
    return configuration;
  }

  /** Reads the configuration as if from the class path. */
  private Configuration read() {
    Configuration read = new Configuration(false);
    read.setClassLoader(files);
    read.addResource("yarn-site.xml");
    return read;
  }

  private KeysReload reload(ReloadableRules rules) {
    return new KeysReload(
        Optional.of(ClusterStopFile.of(file(), System.getProperty("user.name"))),
        rules,
        START,
        news::add,
        nanos::get);
  }

  private void sample(KeysReload reload) {
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    reload.check();
  }

  private Path file() {
    return directory.resolve("orders.properties");
  }

  private void order(Instant since) throws IOException {
    Properties properties = new Properties();
    properties.putAll(new ReloadOrder("alice", since).values());
    try (var out = Files.newOutputStream(file())) {
      properties.store(out, null);
    }
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r--r--"));
    modifiedMillis += 1_000;
    Files.setLastModifiedTime(file(), FileTime.fromMillis(modifiedMillis));
  }

  private void site(Map<String, String> values) throws IOException {
    try (var out =
        Files.newBufferedWriter(directory.resolve("yarn-site.xml"), StandardCharsets.UTF_8)) {
      configuration(values).writeXml(out);
    }
  }
}
