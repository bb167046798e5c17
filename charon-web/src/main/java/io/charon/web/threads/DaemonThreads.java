/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.threads;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Threads that do not keep their process alive. */
public final class DaemonThreads {
  private DaemonThreads() {}

  /** Returns a factory of threads that all have the same name. */
  public static ThreadFactory named(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  /**
   * Lets threads end their tasks, also those that wait, and drops what is left after a time, or if
   * the caller is interrupted.
   *
   * @return false if the time was over
   */
  public static boolean end(ExecutorService threads, Duration limit) {
    threads.shutdown();
    try {
      if (threads.awaitTermination(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        return true;
      }
      threads.shutdownNow();
      return false;
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
