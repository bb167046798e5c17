/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.JobKey;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.core.scheduler.Owner;
import io.charon.nodemanager.execution.ContainerControl;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The best-effort containers of a node without YARN. A launcher decides which of them start. A
 * container that is killed for memory waits again and its work is lost, like that of a task that is
 * restarted. This class is thread-safe.
 */
final class ColocatedTasks implements ContainerControl.Killer {
  private static final JobKey JOB = new JobKey("charon bench colocation");
  private static final Owner OWNER = new Owner("charon", "application_1_0001");

  /** Decides which containers start, and starts them. */
  interface Launcher {
    /**
     * Starts a container.
     *
     * @param runningBytes memory that the running containers request together
     * @return the container; empty if it has to wait
     */
    Optional<ColocatedContainer> launch(
        LaunchRequest request, long runningBytes, List<String> command) throws IOException;

    /** Records that a container has ended. */
    void ended(String id);
  }

  /** A running container. */
  private static final class Running {
    final ColocatedContainer container;
    final Path counter;
    boolean dying;

    Running(ColocatedContainer container, Path counter) {
      this.container = container;
      this.counter = counter;
    }
  }

  private final Path directory;
  private final Function<Path, List<String>> command;
  private final long requestBytes;
  private final Map<String, Running> running = new LinkedHashMap<>();
  private Launcher launcher;
  private int waiting;
  private int requests;
  private int kills;

  /**
   * Creates waiting containers.
   *
   * @param directory directory for their counters
   * @param command command of a container, which counts its work in the given file
   * @param count number of containers
   * @param requestBytes memory that each container requests
   */
  ColocatedTasks(
      Path directory, Function<Path, List<String>> command, int count, long requestBytes) {
    this.directory = directory;
    this.command = command;
    this.waiting = count;
    this.requestBytes = requestBytes;
  }

  /** Names the launcher, before any container has started. */
  synchronized void launchBy(Launcher decides) {
    launcher = decides;
  }

  /** Removes killed containers and starts those that may start by the launcher's own readings. */
  synchronized void follow() throws IOException, InterruptedException {
    removeKilled();
    startWaiting();
  }

  private void removeKilled() throws IOException, InterruptedException {
    for (Map.Entry<String, Running> entry : List.copyOf(running.entrySet())) {
      Running one = entry.getValue();
      if (one.dying && !one.container.process().isAlive()) {
        remove(entry.getKey());
        waiting++;
        continue;
      }
      if (!one.container.process().isAlive()) {
        throw new IOException("a best-effort program has ended: " + one.container.process());
      }
    }
  }

  private void startWaiting() throws IOException {
    while (waiting > 0 && start()) {
      waiting--;
    }
  }

  private boolean start() throws IOException {
    String id = "task_" + requests;
    Path counter = directory.resolve("work-" + id + ".count");
    Optional<ColocatedContainer> started =
        launcher.launch(
            new LaunchRequest(id, ExecutionType.OPPORTUNISTIC, JOB, OWNER, requestBytes),
            running.size() * requestBytes,
            command.apply(counter));
    if (started.isEmpty()) {
      return false;
    }
    requests++;
    running.put(id, new Running(started.get(), counter));
    return true;
  }

  private void remove(String id) throws IOException, InterruptedException {
    Running one = running.remove(id);
    one.container.end();
    Files.deleteIfExists(one.counter);
    launcher.ended(id);
  }

  /** Returns the work that the running containers have done so far. */
  synchronized long done() throws IOException {
    long sum = 0;
    for (Running one : running.values()) {
      sum += read(one.counter);
    }
    return sum;
  }

  /** Returns how many containers were killed or asked to end. */
  synchronized int kills() {
    return kills;
  }

  /** Kills and removes all containers. */
  synchronized void end() throws IOException, InterruptedException {
    for (String id : List.copyOf(running.keySet())) {
      remove(id);
    }
    waiting = 0;
  }

  @Override
  public synchronized void kill(String containerId) {
    end(containerId, Process::destroyForcibly);
  }

  @Override
  public synchronized void terminate(String containerId) {
    end(containerId, Process::destroy);
  }

  /** Sends a signal to a container that has not ended; it counts as killed once. */
  private void end(String containerId, Consumer<Process> signal) {
    Running one = running.get(containerId);
    if (one == null) {
      return;
    }
    if (!one.dying) {
      one.dying = true;
      kills++;
    }
    signal.accept(one.container.process());
  }

  /** Reads a counter as {@code workload} writes it; 0 before the program has started. */
  static long read(Path counter) throws IOException {
    byte[] bytes = Files.exists(counter) ? Files.readAllBytes(counter) : new byte[0];
    return bytes.length < Long.BYTES
        ? 0
        : ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getLong();
  }
}
