/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.machine;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Reverts a command's changes to the machine in reverse order: when the command ends, and also when
 * the JVM is told to exit before that.
 */
public final class Cleanup implements AutoCloseable {
  /** A step that reverts one change; does nothing when called again. */
  public interface Step {
    /** Reverts the change. */
    void undo() throws IOException, InterruptedException;
  }

  private final Deque<Step> steps = new ArrayDeque<>();
  private final Thread hook = new Thread(this::runAll, "charon-cleanup");

  /** Creates a cleanup without steps and registers a shutdown hook. */
  public Cleanup() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Adds a step, which runs before all steps added earlier. */
  public synchronized void add(Step step) {
    steps.push(step);
  }

  @Override
  public void close() {
    runAll();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException endsAlready) {
      // The hook finds nothing left to revert.
    }
  }

  private synchronized void runAll() {
    while (!steps.isEmpty()) {
      try {
        steps.pop().undo();
      } catch (IOException | RuntimeException e) {
        // The other steps must still run, and the user must learn of this failure.
        System.err.println("charon: cleaning up: " + e.getMessage());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
