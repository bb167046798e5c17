/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import io.charon.evaluation.postgres.PgbenchClients;
import io.charon.evaluation.postgres.PgbenchLog;
import io.charon.evaluation.postgres.PostgresDatabase;
import io.charon.nodemanager.cgroup.ContainerClass;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Production that is a PostgreSQL server: the server runs in a production container, and pgbench,
 * which stands for other machines, outside of the node.
 */
final class PostgresProduction implements ProductionSide {
  private static final Duration IN_PROGRESS = Duration.ofSeconds(3);
  private static final int ENDED_BY_SIGKILL = 128 + 9;
  private static final long NANOS_PER_MICRO = 1000;

  /** If the wall clock moves more than this against the other clock, times cannot be compared. */
  private static final long CLOCK_TOLERANCE_MICROS = 50_000;

  /** Part of the table that has to be in the page cache after an episode alone. */
  private static final double KEPT = 0.97;

  private static final String LOGS_TO = "log=$1; shift; exec \"$@\" 2>>\"$log\"";

  private final PostgresService service;
  private final InterferenceNode node;
  private final PlannedEpisode planned;
  private final Path log;
  private Optional<InterferenceContainer> server = Optional.empty();
  private Optional<PgbenchClients> clients = Optional.empty();
  private long clockMicros;

  PostgresProduction(PostgresService service, InterferenceNode node, PlannedEpisode planned) {
    this.service = service;
    this.node = node;
    this.planned = planned;
    this.log = service.database().directory().resolve("server.log");
  }

  /** Starts the server; if the pair is warm, waits until it has read the whole table. */
  @Override
  public InterferenceContainer start() throws IOException, InterruptedException {
    Files.deleteIfExists(log);
    List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", LOGS_TO, "sh", log.toString()));
    command.addAll(service.database().serverCommand());
    InterferenceContainer container = node.start(ContainerClass.PRODUCTION, false, command);
    server = Optional.of(container);
    if (!planned.cold()) {
      warm();
    }
    clockMicros = clockMicros();
    clients = Optional.of(service.startClients());
    return container;
  }

  private void warm() throws IOException, InterruptedException {
    try {
      service.database().awaitReady();
      service.database().warm();
    } catch (IOException e) {
      throw new IOException(e.getMessage() + "; the server said: " + said(), e);
    }
  }

  @Override
  public boolean isWarm() throws IOException, InterruptedException {
    if (!clients.orElseThrow().areAlive()) {
      throw failure();
    }
    return clients.get().haveLogged();
  }

  @Override
  public boolean isKilled() {
    InterferenceContainer container = server.orElseThrow();
    return container.oomKills() > 0
        || (!container.process().isAlive() && container.process().exitValue() == ENDED_BY_SIGKILL);
  }

  @Override
  public void awaitInProgress(long toNanos) throws InterruptedException {
    boolean unused = clients.orElseThrow().stop(IN_PROGRESS);
  }

  @Override
  public Progress progress(long fromNanos, long toNanos) throws IOException, InterruptedException {
    PgbenchLog measured =
        isKilled() ? clients.orElseThrow().log() : clients.orElseThrow().stoppedLog();
    if (!isKilled() && !server.orElseThrow().process().isAlive()) {
      throw failure();
    }
    if (Math.abs(clockMicros() - clockMicros) > CLOCK_TOLERANCE_MICROS) {
      throw new IOException("the clock of this machine was set meanwhile: measure again");
    }
    if (measured.failed() > 0) {
      throw new IOException(measured.failed() + " transactions of pgbench failed");
    }
    sayWhatIsNotKept();
    return TransactionProgress.of(
        measured.transactions(),
        PgbenchClients.RATE,
        fromNanos / NANOS_PER_MICRO + clockMicros,
        toNanos / NANOS_PER_MICRO + clockMicros,
        -clockMicros * NANOS_PER_MICRO);
  }

  /** Without best-effort the table has to stay in memory, or latencies contain the disk's. */
  private void sayWhatIsNotKept() throws IOException {
    if (planned.cold() || planned.bestEffort().isPresent()) {
      return;
    }
    double held = node.fileMegabytes(ContainerClass.PRODUCTION);
    double table = service.tableMegabytes();
    if (held < table * KEPT) {
      service.say(
          "PostgreSQL alone: the page cache holds %.0f MB of the table's %.0f: this machine does not keep it, and latencies contain reads of the disk"
              .formatted(held, table));
    }
  }

  /** Microseconds of the epoch's clock less those of {@link System#nanoTime}. */
  private static long clockMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now())
        - System.nanoTime() / NANOS_PER_MICRO;
  }

  private IOException failure() throws IOException, InterruptedException {
    try {
      PgbenchLog unused = clients.orElseThrow().stoppedLog();
      return new IOException("PostgreSQL has ended; it said: " + said());
    } catch (IOException e) {
      return new IOException(e.getMessage() + "; the server said: " + said(), e);
    }
  }

  private String said() throws IOException {
    return Files.exists(log) ? Files.readString(log, StandardCharsets.UTF_8).strip() : "";
  }

  @Override
  public void end() throws IOException, InterruptedException {
    if (clients.isPresent()) {
      clients.get().close();
    }
    if (server.isPresent()) {
      PostgresDatabase.stop(server.get().process());
      server.get().end();
    }
  }
}
