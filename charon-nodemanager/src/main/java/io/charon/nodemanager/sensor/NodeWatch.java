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
 * Checks a node repeatedly on its own thread, much more often than the tick. A check that fails has
 * no effect, and the next one follows.
 */
public final class NodeWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeWatch.class);

  private final Check check;
  private final Supplier<Duration> pause;
  private final Thread thread;
  private final GuardedParts parts = new GuardedParts(LOG, () -> {});
  private volatile boolean closed;

  /** One check of the node. */
  @FunctionalInterface
  public interface Check {
    /**
     * Reads the node and acts on the reading.
     *
     * @throws IOException if the node cannot be read
     */
    void check() throws IOException;
  }

  /**
   * Creates a watch that is not running yet.
   *
   * @param name name of its thread
   * @param check the check to run
   * @param pause time to wait after each check
   */
  public NodeWatch(String name, Check check, Supplier<Duration> pause) {
    this.check = check;
    this.pause = pause;
    thread = new Thread(this::watch, name);
    thread.setDaemon(true);
  }

  /** Starts the checks. */
  public void start() {
    thread.start();
  }

  private void watch() {
    while (!closed) {
      parts.run(thread.getName(), this::checkOnce);
      LockSupport.parkNanos(pause.get().toNanos());
    }
  }

  private void checkOnce() {
    try {
      check.check();
    } catch (IOException e) {
      // The tick reports unreadable files; without a reading there is nothing to do.
      LOG.debug("cannot read the state of the node", e);
    }
  }

  /** Ends the pause, so that the next check follows at once. */
  public void checkNow() {
    LockSupport.unpark(thread);
  }

  /** Prevents further checks; one that is running continues. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  /**
   * Waits for the thread to end after {@link #close}.
   *
   * @param limit the longest time to wait
   */
  public void awaitEnd(Duration limit) {
    try {
      thread.join(limit.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
