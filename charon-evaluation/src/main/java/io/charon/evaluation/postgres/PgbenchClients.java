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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Clients of the database. Transactions are due at a fixed mean rate (a Poisson process, pgbench
 * {@code --rate}), whether or not earlier ones are done. 19 of 20 read four random rows of the
 * table, one updates a row: 95 % reads, as in YCSB's workload B, which the paper uses for
 * Cassandra.
 */
public final class PgbenchClients implements AutoCloseable {
  /** Transactions per second: about 1,200 rows read per second, a fifth of one core. */
  public static final int RATE = 300;

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

  /** Starts the words after the first one as soon as that one succeeds; gives up after a minute. */
  private static final String WHEN_READY =
      "ready=$1; shift; n=0; until $ready; do n=$((n + 1));"
          + " if [ $n -gt 1200 ]; then echo 'the server does not answer'; exit 1; fi;"
          + " sleep 0.05; done; exec \"$@\"";

  /** Exit code of a process that SIGALRM ended before it handled that signal. */
  private static final int ENDED_BY_SIGALRM = 128 + 14;

  private static final int SAID_LINES = 5;
  private static final String LOG_PREFIX = "transactions";

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
   * Starts the clients; they connect as soon as the server answers.
   *
   * @param directory directory of the logs; created if missing
   * @param duration time during which transactions are due, whole seconds
   */
  public static PgbenchClients start(PostgresDatabase database, Path directory, Duration duration)
      throws IOException, InterruptedException {
    Files.createDirectories(directory);
    Path read = Files.writeString(directory.resolve("read.sql"), READ);
    Path write = Files.writeString(directory.resolve("write.sql"), WRITE);
    Path output = directory.resolve("pgbench.out");
    List<String> command = new ArrayList<>(realTimePrefix());
    String ready = String.join(" ", database.client("pg_isready", "--quiet"));
    command.addAll(List.of("/bin/sh", "-c", WHEN_READY, "sh", ready));
    command.addAll(
        database.client(
            "pgbench",
            "--no-vacuum",
            "--protocol=prepared",
            "--define=scale=" + database.size().scale(),
            "--file=" + read + "@19",
            "--file=" + write + "@1",
            "--client=" + CONNECTIONS,
            "--time=" + duration.toSeconds(),
            "--rate=" + RATE,
            "--random-seed=1",
            "--log",
            "--log-prefix=" + directory.resolve(LOG_PREFIX),
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
  private static List<String> realTimePrefix() throws InterruptedException {
    List<String> words = List.of("chrt", "--fifo", "1");
    try {
      Programs.run(Stream.concat(words.stream(), Stream.of("true")).toList());
      return words;
    } catch (IOException notAllowed) {
      return List.of();
    }
  }

  /**
   * Waits until the duration has passed and the last transactions have ended.
   *
   * @throws IOException if the clients failed; the message contains their output
   */
  public ServiceMeasurement finish() throws IOException, InterruptedException {
    requireEnd(duration.plus(TIMEOUT));
    return log().measurement(duration);
  }

  /** Returns whether the clients run. */
  public boolean areAlive() {
    return process.isAlive();
  }

  /**
   * Returns whether the log of a transaction has been written; pgbench writes it in blocks, here
   * about three times a second.
   */
  public boolean haveLogged() throws IOException {
    for (Path file : logFiles()) {
      if (Files.size(file) > 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * Tells the clients to end before the duration has passed: each finishes its current transaction,
   * and transactions that are due and have not begun are dropped. SIGALRM is the signal by which
   * pgbench itself ends a run that has a duration.
   *
   * @param wait longest time to wait for the end
   * @return whether they have ended
   */
  public boolean stop(Duration wait) throws InterruptedException {
    try {
      Programs.run(List.of("kill", "-ALRM", Long.toString(process.pid())));
    } catch (IOException endedMeanwhile) {
      // The exit code tells whether that was an error.
    }
    return process.waitFor(wait.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Waits for the end of clients that were told to {@link #stop}, and reads their log.
   *
   * @throws IOException if the clients failed; the message contains their output
   */
  public PgbenchLog stoppedLog() throws IOException, InterruptedException {
    requireEnd(TIMEOUT);
    return log();
  }

  /**
   * Waits for the end. Clients that {@link #stop} met before they had connected have no error.
   *
   * @throws IOException if the clients failed; the message contains their output
   */
  private void requireEnd(Duration wait) throws IOException, InterruptedException {
    if (!process.waitFor(wait.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IOException("pgbench does not end; its output: " + output());
    }
    if (process.exitValue() != 0 && process.exitValue() != ENDED_BY_SIGALRM) {
      throw new IOException(
          "pgbench ended with exit code " + process.exitValue() + "; its output: " + output());
    }
  }

  /** Reads the transactions that are in the log so far. */
  public PgbenchLog log() throws IOException {
    PgbenchLog log = new PgbenchLog();
    for (Path file : logFiles()) {
      log.add(Files.readAllLines(file));
    }
    return log;
  }

  private List<Path> logFiles() throws IOException {
    try (Stream<Path> files = Files.list(logs)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(LOG_PREFIX + "."))
          .toList();
    }
  }

  /** Returns the beginning of the output, which names the first error. */
  private String output() throws IOException {
    return Files.readAllLines(output).stream().limit(SAID_LINES).collect(Collectors.joining("; "));
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
