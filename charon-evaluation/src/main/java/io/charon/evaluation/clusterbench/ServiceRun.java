/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import io.charon.evaluation.postgres.PgbenchClients;
import io.charon.evaluation.postgres.PostgresDatabase;
import io.charon.evaluation.postgres.PostgresDatabase.DatabaseSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The database as a production task of one cluster, and its clients outside of the cluster. */
final class ServiceRun {
  /** Its table and index have about 0.9 GB. */
  static final DatabaseSize SIZE = new DatabaseSize(60, 128);

  private final PostgresDatabase database;
  private final ServiceTask task;
  private final Path directory;

  private ServiceRun(PostgresDatabase database, ServiceTask task, Path directory) {
    this.database = database;
    this.task = task;
    this.directory = directory;
  }

  /**
   * Prepares a run without starting the service.
   *
   * @param work directory of the cluster
   */
  static ServiceRun prepare(PostgresDatabase database, Path work)
      throws IOException, InterruptedException {
    database.dropCachedPages();
    Path directory = Files.createDirectories(work.resolve("service"));
    Path command = Files.write(directory.resolve("command"), database.serverCommand());
    return new ServiceRun(
        database,
        new ServiceTask(command, directory.resolve("stop"), directory.resolve("server.log")),
        directory);
  }

  /** Returns the order of the task that runs the service. */
  String line() {
    return task.line();
  }

  /** Waits until the service answers, and reads its database once. */
  void awaitReady() throws IOException, InterruptedException {
    database.awaitReady();
    database.warm();
  }

  PgbenchClients startClients(Duration duration) throws IOException, InterruptedException {
    return PgbenchClients.start(database, directory.resolve("clients"), duration);
  }

  /** Tells the task to stop the service. */
  void stop() throws IOException {
    Files.createFile(task.stop());
  }
}
