/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.nodemanager.fault.GuardedParts;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at a node again and again, on a thread of its own, much more often than the tick. A look
 * that fails changes nothing, and the next one follows.
 */
public final class NodeWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeWatch.class);

  private final Look look;
  private final Supplier<Duration> pause;
  private final Thread thread;
  private final GuardedParts parts = new GuardedParts(LOG, () -> {});
  private volatile boolean closed;

  /** One look. */
  @FunctionalInterface
  public interface Look {
    /**
     * Reads, and acts.
     *
     * @throws IOException if the node cannot be read
     */
    void look() throws IOException;
  }

  /**
   * A watch that does not run yet.
   *
   * @param name of its thread
   * @param look what it does
   * @param pause how long it waits after each look
   */
  public NodeWatch(String name, Look look, Supplier<Duration> pause) {
    this.look = look;
    this.pause = pause;
    thread = new Thread(this::watch, name);
    thread.setDaemon(true);
  }

  /** Starts looking. */
  public void start() {
    thread.start();
  }

  private void watch() {
    while (!closed) {
      parts.run(thread.getName(), this::lookOnce);
      LockSupport.parkNanos(pause.get().toNanos());
    }
  }

  private void lookOnce() {
    try {
      look.look();
    } catch (IOException e) {
      // The tick reports what cannot be read; without a reading nothing is done.
      LOG.debug("no reading of the node", e);
    }
  }

  /** No look begins from now on. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  /**
   * Waits for a look that runs.
   *
   * @param limit for how long at most
   */
  public void awaitEnd(Duration limit) {
    try {
      thread.join(limit.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
