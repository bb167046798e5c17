/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.nodemanager.cgroup.ContainerClass;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A web server with one worker. It compresses pages of text for each request and sends files as
 * they are.
 */
final class Nginx {
  static final int PORT = 8080;
  static final int PAGES = 32;
  private static final List<Path> PLACES =
      List.of(Path.of("/usr/sbin/nginx"), Path.of("/usr/local/sbin/nginx"));
  private static final String CONFIGURATION =
      """
      daemon off;
      user root;
      worker_processes 1;
      error_log stderr warn;
      pid %1$s/nginx.pid;
      events { worker_connections 512; }
      http {
        access_log off;
        keepalive_requests 1000000;
        keepalive_timeout 1h;
        gzip_comp_level 9;
        gzip_min_length 1;
        gzip_types *;
        sendfile on;
        server {
          # Little is under way at once: what the link cannot take yet waits here, and is not lost there.
          listen %2$s:%3$d sndbuf=64k;
          root %1$s;
          location /page/ { gzip on; }
        }
      }
      """;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int VOCABULARY = 4000;
  private static final long SEED = 20191120;

  private final ColocatedContainer container;

  private Nginx(ColocatedContainer container) {
    this.container = container;
  }

  /**
   * Returns the path of the program.
   *
   * @throws IOException if it is not installed; the message says how to install it
   */
  static Path program() throws IOException {
    return PLACES.stream()
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(
            () ->
                new IOException(
                    "no nginx in "
                        + PLACES
                        + ": run in the repository: kernel-ua-killer/install-packages.sh --colocation"));
  }

  /**
   * Starts the server in a production container.
   *
   * @param directory directory for its files
   * @param prefix words before its command, such as those that enter a namespace
   * @param address address on which it listens
   * @param pageBytes size of a page of text
   * @param fileBytes size of a file
   */
  static Nginx start(
      ColocatedNode node,
      Path directory,
      List<String> prefix,
      String address,
      int pageBytes,
      int fileBytes)
      throws IOException, InterruptedException {
    writeFiles(directory, pageBytes, fileBytes);
    Path configuration = directory.resolve("nginx.conf");
    Files.writeString(configuration, CONFIGURATION.formatted(directory, address, PORT));
    List<String> command = new ArrayList<>(prefix);
    command.addAll(
        List.of(
            program().toString(),
            "-p",
            directory.toString(),
            "-c",
            configuration.toString(),
            "-e",
            directory.resolve("error.log").toString()));
    Nginx nginx =
        new Nginx(
            node.start(ContainerClass.PRODUCTION, Redirect.DISCARD, Redirect.INHERIT, command));
    nginx.awaitReady(directory.resolve("nginx.pid"));
    return nginx;
  }

  /**
   * Waits for the file with the process id, which the server writes after it has started to listen.
   */
  private void awaitReady(Path processId) throws IOException, InterruptedException {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (!Files.exists(processId)) {
      if (!container.process().isAlive() || System.nanoTime() - end > 0) {
        throw new IOException(program() + " does not start; its output is above");
      }
      Thread.sleep(10);
    }
  }

  /** Returns the CPU time of the server and its worker since their start. */
  Duration processorTime() {
    return container
        .process()
        .descendants()
        .map(worker -> worker.info().totalCpuDuration().orElse(Duration.ZERO))
        .reduce(
            container.process().info().totalCpuDuration().orElse(Duration.ZERO), Duration::plus);
  }

  /**
   * Writes pages that, like natural text, compress well but slowly: words with a skewed frequency.
   */
  private static void writeFiles(Path directory, int pageBytes, int fileBytes) throws IOException {
    Random random = new Random(SEED);
    List<String> words = new ArrayList<>();
    for (int i = 0; i < VOCABULARY; i++) {
      words.add(
          random
              .ints(2 + random.nextInt(9), 'a', 'z' + 1)
              .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
              .toString());
    }
    Path pages = Files.createDirectory(directory.resolve("page"));
    Path files = Files.createDirectory(directory.resolve("file"));
    for (int i = 0; i < PAGES; i++) {
      StringBuilder text = new StringBuilder(pageBytes + 16);
      while (text.length() < pageBytes) {
        // The square makes small numbers frequent.
        double draw = random.nextDouble();
        text.append(words.get((int) (draw * draw * VOCABULARY))).append(' ');
      }
      Files.writeString(pages.resolve(Integer.toString(i)), text, StandardCharsets.US_ASCII);
      byte[] bytes = new byte[fileBytes];
      random.nextBytes(bytes);
      Files.write(files.resolve(Integer.toString(i)), bytes);
    }
  }
}
