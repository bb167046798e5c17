/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.charon.evaluation.machine.Cleanup;
import io.charon.evaluation.postgres.PostgresDatabase.DatabaseSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresDatabaseTest {
  @TempDir private Path directory;

  @Test
  void answersItsClientsAndIsGoneAfterwards() throws Exception {
    requirePostgres();
    Path place;
    long pid;
    try (Cleanup cleanup = new Cleanup()) {
      PostgresDatabase database = PostgresDatabase.create(new DatabaseSize(1, 16), cleanup);
      place = database.directory();
      database.dropCachedPages();
      assertThat(database.tableBytes()).isBetween(12L << 20, 20L << 20);
      Process stopped = start(database);
      clientsThatAreStoppedHaveLoggedWhatTheyDid(database);
      PostgresDatabase.stop(stopped);
      assertThat(stopped.isAlive()).isFalse();
      assertThat(place.resolve("data").resolve("postmaster.pid")).doesNotExist();
      Process server = start(database);
      pid = server.pid();
      database.awaitReady();
      database.warm();
      try (PgbenchClients clients =
          PgbenchClients.start(database, directory.resolve("clients"), Duration.ofSeconds(2))) {
        ServiceMeasurement measured = clients.finish();
        assertThat(measured.failed()).isZero();
        assertThat(measured.millis()).hasSizeGreaterThan(100).allMatch(millis -> millis > 0);
        assertThat(measured.transactionsPerSecond()).isLessThan(2.0 * PgbenchClients.RATE);
      }
    }
    assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
    assertThat(place).doesNotExist();
  }

  private Process start(PostgresDatabase database) throws IOException {
    return new ProcessBuilder(database.serverCommand())
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("server.log").toFile())
        .start();
  }

  /** They are started before the server answers, and stopped long before their time. */
  private void clientsThatAreStoppedHaveLoggedWhatTheyDid(PostgresDatabase database)
      throws Exception {
    try (PgbenchClients clients =
        PgbenchClients.start(database, directory.resolve("stopped"), Duration.ofMinutes(5))) {
      while (!clients.haveLogged()) {
        assertThat(clients.areAlive()).isTrue();
        Thread.sleep(20);
      }
      assertThat(clients.stop(Duration.ofMinutes(1))).isTrue();
      PgbenchLog log = clients.stoppedLog();
      assertThat(log.failed()).isZero();
      // The last transactions are in the log although pgbench writes it in blocks.
      int number = log.transactions().size();
      assertThat(Files.readString(directory.resolve("stopped").resolve("pgbench.out")))
          .contains("number of transactions actually processed: " + number + "\n");
    }
  }

  @Test
  void saysHowToInstallWhatIsMissing() {
    assertThatThrownBy(() -> PostgresPrograms.in(directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("install-packages.sh --cluster");
  }

  private static void requirePostgres() {
    try {
      PostgresPrograms.find();
    } catch (IOException missing) {
      System.out.println("SKIPPED PostgreSQL: " + missing.getMessage());
      abort(missing.getMessage());
    }
    boolean root = "root".equals(System.getProperty("user.name"));
    if (!root) {
      System.out.println("SKIPPED PostgreSQL: only root can start it as its own user");
    }
    assumeTrue(root, "not root");
  }
}
