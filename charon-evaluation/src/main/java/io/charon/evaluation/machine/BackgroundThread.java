/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.machine;

import java.time.Duration;

/** A thread that does not keep the JVM from ending, and is interrupted when it is closed. */
public final class BackgroundThread implements AutoCloseable {
  private static final Duration END_LIMIT = Duration.ofSeconds(5);

  private final Thread thread;

  private BackgroundThread(Thread thread) {
    this.thread = thread;
  }

  /** Starts a thread; {@code work} returns soon after it is interrupted. */
  public static BackgroundThread start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
    return new BackgroundThread(thread);
  }

  /** Waits until the work is done, at most for the given time. */
  public void await(Duration limit) throws InterruptedException {
    thread.join(limit.toMillis());
  }

  /** Interrupts the work and waits for its end, at most 5 s. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      await(END_LIMIT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
