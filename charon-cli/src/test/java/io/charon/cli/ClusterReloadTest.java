/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.charon.web.stop.ReloadMessages;
import io.charon.web.stop.ReloadOrder;
import io.charon.web.stop.ReloadOutcome;
import io.charon.web.stop.ReloadOutcome.Change;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Runs charon reload --cluster against a ResourceManager with configurable replies. */
class ClusterReloadTest {
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private HttpServer server;
  private Path file;
  private Optional<ReloadOutcome> outcome = Optional.of(ReloadOutcome.none());

  @BeforeEach
  void start() throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    file = directory.resolve("orders.properties");
    Files.writeString(
        directory.resolve("yarn-site.xml"),
        """
        <configuration><property>
          <name>yarn.resourcemanager.charon.stop-file</name><value>%s</value>
        </property></configuration>
        """
            .formatted(file));
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        ReloadOrder.PATH,
        exchange -> {
          byte[] bytes =
              new ReloadMessages().write(outcome.map(told -> told.readAt(Long.MAX_VALUE)));
          exchange.sendResponseHeaders(200, bytes.length);
          try (OutputStream stream = exchange.getResponseBody()) {
            stream.write(bytes);
          }
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void reportsWhatChangedAndWhatNeedsARestart() throws IOException {
    outcome =
        Optional.of(
            new ReloadOutcome(
                ReloadOrder.never(),
                0,
                List.of(new Change("limit-per-user", "unlimited", "40")),
                List.of(new Change("page.period-ms", "3000", "5000")),
                List.of("Unknown key limit-per-usr"),
                List.of()));
    assertThat(run()).isZero();
    assertThat(out.toString())
        .contains("limit-per-user: from 'unlimited' to '40'\n")
        .contains("page.period-ms: from '3000' to '5000', after a restart of that ResourceManager")
        .contains("Unknown key limit-per-usr");
    assertThat(Files.readAllLines(file))
        .contains(
            "yarn.resourcemanager.charon.reload.by=alice",
            "yarn.resourcemanager.charon.reload.since=2026-01-31T12\\:00\\:00Z");
  }

  @Test
  void problemsAreNamedAndTheCommandFails() {
    outcome =
        Optional.of(ReloadOutcome.refused(ReloadOrder.never(), List.of("limit is 'x' \u001b[0m")));
    assertThat(run()).isEqualTo(1);
    assertThat(err.toString()).contains("changed nothing", "limit is 'x'").doesNotContain("\u001b");
  }

  @Test
  void aStandbyResourceManagerReadsThemLater() {
    outcome = Optional.empty();
    assertThat(run()).isZero();
    assertThat(out.toString()).contains("is not the active", "when it becomes active");
  }

  @Test
  void aDaemonThatDoesNotListenHasReadNothing() {
    server.stop(0);
    assertThat(run()).isEqualTo(1);
    assertThat(err.toString()).contains("no daemon listens at 127.0.0.1:", "when it starts");
  }

  @Test
  void onAMachineWithoutAResourceManagerNothingIsWritten() throws IOException {
    Files.writeString(
        directory.resolve("yarn-site.xml"),
        """
        <configuration>
          <property>
            <name>yarn.resourcemanager.charon.stop-file</name><value>%s</value>
          </property>
          <property><name>yarn.resourcemanager.hostname</name><value>198.51.100.1</value></property>
        </configuration>
        """
            .formatted(file));
    assertThat(runAtTheConfiguredOne()).isEqualTo(1);
    assertThat(err.toString())
        .contains(
            "names no ResourceManager on this machine (198.51.100.1:8088)", "--resourcemanager");
    assertThat(file).doesNotExist();
  }

  @Test
  void aDaemonThatDoesNotReadTheOrderIsAwaitedForALimitedTime() throws IOException {
    server.removeContext(ReloadOrder.PATH);
    assertThat(run()).isEqualTo(1);
    assertThat(err.toString()).contains("has not confirmed", "ClusterStopInitializer");
    assertThat(Files.readString(file)).contains("reload.since");
  }

  @Test
  void anActiveStopIsKept() throws IOException {
    Files.writeString(file, "yarn.resourcemanager.charon.stop.action=leave\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(run()).isZero();
    assertThat(Files.readAllLines(file)).contains("yarn.resourcemanager.charon.stop.action=leave");
  }

  @Test
  void forgetAppliesToNodesOnly() {
    assertThat(run("--forget")).isEqualTo(2);
    assertThat(file).doesNotExist();
  }

  private int run(String... more) {
    List<String> arguments = new ArrayList<>(List.of(more));
    arguments.addAll(List.of("--resourcemanager", "127.0.0.1:" + server.getAddress().getPort()));
    return runAtTheConfiguredOne(arguments.toArray(String[]::new));
  }

  private int runAtTheConfiguredOne(String... more) {
    List<String> arguments = new ArrayList<>(List.of(more));
    arguments.addAll(List.of("--cluster", "--conf", directory.toString()));
    return new CommandLine(
            new ReloadCommand(Duration.ofSeconds(2), "alice", Clock.fixed(NOON, ZoneOffset.UTC)))
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments.toArray(String[]::new));
  }
}
