/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import io.charon.core.scheduler.ExecutionType;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerListener;
import io.charon.nodemanager.container.LaunchPrefix;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delays the first best-effort container until the node has been sampled, so that limits that apply
 * only while best-effort runs are set before it holds any memory. This matters because processes
 * that read files fill a node within a second.
 */
final class FirstBestEffort implements ContainerListener {
  private static final Logger LOG = LoggerFactory.getLogger(FirstBestEffort.class);

  /** Longest delay of a container where the node cannot be sampled (our choice). */
  private static final Duration MAX_DELAY = Duration.ofSeconds(1);

  private final BooleanSupplier limited;
  private final Supplier<CompletableFuture<Void>> sample;
  private final Set<String> running = new HashSet<>();
  private CompletableFuture<Void> first = CompletableFuture.completedFuture(null);

  /**
   * Creates an instance without any running container.
   *
   * @param limited whether best-effort memory is limited while it runs; if not, no container is
   *     delayed
   * @param sample requests a sample of the node, without blocking
   */
  FirstBestEffort(BooleanSupplier limited, Supplier<CompletableFuture<Void>> sample) {
    this.limited = limited;
    this.sample = sample;
  }

  @Override
  public Optional<LaunchPrefix> starting(ContainerInfo container, boolean placed) {
    if (placed && container.executionType() == ExecutionType.OPPORTUNISTIC) {
      await(sampleFor(container.containerId()), container.containerId());
    }
    return Optional.empty();
  }

  /** Returns the sample to wait for; containers that start at the same time share it. */
  private synchronized CompletableFuture<Void> sampleFor(String containerId) {
    if (running.isEmpty() && limited.getAsBoolean()) {
      first = sample.get();
    }
    running.add(containerId);
    return first;
  }

  /** A promoted container is no longer subject to the best-effort limit. */
  @Override
  public void changed(ContainerInfo container, boolean placed) {
    if (container.executionType() != ExecutionType.OPPORTUNISTIC) {
      ended(container.containerId());
    }
  }

  /** Its processes have ended, so the limit may be removed before YARN forgets the container. */
  @Override
  public void stopped(String containerId, boolean placed) {
    ended(containerId);
  }

  @Override
  public synchronized void ended(String containerId) {
    running.remove(containerId);
  }

  private static void await(CompletableFuture<Void> first, String containerId) {
    try {
      first.get(MAX_DELAY.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("{} starts although the node was not measured first", containerId, e);
    }
  }
}
