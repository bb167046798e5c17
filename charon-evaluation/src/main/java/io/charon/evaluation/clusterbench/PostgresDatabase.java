/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import io.charon.evaluation.cluster.FreePorts;
import io.charon.evaluation.machine.Cleanup;
import io.charon.evaluation.machine.Programs;
import io.charon.evaluation.machine.TemporaryDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A database of the benchmark, larger than the buffers of its server. Its directory is created once
 * and used by one server after the other. The server runs as the unprivileged user that Debian's
 * package creates, and listens on loopback only.
 */
final class PostgresDatabase {
  /** Scale at which {@code pgbench_accounts} and its index take about 0.9 GB. */
  static final int SCALE = 60;

  static final String USER = "postgres";
  static final String ADDRESS = "127.0.0.1";

  private static final Duration START_LIMIT = Duration.ofMinutes(1);
  private static final long LARGE_FILE_BYTES = 1 << 20;

  private final PostgresPrograms programs;
  private final Path directory;
  private final int port;

  private PostgresDatabase(PostgresPrograms programs, Path directory, int port) {
    this.programs = programs;
    this.directory = directory;
    this.port = port;
  }

  /**
   * Creates the database, which takes half a minute.
   *
   * @param scale scale for {@code pgbench --initialize}, at least 1; 100000 rows each
   * @param cleanup receives the steps that end the server and remove the database
   * @throws IOException if PostgreSQL is not installed or a program fails; the message has its
   *     output
   */
  static PostgresDatabase create(int scale, Cleanup cleanup)
      throws IOException, InterruptedException {
    PostgresPrograms programs = PostgresPrograms.find();
    Path directory = TemporaryDirectory.create("charon-bench-postgres-", cleanup);
    PostgresDatabase database =
        new PostgresDatabase(programs, directory, new FreePorts().next(ADDRESS));
    cleanup.add(database::endServer);
    Programs.run(List.of("chown", USER + ":", directory.toString()));
    Programs.run(
        database.asUser(
            "initdb",
            "--pgdata=" + database.data(),
            "--auth=trust",
            "--encoding=UTF8",
            "--no-locale",
            "--no-sync"));
    Process server =
        new ProcessBuilder(database.serverCommand())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("server.log").toFile())
            .start();
    try {
      database.awaitReady();
      Programs.run(database.client("pgbench", "--initialize", "--quiet", "--scale=" + scale, USER));
    } finally {
      server.destroy();
      server.waitFor();
    }
    Programs.run(List.of("sync", "--file-system", directory.toString()));
    return database;
  }

  /** Returns the command of the server; the started process is the server itself. */
  List<String> serverCommand() {
    return asUser(
        "postgres",
        "-D",
        data().toString(),
        "-p",
        Integer.toString(port),
        "-k",
        directory.toString(),
        "-c",
        "listen_addresses=" + ADDRESS,
        "-c",
        "shared_buffers=128MB",
        // Memory is measured, so no commit waits for the disk, and no checkpoint, vacuum or
        // parallel worker interferes.
        "-c",
        "synchronous_commit=off",
        "-c",
        "checkpoint_timeout=1d",
        "-c",
        "max_wal_size=4GB",
        "-c",
        "autovacuum=off",
        "-c",
        "max_parallel_workers_per_gather=0",
        "-c",
        "jit=off");
  }

  /** Returns the command of a client program, with the options to connect. */
  List<String> client(String program, String... arguments) {
    List<String> words =
        new ArrayList<>(
            List.of(
                programs.program(program),
                "--host=" + ADDRESS,
                "--port=" + port,
                "--username=" + USER));
    words.addAll(List.of(arguments));
    return words;
  }

  /** Waits until the server answers. */
  void awaitReady() throws IOException, InterruptedException {
    long end = System.nanoTime() + START_LIMIT.toNanos();
    while (true) {
      try {
        Programs.run(client("psql", "--command=select 1", USER));
        return;
      } catch (IOException notYet) {
        if (System.nanoTime() > end) {
          throw notYet;
        }
        Thread.sleep(200);
      }
    }
  }

  /**
   * Reads the table and its index once, so that they are in the page cache of the server's node.
   */
  void warm() throws IOException, InterruptedException {
    Programs.run(
        client(
            "psql",
            "--command=select count(*) from pgbench_accounts",
            "--command=set enable_seqscan = off",
            "--command=select count(*) from pgbench_accounts where aid > 0",
            USER));
  }

  /**
   * Drops the database's files from the page cache: a page is charged to the cgroup that reads it
   * first, which must be that of the next server.
   */
  void forgetCachedPages() throws IOException, InterruptedException {
    List<Path> large;
    try (Stream<Path> files = Files.walk(data())) {
      large = files.filter(PostgresDatabase::isLarge).toList();
    }
    for (Path file : large) {
      Programs.run(
          List.of("dd", "of=" + file, "oflag=nocache", "conv=notrunc,fdatasync", "count=0"));
    }
  }

  Path directory() {
    return directory;
  }

  private Path data() {
    return directory.resolve("data");
  }

  private static boolean isLarge(Path file) {
    try {
      return Files.isRegularFile(file) && Files.size(file) > LARGE_FILE_BYTES;
    } catch (IOException gone) {
      return false;
    }
  }

  /** Stops a server that is still running, so that the directory can be removed. */
  private void endServer() throws IOException, InterruptedException {
    Path file = data().resolve("postmaster.pid");
    if (Files.exists(file)) {
      long pid = Long.parseLong(Files.readAllLines(file).get(0).trim());
      boolean runs =
          ProcessHandle.of(pid)
              .flatMap(process -> process.info().commandLine())
              .filter(line -> line.contains(data().toString()))
              .isPresent();
      if (runs) {
        Programs.run(asUser("pg_ctl", "stop", "--pgdata=" + data(), "--mode=immediate"));
      }
    }
  }

  /**
   * Returns a command that runs as the database's user, because PostgreSQL refuses to run as root.
   */
  private List<String> asUser(String program, String... arguments) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "setpriv",
                "--reuid=" + USER,
                "--regid=" + USER,
                "--clear-groups",
                programs.program(program)));
    words.addAll(List.of(arguments));
    return words;
  }
}
