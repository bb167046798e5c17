/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import io.charon.web.threads.DaemonThreads;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lane for each target of operations that may block in the kernel. Operations on a target run one
 * at a time; of those that wait, only the newest runs. Neither other targets nor the caller wait.
 * Thread-safe.
 */
final class Lanes implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Lanes.class);

  /** Longest time that closing waits for running operations (our choice). */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);

  private final ExecutorService threads =
      Executors.newCachedThreadPool(DaemonThreads.named("charon-lane"));
  private final Set<String> busy = new HashSet<>();
  private final Map<String, Runnable> next = new HashMap<>();

  /**
   * Runs a task as soon as the current one for the same target has ended, unless a newer one
   * replaces it before.
   */
  void run(String target, Runnable task) {
    synchronized (this) {
      if (!busy.add(target)) {
        next.put(target, task);
        return;
      }
    }
    try {
      threads.execute(() -> drive(target, task));
    } catch (RejectedExecutionException e) {
      LOG.debug("the node is stopping", e);
    }
  }

  private void drive(String target, Runnable first) {
    Runnable task = first;
    while (task != null) {
      try {
        task.run();
      } catch (VirtualMachineError e) {
        throw e; // to the handler of uncaught exceptions, which ends the daemon
      } catch (Throwable e) {
        LOG.warn("an action on {} failed", target, e);
      }
      synchronized (this) {
        task = threads.isShutdown() ? null : next.remove(target);
        if (task == null) {
          busy.remove(target);
        }
      }
    }
  }

  /**
   * Interrupts what runs and waits for it, so that nothing is done or reported afterwards; nothing
   * that waits begins. An operation that the kernel holds for longer goes on.
   */
  @Override
  public void close() {
    threads.shutdownNow();
    try {
      if (!threads.awaitTermination(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("an action has not ended within {} ms", CLOSE_TIMEOUT.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
