/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.charon.evaluation.machine.Cleanup;
import java.io.IOException;
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
      PostgresDatabase database = PostgresDatabase.create(1, cleanup);
      place = database.directory();
      database.forgetCachedPages();
      Process server =
          new ProcessBuilder(database.serverCommand())
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("server.log").toFile())
              .start();
      pid = server.pid();
      database.awaitReady();
      database.warm();
      try (PgbenchClients clients =
          PgbenchClients.start(database, 1, directory.resolve("clients"), Duration.ofSeconds(4))) {
        ServiceMeasurement measured = clients.finish();
        assertThat(measured.failed()).isZero();
        assertThat(measured.millis()).hasSizeGreaterThan(100).allMatch(millis -> millis > 0);
        assertThat(measured.transactionsPerSecond()).isLessThan(2.0 * PgbenchClients.RATE);
      }
    }
    assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
    assertThat(place).doesNotExist();
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
      assumeTrue(false, missing.getMessage());
    }
    boolean root = "root".equals(System.getProperty("user.name"));
    if (!root) {
      System.out.println("SKIPPED PostgreSQL: only root can start it as its own user");
    }
    assumeTrue(root, "not root");
  }
}
