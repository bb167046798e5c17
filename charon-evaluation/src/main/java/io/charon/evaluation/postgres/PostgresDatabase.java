/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.postgres;

import io.charon.evaluation.cluster.FreePorts;
import io.charon.evaluation.machine.Cleanup;
import io.charon.evaluation.machine.Programs;
import io.charon.evaluation.machine.TemporaryDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A database of the benchmark, larger than the buffers of its server. Its directory is created once
 * and used by one server after the other. The server runs as the unprivileged user that Debian's
 * package creates, and listens on loopback only.
 */
public final class PostgresDatabase {
  static final String USER = "postgres";
  static final String ADDRESS = "127.0.0.1";

  private static final String SERVER = "the server of PostgreSQL";

  private static final Duration START_LIMIT = Duration.ofMinutes(1);
  private static final long LARGE_FILE_BYTES = 1 << 20;
  private static final long STOP_SECONDS = 30;

  /**
   * The size of a database and of its server's buffers.
   *
   * @param scale scale of {@code pgbench --initialize}, at least 1; each unit is 100,000 rows,
   *     about 15 MB with the index
   * @param sharedBuffersMegabytes PostgreSQL's {@code shared_buffers}, MB
   */
  public record DatabaseSize(int scale, int sharedBuffersMegabytes) {}

  private final PostgresPrograms programs;
  private final DatabaseSize size;
  private final Path directory;
  private final int port;

  private PostgresDatabase(PostgresPrograms programs, DatabaseSize size, Path directory, int port) {
    this.programs = programs;
    this.size = size;
    this.directory = directory;
    this.port = port;
  }

  /**
   * Creates the database, which takes half a minute.
   *
   * @param cleanup receives the steps that end the server and remove the database
   * @throws IOException if PostgreSQL is not installed or a program fails; the message has its
   *     output
   */
  public static PostgresDatabase create(DatabaseSize size, Cleanup cleanup)
      throws IOException, InterruptedException {
    PostgresPrograms programs = PostgresPrograms.find();
    Path top = TemporaryDirectory.createOnDisk("charon-bench-postgres-", cleanup);
    // It stays this user's, so that it counts as a leftover if this process is killed.
    Files.setPosixFilePermissions(top, PosixFilePermissions.fromString("rwx--x--x"));
    Path directory = Files.createDirectory(top.resolve("server"));
    PostgresDatabase database =
        new PostgresDatabase(programs, size, directory, new FreePorts().next(ADDRESS));
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
      Programs.run(
          database.client("pgbench", "--initialize", "--quiet", "--scale=" + size.scale(), USER));
    } finally {
      server.destroy();
      int unused = Programs.await(server, SERVER, Programs.LIMIT);
    }
    Programs.run(List.of("sync", "--file-system", directory.toString()));
    return database;
  }

  /** Returns the command of the server; the started process is the server itself. */
  public List<String> serverCommand() {
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
        // Buffers in huge pages would not be charged to the memory cgroup of the server.
        "huge_pages=off",
        "-c",
        "shared_buffers=" + size.sharedBuffersMegabytes() + "MB",
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
  public void awaitReady() throws IOException, InterruptedException {
    long end = System.nanoTime() + START_LIMIT.toNanos();
    while (true) {
      try {
        Programs.run(client("psql", "--command=select 1", USER), START_LIMIT);
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
   * The sum reads the table: to count rows, PostgreSQL reads only the index.
   */
  public void warm() throws IOException, InterruptedException {
    Programs.run(
        client(
            "psql",
            "--command=select sum(abalance) from pgbench_accounts",
            "--command=set enable_seqscan = off",
            "--command=select count(*) from pgbench_accounts where aid > 0",
            USER));
  }

  /**
   * Drops the database's files from the page cache: a page is charged to the cgroup that reads it
   * first, which must be that of the next server.
   */
  public void dropCachedPages() throws IOException, InterruptedException {
    for (Path file : largeFiles(data())) {
      Programs.run(
          List.of("dd", "of=" + file, "oflag=nocache", "conv=notrunc,fdatasync", "count=0"));
    }
  }

  /**
   * Returns the size of the table and its index on the disk, bytes.
   *
   * @throws IOException if the files cannot be read
   */
  public long tableBytes() throws IOException {
    long sum = 0;
    for (Path file : largeFiles(data().resolve("base"))) {
      sum += Files.size(file);
    }
    return sum;
  }

  /** Returns the size that it was made with. */
  public DatabaseSize size() {
    return size;
  }

  /** Returns its directory; files in it are removed at the end. */
  public Path directory() {
    return directory;
  }

  /**
   * Ends a server, by its process: open transactions are rolled back, and a checkpoint leaves the
   * next start nothing to recover. A server that has not ended after 30 s ends without checkpoint.
   *
   * @param server process that {@link #serverCommand} started
   */
  public static void stop(Process server) throws IOException, InterruptedException {
    for (String signal : List.of("-INT", "-QUIT")) {
      if (server.isAlive()) {
        try {
          Programs.run(List.of("kill", signal, Long.toString(server.pid())));
        } catch (IOException endedMeanwhile) {
          // There is nothing left to end.
        }
        boolean unused = server.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
      }
    }
    Programs.kill(server, SERVER);
  }

  private static List<Path> largeFiles(Path top) throws IOException {
    try (Stream<Path> files = Files.walk(top)) {
      return files.filter(PostgresDatabase::isLarge).toList();
    }
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
