/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import java.util.concurrent.CountDownLatch;

/**
 * Lets an interrupted command (Ctrl-C, SIGTERM) end in an orderly way: the process waits until this
 * object is closed.
 */
public final class InterruptHook implements AutoCloseable {
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this::interrupted, "interrupt");
  private Runnable action = () -> {};
  private boolean interrupted;

  /** Starts to wait for an interrupt. */
  public static InterruptHook open() {
    InterruptHook hook = new InterruptHook();
    Runtime.getRuntime().addShutdownHook(hook.thread);
    return hook;
  }

  /** Sets the action for an interrupt. Runs it at once if the interrupt has already occurred. */
  public synchronized void onInterrupt(Runnable newAction) {
    action = newAction;
    if (interrupted) {
      action.run();
    }
  }

  /** Runs when the process has been asked to end. */
  private void interrupted() {
    synchronized (this) {
      interrupted = true;
      action.run();
    }
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(thread);
    } catch (IllegalStateException e) {
      // The process is ending: this runs while the hook does.
      return;
    }
  }
}
