/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

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
 * Clients of the database. Transactions are due at a fixed mean rate (a Poisson process, pgbench
 * {@code --rate}), whether or not earlier ones are done. 19 of 20 read four random rows of the
 * table, one updates a row: 95 % reads, as in YCSB's workload B, which the paper uses for
 * Cassandra.
 */
final class PgbenchClients implements AutoCloseable {
  /** Transactions per second: about 1,200 rows read per second, a fifth of one core. */
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
   * Starts the clients.
   *
   * @param scale scale of the database
   * @param directory directory of the logs; created if missing
   * @param duration how long transactions are due
   */
  static PgbenchClients start(
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
   * Returns the command prefix that gives a program real-time priority, empty if this machine does
   * not allow it. The clients represent other machines, so their waits for a processor that
   * containers use must not count as latency of the service. A nice value does not suffice, because
   * the kernel weighs whole sessions and cgroups against each other. The clients need a tenth of a
   * processor.
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
   * Waits until the clients have ended and returns their measurement.
   *
   * @throws IOException if they failed or do not end; the message has their output
   */
  ServiceMeasurement finish() throws IOException, InterruptedException {
    if (!process.waitFor(duration.plus(TIMEOUT).toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IOException("pgbench does not end; its output: " + said());
    }
    if (process.exitValue() != 0) {
      throw new IOException(
          "pgbench ended with exit code " + process.exitValue() + "; its output: " + said());
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
