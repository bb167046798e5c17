/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A Docker engine of the test, in a network namespace and directories of its own. It knows no
 * registry and none of the machine's images, and it is removed completely.
 */
final class DockerEngine {
  private static final List<String> PROGRAMS =
      List.of("dockerd", "docker", "docker-compose", "mmdebstrap", "nsenter", "ip", "setpriv");

  /** Time limit of a command; a base image is made of packages that have to be downloaded. */
  private static final Duration LIMIT = Duration.ofMinutes(8);

  private final Path directory;
  private final String namespace = "charon-it-" + ProcessHandle.current().pid();
  private Process daemon;

  private DockerEngine(Path directory) {
    this.directory = directory;
  }

  /** Returns the required programs that are missing. */
  static List<String> missing() {
    List<Path> places = Stream.of(System.getenv("PATH").split(":", -1)).map(Path::of).toList();
    return PROGRAMS.stream()
        .filter(
            program ->
                places.stream().noneMatch(place -> Files.isExecutable(place.resolve(program))))
        .toList();
  }

  /**
   * Starts an engine.
   *
   * @param directory empty directory for its images, its containers and its log
   * @throws IOException if it does not start; the message contains its log
   */
  static DockerEngine start(Path directory) throws Exception {
    DockerEngine engine = new DockerEngine(directory);
    try {
      engine.run(Map.of(), "ip", "netns", "add", engine.namespace);
      engine.run(Map.of(), "ip", "-n", engine.namespace, "link", "set", "lo", "up");
      engine.startDaemon();
      return engine;
    } catch (Exception | AssertionError e) {
      engine.remove();
      throw e;
    }
  }

  private void startDaemon() throws Exception {
    Path log = directory.resolve("dockerd.log");
    // With ip netns exec, the daemon would not see the machine's cgroups.
    ProcessBuilder builder =
        new ProcessBuilder(
                "nsenter",
                "--net=/run/netns/" + namespace,
                "dockerd",
                "--host=" + host(),
                "--data-root=" + directory.resolve("data"),
                "--exec-root=" + directory.resolve("exec"),
                "--cgroup-parent=/" + namespace,
                "--pidfile=" + directory.resolve("dockerd.pid"))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    daemon = builder.start();
    daemon.getOutputStream().close();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (exitCode("docker", "--host=" + host(), "version") != 0) {
      if (!daemon.isAlive() || System.nanoTime() > end) {
        throw new IOException("dockerd does not start here:\n" + Files.readString(log));
      }
      Thread.sleep(200);
    }
  }

  /** Returns the value of DOCKER_HOST. */
  String host() {
    return "unix://" + directory.resolve("dockerd.sock");
  }

  /** Runs a command in the namespace of the engine's published ports; fails with its output. */
  String inNamespace(Map<String, String> environment, String... command) throws Exception {
    List<String> entered =
        new ArrayList<>(List.of("nsenter", "--net=/run/netns/" + namespace, "--"));
    entered.addAll(List.of(command));
    return run(environment, entered.toArray(String[]::new));
  }

  /** Runs a client of the engine; fails with its output. */
  String run(Map<String, String> environment, String... command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).directory(Path.of("..").toFile());
    builder.environment().put("DOCKER_HOST", host());
    // The client in Debian has no BuildKit.
    builder.environment().put("DOCKER_BUILDKIT", "0");
    builder.environment().putAll(environment);
    TimedProgram.Result result = TimedProgram.run(builder, LIMIT);
    String told = String.join(" ", command) + "\n" + result.said();
    System.out.println("$ " + told);
    if (result.exitCode() != 0) {
      throw new AssertionError(told);
    }
    return result.said();
  }

  /** Runs a command, ignores its output and returns its exit code. */
  static int exitCode(String... command) throws Exception {
    return TimedProgram.run(new ProcessBuilder(command), LIMIT).exitCode();
  }

  /**
   * Removes every container, stops the daemon, and removes the namespace, the mounts and the
   * cgroups.
   */
  void remove() throws Exception {
    try {
      if (daemon != null) {
        removeContainers();
        TimedProgram.end(daemon);
      }
    } finally {
      exitCode("ip", "netns", "delete", namespace);
      removeMounts();
      removeCgroups();
    }
  }

  private void removeContainers() throws Exception {
    try {
      String containers = run(Map.of(), "docker", "ps", "--all", "--quiet").strip();
      if (!containers.isEmpty()) {
        List<String> removal = new ArrayList<>(List.of("docker", "rm", "--force"));
        removal.addAll(containers.lines().toList());
        run(Map.of(), removal.toArray(String[]::new));
      }
    } catch (AssertionError unreachable) {
      System.out.println("containers could not be asked for: " + unreachable.getMessage());
    }
  }

  private void removeCgroups() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/mounts"))) {
      String[] fields = line.split(" ", 4);
      if (fields[2].startsWith("cgroup")) {
        Files.deleteIfExists(Path.of(fields[1], namespace));
      }
    }
  }

  /**
   * Removes mounts that a killed daemon left, because they would prevent removal of its directory.
   */
  private void removeMounts() throws Exception {
    List<String> points =
        Files.readAllLines(Path.of("/proc/self/mounts")).stream()
            .map(line -> line.split(" ", 3)[1])
            .filter(point -> point.startsWith(directory + "/"))
            .toList();
    for (int i = points.size() - 1; i >= 0; i--) {
      exitCode("umount", "--lazy", points.get(i));
    }
  }
}
