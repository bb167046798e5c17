/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.core.mechanism.BestEffortTasks;
import io.charon.core.mechanism.LastKill;
import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.JobKey;
import io.charon.core.scheduler.LaunchDecision;
import io.charon.core.scheduler.LaunchQueue;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.core.scheduler.LocalScheduler;
import io.charon.core.scheduler.NodeMemory;
import io.charon.core.scheduler.Owner;
import io.charon.core.scheduler.PeakProfile;
import io.charon.core.scheduler.SnapshotLaunchPolicy;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.execution.ContainerKiller;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The best-effort containers of a node without YARN. Charon's local scheduler decides which of them
 * start. A container that is killed for memory waits again and its work is lost, like that of a
 * task that is restarted. This class is thread-safe.
 */
final class ColocatedTasks implements ContainerKiller {
  private static final JobKey JOB = new JobKey("charon bench colocation");
  private static final Owner OWNER = new Owner("charon", "application_1_0001");

  /** Decides which containers start, and starts them. */
  interface Launcher {
    /**
     * Starts a container.
     *
     * @return the container; empty if it has to wait
     */
    Optional<ColocatedContainer> launch(LaunchRequest request, List<String> command)
        throws IOException;

    /**
     * Records that a container has ended.
     *
     * @param peakBytes its highest working set, as far as it was measured here
     */
    void ended(String id, long peakBytes);
  }

  /** Charon's local scheduler alone, which {@link #tick} tells the node's memory. */
  private final class LocalLauncher implements Launcher {
    @Override
    public Optional<ColocatedContainer> launch(LaunchRequest request, List<String> words)
        throws IOException {
      LaunchDecision decision = scheduler.request(request, System.nanoTime());
      return decision.outcome() == LaunchDecision.Outcome.LAUNCHED
          ? Optional.of(
              node.start(ContainerClass.BEST_EFFORT, Redirect.DISCARD, Redirect.INHERIT, words))
          : Optional.empty();
    }

    @Override
    public void ended(String id, long peakBytes) {
      scheduler.ended(id, peakBytes);
    }
  }

  /** A running container. */
  private static final class Running {
    final ColocatedContainer container;
    final Path counter;
    long bytes;
    long peakBytes;
    boolean dying;

    Running(ColocatedContainer container, Path counter) {
      this.container = container;
      this.counter = counter;
    }
  }

  private final ColocatedNode node;
  private final Path directory;
  private final Function<Path, List<String>> command;
  private final long requestBytes;
  private final LocalScheduler scheduler;
  private final Map<String, Running> running = new LinkedHashMap<>();
  private Launcher launcher = new LocalLauncher();
  private int waiting;
  private int requests;
  private int kills;
  private OptionalLong lastKillNanos = OptionalLong.empty();

  /**
   * Creates waiting containers.
   *
   * @param directory directory for their counters
   * @param command command of a container, which counts its work in the given file
   * @param count number of containers
   * @param requestBytes memory that each container requests
   */
  ColocatedTasks(
      ColocatedNode node,
      Path directory,
      Function<Path, List<String>> command,
      int count,
      long requestBytes) {
    CharonSettings settings = node.settings();
    this.node = node;
    this.directory = directory;
    this.command = command;
    this.waiting = count;
    this.requestBytes = requestBytes;
    this.scheduler =
        new LocalScheduler(
            new LaunchQueue(Math.max(1, count)),
            new PeakProfile(
                settings.scheduler().profile().windowSamples(),
                settings.scheduler().profile().percentile()),
            new SnapshotLaunchPolicy(
                settings.scheduler().launch().resync(), settings.scheduler().launch().backoff()));
  }

  /** Lets another launcher decide, before any container has started. */
  synchronized void launchBy(Launcher other) {
    launcher = other;
  }

  /**
   * Processes a measurement of the node: removes killed containers and starts those that may start.
   */
  synchronized void tick(long nanos, NodeMemory memory, Map<String, Long> workingSets)
      throws IOException, InterruptedException {
    removeKilled();
    Map<String, Long> used = new LinkedHashMap<>();
    running.forEach(
        (id, one) -> {
          one.bytes = workingSets.getOrDefault(one.container.id(), 0L);
          one.peakBytes = Math.max(one.peakBytes, one.bytes);
          used.put(id, one.bytes);
        });
    scheduler.observed(memory, used, nanos);
    startWaiting();
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
    launcher.ended(id, one.peakBytes);
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

  /** Returns the time of the last kill. */
  synchronized LastKill lastKill() {
    return new LastKill(lastKillNanos);
  }

  /** Kills and removes all containers. */
  synchronized void end() throws IOException, InterruptedException {
    for (String id : List.copyOf(running.keySet())) {
      remove(id);
    }
    waiting = 0;
  }

  /** Sets the memory that all containers together may hold; empty for no limit. */
  synchronized void setMemoryBound(OptionalLong bytes) {
    scheduler.bound(bytes);
  }

  /** Returns the running containers. */
  synchronized BestEffortTasks reading() {
    List<BestEffortTasks.Task> tasks = new ArrayList<>();
    running.forEach((id, one) -> tasks.add(new BestEffortTasks.Task(id, one.bytes, one.dying)));
    return new BestEffortTasks(tasks);
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
      long now = System.nanoTime();
      lastKillNanos = OptionalLong.of(now);
      scheduler.killedForMemory(now);
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
