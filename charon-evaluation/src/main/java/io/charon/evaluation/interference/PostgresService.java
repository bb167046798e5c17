/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import io.charon.evaluation.killer.BenchProgress;
import io.charon.evaluation.machine.Cleanup;
import io.charon.evaluation.postgres.PgbenchClients;
import io.charon.evaluation.postgres.PostgresDatabase;
import io.charon.evaluation.postgres.PostgresDatabase.DatabaseSize;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The database that all episodes with production {@code postgresql} use, one server after the
 * other.
 */
final class PostgresService {
  /**
   * Table and index have about 120 MB, and the server's buffers 16 MB. Together with its processes
   * the server stays well below {@link Production#RESERVED_MEGABYTES}, and most reads of rows are
   * served by the page cache.
   */
  private static final DatabaseSize SIZE = new DatabaseSize(8, 16);

  /** Time that an episode may take beside its length, while production and best-effort start. */
  private static final Duration AROUND = Duration.ofMinutes(5);

  private final PostgresDatabase database;
  private final Duration clientTime;
  private final BenchProgress progress;
  private volatile Optional<PgbenchClients> clients = Optional.empty();
  private int episodes;

  private PostgresService(PostgresDatabase database, Duration clientTime, BenchProgress progress) {
    this.database = database;
    this.clientTime = clientTime;
    this.progress = progress;
  }

  /**
   * Creates the database.
   *
   * @param episode length of an episode
   * @param progress gets a line before, since this takes several seconds
   * @param cleanup ends the clients and the server, and removes the database
   * @throws IOException if PostgreSQL refuses; the message has what it said
   */
  static PostgresService create(Duration episode, BenchProgress progress, Cleanup cleanup)
      throws IOException, InterruptedException {
    progress.print("PostgreSQL: creating a database of %,d rows".formatted(SIZE.scale() * 100_000));
    PostgresDatabase database = PostgresDatabase.create(SIZE, cleanup);
    PostgresService service = new PostgresService(database, episode.plus(AROUND), progress);
    cleanup.add(() -> service.clients.ifPresent(PgbenchClients::close));
    progress.print(
        "PostgreSQL: ready, table and index have %.0f MB".formatted(service.tableMegabytes()));
    return service;
  }

  /**
   * Prepares production of an episode, and drops the database from the page cache.
   *
   * @param node node of the episode
   * @param planned the episode
   */
  PostgresProduction prepare(InterferenceNode node, PlannedEpisode planned)
      throws IOException, InterruptedException {
    database.dropCachedPages();
    return new PostgresProduction(this, node, planned);
  }

  PostgresDatabase database() {
    return database;
  }

  double tableMegabytes() throws IOException {
    return database.tableBytes() / (double) InterferenceNode.MB;
  }

  /** Starts the clients of an episode, outside of the node. */
  PgbenchClients startClients() throws IOException, InterruptedException {
    episodes++;
    Path directory = database.directory().resolve("clients-" + episodes);
    PgbenchClients started = PgbenchClients.start(database, directory, clientTime);
    clients = Optional.of(started);
    return started;
  }

  void say(String line) {
    progress.print(line);
  }
}
