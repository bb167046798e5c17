/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.postgres;

import io.charon.evaluation.machine.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Clients of the database: transactions are due at a fixed mean rate (a Poisson process, pgbench
 * {@code --rate}), whether or not earlier ones are done; 19 of 20 read four rows anywhere in the
 * table, one changes a row. 95 % reads are YCSB's workload B, the paper's for Cassandra.
 */
public final class PgbenchClients implements AutoCloseable {
  /** Transactions each second: 1,200 reads of rows, a fifth of one core. */
  static final int RATE = 300;

  private static final int CONNECTIONS = 8;
  private static final String READ =
      """
      \\set a random(1, 100000 * :scale)
      \\set b random(1, 100000 * :scale)
      \\set c random(1, 100000 * :scale)
      \\set d random(1, 100000 * :scale)
      SELECT abalance FROM pgbench_accounts WHERE aid IN (:a, :b, :c, :d);
      """;
  private static final String WRITE =
      """
      \\set a random(1, 100000 * :scale)
      UPDATE pgbench_accounts SET abalance = abalance + 1 WHERE aid = :a;
      """;
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private final Process process;
  private final Path logs;
  private final Path output;
  private final Duration duration;

  private PgbenchClients(Process process, Path logs, Path output, Duration duration) {
    this.process = process;
    this.logs = logs;
    this.output = output;
    this.duration = duration;
  }

  /**
   * Starts them.
   *
   * @param scale of the database
   * @param directory for logs; created
   * @param duration how long transactions are due
   */
  public static PgbenchClients start(
      PostgresDatabase database, int scale, Path directory, Duration duration)
      throws IOException, InterruptedException {
    Files.createDirectories(directory);
    Path read = Files.writeString(directory.resolve("read.sql"), READ);
    Path write = Files.writeString(directory.resolve("write.sql"), WRITE);
    Path output = directory.resolve("pgbench.out");
    List<String> command = new ArrayList<>(beforeAll());
    command.addAll(
        database.client(
            "pgbench",
            "--no-vacuum",
            "--protocol=prepared",
            "--define=scale=" + scale,
            "--file=" + read + "@19",
            "--file=" + write + "@1",
            "--client=" + CONNECTIONS,
            "--time=" + duration.toSeconds(),
            "--rate=" + RATE,
            "--random-seed=1",
            "--log",
            "--log-prefix=" + directory.resolve("transactions"),
            PostgresDatabase.USER));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    return new PgbenchClients(process, directory, output, duration);
  }

  /**
   * The words that let a program run before all others, if this machine allows it: clients stand
   * for other machines, and what they wait for a processor that containers have must not count as
   * the service's. A nice value would not do, because the kernel weighs whole sessions and cgroups
   * against each other. They need a tenth of a processor.
   */
  private static List<String> beforeAll() throws InterruptedException {
    List<String> words = List.of("chrt", "--fifo", "1");
    try {
      Programs.run(Stream.concat(words.stream(), Stream.of("true")).toList());
      return words;
    } catch (IOException notAllowed) {
      return List.of();
    }
  }

  /**
   * Waits until they are done.
   *
   * @throws IOException if they failed; the message has what they said
   */
  public ServiceMeasurement finish() throws IOException, InterruptedException {
    if (!process.waitFor(duration.plus(TIMEOUT).toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IOException("pgbench does not end; it said: " + said());
    }
    if (process.exitValue() != 0) {
      throw new IOException(
          "pgbench ended with exit code " + process.exitValue() + "; it said: " + said());
    }
    PgbenchLog log = new PgbenchLog();
    try (Stream<Path> files = Files.list(logs)) {
      for (Path file :
          files.filter(f -> f.getFileName().toString().startsWith("transactions.")).toList()) {
        log.add(Files.readAllLines(file));
      }
    }
    return log.measurement(duration);
  }

  private String said() throws IOException {
    return Files.readString(output).strip();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
