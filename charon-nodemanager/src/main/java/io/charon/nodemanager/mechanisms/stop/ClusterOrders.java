/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.stop;

import io.charon.core.stop.ClusterStopOrders;
import io.charon.core.stop.StopOrder;
import io.charon.nodemanager.config.StopSettings;
import io.charon.web.http.WebAccess;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls all ResourceManagers for whether best-effort is stopped in the cluster. Each has its own
 * thread, so that one that does not answer delays no other. While none answers, the last order
 * holds, even one from before a restart. Thread-safe.
 */
public final class ClusterOrders implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterOrders.class);

  private final StopSettings settings;
  private final Asker client;
  private final Clock clock;
  private final Optional<StopMemory> memory;
  private final ClusterStopOrders orders = new ClusterStopOrders();
  private final Map<URI, String> problems = new TreeMap<>();
  private final ScheduledExecutorService threads;
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

  /** Creates an instance from its parts, and restores the last order from before a restart. */
  ClusterOrders(StopSettings settings, Asker asker, Clock clock) {
    this.settings = settings;
    this.client = asker;
    this.clock = clock;
    this.memory = settings.memory().map(StopMemory::new);
    this.threads =
        Executors.newScheduledThreadPool(
            settings.resourceManagers().size(),
            task -> {
              Thread thread = new Thread(task, "charon-cluster-stop");
              thread.setDaemon(true);
              return thread;
            });
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
    for (URI server : settings.resourceManagers()) {
      // Polling never throws, so the future holds no information.
      var unused =
          threads.scheduleAtFixedRate(
              () -> ask(server), 0, settings.period().toMillis(), TimeUnit.MILLISECONDS);
    }
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

  private synchronized void heard(URI server, StopOrder order) {
    orders.answered(server.toString(), order, clock.millis());
    if (problems.remove(server) != null) {
      LOG.info("{} reports the stop state of the cluster again", server);
    }
    memory.filter(file -> !orders.order().equals(kept)).ifPresent(this::keep);
  }

  private void keep(StopMemory file) {
    try {
      file.write(new StopMemory.HeardOrder(orders.server(), orders.order()));
      kept = orders.order();
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

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
