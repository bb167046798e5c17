/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.playground;

import io.charon.cli.InterruptHook;
import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.cluster.LinuxExecutor;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Starts the supervisor of a cluster, and waits until the cluster runs. */
public final class ClusterStart {
  /**
   * Time for the cluster to end, seconds: daemons, containers and the kernel killer take some
   * seconds each.
   */
  private static final int END_SECONDS = 60;

  private static final int TAIL_LINES = 30;
  private static final long POLL_MILLIS = 200;

  private final Playground playground;
  private final Installation installation;
  private final Path root;
  private final ProgressLine waiting;

  /**
   * Creates the starter.
   *
   * @param root the repository
   */
  public ClusterStart(
      Playground playground, Installation installation, Path root, ProgressLine waiting) {
    this.playground = playground;
    this.installation = installation;
    this.root = root;
    this.waiting = waiting;
  }

  /**
   * Starts a cluster in a session of its own. If this process is interrupted before the cluster
   * runs, nothing of the cluster is left behind.
   *
   * @param nodeMemoryMb memory of a node, MiB
   * @param linux runs containers as users of their own; empty to run them as this process's user
   * @throws IOException if the cluster does not start; the message has the end of the log, which
   *     stays
   */
  public ClusterState start(int nodeMemoryMb, Optional<LinuxExecutor> linux)
      throws IOException, InterruptedException {
    StateDirectory directory = playground.directory();
    directory.create();
    Optional<ClusterState> stale = playground.state();
    if (stale.isPresent()) {
      playground.removeLeftovers(stale.get());
    }
    try (InterruptHook hook = InterruptHook.open()) {
      hook.onInterrupt(Thread.currentThread()::interrupt);
      Process supervisor = launch(nodeMemoryMb, linux);
      try {
        return await(supervisor);
      } catch (InterruptedException e) {
        supervisor.destroy();
        supervisor.waitFor(END_SECONDS, TimeUnit.SECONDS);
        directory.remove();
        throw e;
      } finally {
        waiting.end();
      }
    }
  }

  private ClusterState await(Process supervisor) throws IOException, InterruptedException {
    StateDirectory directory = playground.directory();
    while (true) {
      Optional<ClusterState> state = playground.living();
      if (state.filter(found -> isReadyBy(supervisor, found)).isPresent()) {
        return state.get();
      }
      if (!supervisor.isAlive()) {
        throw new IOException(
            "The cluster did not start. The end of %s:%n%s"
                .formatted(directory.log(), String.join("\n", directory.tail(TAIL_LINES))));
      }
      waiting.update(directory.tail(1).stream().findFirst().orElse("starting"));
      Thread.sleep(POLL_MILLIS);
    }
  }

  private static boolean isReadyBy(Process supervisor, ClusterState state) {
    return state.supervisor().pid() == supervisor.pid() && state.address().isPresent();
  }

  private Process launch(int nodeMemoryMb, Optional<LinuxExecutor> linux) throws IOException {
    Path home = installation.lib().getParent();
    List<String> command = new ArrayList<>();
    Collections.addAll(
        command,
        // In a session of its own, neither Ctrl-C nor the end of the terminal affects the
        // supervisor.
        "setsid",
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx384m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "--add-opens",
        "java.base/java.lang=ALL-UNNAMED",
        "-Djava.awt.headless=true",
        "-Dlog4j.configuration=charon-cli-log4j.properties",
        "-D" + Installation.HOME_PROPERTY + "=" + home,
        "-Dcharon.root=" + root,
        "-cp",
        home + "/*:" + installation.lib() + "/*",
        "io.charon.cli.Charon",
        "cluster",
        "run",
        "--directory",
        playground.directory().path().toString(),
        "--node-memory-mb",
        Integer.toString(nodeMemoryMb));
    linux.ifPresent(
        executor ->
            Collections.addAll(
                command,
                "--executor",
                "linux",
                "--container-executor",
                executor.program().toString(),
                "--run-as",
                executor.productionUser() + "," + executor.bestEffortUser()));
    Files.deleteIfExists(playground.directory().log());
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(Redirect.to(playground.directory().log().toFile()))
        .redirectInput(Redirect.from(new File("/dev/null")))
        .start();
  }
}
