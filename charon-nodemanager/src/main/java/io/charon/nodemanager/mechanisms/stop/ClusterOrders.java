/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.stop;

import io.charon.core.stop.ClusterStopOrders;
import io.charon.core.stop.StopOrder;
import io.charon.nodemanager.config.StopSettings;
import io.charon.nodemanager.fault.GuardedParts;
import io.charon.web.http.WebAccess;
import io.charon.web.threads.DaemonThreads;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls all ResourceManagers for whether best-effort is stopped in the cluster. Each has its own
 * thread, so that one that does not answer delays no other. While none answers, the last order
 * holds, even one from before a restart. It is saved on a thread of its own, because the disk may
 * block. Thread-safe.
 */
public final class ClusterOrders implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterOrders.class);

  /** How long {@link #close} waits for the disk (our choice). */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

  private final StopSettings settings;
  private final Asker client;
  private final Clock clock;
  private final Optional<StopMemory> memory;
  private final ClusterStopOrders orders = new ClusterStopOrders();
  private final Map<URI, String> problems = new TreeMap<>();
  private final GuardedParts parts = new GuardedParts(LOG, () -> {});
  private final ScheduledExecutorService threads;

  /** Runs one write and keeps one waiting: that saves the newest order, so that no other must. */
  private final ExecutorService writer =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(1),
          DaemonThreads.named("charon-cluster-stop-memory"),
          new ThreadPoolExecutor.DiscardPolicy());

  /** The saved order; belongs to the writer's thread once that has started. */
  private StopOrder kept = StopOrder.never();

  /** Queries one ResourceManager. */
  @FunctionalInterface
  interface Asker {
    /**
     * Returns the order of a ResourceManager.
     *
     * @throws IOException saying why there is no answer
     */
    StopOrder ask(URI server) throws IOException, InterruptedException;
  }

  /**
   * The state for status pages.
   *
   * @param server address of the ResourceManager whose order holds; empty if there is none
   * @param heardMillis when a ResourceManager last answered, milliseconds since 1970; 0 if none has
   *     since this NodeManager started
   * @param ageMillis time since then, milliseconds; -1 if none has answered since
   * @param problem the ResourceManagers that do not answer, and why; empty if all do
   */
  public record State(String server, long heardMillis, long ageMillis, Optional<String> problem) {}

  ClusterOrders(StopSettings settings, Asker asker, Clock clock) {
    this(settings, asker, clock, settings.memory().map(StopMemory::new));
  }

  /** Creates an instance from its parts, and restores the last order from before a restart. */
  ClusterOrders(StopSettings settings, Asker asker, Clock clock, Optional<StopMemory> memory) {
    this.settings = settings;
    this.client = asker;
    this.clock = clock;
    this.memory = memory;
    this.threads =
        Executors.newScheduledThreadPool(
            settings.resourceManagers().size(), DaemonThreads.named("charon-cluster-stop"));
    memory.ifPresent(this::remember);
  }

  /**
   * Returns the orders of a real cluster; polling has not started.
   *
   * @param web access to ResourceManagers
   */
  public static ClusterOrders of(StopSettings settings, WebAccess web, Clock clock) {
    return new ClusterOrders(settings, new StopClient(web), clock);
  }

  private void remember(StopMemory file) {
    try {
      file.read()
          .filter(word -> settings.resourceManagers().contains(URI.create(word.server())))
          .ifPresent(
              word -> {
                orders.remembered(word.server(), word.order());
                kept = word.order();
              });
    } catch (IOException | IllegalArgumentException e) {
      LOG.warn("cannot read the stop state of the cluster that was saved before the restart", e);
    }
  }

  /** Starts polling. */
  public void start() {
    settings.resourceManagers().forEach(server -> threads.execute(() -> begin(server)));
  }

  /**
   * Polls at once, because a stop survives restarts, then at times of this node's own, because
   * nodes may start together. Missed polls are not made up for, which all nodes would do at once.
   */
  private void begin(URI server) {
    poll(server);
    long periodMillis = settings.period().toMillis();
    // Polling never throws, so the future holds no information.
    var unused =
        threads.scheduleWithFixedDelay(
            () -> poll(server),
            ThreadLocalRandom.current().nextLong(periodMillis),
            periodMillis,
            TimeUnit.MILLISECONDS);
  }

  private void poll(URI server) {
    parts.run("asking " + server + " for the stop state of the cluster", () -> ask(server));
  }

  /** Queries one ResourceManager once; visible for tests. */
  void ask(URI server) {
    try {
      heard(server, client.ask(server));
    } catch (IOException | RuntimeException e) {
      failed(server, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void heard(URI server, StopOrder order) {
    synchronized (this) {
      orders.answered(server.toString(), order, clock.millis());
      if (problems.remove(server) != null) {
        LOG.info("{} reports the stop state of the cluster again", server);
      }
    }
    memory.ifPresent(
        file ->
            writer.execute(
                () -> parts.run("saving the stop state of the cluster", () -> keep(file))));
  }

  private synchronized StopMemory.HeardOrder newest() {
    return new StopMemory.HeardOrder(orders.server(), orders.order());
  }

  private void keep(StopMemory file) {
    StopMemory.HeardOrder newest = newest();
    if (newest.order().equals(kept)) {
      return;
    }
    try {
      file.write(newest);
      kept = newest.order();
    } catch (IOException e) {
      LOG.warn("cannot save the stop state of the cluster; a restart would lose it", e);
    }
  }

  private synchronized void failed(URI server, String problem) {
    String cause =
        problem.startsWith("status 404")
            ? "it does not publish the stop state: add io.charon.scheduler.resourcemanager.ClusterStopInitializer to its"
                + " hadoop.http.filter.initializers"
            : problem;
    if (!cause.equals(problems.put(server, cause))) {
      LOG.warn(
          "{} does not report the stop state of the cluster, and the last reported one remains in force: {}",
          server,
          cause);
    }
  }

  /** Returns the order that holds in the cluster. */
  public synchronized StopOrder order() {
    return orders.order();
  }

  /** Returns the state for status pages. */
  public synchronized State state() {
    long heardMillis = orders.lastAnswerMillis().orElse(0);
    return new State(
        orders.server(),
        heardMillis,
        orders.lastAnswerMillis().isPresent() ? Math.max(0, clock.millis() - heardMillis) : -1,
        problems.isEmpty()
            ? Optional.empty()
            : Optional.of(
                problems.entrySet().stream()
                    .map(entry -> entry.getKey() + ": " + entry.getValue())
                    .collect(Collectors.joining("; "))));
  }

  /** Ends polling, and waits up to 1 s until the last order is saved. */
  @Override
  public void close() {
    threads.shutdownNow();
    if (!DaemonThreads.end(writer, CLOSE_TIMEOUT)) {
      LOG.warn(
          "saving the stop state of the cluster takes longer than {}: it may be lost",
          CLOSE_TIMEOUT);
    }
  }
}
